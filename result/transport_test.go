package result_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	dieInstead = "RESULT_TEST_DIE_INSTEAD_OF_ANSWERING"
	beServer   = "RESULT_TEST_BE_THE_SERVER"
)

// TestMain lets the test binary run as a server with all failing tools, or as a server that exits
// during a call.
func TestMain(m *testing.M) {
	if os.Getenv(beServer) != "" {
		_ = newServer(new(bytes.Buffer)).Run(context.Background(), &mcp.StdioTransport{})
		return
	}
	if os.Getenv(dieInstead) != "" {
		server := mcp.NewServer(&mcp.Implementation{Name: "mortal", Version: "v0"}, nil)
		mcp.AddTool(server, &mcp.Tool{Name: "die"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			os.Exit(3)
			return nil, nil, nil
		})
		_ = server.Run(context.Background(), &mcp.StdioTransport{})
		return
	}
	os.Exit(m.Run())
}

func TestParse_ServerExits(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), self)
	command.Env = append(os.Environ(), dieInstead+"=1")
	session := testutil.ConnectTo(t, &mcp.CommandTransport{Command: command}, nil)
	for _, when := range []string{"in the call", "before the next"} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "die"}))
		assert.True(t, out.SessionLost, when)
		assert.Equal(t, "transient unavailable", string(out.Err.Category)+" "+string(out.Err.Code), when)
		assert.True(t, isTemporary(out.Err), when)
		assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, when)
	}
}

// A moody proxy answers tool calls with its status, if it is set.
func moodyServer(t *testing.T, status *atomic.Int32) string {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	result.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return result.OK("fine"), nil, nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		if s := int(status.Load()); s != 0 && strings.Contains(string(body), `"tools/call"`) {
			w.Header().Set("Retry-After", "7")
			http.Error(w, "moody", s)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	return front.URL
}

func TestRoundTripper_RetryAfter(t *testing.T) {
	t.Parallel()
	var status atomic.Int32
	url := moodyServer(t, &status)
	session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{
		Endpoint: url, HTTPClient: &http.Client{Transport: result.RoundTripper(nil)}, MaxRetries: -1, DisableStandaloneSSE: true,
	}, nil)
	call := func() result.Outcome {
		return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
	}
	require.Equal(t, result.KindData, call().Kind)
	for code, want := range map[int32]struct {
		code   toolerr.Code
		effect toolerr.Effect
	}{
		429: {toolerr.CodeRateLimited, toolerr.EffectNone},
		503: {toolerr.CodeUnavailable, toolerr.EffectNone},
		502: {toolerr.CodeUnavailable, toolerr.EffectUnknown},
	} {
		status.Store(code)
		out := call()
		require.Equal(t, result.KindFailure, out.Kind, code)
		assert.Equal(t, want.code, out.Err.Code, code)
		assert.Equal(t, want.effect, out.Err.Effect, code)
		assert.Equal(t, 7*time.Second, out.Err.RetryAfter, code)
		assert.True(t, isTemporary(out.Err), code)
		assert.Equal(t, want.effect == toolerr.EffectNone, out.Err.Retryable, code)
		assert.False(t, out.SessionLost, code)
		status.Store(0)
		require.Equal(t, result.KindData, call().Kind, "the session lives on after %d", code)
	}
}

func TestParse_HTTPStatuses(t *testing.T) {
	t.Parallel()
	for code, want := range map[int32]string{
		429: "transient rate_limited", 503: "transient unavailable", 504: "transient timeout",
	} {
		var status atomic.Int32
		session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: moodyServer(t, &status), MaxRetries: -1, DisableStandaloneSSE: true}, nil)
		status.Store(code)
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		require.Equal(t, result.KindFailure, out.Kind, code)
		assert.Equal(t, want, string(out.Err.Category)+" "+string(out.Err.Code), "%d: %v", code, errors.Unwrap(out.Err))
	}
}

func TestParse_InputRequired(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: map[string]any{"type": "object"}}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}, RequestState: "s"}, nil
	})
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ss, err := server.Connect(t.Context(), serverSide, nil)
	require.NoError(t, err)
	defer func() { _ = ss.Close() }()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
	session, err := client.Connect(t.Context(), clientSide, nil)
	require.NoError(t, err)
	defer func() { _ = session.Close() }()
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
	assert.Equal(t, result.KindInputRequired, out.Kind)
	require.NoError(t, out.AsError())

	out = result.Parse(wireResult(t, `{"resultType":"deferred","content":[{"type":"text","text":"later"}]}`), nil)
	assert.Equal(t, result.KindFailure, out.Kind, "unknown kinds of result are no success")
	assert.False(t, out.Err.Retryable)
}

// A refused connection proves that the call had no effect.
func TestParse_RefusedConnection(t *testing.T) {
	t.Parallel()
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer(new(bytes.Buffer)) }, nil))
	session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{
		Endpoint: front.URL, DisableStandaloneSSE: true, MaxRetries: -1,
		HTTPClient: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}, // the call may arrive on a reused connection
	}, nil)
	front.Close()
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "direct"}))
	assert.Equal(t, "transient unavailable none", string(out.Err.Category)+" "+string(out.Err.Code)+" "+string(out.Err.Effect))
	assert.True(t, out.Err.Retryable)
}
