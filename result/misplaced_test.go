package result_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Wherever the middleware does nothing, it says so once, and what to write.
func TestMiddleware_Misplaced(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		install func(*mcp.Server, *mcp.Client, mcp.Middleware)
		advice  string
	}{
		"server, receiving": {func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddReceivingMiddleware(m) }, ""},
		"server, sending":   {func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) { s.AddSendingMiddleware(m) }, "server.AddReceivingMiddleware"},
		"client, receiving": {func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddReceivingMiddleware(m) }, "retry.Middleware"},
		"client, sending":   {func(_ *mcp.Server, c *mcp.Client, m mcp.Middleware) { c.AddSendingMiddleware(m) }, "retry.Middleware"},
		"twice": {func(s *mcp.Server, _ *mcp.Client, m mcp.Middleware) {
			s.AddReceivingMiddleware(result.Middleware(quiet()), m)
		}, "the outer one"},
	} {
		var log bytes.Buffer
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "decline"}, nil
			},
		})
		test.install(server, client, result.Middleware(logged(&log)))
		mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(ctx context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
			_, _ = req.Session.Elicit(ctx, &mcp.ElicitParams{Message: "?"})
			return nil, nil, nil
		})
		inside, outside := mcp.NewInMemoryTransports()
		serving, err := server.Connect(t.Context(), inside, nil)
		require.NoError(t, err)
		session, err := client.Connect(t.Context(), outside, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"}) // later, a server sends no requests
		require.NoError(t, err)
		for range 2 {
			_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
			require.NoError(t, err, name)
		}
		mcp.AddTool(server, &mcp.Tool{Name: "u"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
		_ = session.Close()
		_ = serving.Close()
		if test.advice == "" {
			assert.NotContains(t, log.String(), "does nothing", name)
			continue
		}
		assert.Equal(t, 1, strings.Count(log.String(), "does nothing"), "%s: %s", name, log.String())
		assert.Contains(t, log.String(), test.advice, name)
	}
}

// A nil *toolerr.Error that is returned as an error is a success if there is an answer, and
// the log says once what to write.
func TestMiddleware_TypedNil(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	var nothing *toolerr.Error
	typed := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, []string, error) {
		return nil, []string{"x"}, nothing
	}
	result.AddTool(server, &mcp.Tool{Name: "ours"}, typed)
	mcp.AddTool(server, &mcp.Tool{Name: "theirs"}, typed)
	server.AddTool(&mcp.Tool{Name: "raw", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return result.OK("x"), nothing
	})
	session := testutil.Connect(t, server, nil)
	for name, want := range map[string]result.Kind{"ours": result.KindData, "theirs": result.KindFailure, "raw": result.KindData} {
		log.Reset()
		for range 2 {
			assert.Equal(t, want, result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: name})).Kind, name)
		}
		assert.Equal(t, 1, strings.Count(log.String(), "return toolerr.Wrap"), "%s: %s", name, log.String())
	}
}

func TestMiddleware_TimeoutWithoutUnit(t *testing.T) {
	t.Parallel()
	assert.PanicsWithValue(t, "result.MiddlewareOptions.Timeout is 30ns: give it a unit, as in 30*time.Second",
		func() { result.Middleware(&result.MiddlewareOptions{Timeout: 30}) })
}
