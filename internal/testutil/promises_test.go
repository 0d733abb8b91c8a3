package testutil_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestPromises checks that each promise about hostile parties in SECURITY.md names tests, and
// that these tests exist.
func TestPromises(t *testing.T) {
	t.Parallel()
	security, err := os.ReadFile("../../.github/SECURITY.md")
	require.NoError(t, err)
	held := map[string][]string{}
	name := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z_]+)`")
	for _, row := range table(string(security), "| cannot | tests |") {
		for _, match := range name.FindAllStringSubmatch(row[1], -1) {
			held[row[0]] = append(held[row[0]], match[1])
		}
		assert.NotEmpty(t, held[row[0]], "no test holds %q", row[0])
	}
	hostile := table(string(security), "| who is hostile | can | cannot |")
	require.Greater(t, len(hostile), 2)
	for _, row := range hostile {
		for promise := range strings.SplitSeq(row[2], "; ") {
			assert.Contains(t, held, promise, "a promise without a test")
		}
	}
	known := testNames(t)
	for promise, tests := range held {
		for _, test := range tests {
			assert.True(t, known[test], "%s, which holds %q, is gone", test, promise)
		}
	}
}

// table returns the cells of the rows of a Markdown table.
func table(text, head string) (rows [][]string) {
	_, rest, _ := strings.Cut(text, head+"\n")
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|-") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}

// testNames are the names of all tests and fuzz targets of the root module.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	known := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git" || d.Name() == ".tools") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				known[f.Name.Name] = true
			}
		}
		return nil
	})
	require.NoError(t, err)
	return known
}
