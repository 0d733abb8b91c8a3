package thirdparty_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/oauth2"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// An authorizer gets a new token for each request.
type authorizer struct {
	token atomic.Pointer[oauth2.Token]
	asked atomic.Int64
}

func (a *authorizer) TokenSource(context.Context) (oauth2.TokenSource, error) {
	if token := a.token.Load(); token != nil {
		return oauth2.StaticTokenSource(token), nil
	}
	return nil, nil //nolint:nilnil // as the SDK wants it
}

func (a *authorizer) Authorize(_ context.Context, _ *http.Request, resp *http.Response) error {
	a.asked.Add(1)
	a.token.Store(&oauth2.Token{AccessToken: "fresh"})
	return resp.Body.Close()
}

// The transport's OAuthHandler sees the 401 and the 403 that result.RoundTripper has read,
// and the request is sent again with its token.
func TestRoundTripper_OAuthHandler(t *testing.T) {
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		server := mcp.NewServer(&mcp.Implementation{Name: "guarded"}, nil)
		result.AddTool(server, &mcp.Tool{Name: "t"},
			func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return result.OK("done"), nil, nil
			})
		handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
		var wanted atomic.Bool
		up := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if wanted.Load() && r.Header.Get("Authorization") != "Bearer fresh" {
				w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="write"`)
				http.Error(w, http.StatusText(status), status)
				return
			}
			handler.ServeHTTP(w, r)
		}))
		defer up.Close()
		a := new(authorizer)
		session, err := mcp.NewClient(&mcp.Implementation{Name: "agent"}, nil).
			Connect(t.Context(), &mcp.StreamableClientTransport{
				Endpoint: up.URL, OAuthHandler: a, HTTPClient: &http.Client{Transport: result.RoundTripper(nil)},
				DisableStandaloneSSE: true,
			}, nil)
		require.NoError(t, err)
		wanted.Store(true)
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		require.NoError(t, out.AsError(), status)
		assert.EqualValues(t, 1, a.asked.Load(), status)
		require.NoError(t, session.Close())
	}
}
