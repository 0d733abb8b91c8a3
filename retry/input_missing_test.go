package retry_test

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestInput_NotGiven checks that a call that lacks the input its tool asked for is nobody's
// fault, has no proven effect, and costs no session, whatever the program's own error is.
func TestInput_NotGiven(t *testing.T) {
	t.Parallel()
	const asks = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"a":` +
		`{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}}}}}`
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for name, cause := range map[string]error{
		"no handler": nil, "the end of standard input": io.EOF, "no dialog": refused, "a text": errors.New("invalid argument: not found"),
	} {
		options := &mcp.ClientOptions{}
		if cause != nil {
			options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) { return nil, cause }
		}
		var outs []result.Outcome
		session, err := dialSpeaker(t.Context(), newClient(options), nil, asks)
		require.NoError(t, err)
		outs = append(outs, result.Parse(session.CallTool(t.Context(), tool("charge", "bad"))))
		assert.Equal(t, "fine", result.Parse(session.CallTool(t.Context(), tool("charge", "good"))).Text())
		require.NoError(t, session.Close())
		if cause != nil {
			c := &retry.Client{Policy: quick, Input: func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) { return nil, cause }}
			c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
				return dialSpeaker(ctx, newClient(c.Options(nil)), nil, asks)
			}
			outs = append(outs, first(c.CallTool(t.Context(), tool("charge", "bad"))))
			require.NoError(t, c.Close())
		}
		for _, out := range outs {
			require.NotNil(t, out.Err, name)
			assert.Equal(t, "The input that the tool asks for was not given.", out.Err.Message, name)
			assert.Equal(t, toolerr.CategoryTransient, out.Err.Category, name)
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, name)
			assert.False(t, out.SessionLost, name)
		}
	}
}
