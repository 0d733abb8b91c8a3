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
	texts := slices.Collect(foreign.Texts(o.Result)) // best first
	isText := func(block mcp.Content) bool { _, ok := block.(*mcp.TextContent); return ok }
	isRead := len(o.Result.Content) > 0 && o.Result.StructuredContent != nil ||
		slices.ContainsFunc(o.Result.Content, isText)
	if text, ok := any(&v).(*string); ok && isRead {
		raw := strings.Join(texts, "\n")
		if raw == "" && o.Result.StructuredContent != nil {
			raw = o.Text()
		}
		if !strings.HasPrefix(raw, `"`) || json.Unmarshal([]byte(raw), text) != nil {
			*text = raw
		}
		return v, nil
	}
	if o.Result.StructuredContent != nil {
		raw, _ := jsonvalue.Marshal(o.Result.StructuredContent)
		texts = append(texts, string(raw))
	}
	var mismatch error
	for _, text := range texts {
		raw := []byte(text)
		if !json.Valid(raw) {
			continue
		}
		var got T
		if mismatch = json.Unmarshal(raw, &got); mismatch == nil {
			mismatch = fits(raw, got)
		}
		if mismatch == nil {
			return got, nil
		}
	}
	if mismatch != nil {
		return v, fmt.Errorf("result: the answer does not fit %T: %w", v, mismatch)
	} else if o.Kind == KindEmpty {
		return v, nil
	}
	return v, fmt.Errorf("result: the answer holds no JSON to decode into %T", v)
}

// fits returns an error if got is a zero struct and raw a non-empty object without any of its
// fields: got would pass for data.
func fits(raw json.RawMessage, got any) error {
	v := reflect.ValueOf(got)
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	var members map[string]json.RawMessage
	if v.Kind() != reflect.Struct || !v.IsZero() || json.Unmarshal(raw, &members) != nil || len(members) == 0 ||
		reflect.PointerTo(v.Type()).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil //nolint:nilerr // only an object can leave a struct zero by mistake
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		name = cmp.Or(name, f.Name)
		for member := range members {
			if strings.EqualFold(member, name) {
				return nil
			}
		}
	}
	return fmt.Errorf("it has none of the members of %v", v.Type())
}
