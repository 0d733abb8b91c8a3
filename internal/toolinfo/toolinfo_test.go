package toolinfo_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

func TestList(t *testing.T) {
	t.Parallel()
	errCut := errors.New("cut")
	for name, test := range map[string]struct {
		page  func(n int) (*mcp.ListToolsResult, error) // n counts from 1
		pages int
		tools int
		err   error
	}{
		"empty": {func(int) (*mcp.ListToolsResult, error) { return &mcp.ListToolsResult{}, nil }, 1, 0, nil},
		"pages": {func(n int) (*mcp.ListToolsResult, error) {
			return page(fmt.Sprint("abc"[n%3:n%3+1]), n, nil, tool("t"), tool(fmt.Sprint(n))), nil
		}, 3, 4, nil},
		"failed": {func(n int) (*mcp.ListToolsResult, error) {
			if n == 2 {
				return nil, errCut
			}
			return page("x", n, tool("a")), nil
		}, 2, 1, errCut},
		"repeated": {func(n int) (*mcp.ListToolsResult, error) { return page("x", 0, tool(fmt.Sprint(n))), nil }, 2, 2, toolinfo.ErrEndless},
		"endless":  {func(n int) (*mcp.ListToolsResult, error) { return page(fmt.Sprint(n), 0), nil }, 10_000, 0, toolinfo.ErrEndless},
		"huge": {func(n int) (*mcp.ListToolsResult, error) {
			tools := make([]*mcp.Tool, 7000)
			for i := range tools {
				tools[i] = tool(fmt.Sprint(n, i))
			}
			return page(fmt.Sprint(n), 0, tools...), nil
		}, 2, 10_000, toolinfo.ErrEndless},
	} {
		asked, cursor := 0, ""
		tools, err := toolinfo.List(t.Context(), func(_ context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
			assert.Equal(t, cursor, params.Cursor, name)
			asked++
			list, err := test.page(asked)
			if err == nil {
				cursor = list.NextCursor
			}
			return list, err
		})
		require.ErrorIs(t, err, test.err, name)
		assert.Equal(t, test.pages, asked, name)
		assert.Len(t, tools, test.tools, name)
	}
}

// page returns a page that is followed by another one, except the third.
func page(next string, n int, tools ...*mcp.Tool) *mcp.ListToolsResult {
	if n == 3 {
		next = ""
	}
	return &mcp.ListToolsResult{Tools: tools, NextCursor: next}
}

func tool(name string) *mcp.Tool { return &mcp.Tool{Name: name} }

func TestList_Session(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{PageSize: 2})
	for i := range 5 {
		mcp.AddTool(server, &mcp.Tool{Name: fmt.Sprint("t", i)}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	}
	tools, err := toolinfo.List(t.Context(), testutil.Connect(t, server, nil).ListTools)
	require.NoError(t, err)
	assert.Len(t, tools, 5)
}

func TestTool_Input(t *testing.T) {
	t.Parallel()
	known := toolinfo.New(&mcp.Tool{InputSchema: map[string]any{"required": []string{"a"}}}) // an author's Go value
	v, _ := known.Input().Validate([]byte(`{}`))
	assert.Equal(t, "a", v.Path)
	for _, unknown := range []*toolinfo.Tool{nil, toolinfo.New(&mcp.Tool{}), toolinfo.New(&mcp.Tool{InputSchema: make(chan int)})} {
		v, certain := unknown.Input().Validate([]byte(`{}`))
		assert.Nil(t, v)
		assert.False(t, certain)
	}
}

func TestTool_KeyArgument(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"idempotency_key": true, "idempotencyKey": true, "Idempotency-Key": true, "IDEMPOTENCYKEY": true,
		"key": false, "idempotency": false, "idempotency key": false, "": false,
	} {
		properties := map[string]any{"amount": map[string]any{"type": "number"}, name: map[string]any{"type": "string"}}
		got := toolinfo.New(&mcp.Tool{InputSchema: map[string]any{"properties": properties}}).KeyArgument()
		assert.Equal(t, want, got != "", name)
		if want {
			assert.Equal(t, name, got)
		}
	}
	assert.Empty(t, toolinfo.New(&mcp.Tool{}).KeyArgument())
	assert.Empty(t, (*toolinfo.Tool)(nil).KeyArgument())
}
