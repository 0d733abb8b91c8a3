package result_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A file error of the operating system is the caller's fault only if the call names the file or
// program, as an error and as text.
func TestMiddleware_SystemWords(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		words, arguments string
		category         toolerr.Category
		code             toolerr.Code
	}{
		"Node, the caller's file":       {"ENOENT: no such file or directory, open '/srv/a.txt'", `{"path":"/srv/a.txt"}`, "validation", "not_found"},
		"Node, a relative path":         {"ENOENT: no such file or directory, open '/srv/docs/a.txt'", `{"path":"docs/a.txt"}`, "validation", "not_found"},
		"Node, the tool's file":         {"ENOENT: no such file or directory, open '/var/lib/memory.json'", `{"path":"/srv/a.txt"}`, "", ""},
		"Node, access to the caller's":  {"EACCES: permission denied, open '/srv/a.txt'", `{"path":"/srv/a.txt"}`, "permission", "permission_denied"},
		"Node, access to the tool's":    {"EACCES: permission denied, open '/var/lib/memory.json'", `{"path":"/srv/a.txt"}`, "", ""},
		"Node, no name":                 {"EISDIR: illegal operation on a directory, read", `{"path":"/srv"}`, "", ""},
		"Node, no program":              {"spawn git ENOENT", `{"path":"/srv"}`, "", ""},
		"Python, the caller's file":     {"[Errno 2] No such file or directory: 'a.csv'", `{"path":"a.csv"}`, "validation", "not_found"},
		"Python, the tool's file":       {"[Errno 2] No such file or directory: '/etc/tool.toml'", `{"path":"a.csv"}`, "", ""},
		"Python, no program":            {"Cmd('git') not found due to: FileNotFoundError('[Errno 2] No such file or directory: 'git'')", `{"path":"/srv"}`, "", ""},
		"Go, the caller's file":         {"Error: stat /srv/a.txt: no such file or directory", `{"path":"/srv/a.txt"}`, "validation", "not_found"},
		"Go, the tool's file":           {"open /etc/tool.yaml: no such file or directory", `{"path":"/srv/a.txt"}`, "", ""},
		"Go, no arguments":              {"open /etc/tool.yaml: permission denied", `{}`, "", ""},
		"words that only sound like it": {"No such file in this project", `{"path":"/srv/a.txt"}`, "validation", "not_found"},
		"what was tried":                {"failed to list workspaces in org 'acme'", `{"path":"acme"}`, "", ""},
		"what was tried, and why":       {"failed to list workspaces: org 'acme' has none", `{"path":"acme"}`, "validation", ""},
		"what was looked up":            {"Failed to resolve 'acme'", `{"path":"acme"}`, "validation", ""},
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(quiet()))
		server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"}}}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: test.words}}}, nil
			})
		session := testutil.Connect(t, server, nil)
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(test.arguments)}))
		require.NotNil(t, out.Err, name)
		assert.Equal(t, test.category, out.Err.Category, name)
		assert.Equal(t, test.code, out.Err.Code, name)
		assert.Equal(t, test.words, out.Err.Message, name)
		if test.category == "" {
			assert.Equal(t, "Read the message to decide what to do next.", out.Err.Hint, name)
			assert.Empty(t, out.Err.Field, name)
		}
	}
}
