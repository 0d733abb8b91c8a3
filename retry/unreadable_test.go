package retry_test

import (
	"context"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestClient_UnreadableAnswer checks that an answer that the SDK cannot read is nobody's fault
// but the server's, that it proves no effect, and that the next call has a session.
func TestClient_UnreadableAnswer(t *testing.T) {
	t.Parallel()
	const ended, unread = "The server's session ended before an answer came.", "The server's answer could not be read."
	fine := `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}`
	nested := func(depth int) string {
		return `{"jsonrpc":"2.0","id":ID,"result":` + strings.Repeat("[", depth) + strings.Repeat("]", depth) + `}`
	}
	for bad, want := range map[string]string{
		strings.Replace(fine, "fine", strings.Repeat("x", mcp.DefaultMaxLineLength), 1): unread,
		nested(2_000):                           unread,
		nested(20_000):                          ended,
		"not json":                              ended,
		"\x00":                                  ended,
		fine + " trailing":                      unread,
		fine + fine:                             unread,
		`{}`:                                    unread,
		`{"foo":1}`:                             unread,
		`[]`:                                    unread,
		`[1]`:                                   unread,
		`[[{"jsonrpc":"2.0"}]]`:                 unread,
		`1`:                                     unread,
		`null`:                                  unread,
		`"x"`:                                   unread,
		`{"jsonrpc":"1.0","id":ID,"result":{}}`: unread,
		`{"jsonrpc":"2.0","id":{},"result":{}}`: unread,
		`{"jsonrpc":"2.0","ID":ID,"result":{}}`: unread,
		`{"jsonrpc":"2.0","method":1}`:          unread,
		`{"jsonrpc":"2.0","id":ID}`:             ended,
		`{"jsonrpc":"2.0","id":ID,"error":1}`:   unread,
		`{"jsonrpc":"2.0","id":ID,"error":{"code":"x"}}`:                    unread,
		`{"jsonrpc":"2.0","id":ID,"result":1}`:                              unread,
		`{"jsonrpc":"2.0","id":ID,"result":{"content":1}}`:                  unread,
		`{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"odd"}]}}`:   unread,
		`{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"image"}]}}`: "",
	} {
		name := bad[:min(len(bad), 60)]
		connect := func(ctx context.Context) (retry.ClientSession, error) {
			return dialSpeaker(ctx, newClient(nil), nil, bad)
		}
		session, err := connect(t.Context())
		require.NoError(t, err, name)
		out := result.Parse(session.CallTool(t.Context(), tool("charge", "bad")))
		c := &retry.Client{Connect: connect, Policy: retry.Policy{BaseDelay: 1}}
		for _, out := range []result.Outcome{out, first(c.CallTool(t.Context(), tool("charge", "bad")))} {
			if want == "" {
				require.NoError(t, out.AsError(), name)
				continue
			}
			require.Equal(t, result.KindFailure, out.Kind, name)
			assert.Equal(t, want, out.Err.Message, name)
			assert.Equal(t, toolerr.CategoryTransient, out.Err.Category, name)
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, name)
		}
		assert.Equal(t, "fine", first(c.CallTool(t.Context(), tool("charge", "good"))).Text(), name)
		require.NoError(t, session.Close())
		require.NoError(t, c.Close())
	}
}

func first[T, U any](value T, _ U) T { return value }
