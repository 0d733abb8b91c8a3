package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// dialSpeaker connects to speakAs. A call's answer is bad, in which ID is the request's, if the
// arguments have that word, or else fine.
func dialSpeaker(ctx context.Context, client *mcp.Client, answers map[string]string, bad string) (*mcp.ClientSession, error) {
	here, there := net.Pipe()
	go speakAs(there, answers, func(id, arguments json.RawMessage) (string, bool) {
		if strings.Contains(string(arguments), "bad") {
			return strings.ReplaceAll(bad, "ID", string(id)), true
		}
		return answered(id, `"result":{"content":[{"type":"text","text":"fine"}]}`), true
	})
	return client.Connect(ctx, &mcp.IOTransport{Reader: here, Writer: here}, nil)
}

func newClient(options *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, options)
}

// TestCall_PanickingAnswer checks that an answer on which the SDK's client panics does not end
// the program, and proves no effect.
func TestCall_PanickingAnswer(t *testing.T) {
	t.Parallel()
	const bad = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","inputRequests":{"a":null}}}`
	c := &retry.Client{Safety: retry.SafetyOf, Policy: quick}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		return dialSpeaker(ctx, newClient(c.Options(nil)), nil, bad)
	}
	defer func() { _ = c.Close() }()
	session, err := dialSpeaker(t.Context(), newClient(nil), nil, bad)
	require.NoError(t, err)
	defer func() { _ = session.Close() }()
	plain := newClient(nil)
	plain.AddSendingMiddleware(retry.Middleware(quick, retry.SafetyOf))
	below, err := dialSpeaker(t.Context(), plain, nil, bad)
	require.NoError(t, err)
	defer func() { _ = below.Close() }()
	for name, call := range map[string]func(*mcp.CallToolParams) result.Outcome{
		"Client": func(p *mcp.CallToolParams) result.Outcome { return first(c.CallTool(t.Context(), p)) },
		"CallTool": func(p *mcp.CallToolParams) result.Outcome {
			return first(retry.CallTool(t.Context(), quick, session, p))
		},
		"Middleware": func(p *mcp.CallToolParams) result.Outcome { return result.Parse(below.CallTool(t.Context(), p)) },
	} {
		out := call(tool("charge", "bad"))
		require.Equal(t, result.KindFailure, out.Kind, name)
		assert.Equal(t, "The server's answer could not be read. unknown internal", fmt.Sprint(out.Err.Message, " ", out.Err.Effect, " ", out.Err.Code), name)
		assert.False(t, out.Err.Retryable, name)
		assert.Equal(t, "fine", call(tool("charge", "good")).Text(), name)
	}
}
