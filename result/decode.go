package result

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

// Decode returns the data of a success as a Go value. It prefers JSON text to structured content,
// because the SDK's client decodes the latter into float64 and loses integers above 2^53. If T is a
// string and the text is not a JSON string, it returns the text unchanged.
//
// For a failure, including a partial result, it returns the failure. If the data does not fit T, or
// the call needs more input, it returns an error that says so. An empty success without a value is
// T's zero value, unless T is a string.
func Decode[T any](o Outcome) (T, error) {
	var v T
	if err := o.AsError(); err != nil {
		return v, err
	}
	if o.Kind == KindInputRequired || o.Result == nil {
		return v, errors.New("result: the call has not completed: it needs more input")
	}
	isText := func(block mcp.Content) bool { _, ok := block.(*mcp.TextContent); return ok }
	isRead := len(o.Result.Content) > 0 && o.Result.StructuredContent != nil ||
		slices.ContainsFunc(o.Result.Content, isText)
	if text, ok := any(&v).(*string); ok && isRead {
		raw := foreign.AllText(o.Result)
		if raw == "" && o.Result.StructuredContent != nil {
			raw = o.Text()
		}
		if !strings.HasPrefix(raw, `"`) || json.Unmarshal([]byte(raw), text) != nil {
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

// fits returns an error if got is a zero struct and raw a non-empty object without any of its
// fields: got would pass for data.
func fits(raw json.RawMessage, got any) error {
	v := reflect.ValueOf(got)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	var members map[string]json.RawMessage
	if v.Kind() != reflect.Struct || !v.IsZero() || json.Unmarshal(raw, &members) != nil {
		return nil //nolint:nilerr // only an object can leave a struct zero by mistake
	}
	t := v.Type()
	if p := reflect.PointerTo(t); p.Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		name = cmp.Or(name, f.Name)
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

// candidates returns the JSON texts that may be the data, best first.
func candidates(res *mcp.CallToolResult) []json.RawMessage {
	var out []json.RawMessage
	for text := range foreign.Texts(res) {
		if json.Valid([]byte(text)) {
			out = append(out, json.RawMessage(text))
		}
	}
	if res.StructuredContent != nil {
		if raw, err := jsonvalue.Marshal(res.StructuredContent); err == nil {
			out = append(out, raw)
		}
	}
	return out
}
