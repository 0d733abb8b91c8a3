package retry_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestResume_AllSoFar checks that a part that repeats all earlier ones replaces them,
// however it is written. A part that only looks similar is added.
func TestResume_AllSoFar(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		parts []string
		done  []int // processed, for each part
		want  string
	}{
		"lists":             {[]string{`[1]`, `[1,2]`, `[1,2,3]`}, []int{1, 2, 3}, `[1,2,3]`},
		"objects":           {[]string{`{"orders":[1],"next":2}`, `{"orders":[1,2],"next":3}`, `{"orders":[1,2,3]}`}, []int{1, 2, 3}, `{"orders":[1,2,3]}`},
		"after a count":     {[]string{`{"n":9,"orders":[{"a":[1]}]}`, `{"n":10,"orders":[{"a":[1]},{"a":["]"]}]}`}, []int{1, 2}, `{"n":10,"orders":[{"a":[1]},{"a":["]"]}]}`},
		"spaces":            {[]string{`[1, 2]`, `[1,2, 3]`}, []int{2, 3}, `[1,2,3]`},
		"several at once":   {[]string{`[1,2]`, `[1,2,3,4,5]`, `[1,2,3,4,5,6]`}, []int{2, 5, 6}, `[1,2,3,4,5,6]`},
		"parts alone":       {[]string{`[1]`, `[2]`, `[3]`}, []int{1, 2, 3}, `[1,2,3]`},
		"identical parts":   {[]string{`[1]`, `[1]`, `[1]`}, []int{1, 2, 3}, `[1,1,1]`},
		"alone, then all":   {[]string{`[1]`, `[2]`, `[1,2,3]`}, []int{1, 2, 3}, `[1,2,3]`},
		"after parts alone": {[]string{`[1]`, `[2]`, `[2,3]`}, []int{1, 2, 3}, `[1,2,2,3]`},
		"begins alike":      {[]string{`[1]`, `[1,2]`}, []int{1, 3}, `[1,1,2]`},
		"in a string":       {[]string{`{"orders":[1]}`, `{"text":"[1,","orders":[2,3]}`}, []int{1, 3}, `{"orders":[1,2,3],"text":"[1,"}`},
		"in another list":   {[]string{`[1]`, `[[1,2],3]`}, []int{1, 3}, `[1,[1,2],3]`},
		"in an object":      {[]string{`{"orders":[1]}`, `{"of":{"orders":[1,2]},"orders":[2]}`}, []int{1, 2}, `{"of":{"orders":[1,2]},"orders":[1,2]}`},
		"longer numbers":    {[]string{`[1]`, `[12,3]`}, []int{1, 3}, `[1,12,3]`},
		"two lists":         {[]string{`{"a":[1],"b":[5]}`, `{"a":[1,2],"b":[6]}`}, []int{1, 2}, `{"a":[1,1,2],"b":[5,6]}`},
		"malformed":         {[]string{`[1]`, `[2`}, []int{1, 2}, `[1]`},
		"empty first":       {[]string{`[]`, `[[]]`}, []int{1, 2}, `[[]]`},
		"a list after one":  {[]string{`{"orders":[1],"next":2}`, `[2]`}, []int{1, 2}, `[1,2]`},
		"a value":           {[]string{`[1]`, `"x"`, `{"a":1}`}, []int{1, 2, 3}, `[1,"x",{"a":1}]`},
		"values":            {[]string{`"x"`, `7`}, []int{1, 2}, `["x",7]`},
		"no list":           {[]string{`{"a":1}`, `{"a":2}`}, []int{1, 2}, `[{"a":1},{"a":2}]`},
	} {
		n := 0
		call := func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
			p := &toolerr.Partial{Processed: test.done[n], Results: json.RawMessage(test.parts[n])}
			if n++; n < len(test.parts) {
				p.ContinueFrom = n
			}
			return result.Parse(nil, toolerr.Transient("More.").WithPartial(p)), retry.Decision{Action: retry.ActionFixInput}
		}
		out, _ := retry.Resume(t.Context(), call, tool("orders"), "continue_from")
		require.NotNil(t, out.Err, name)
		assert.Equal(t, len(test.parts), n, name)
		assert.JSONEq(t, test.want, string(out.Err.Partial.Results), name)
	}
}
