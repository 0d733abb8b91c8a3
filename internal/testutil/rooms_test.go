package testutil_test

import (
	"bytes"
	"go/ast"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rooms are the budgets of the packages: the lines of their Go files without tests. Whoever
// raises one says why in the commit; whoever takes lines out lowers it.
var rooms = map[string]int{
	"internal/attempt":          74,
	"internal/classify":         1819,
	"internal/classify/answers": 1178,
	"internal/classify/class":   181,
	"internal/classify/codes":   520,
	"internal/classify/texts":   831,
	"internal/correlation":      30,
	"internal/effect":           76,
	"internal/hint":             139,
	"internal/jsonvalue":        495,
	"internal/nearmiss":         91,
	"internal/redact":           797,
	"internal/sanitize":         167,
	"internal/schema":           616,
	"internal/spelling":         158,
	"internal/toolinfo":         97,
	"result":                    1832,
	"result/idempotency":        1341,
	"result/internal/encodable": 136,
	"result/internal/evidence":  548,
	"result/internal/failure":   1007,
	"result/internal/foreign":   1556,
	"result/internal/sdktext":   168,
	"retry":                     1909,
	"retry/handoff":             315,
	"retry/internal/guard":      739,
	"retry/internal/hints":      46,
	"retry/internal/parts":      244,
	"retry/internal/session":    886,
	"toolerr":                   1570,
}

// The limits of the whole library, and of the files of a package. Rules are the cases of all switches, and
// tests are the switches without a value, which choose between conditions.
const (
	maxLines      = 19_566
	maxStatements = 7_809
	maxRules      = 386
	maxTests      = 76
	maxFiles      = 22
)

// TestRooms checks that no package is over its budget, that a budget is not far above what
// is used, and that every package has one.
func TestRooms(t *testing.T) {
	t.Parallel()
	lines, files, total := map[string]int{}, map[string]int{}, 0
	var statements, rules, tests int
	nested := []string{
		"result/mcpotel", "result/idempotency/redisstore", "result/idempotency/sqlstore",
		"result/resulttest", "result/resulttest/faults", "result/resulttest/internal/storecheck", "result/servertest",
		"toolerr/toolerrlint", "toolerr/toolerrlint/cmd/toolerrlint", "toolerr/toolerrlint/plugin",
	}
	for _, s := range sources(t, func(s source) bool { return s.isLibrary() && !slices.Contains(nested, s.dir) }) {
		lines[s.dir] += bytes.Count(s.text, []byte("\n"))
		files[s.dir]++
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BlockStmt, *ast.CommClause, nil:
				return true
			case *ast.CaseClause:
				rules += min(len(n.List), 1) // not of a default
				return true
			case *ast.SwitchStmt:
				if n.Tag == nil {
					tests++
				}
			}
			if _, ok := n.(ast.Stmt); ok {
				statements++
			}
			return true
		})
	}
	for room, n := range lines {
		total += n
		assert.LessOrEqual(t, n, rooms[room], "lines of %s", room)
		assert.GreaterOrEqual(t, n+n/10+20, rooms[room], "the budget of %s can be lowered", room)
		assert.LessOrEqual(t, files[room], maxFiles, "files of %s", room)
	}
	assert.Equal(t, slices.Sorted(maps.Keys(lines)), slices.Sorted(maps.Keys(rooms)))
	assert.LessOrEqual(t, total, maxLines, "lines of the library")
	assert.LessOrEqual(t, statements, maxStatements, "statements of the library")
	assert.LessOrEqual(t, rules, maxRules, "cases of the library's switches")
	assert.LessOrEqual(t, tests, maxTests, "switches of the library without a value")
}

// TestColumns checks that no line of Go is over 120 columns, except for lines of tests with a text or an output,
// which are data.
func TestColumns(t *testing.T) {
	t.Parallel()
	for _, s := range sources(t, func(s source) bool { return s.file != nil }) {
		n, isOutput := 0, false
		for line := range strings.Lines(string(s.text)) {
			n++
			isOutput = strings.HasPrefix(strings.TrimSpace(line), "//") && (isOutput || strings.Contains(line, "utput:"))
			if width := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > 120 {
				isData := s.isTest() && (isOutput || strings.ContainsAny(line, "\"`"))
				assert.True(t, isData, "%s:%d has %d columns, and may have 120", path.Join(s.dir, s.name), n, width)
			}
		}
	}
}

const module = "github.com/mcp-toolerr/toolerr-go/"

// arrows lists the packages of this module that each package may import. A package that
// is not listed imports none.
var arrows = map[string]string{
	"toolerr": "internal/classify internal/effect internal/hint internal/nearmiss internal/redact " +
		"internal/sanitize internal/jsonvalue",
	"internal/classify":         "internal/classify/* internal/effect internal/spelling",
	"internal/classify/answers": "internal/classify/* internal/jsonvalue internal/spelling",
	"internal/classify/codes":   "internal/classify/class",
	"internal/classify/texts":   "internal/classify/class internal/classify/codes",
	"internal/redact":           "internal/jsonvalue internal/sanitize",
	"internal/toolinfo":         "internal/schema internal/spelling",
	"internal/schema":           "internal/jsonvalue",
	"result/internal/foreign":   "toolerr result/internal/sdktext internal/*",
	"result/internal/evidence":  "internal/*",
	"result/internal/failure":   "toolerr result/internal/foreign result/internal/evidence internal/*",
	"result/internal/encodable": "result/internal/failure internal/*",
	"result":                    "toolerr result/internal/* internal/*",
	"result/idempotency":        "toolerr result result/internal/* internal/*",
	"retry":                     "toolerr result retry/internal/* internal/*",
	"retry/handoff":             "toolerr result retry/internal/* internal/*",
	"retry/internal/guard":      "toolerr result retry/internal/hints internal/*",
	"retry/internal/hints":      "toolerr internal/hint",
	"retry/internal/parts":      "toolerr result retry/internal/hints internal/*",
	"retry/internal/session":    "toolerr result internal/*",
	"result/internal/sdktext":   "toolerr internal/sanitize",
}

// The layers are toolerr, result and retry. Shared code is in packages below them.
func TestArrows(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}",
		"../../toolerr/...", "../../result/...", "../../retry/...", "../../internal/...").Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Greater(t, len(lines), 8)
	for _, line := range lines {
		fields := strings.Fields(strings.ReplaceAll(line, module, ""))
		if strings.HasPrefix(fields[0], "internal/testutil") {
			continue // tests may import any package
		}
		allowed := strings.Fields(arrows[fields[0]])
		for _, imported := range strings.Fields(line)[1:] {
			name, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			assert.True(t, slices.ContainsFunc(allowed, func(pattern string) bool {
				dir, all := strings.CutSuffix(pattern, "*")
				return name == pattern || all && strings.HasPrefix(name, dir)
			}), "%s imports %s", fields[0], name)
		}
	}
}
