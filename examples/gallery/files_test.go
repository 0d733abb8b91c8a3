package main

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestWriteFile_Atomic has two writers and a reader of one file.
func TestWriteFile_Atomic(t *testing.T) {
	t.Parallel()
	w, err := openWorkspace()
	require.NoError(t, err)
	defer w.close()
	contents := []string{strings.Repeat("1", 60_000), strings.Repeat("2", 30_000)}
	write := func(content string) {
		_, _, err := w.writeFile(t.Context(), nil, writeIn{"docs/shared.md", content})
		assert.NoError(t, err)
	}
	write(contents[0])
	var wg sync.WaitGroup
	for _, content := range contents {
		wg.Go(func() {
			for range 300 {
				write(content)
			}
		})
	}
	wg.Go(func() {
		for range 600 {
			_, got, err := w.readFile(t.Context(), nil, readIn{"docs/shared.md"})
			whole := err == nil && slices.Contains(contents, got.Content)
			if !assert.True(t, whole, "%v, %d bytes, with %d of the first writer", err, len(got.Content), strings.Count(got.Content, "1")) {
				return
			}
		}
	})
	wg.Wait()
}

// TestOpenFile_Options follows the options of a name that several files have.
func TestOpenFile_Options(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	call := func(tool string, args any) result.Outcome {
		return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args}))
	}
	for _, path := range []string{"src/docs/notes.md", "notes"} { // beside docs/notes.md
		require.Equal(t, result.KindData, call("write_file", writeIn{path, "other"}).Kind)
	}
	for _, name := range []string{"notes.md", "docs/notes"} {
		out := call("open_file", openIn{name})
		resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeAmbiguous, out)
		require.Len(t, out.Err.Options, 2)
		for _, o := range out.Err.Options {
			chosen, ok := o.(map[string]any)
			require.True(t, ok, "%v", o)
			file, err := result.Decode[readOut](call("open_file", chosen))
			require.NoError(t, err)
			assert.Equal(t, chosen["name"], file.Path)
		}
	}
	file, err := result.Decode[readOut](call("open_file", openIn{"notes"}))
	require.NoError(t, err)
	assert.Equal(t, "notes", file.Path)
}
