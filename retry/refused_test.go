package retry_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestClient_RefusedBeforeCall checks that what a server says about its connection or its list
// is not taken for an answer to the call: it blames no argument, and names no work.
func TestClient_RefusedBeforeCall(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"initialize", "tools/list"} {
		for _, refusal := range []string{
			`{"code":-32602,"message":"invalid arguments"}`,
			`{"code":-32700,"message":"parse error"}`,
			`{"code":0,"message":"quota exceeded for customer 12"}`,
			`{"code":0,"message":"x","data":{"errorCategory":"validation","code":"invalid_argument","message":"m"}}`,
			`{"code":0,"message":"x","data":{"errorCategory":"transient","isRetryable":true,"effect":"applied","message":"m",` +
				`"idempotencyKey":"not-a-key-of-this-call","attempted":[{"tool":"t"}],"partial":{"processed":1,"continueFrom":"x"}}}`,
		} {
			c := &retry.Client{Safety: retry.SafetyOf, Policy: quick}
			c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
				return dialSpeaker(ctx, newClient(c.Options(nil)), map[string]string{method: `{"jsonrpc":"2.0","id":ID,"error":` + refusal + `}`}, "")
			}
			out, d := c.CallTool(t.Context(), tool("charge", "good"))
			name := method + " " + refusal
			require.NotNil(t, out.Err, name)
			assert.Equal(t, "transient none propagate", fmt.Sprint(out.Err.Category, " ", out.Err.Effect, " ", d.Action), name)
			assert.Nil(t, out.Err.Partial, name)
			assert.Empty(t, out.Err.IdempotencyKey, name)
			for _, a := range out.Err.Attempted {
				assert.Equal(t, "charge", a.Tool, name)
			}
			require.NoError(t, c.Close())
		}
	}
}
