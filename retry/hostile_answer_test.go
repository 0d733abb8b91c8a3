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

// TestClient_PanickingAnswer checks that an answer on which the SDK's client panics does not end the
// program, and proves no effect.
func TestClient_PanickingAnswer(t *testing.T) {
	t.Parallel()
	const bad = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","inputRequests":{"a":null}}}`
	c := &retry.Client{Safety: retry.SafetyOf, Policy: quick}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		return dialSpeaker(ctx, newClient(c.Options(nil)), nil, bad)
	}
	defer func() { _ = c.Close() }()
	out, d := c.CallTool(t.Context(), tool("charge", "bad"))
	require.Equal(t, result.KindFailure, out.Kind)
	assert.Equal(t, "The server's answer could not be read. unknown internal", fmt.Sprint(out.Err.Message, " ", out.Err.Effect, " ", out.Err.Code))
	assert.Equal(t, retry.ActionVerify, d.Action)
	assert.Equal(t, "fine", first(c.CallTool(t.Context(), tool("charge", "good"))).Text())
}
