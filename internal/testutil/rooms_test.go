package testutil_test

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rooms are the budgets of the packages: the lines of their Go files without tests. Whoever
// raises one says why in the commit; whoever takes lines out lowers it.
var rooms = map[string]int{
	"internal/attempt":                      100,
	"internal/classify":                     2330,
	"internal/classify/answers":             340,
	"internal/classify/class":               250,
	"internal/classify/codes":               1280,
	"internal/classify/texts":               1130,
	"internal/correlation":                  50,
	"internal/effect":                       100,
	"internal/hint":                         150,
	"internal/jsonvalue":                    630,
	"internal/nearmiss":                     130,
	"internal/redact":                       720,
	"internal/sanitize":                     230,
	"internal/schema":                       750,
	"internal/toolinfo":                     110,
	"result":                                2180,
	"result/idempotency":                    1500,
	"result/idempotency/sqlstore":           470,
	"result/internal/encodable":             220,
	"result/internal/evidence":              460,
	"result/internal/failure":               1080,
	"result/internal/foreign":               1820,
	"result/internal/sdktext":               80,
	"result/resulttest":                     260,
	"result/resulttest/faults":              310,
	"result/resulttest/internal/storecheck": 530,
	"result/servertest":                     2310,
	"retry":                                 2390,
	"retry/handoff":                         390,
	"retry/internal/guard":                  570,
	"retry/internal/hints":                  50,
	"retry/internal/parts":                  280,
	"retry/internal/session":                950,
	"toolerr":                               2290,
}

// The limits of the whole library, and of the files of a package.
const (
	maxLines = 26_000
	maxFiles = 22
)

// TestRooms checks that no package is over its budget, that a budget is not far above what
// is used, and that every package has one.
func TestRooms(t *testing.T) {
	t.Parallel()
	lines, files, total := map[string]int{}, map[string]int{}, 0
	for _, top := range []string{"toolerr", "result", "retry", "internal"} {
		err := filepath.WalkDir(filepath.Join("..", "..", top), func(name string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && (d.Name() == "testutil" || d.Name() == "mcpotel" || d.Name() == "testdata"):
				return filepath.SkipDir
			case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
				return nil
			}
			text, err := os.ReadFile(name)
			room := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(name, filepath.Join("..", "..")+string(filepath.Separator))))
			lines[room] += bytes.Count(text, []byte("\n"))
			files[room]++
			return err
		})
		require.NoError(t, err)
	}
	for room, n := range lines {
		total += n
		assert.LessOrEqual(t, n, rooms[room], "lines of %s", room)
		assert.GreaterOrEqual(t, n+n/10+20, rooms[room], "the budget of %s can be lowered", room)
		assert.LessOrEqual(t, files[room], maxFiles, "files of %s", room)
	}
	assert.Equal(t, slices.Sorted(maps.Keys(lines)), slices.Sorted(maps.Keys(rooms)))
	assert.LessOrEqual(t, total, maxLines, "lines of the library")
}
