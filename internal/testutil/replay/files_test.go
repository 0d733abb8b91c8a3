package replay_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

func stat(path string) func(*testing.T, string) error {
	return func(*testing.T, string) error {
		_, err := os.Stat(path)
		return err
	}
}

// The paths are from the arguments of the calls, and do not exist.
var filesFamily = family{"filesystem-go", map[string]typedCase{
	"read-missing": {"Error: ", stat("/srv/files/nothere.txt")},
	"list-missing": {"Error: ", stat("/srv/files/nodir")},
	"info-missing": {"Error getting file info: ", stat("/srv/files/nothere.txt")},
	"modify-badregex": {"Error: Invalid regular expression: ", func(*testing.T, string) error {
		pattern := "("                    // the argument of the recorded call
		_, err := regexp.Compile(pattern) //nolint:staticcheck // must fail
		return err
	}},
	"read-loop": {"Error: ", func(t *testing.T, _ string) error {
		t.Helper()
		loop := filepath.Join(t.TempDir(), "loop")
		require.NoError(t, os.Symlink("loop", loop))
		_, err := filepath.EvalSymlinks(loop)
		return err
	}},
	"write-underfile": {"Error: ", func(t *testing.T, _ string) error {
		t.Helper()
		file := filepath.Join(t.TempDir(), "a.txt")
		require.NoError(t, os.WriteFile(file, nil, 0o600))
		_, err := filepath.EvalSymlinks(filepath.Join(file, "b.txt"))
		return err
	}},
}}
