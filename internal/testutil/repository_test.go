package testutil_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// A source is a Go or Markdown file of the repository.
type source struct {
	dir, name string // relative to the module
	text      []byte
	file      *ast.File // of Go
}

// positions has the positions of all sources.
var positions = token.NewFileSet()

// readSources reads all sources once. Test data is left out, since it quotes other programs.
var readSources = sync.OnceValues(func() (all []source, err error) {
	return all, filepath.WalkDir("../..", func(name string, d fs.DirEntry, err error) error {
		base, ext := d.Name(), path.Ext(name)
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if base == "testdata" || base == "node_modules" ||
				strings.HasPrefix(base, ".") && base != ".." && base != ".github" {
				return filepath.SkipDir
			}
			return nil
		case ext != ".go" && ext != ".md":
			return nil
		}
		s := source{dir: strings.TrimPrefix(filepath.ToSlash(filepath.Dir(name)), "../../"), name: base}
		if s.text, err = os.ReadFile(name); err == nil && ext == ".go" {
			s.file, err = parser.ParseFile(positions, name, s.text, parser.ParseComments|parser.SkipObjectResolution)
		}
		all = append(all, s)
		return err
	})
})

// sources returns the sources for which keep returns true.
func sources(t *testing.T, keep func(s source) bool) (kept []source) {
	t.Helper()
	all, err := readSources()
	require.NoError(t, err)
	for _, s := range all {
		if keep(s) {
			kept = append(kept, s)
		}
	}
	require.NotEmpty(t, kept)
	return kept
}

func (s source) isTest() bool { return strings.HasSuffix(s.name, "_test.go") }

// isLibrary reports whether it is Go code of the library, and no test.
func (s source) isLibrary() bool {
	top, _, _ := strings.Cut(s.dir, "/")
	return s.file != nil && !s.isTest() && slices.Contains([]string{"toolerr", "result", "retry", "internal"}, top) &&
		!strings.HasPrefix(s.dir, "internal/testutil")
}
