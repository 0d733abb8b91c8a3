package retry_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestClient_URLElicitation checks a server that requires the user to open a URL first: the
// effect is none, the URL is in the details, and the call is made again afterwards.
func TestClient_URLElicitation(t *testing.T) {
	t.Parallel()
	for _, version := range versions {
		w := newWorld(func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if n > 1 {
				return result.OK("done"), nil
			}
			return nil, mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{
				Mode: "url", Message: "Sign in to the bank.", ElicitationID: "e-1", URL: "https://bank.example/connect?state=7",
			}})
		})
		c := w.client(t)
		c.Connect = w.connectAs(c, version)
		out, d := call(t, c, "write")
		assert.Equal(t, "reauthorize permission none false", fmt.Sprint(d.Action, " ", out.Err.Category, " ", out.Err.Effect, " ", out.Err.Retryable), version)
		raw, err := json.Marshal(out.Err.Details)
		require.NoError(t, err)
		assert.JSONEq(t, `{"elicitations":[{"elicitationId":"e-1","message":"Sign in to the bank.","url":"https://bank.example/connect?state=7"}]}`, string(raw), version)
		assert.Equal(t, "Show the user the URL in details.elicitations, and call again after the user has been there.", out.Err.Hint)
		_, d = call(t, c, "write")
		assert.Equal(t, retry.ActionAccept, d.Action, version)
	}
}

// TestParse_URLElicitation checks that only displayable URLs are kept, as many as fit.
func TestParse_URLElicitation(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"https://a.example/x?y=1#z":                      "https://a.example/x?y=1#z",
		"http://127.0.0.1:8080/":                         "http://127.0.0.1:8080/",
		"HTTPS://A.example/":                             "https://A.example/",
		"https://bank.example@evil.example/":             "https://evil.example/",
		"javascript:alert(1)":                            "",
		"data:text/html,x":                               "",
		"file:///etc/passwd":                             "",
		"//a.example/":                                   "",
		"https:///x":                                     "",
		"https://a.example/\x1b[31m":                     "",
		"https://a.example/?q=\u202egnp":                 "",
		"https://a.example/\u200b":                       "https://a.example/%E2%80%8B",
		"https://a.example/" + strings.Repeat("x", 3000): "",
		" https://a.example/":                            "",
	} {
		data, err := json.Marshal(map[string]any{"elicitations": []any{map[string]any{"mode": "url", "url": given}}})
		require.NoError(t, err)
		out := result.Parse(nil, &jsonrpc.Error{Code: mcp.CodeURLElicitationRequired, Message: "m", Data: data})
		if want == "" {
			assert.Empty(t, out.Err.Details, given)
			assert.NotContains(t, out.Err.Hint, "details", given)
			continue
		}
		assert.Equal(t, map[string]any{"elicitations": []any{map[string]any{"url": want}}}, out.Err.Details, given)
	}
	many := make([]any, 100)
	for i := range many {
		many[i] = map[string]any{"url": fmt.Sprintf("https://a.example/%d/%s", i, strings.Repeat("x", 500)), "message": strings.Repeat("m", 5000)}
	}
	data, err := json.Marshal(map[string]any{"elicitations": many})
	require.NoError(t, err)
	out := result.Parse(nil, &jsonrpc.Error{Code: mcp.CodeURLElicitationRequired, Data: data})
	assert.Contains(t, out.Text(), "https://a.example/0/", "some URLs fit")
	for _, odd := range []string{``, `null`, `[]`, `{"elicitations":7}`, `{"elicitations":[null,7]}`} {
		out := result.Parse(nil, &jsonrpc.Error{Code: mcp.CodeURLElicitationRequired, Data: json.RawMessage(odd)})
		assert.Equal(t, "permission none", fmt.Sprint(out.Err.Category, " ", out.Err.Effect), odd)
	}
}
