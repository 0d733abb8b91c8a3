package testutil_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// quotedName matches a name in backquotes.
var quotedName = regexp.MustCompile("`([^` ]+)`")

// TestContributing_Paths checks that the paths in CONTRIBUTING.md exist, and that each
// package of the library has a row.
func TestContributing_Paths(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.github/CONTRIBUTING.md")
	require.NoError(t, err)
	named, folders := map[string]bool{}, 0
	for cell := range strings.SplitSeq(string(text), " | ") {
		folder := "" // of the file names that follow a path in one cell
		for _, match := range quotedName.FindAllStringSubmatch(cell, -1) {
			path := match[1]
			switch {
			case strings.Contains(path, "/"):
				folder = filepath.Dir(path)
			case strings.HasSuffix(path, ".go") && folder != "":
				path = filepath.Join(folder, path)
			default:
				named[path] = true
				continue
			}
			named[path] = true
			found, err := filepath.Glob("../../" + path)
			require.NoError(t, err)
			assert.NotEmpty(t, found, "CONTRIBUTING.md names %s", path)
		}
	}
	for _, root := range []string{"toolerr", "result", "retry", "internal"} {
		require.NoError(t, filepath.WalkDir("../../"+root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.IsDir() {
				return err
			}
			name := strings.TrimPrefix(filepath.ToSlash(path), "../../")
			if name == "internal/testutil" || d.Name() == "testdata" {
				return filepath.SkipDir
			}
			if sources, _ := filepath.Glob(path + "/*.go"); len(sources) > 0 {
				folders++
				assert.True(t, named[name] || named[filepath.Base(name)], "CONTRIBUTING.md has no row for %s", name)
			}
			return nil
		}))
	}
	assert.Greater(t, folders, 20, "packages")
}
