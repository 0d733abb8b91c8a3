package toolinfo_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

func TestList(t *testing.T) {
	t.Parallel()
	errCut := errors.New("cut")
	tool := func(name string) *mcp.Tool { return &mcp.Tool{Name: name} }
	huge := make([]*mcp.Tool, 14_000)
	for i := range huge {
		huge[i] = tool(fmt.Sprint(i))
	}
	for name, test := range map[string]struct {
		page  func(n int) *mcp.ListToolsResult // n counts from 1; nil fails
		pages int
		tools int
		err   error
	}{
		"empty": {func(int) *mcp.ListToolsResult { return &mcp.ListToolsResult{} }, 1, 0, nil},
		"pages": {func(n int) *mcp.ListToolsResult {
			return page([]string{"a", "b", ""}[n-1], nil, tool("t"), tool(fmt.Sprint(n)))
		}, 3, 4, nil},
		"failed": {
			func(n int) *mcp.ListToolsResult { return []*mcp.ListToolsResult{page("x", tool("a")), nil}[n-1] }, 2, 1, errCut,
		},
		"repeated": {func(n int) *mcp.ListToolsResult { return page("x", tool(fmt.Sprint(n))) }, 2, 2, toolinfo.ErrEndless},
		"endless":  {func(n int) *mcp.ListToolsResult { return page(fmt.Sprint(n)) }, 10_000, 0, toolinfo.ErrEndless},
		"huge": {
			func(n int) *mcp.ListToolsResult { return page(fmt.Sprint(n), huge[7000*n-7000:7000*n]...) }, 2, 10_000,
			toolinfo.ErrEndless,
		},
	} {
		asked, cursor := 0, ""
		tools, err := toolinfo.List(t.Context(),
			func(_ context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
				assert.Equal(t, cursor, params.Cursor, name)
				asked++
				list := test.page(asked)
				if list == nil {
					return nil, errCut
				}
				cursor = list.NextCursor
				return list, nil
			})
		require.ErrorIs(t, err, test.err, name)
		assert.Equal(t, test.pages, asked, name)
		assert.Len(t, tools, test.tools, name)
	}
}

func page(next string, tools ...*mcp.Tool) *mcp.ListToolsResult {
	return &mcp.ListToolsResult{Tools: tools, NextCursor: next}
}

func TestTool_Input(t *testing.T) {
	t.Parallel()
	known := toolinfo.New(&mcp.Tool{InputSchema: map[string]any{"required": []string{"a"}}}) // an author's Go value
	v, _ := known.Input().Validate([]byte(`{}`))
	assert.Equal(t, "a", v.Path)
	for _, unknown := range []*toolinfo.Tool{
		nil, toolinfo.New(&mcp.Tool{}), toolinfo.New(&mcp.Tool{InputSchema: make(chan int)}),
	} {
		v, certain := unknown.Input().Validate([]byte(`{}`))
		assert.Nil(t, v)
		assert.False(t, certain)
	}
}

func TestTool_KeyArgument(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"idempotency_key": true, "idempotencyKey": true, "Idempotency-Key": true, "IDEMPOTENCYKEY": true,
		"key": false, "idempotency": false, "idempotency keys": false, "": false,
	} {
		properties := map[string]any{"amount": map[string]any{"type": "number"}, name: map[string]any{"type": "string"}}
		got := toolinfo.New(&mcp.Tool{InputSchema: map[string]any{"properties": properties}}).KeyArgument()
		assert.Equal(t, []bool{want, want}, []bool{got != "", toolinfo.IsKeyArgument(name)}, name)
		if want {
			assert.Equal(t, name, got)
		}
	}
	assert.Empty(t, toolinfo.New(&mcp.Tool{}).KeyArgument())
	assert.Empty(t, (*toolinfo.Tool)(nil).KeyArgument())
}
