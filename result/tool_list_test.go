package result_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A user adds its name to requests as a bearer token.
type user string

func (u user) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(u))
	return http.DefaultTransport.RoundTrip(r)
}

// A client that is refused, sees no tools, or cancels its calls does not change what the
// middleware knows about the tools of others.
func TestMiddleware_ListOfAnother(t *testing.T) {
	t.Parallel()
	isMallorys := func(req mcp.Request) bool { return req.GetExtra().TokenInfo.UserID == "mallory" }
	for name, test := range map[string]struct {
		call, list error // Mallory's
		cancel     bool
	}{
		"all refused": {&jsonrpc.Error{Code: -32000, Message: "not you"}, &jsonrpc.Error{Code: -32000, Message: "not you"}, false},
		"no tools":    {toolerr.Permission("Not you."), nil, false},
		"canceled":    {nil, nil, true},
	} {
		cancels := func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				ctx, cancel := context.WithCancel(ctx)
				defer cancel()
				if test.cancel && method == "tools/call" && isMallorys(req) {
					cancel()
				}
				return next(ctx, method, req)
			}
		}
		refuses := func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				switch {
				case method == "tools/list" && ctx.Err() != nil:
					return nil, ctx.Err()
				case isMallorys(req) && method == "tools/call" && test.call != nil:
					return nil, test.call
				case isMallorys(req) && method == "tools/list" && !test.cancel:
					return new(mcp.ListToolsResult), test.list
				}
				return next(ctx, method, req)
			}
		}
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(cancels, result.Middleware(logged(io.Discard)), refuses)
		result.AddTool(server, &mcp.Tool{Name: "t", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
			func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
				return nil, nil, io.ErrUnexpectedEOF
			})
		verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
			return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
		}
		front := httptest.NewServer(auth.RequireBearerToken(verify, nil)(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)))
		t.Cleanup(front.Close)
		call := func(name user) *toolerr.Error {
			session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{
				Endpoint: front.URL, HTTPClient: &http.Client{Transport: name}, DisableStandaloneSSE: true,
			}, nil)
			return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})).Err
		}
		for range 2 {
			require.NotNil(t, call("mallory"), name)
			assert.Equal(t, toolerr.EffectNone, call("ann").Effect, name)
		}
	}
}

// The names of unlisted tools that a client calls are not kept at full length.
func TestMiddleware_LongToolNames(t *testing.T) { //nolint:paralleltest // it measures the heap
	server := mcp.NewServer(&mcp.Implementation{Name: "gateway", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(io.Discard)), func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				return nil, toolerr.Business("It is closed.")
			}
			return next(ctx, method, req)
		}
	})
	session := testutil.Connect(t, server, nil)
	call := func(name string) {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: name + strings.Repeat("x", 1<<20)}))
		require.Equal(t, "It is closed.", out.Err.Message)
	}
	call("first")
	before := allocs.Heap()
	for i := range 50 {
		call(strconv.Itoa(i))
	}
	assert.Less(t, allocs.Heap()-before, 20<<20, "of 50 MiB")
	runtime.KeepAlive(server)
}
