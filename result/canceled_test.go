package result_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const handshake = `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"c","version":"v0"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`

// A broken connection cancels the calls. Tools whose requests end for this reason, as those of
// net/http do, have not failed, and other messages of the client are not logged.
func TestMiddleware_BrokenConnection(t *testing.T) {
	t.Parallel()
	for end, lastWords := range map[string]string{
		"closed": "", "no JSON": "hunter2\n", "half": `{"jsonrpc":"2.0","hunter2`,
		"version": `{"jsonrpc":"hunter2","id":1,"method":"x"}` + "\n", "method": `{"jsonrpc":"2.0","id":1,"method":{"password":"hunter2"}}` + "\n",
	} {
		for how, test := range map[string]struct {
			err  func(ctx context.Context) error
			code toolerr.Code
		}{
			"cause":      {func(ctx context.Context) error { return fmt.Errorf("Get: %w", context.Cause(ctx)) }, toolerr.CodeCanceled},
			"error":      {func(ctx context.Context) error { return fmt.Errorf("select: %w", ctx.Err()) }, toolerr.CodeCanceled},
			"another":    {func(context.Context) error { return errOverLimit }, toolerr.CodeLimitExceeded},
			"classified": {func(ctx context.Context) error { return fmt.Errorf("%w: %w", toolerr.NotFound("x", "1"), ctx.Err()) }, toolerr.CodeNotFound},
		} {
			synctest.Test(t, func(t *testing.T) {
				var codes []toolerr.Code
				var log bytes.Buffer
				opts := logged(&log)
				opts.OnCall = func(_ context.Context, call result.FinishedCall) { codes = append(codes, call.Err.Code) }
				server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
				server.AddReceivingMiddleware(result.Middleware(opts))
				h := func(ctx context.Context, _ *mcp.CallToolRequest, _ map[string]any) (*mcp.CallToolResult, any, error) {
					<-ctx.Done()
					return nil, nil, test.err(ctx)
				}
				result.AddTool(server, &mcp.Tool{Name: "a"}, h)
				idempotency.AddTool(server, &mcp.Tool{Name: "b"}, nil, h)
				near, far := net.Pipe()
				session, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: far, Writer: far}, nil)
				require.NoError(t, err)
				go func() { _, _ = io.Copy(io.Discard, near) }()
				for i, tool := range []string{"a", "b"} {
					_, err = fmt.Fprintf(near, `%s{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`+"\n", handshake, i, tool)
					require.NoError(t, err)
				}
				synctest.Wait()
				_, err = io.WriteString(near, lastWords)
				require.NoError(t, err)
				require.NoError(t, near.Close())
				_ = session.Wait()
				assert.Equal(t, []toolerr.Code{test.code, test.code}, codes, "%s %s", end, how)
				assert.NotContains(t, log.String(), "hunter2", "%s %s", end, how)
			})
		}
	}
}

// An author's words are kept at the end of the context too: of an error, and of a rule.
func TestMiddleware_AuthorsWordsAtTheEnd(t *testing.T) {
	t.Parallel()
	rule := func(err error) (*toolerr.Error, bool) {
		return toolerr.Transient("The mill was stopped.").WithCode(toolerr.CodeTimeout), errors.Is(err, context.DeadlineExceeded)
	}
	for want, test := range map[string]struct {
		rules []toolerr.Rule
		fail  func(context.Context) error
	}{
		"The mill was stopped.":                                 {[]toolerr.Rule{rule}, func(ctx context.Context) error { return ctx.Err() }},
		"The mill did not turn.":                                {nil, func(ctx context.Context) error { return toolerr.Wrap(ctx.Err(), "The mill did not turn.") }},
		"The tool did not finish within its time limit of 5ms.": {nil, func(ctx context.Context) error { return ctx.Err() }},
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		opts := quiet()
		opts.Rules, opts.Timeout = test.rules, 5*time.Millisecond
		server.AddReceivingMiddleware(result.Middleware(opts))
		result.AddTool(server, &mcp.Tool{Name: "t"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
			<-ctx.Done()
			return nil, nil, test.fail(ctx)
		})
		out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		assert.Equal(t, want, out.Err.Message)
	}
}
