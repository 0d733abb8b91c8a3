package mcpotel_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/agree"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
)

// TestReceiving_Agree checks that the spans of server and client have the effect and the
// flag of the wire, for every shape of a failure and every kind of tool.
func TestReceiving_Agree(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	world := agree.NewWorld(nil)
	world.Server.AddReceivingMiddleware(mcpotel.Receiving(&r.Options), quiet())
	session := connect(t, world.Server, mcpotel.Sending(&r.Options))
	for _, shape := range agree.Shapes() {
		world.Set(shape)
		for _, tool := range agree.Tools {
			r.spans.Reset()
			res, err := session.CallTool(t.Context(),
				&mcp.CallToolParams{Name: tool.Name, Arguments: map[string]any{"id": shape.Name}})
			require.NoError(t, err)
			text, ok := res.Content[0].(*mcp.TextContent)
			require.True(t, ok)
			var wire struct {
				Effect    string `json:"effect"`
				Retryable bool   `json:"isRetryable"`
			}
			require.NoError(t, json.Unmarshal([]byte(text.Text), &wire))
			spans := r.calls()
			require.Len(t, spans, 2)
			for _, span := range spans {
				of := values(span.Attributes)
				if effect, ok := of["toolerr.effect"]; ok || wire.Effect != "" {
					assert.Equal(t, wire.Effect, effect, "%s, %s", shape.Name, tool.Name)
				}
				assert.Equal(t, wire.Retryable, of["toolerr.retryable"], "%s, %s", shape.Name, tool.Name)
			}
		}
	}
}
