package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// branchTools connects to a server with a tool that fails with an error, and another tool that
// the error may name.
func branchTools(t *testing.T, opts *result.MiddlewareOptions, fail func() error) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	schema := json.RawMessage(`{"type":"object","properties":{"branch":{},"project":{},"issue_iid":{},"path":{}}}`)
	for _, name := range []string{"branch_delete", "branch_unprotect"} {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: schema}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, fail()
		})
	}
	return testutil.Connect(t, server, nil)
}

func deleteBranch(t *testing.T, session *mcp.ClientSession, arguments string) *toolerr.Error {
	t.Helper()
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "branch_delete", Arguments: json.RawMessage(arguments)}))
	require.NotNil(t, out.Err)
	return out.Err
}

// With a fixed correlation id whole answers can be compared.
func TestMiddlewareOptions_CorrelationID(t *testing.T) {
	t.Parallel()
	next := func(context.Context) string { return "trace-7" }
	for name, test := range map[string]struct {
		err  error
		id   func(context.Context) string
		want string // empty for a random one
	}{
		"the author's":   {errors.New("x"), next, "trace-7"},
		"the failure's":  {toolerr.Business("x").WithCorrelationID("own"), next, "own"},
		"none":           {errors.New("x"), func(context.Context) string { return "" }, ""},
		"one that fails": {errors.New("x"), func(context.Context) string { panic("no trace") }, ""},
		"not set":        {errors.New("x"), nil, ""},
	} {
		opts := quiet()
		opts.CorrelationID = test.id
		e := deleteBranch(t, branchTools(t, opts, func() error { return test.err }), `{}`)
		if test.want == "" {
			assert.Regexp(t, `^\d{18}$`, e.CorrelationID, name)
			continue
		}
		assert.Equal(t, test.want, e.CorrelationID, name)
	}
}
