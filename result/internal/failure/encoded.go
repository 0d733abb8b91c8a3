package failure

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// The SDK encodes a result after all middleware has returned. A call whose result cannot be encoded
// is never answered, and a panic in a method of the result ends the server.
var (
	errNil     = errors.New("the result has a content block that is nil")
	errForeign = errors.New("the result has a part of a type that the SDK does not know")
	errNotJSON = errors.New("the result is no JSON that a client can read: it is malformed, no UTF-8, nested too deep, " +
		"or has a number over the range of a float64")
)

// maxDepth is the maximum nesting depth of plain values. Outputs are nested far less. Deeper values
// are passed to the encoder, which rejects values that contain themselves.
const maxDepth = 64

// Encodable returns a copy of a successful result in a form that can be encoded, or an error. Plain
// values and raw JSON stay as they are; all others are replaced by their encodings. Raw JSON is always
// validated completely: the SDK's cannot be distinguished from what an author or middleware has put in its place.
func Encodable(r *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	out := *r // it may be shared by calls, and so may its content
	out.Content = slices.Clone(r.Content)
	var err error
	for i, block := range r.Content {
		if out.Content[i], err = encodedBlock(block); err != nil {
			return nil, err
		}
	}
	if out.Meta, err = EncodedMeta(r.Meta); err != nil {
		return nil, err
	}
	if r.InputRequests != nil {
		asked, err := decoded(`{"content":[],"inputRequests":`, r.InputRequests, `}`)
		if err != nil {
			return nil, err
		}
		out.InputRequests = asked.InputRequests
	}
	raw, isRaw := r.StructuredContent.(json.RawMessage)
	if (!isRaw || !jsonvalue.Valid(raw)) && !isPlain(r.StructuredContent, 0) {
		out.StructuredContent, err = Encoded(r.StructuredContent)
	}
	return &out, err
}

// Encoded returns the encoding of a part of a result if a client can read it. The SDK then calls
// none of the author's methods, which may return something else the second time, or panic. A panic
// is returned as an error.
func Encoded(v any) (raw json.RawMessage, err error) {
	defer func() {
		if p := recover(); p != nil {
			raw, err = nil, Recovered(p)
		}
	}()
	if raw, err = jsonvalue.Marshal(v); err != nil {
		return nil, fmt.Errorf("the result cannot be encoded: %w", err)
	}
	if !jsonvalue.Valid(raw) { // raw JSON inside is invalid, or the value is nested too deep
		return nil, errNotJSON
	}
	return raw, nil
}

// EncodedMeta returns a copy of _meta in which every value is plain or encoded.
func EncodedMeta(meta mcp.Meta) (mcp.Meta, error) {
	if meta == nil {
		return nil, nil
	}
	out := make(mcp.Meta, len(meta))
	for name, v := range meta {
		if out[name] = v; !isPlain(v, 0) {
			raw, err := Encoded(v)
			if err != nil {
				return nil, err
			}
			out[name] = raw
		}
	}
	return out, nil
}

// encodedBlock returns a block as a client decodes it, or itself if it is a text or an image that always encodes.
func encodedBlock(block mcp.Content) (mcp.Content, error) {
	switch b := block.(type) {
	case nil:
		return nil, errNil
	case *mcp.TextContent:
		if b != nil && hasPlainNotes(b.Meta, b.Annotations) {
			return b, nil
		}
	case *mcp.ImageContent:
		if b != nil && hasPlainNotes(b.Meta, b.Annotations) {
			return b, nil
		}
	}
	r, err := decoded(`{"content":[`, block, `]}`)
	if err != nil {
		return nil, err
	}
	return r.Content[0], nil
}

// decoded decodes a result whose JSON consists of before, the encoded part and behind.
func decoded(before string, part any, behind string) (r mcp.CallToolResult, err error) {
	raw, err := Encoded(part)
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal([]byte(before+string(raw)+behind), &r); err != nil {
		return r, errors.Join(errForeign, err)
	}
	return r, nil
}

// isPlain reports whether v, at a depth, is like a JSON decoder's value: without methods and always encodable.
func isPlain(v any, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch v := v.(type) {
	case nil, bool, string, int, int64:
		return true
	case float64:
		return !math.IsNaN(v) && !math.IsInf(v, 0)
	case map[string]any:
		for _, item := range v {
			if !isPlain(item, depth+1) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !isPlain(item, depth+1) })
	}
	return false
}

// hasPlainNotes reports whether what is beside the text or the data of a block can always be encoded.
func hasPlainNotes(meta mcp.Meta, a *mcp.Annotations) bool {
	return isPlain(map[string]any(meta), 0) && (a == nil || isPlain(a.Priority, 0))
}
