package servertest_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// everything is a leak that matches every answer.
var everything = regexp.MustCompile(`.`)

// TestCheck_Identifiers pins which arguments are treated as identifiers, and the values for
// identifiers that do not exist.
func TestCheck_Identifiers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ schema, want string }{
		"id":              {`{"type":"integer"}`, `999999937`},
		"order_id":        {`{"type":"string"}`, `"does-not-exist-94817"`},
		"orderID":         {`{"type":"string","maxLength":8}`, `"zq94817"`},
		"userId":          {`{"type":"string","description":"for example 'u_12'"}`, `"u_89"`},
		"user_ids":        {`{"type":"array","items":{"type":"string"}}`, `["does-not-exist-94817"]`},
		"ticker":          {`{"type":"string","examples":["AAPL"]}`, `"QQFB"`},
		"path":            {`{"type":"string","default":"docs/today.txt"}`, `"docs/does-not-exist-94817"`},
		"thing":           {`{"type":"string","format":"uuid"}`, `"`},
		"account_id":      {`{"type":"integer","maximum":99}`, `99`},
		"idempotency_id":  {`{"type":"string"}`, ""},
		"output_path":     {`{"type":"string"}`, ""},
		"new_id":          {`{"type":"string"}`, ""},
		"file_id":         {`{"type":"string","enum":["a"]}`, ""},
		"paid":            {`{"type":"string"}`, ""},
		"query":           {`{"type":"string"}`, ""},
		"idempotency_key": {`{"type":"string"}`, ""},
		"valid":           {`{"type":"boolean"}`, ""},
		"hasId":           {`{"type":"boolean"}`, ""},
	} {
		schema := fmt.Sprintf(`{"type":"object","properties":{%q:%s},"required":[%q]}`, name, test.schema, name)
		server := record(&mcp.Tool{Name: "get", InputSchema: json.RawMessage(schema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}})
		report, err := servertest.Check(t.Context(), testutil.Connect(t, server.Server, nil), &servertest.Options{
			Leaks: []*regexp.Regexp{everything}, // so that every call is a finding
		})
		require.NoError(t, err)
		place := -1
		for i, call := range report.Findings[0].Calls {
			if strings.HasSuffix(call, "that does not exist") {
				place = i
			}
		}
		if test.want == "" {
			assert.Negative(t, place, name)
			continue
		}
		if assert.GreaterOrEqual(t, place, 0, name) {
			assert.Contains(t, server.calls["get"][place], `:`+test.want, name)
		}
	}
}
