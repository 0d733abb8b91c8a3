package main

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// npm is a folder in which the servers of testdata/servers are installed, by
// npm ci. Without it the test runs on none of them.
var npm = flag.String("npm", "", "check the reference servers that are installed in this `folder`")

// TestReferenceServers pins what is found in servers of other authors: each
// kind of finding was checked by hand, and the versions are fixed. These are not
// findings, and were checked too: missing annotations (all tools have some), a message of the
// type error with the word "Error", a list of files with an error for each unreadable one, and
// a path in the folder that the server publishes.
func TestReferenceServers(t *testing.T) {
	t.Parallel()
	if *npm == "" {
		return
	}
	dir := t.TempDir()
	for name, test := range map[string]struct {
		command  []string
		findings map[string][]string // by kind; the tools by name
	}{
		"everything": {nil, map[string][]string{
			"bare_text": {
				"echo", "get-annotated-message", "get-resource-links", "get-resource-reference", "get-structured-content", "get-sum",
				"trigger-long-running-operation",
			},
		}},
		"filesystem": {[]string{dir}, map[string][]string{
			"bare_text": {
				"directory_tree", "get_file_info", "list_directory", "list_directory_with_sizes", "read_file", "read_media_file",
				"read_multiple_files", "read_text_file", "search_files",
			},
		}},
		"memory": {nil, map[string][]string{"bare_text": {"open_nodes", "search_nodes"}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program, err := filepath.Abs(filepath.Join(*npm, "node_modules", ".bin", "mcp-server-"+name))
			require.NoError(t, err)
			command := []string{"env", "MEMORY_FILE_PATH=" + filepath.Join(dir, "memory.jsonl"), program}
			status, stdout, stderr := check(t, append(append([]string{"-format", "json", "--"}, command...), test.command...)...)
			require.Equal(t, statusFindings, status, "%s", stderr)
			got := decode(t, stdout)
			findings := map[string][]string{}
			for _, f := range got.Findings {
				findings[string(f.Kind)] = append(findings[string(f.Kind)], f.Tool)
			}
			assert.Equal(t, test.findings, findings)
		})
	}
}
