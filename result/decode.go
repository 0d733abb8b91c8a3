package result

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
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
			if err = fits(raw, got); err == nil {
				return got, nil
			}
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

// fits refuses a struct that took nothing from the object it was decoded from:
// its zero value would pass for data.
func fits(raw json.RawMessage, got any) error {
	t := reflect.TypeOf(got)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	var members map[string]json.RawMessage
	if t == nil || t.Kind() != reflect.Struct || !isZero(got) || json.Unmarshal(raw, &members) != nil {
		return nil //nolint:nilerr // what is no object fits or not by itself
	}
	if p := reflect.PointerTo(t); p.Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		for member := range members {
			if strings.EqualFold(member, name) {
				return nil
			}
		}
	}
	if len(members) == 0 {
		return nil
	}
	return fmt.Errorf("it has none of the members of %v", t)
}

func isZero(v any) bool {
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer && !r.IsNil() {
		r = r.Elem()
	}
	return r.IsZero()
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
		if raw, err := jsonvalue.Marshal(res.StructuredContent); err == nil {
			out = append(out, raw)
		}
	}
	return out
}
