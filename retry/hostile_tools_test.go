package retry_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

func keyedTool(name string) *mcp.Tool {
	return &mcp.Tool{Name: name, InputSchema: map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": map[string]any{"type": "string"}}}}
}

// TestClient_HostileLists checks that a keyed tool is never called without its key,
// whatever the server's list is like.
func TestClient_HostileLists(t *testing.T) {
	t.Parallel()
	var many []*mcp.Tool
	for i := range 10_010 {
		many = append(many, keyedTool(fmt.Sprint("tool-", i)))
	}
	page := func(name, next string) *mcp.ListToolsResult {
		return &mcp.ListToolsResult{Tools: []*mcp.Tool{keyedTool(name)}, NextCursor: next}
	}
	for name, test := range map[string]struct {
		list  func(asked int) (*mcp.ListToolsResult, error)
		tools []string
		sent  bool
	}{
		"too many tools": {
			func(int) (*mcp.ListToolsResult, error) { return &mcp.ListToolsResult{Tools: many}, nil },
			[]string{"tool-1", "tool-9999"},
			true,
		},
		"a repeated cursor": {
			func(asked int) (*mcp.ListToolsResult, error) { return page(fmt.Sprint("tool-", asked), "next"), nil },
			[]string{"tool-40"},
			false,
		},
		"no second page": {
			func(asked int) (*mcp.ListToolsResult, error) {
				if asked == 1 {
					return page("tool-1", "2"), nil
				}
				return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no"}
			},
			[]string{"tool-2"},
			false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			asked := 0
			s := &fakeSession{version: "v1", list: func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
				asked++
				return test.list(asked)
			}}
			c := s.client()
			defer func() { _ = c.Close() }()
			for _, tool := range test.tools {
				_, _ = call(t, c, tool)
				if test.sent {
					assert.NotEmpty(t, s.key(), tool)
				}
			}
			assert.Equal(t, test.sent, s.calls.Load() > 0)
		})
	}
}

// A namedSession is a session with a server of the given name.
type namedSession struct {
	*fakeSession
	name string
}

func (s namedSession) InitializeResult() *mcp.InitializeResult {
	return &mcp.InitializeResult{ServerInfo: &mcp.Implementation{Name: s.name, Version: "v1"}}
}

// TestClient_AnotherServer checks that a key that was sent to one server is not sent to
// another, which would do the work again.
func TestClient_AnotherServer(t *testing.T) {
	t.Parallel()
	work, connects := 0, 0
	c := &retry.Client{Safety: retry.SafetyOf, Policy: quick}
	c.Connect = func(context.Context) (retry.ClientSession, error) {
		connects++
		exits := connects == 1
		s := &fakeSession{over: make(chan struct{}), list: func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
			return &mcp.ListToolsResult{Tools: []*mcp.Tool{keyedTool("pay")}}, nil
		}}
		s.answer = func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
			work++
			if exits {
				return nil, io.EOF
			}
			return result.OK("paid"), nil
		}
		return namedSession{s, fmt.Sprint("server-", connects)}, nil
	}
	defer func() { _ = c.Close() }()
	_, decision := call(t, c, "pay")
	assert.Equal(t, 1, work)
	assert.Equal(t, retry.ActionVerify, decision.Action)
}
