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
	"internal/attempt":                      90,
	"internal/classify":                     2650,
	"internal/classify/answers":             380,
	"internal/classify/class":               240,
	"internal/classify/codes":               1650,
	"internal/classify/texts":               1130,
	"internal/correlation":                  40,
	"internal/effect":                       90,
	"internal/hint":                         130,
	"internal/jsonvalue":                    860,
	"internal/nearmiss":                     130,
	"internal/redact":                       800,
	"internal/sanitize":                     300,
	"internal/schema":                       820,
	"internal/toolinfo":                     100,
	"result":                                2110,
	"result/idempotency":                    1600,
	"result/idempotency/sqlstore":           500,
	"result/internal/encodable":             260,
	"result/internal/evidence":              510,
	"result/internal/failure":               1090,
	"result/internal/foreign":               1970,
	"result/resulttest":                     250,
	"result/resulttest/faults":              340,
	"result/resulttest/internal/storecheck": 570,
	"result/servertest":                     2740,
	"retry":                                 2240,
	"retry/handoff":                         420,
	"retry/internal/guard":                  655,
	"retry/internal/hints":                  40,
	"retry/internal/parts":                  280,
	"retry/internal/session":                1035,
	"toolerr":                               2260,
}

// The limits of the whole library, and of the files of a package.
const (
	maxLines = 28_100
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
