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

// TestContributing_Names checks that the functions and types of the lives of a call exist.
func TestContributing_Names(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../.github/CONTRIBUTING.md")
	require.NoError(t, err)
	_, life, ok := strings.Cut(string(text), "## The life of a call")
	require.True(t, ok)
	life, _, _ = strings.Cut(life, "\n## ")
	declared := map[string]bool{"SetError": true, "OnCall": true, "attempted": true, "SessionLost": true} // of the SDK; a field; a key
	declaration := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |package )(\w+)`)
	for _, top := range []string{"toolerr", "result", "retry", "internal"} {
		require.NoError(t, filepath.WalkDir("../../"+top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			source, err := os.ReadFile(path)
			for _, match := range declaration.FindAllSubmatch(source, -1) {
				declared[string(match[1])] = true
			}
			return err
		}))
	}
	names := quotedName.FindAllStringSubmatch(life, -1)
	assert.Greater(t, len(names), 40)
	for _, match := range names {
		name := match[1]
		if strings.HasPrefix(name, "Test") || strings.Contains(name, "/") {
			continue
		}
		for part := range strings.SplitSeq(strings.TrimPrefix(name, "*"), ".") {
			assert.True(t, declared[part], "CONTRIBUTING.md names %s", name)
		}
	}
}
