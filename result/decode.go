package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Decode returns the data of a success as a Go value. It prefers JSON text over
// structured content, because the SDK's client decodes the latter into float64
// and loses integers over 2^53. For a string it takes the text as it is where
// that is no JSON string.
//
// For a failure, a partial result included, it returns the failure; for data
// that does not fit T an error that names the place. An empty success without a
// value of its own is T's zero value.
func Decode[T any](o Outcome) (T, error) {
	var v T
	if err := o.AsError(); err != nil {
		return v, err
	}
	if o.Kind == KindInputRequired || o.Result == nil {
		return v, errors.New("result: the call has not completed: it needs more input")
	}
	if text, ok := any(&v).(*string); ok && len(o.Result.Content) > 0 {
		if raw := o.Text(); !strings.HasPrefix(raw, `"`) || json.Unmarshal([]byte(raw), text) != nil {
			*text = raw
		}
		return v, nil
	}
	var mismatch error
	for _, raw := range candidates(o.Result) {
		var got T
		err := json.Unmarshal(raw, &got)
		if err == nil {
			return got, nil
		}
		mismatch = err
	}
	if mismatch == nil {
		if o.Kind == KindEmpty {
			return v, nil
		}
		return v, fmt.Errorf("result: the answer holds no JSON to decode into %T", v)
	}
	return v, fmt.Errorf("result: the answer does not fit %T: %w", v, mismatch)
}

// candidates are the places where the data may stand, best first.
func candidates(res *mcp.CallToolResult) []json.RawMessage {
	var out []json.RawMessage
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && json.Valid([]byte(t.Text)) {
			out = append(out, json.RawMessage(t.Text))
		}
	}
	if res.StructuredContent != nil {
		if raw, err := marshal(res.StructuredContent); err == nil {
			out = append(out, raw)
		}
	}
	return out
}
