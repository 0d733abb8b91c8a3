package result_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var errSoldOut = errors.New("all 3 seats are sold out")

// An author's words, of an error or a rule, are kept at the end of the context too.
func TestMiddlewareOptions_Timeout(t *testing.T) {
	t.Parallel()
	const limit = "The tool did not finish within its time limit of 1ms."
	rule := func(err error) (*toolerr.Error, bool) {
		return toolerr.Transient("The mill was stopped.").WithCode(toolerr.CodeTimeout),
			errors.Is(err, context.DeadlineExceeded)
	}
	ignores := func(context.Context) (*mcp.CallToolResult, error) {
		<-time.After(60 * time.Millisecond)
		return result.OK("late"), nil
	}
	ends := func(err error) toolFunc { return waits(func(context.Context) error { return err }) }
	wraps := func(ctx context.Context) error { return toolerr.Wrap(ctx.Err(), "The mill did not turn.") }
	notReady := toolerr.Transient("It is still being made.").WithCode("not_ready")
	for name, test := range map[string]struct {
		rules   []toolerr.Rule
		h       toolFunc
		message string
	}{
		"heeds it":                 {nil, waits(context.Context.Err), limit},
		"takes it for canceled":    {nil, ends(context.Canceled), limit},
		"has words of its own":     {nil, ends(notReady), notReady.Message},
		"wraps it in words":        {nil, waits(wraps), "The mill did not turn."},
		"a rule has words":         {[]toolerr.Rule{rule}, waits(context.Context.Err), "The mill was stopped."},
		"fails earlier":            {nil, fails(context.DeadlineExceeded), "No answer came in time."},
		"fails of something later": {nil, ends(errSoldOut), "The tool failed unexpectedly."},
		"ignores it":               {nil, ignores, ""}, // it is waited for
	} {
		synctest.Test(t, func(t *testing.T) {
			opts := quiet()
			opts.Rules, opts.Timeout = test.rules, time.Millisecond
			out := callTool(t, raw(t, opts, test.h), "t", nil)
			if test.message == "" {
				require.NoError(t, out.AsError(), name)
			} else {
				assert.Equal(t, test.message, out.Err.Message, name)
			}
		})
	}
	assert.PanicsWithValue(t, "result.MiddlewareOptions.Timeout is 1ns: give it a unit, as in 30*time.Second",
		func() { result.Middleware(&result.MiddlewareOptions{Timeout: 1}) })
}

type panicky struct{ slog.Handler }

func (panicky) Enabled(context.Context, slog.Level) bool { panic("no log") }

// Wherever the middleware does nothing, it says so once, and what to write.
func TestMiddleware_Misplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		install func(*mcp.Server, *mcp.Client, mcp.Middleware)
		advice  string
	}{
		"server, receiving": {func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddReceivingMiddleware(m) }, ""},
		"server, sending": {
			func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddSendingMiddleware(m) }, "server.AddReceivingMiddleware",
		},
		"client, receiving": {
			func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddReceivingMiddleware(m) }, "retry.Middleware",
		},
		"client, sending": {
			func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddSendingMiddleware(m) }, "retry.Middleware",
		},
		"twice": {func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) {
			s.AddReceivingMiddleware(result.Middleware(quiet()), m)
		}, "the outer one"},
		"another server's, in a tool": {func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) {
			s.AddReceivingMiddleware(result.Middleware(quiet()), func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
					_ = handled(ctx, m(next), "", "t")
					return next(ctx, method, req)
				}
			})
		}, ""},
	} {
		var log bytes.Buffer
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "decline"}, nil
			},
		})
		test.install(server, client, result.Middleware(logged(&log)))
		tool := func(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
			_, _ = req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "?"})
			return nil, nil, nil
		}
		mcp.AddTool(server, &mcp.Tool{Name: "t"}, tool)
		inside, outside := mcp.NewInMemoryTransports()
		serving, err := server.Connect(t.Context(), inside, nil)
		require.NoError(t, err)
		// later, a server sends no requests
		session, err := client.Connect(t.Context(), outside, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		require.NoError(t, err)
		for range 2 {
			require.NoError(t, callTool(t, session, "t", nil).AsError(), name)
		}
		mcp.AddTool(server, &mcp.Tool{Name: "u"}, tool) // which notifies the client
		_ = session.Close()
		_ = serving.Close()
		want := map[bool]int{true: 1}[test.advice != ""]
		assert.Equal(t, want, strings.Count(log.String(), "does nothing"), "%s: %s", name, log.String())
		assert.Contains(t, log.String(), test.advice, name)
	}
}

// Middleware around gets the cause of a failure, and a second result.Middleware does nothing.
func TestMiddleware_Twice(t *testing.T) {
	t.Parallel()
	var got []error
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	around := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := res.(*mcp.CallToolResult); ok {
				got = append(got, r.GetError())
			}
			return res, err
		}
	}
	inner, outer := new(bytes.Buffer), new(bytes.Buffer)
	server.AddReceivingMiddleware(around, result.Middleware(logged(outer)), around, result.Middleware(logged(inner)))
	addBrokenTools(server)
	addTyped(server, "sold_out", fails(errOverLimit.WithCause(errSoldOut)))
	session := testutil.Connect(t, server, nil)
	out := callTool(t, session, "sold_out", nil)
	for _, err := range got {
		require.ErrorIs(t, err, errSoldOut)
		assert.Equal(t, "Over the limit.", err.Error())
		assert.Contains(t, fmt.Sprint(slog.AnyValue(err).Resolve()), "limit_exceeded",
			"it is logged as it would be by itself")
	}
	assert.Len(t, got, 2)
	assert.Contains(t, outer.String(), out.Err.CorrelationID)
	assert.Contains(t, outer.String(), errSoldOut.Error())
	assert.Equal(t, 1, strings.Count(inner.String(), "\n"), "it says once that it does nothing")
	assert.Contains(t, inner.String(), "result.Middleware inside another one")
	out = callTool(t, session, "every_keyword", map[string]any{"no_such_argument": 1})
	assert.Equal(t, "no_such_argument", out.Err.Field)
}
