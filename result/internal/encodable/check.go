// Package encodable takes what a tool returns, and gives back what the SDK can encode:
// a value without nil slices and maps, or an error for a result that it could not
// encode.
package encodable

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// The SDK encodes a result when middleware is done. One that it cannot encode is
// never answered, and one whose own methods panic ends the server.
var (
	errNilContent = errors.New("the result has a content block that is nil")
	errContent    = errors.New("the result's structured content is no valid JSON")
)

// Check returns an error if a successful result cannot be encoded. Plain
// values and what the SDK has encoded itself cost no memory; the rest is encoded
// once more. Long raw JSON is looked at from outside only.
func Check(r *mcp.CallToolResult) error {
	for _, block := range r.Content {
		if isPlainBlock(block) {
			continue
		}
		if rv := reflect.ValueOf(block); block == nil || rv.Kind() == reflect.Pointer && rv.IsNil() {
			return errNilContent
		}
		if err := Try(block); err != nil {
			return err
		}
	}
	if !isPlain(map[string]any(r.Meta), 0) {
		if err := Try(r.Meta); err != nil {
			return err
		}
	}
	if r.InputRequests != nil {
		if err := Try(r.InputRequests); err != nil {
			return err
		}
	}
	if raw, ok := r.StructuredContent.(json.RawMessage); ok {
		if !validRaw(raw, r.Content) {
			return errContent
		}
		return nil
	}
	if isPlain(r.StructuredContent, 0) {
		return nil
	}
	return Try(r.StructuredContent)
}

// isPlainBlock reports whether a content block can always be encoded.
func isPlainBlock(block mcp.Content) bool {
	switch b := block.(type) {
	case *mcp.TextContent:
		return b != nil && b.Meta == nil && isPlainNote(b.Annotations)
	case *mcp.ImageContent:
		return b != nil && b.Meta == nil && isPlainNote(b.Annotations)
	case *mcp.AudioContent:
		return b != nil && b.Meta == nil && isPlainNote(b.Annotations)
	case *mcp.ResourceLink:
		return b != nil && b.Meta == nil && isPlainNote(b.Annotations)
	case *mcp.EmbeddedResource:
		return b != nil && b.Meta == nil && isPlainNote(b.Annotations) &&
			b.Resource != nil && b.Resource.Meta == nil && b.Resource.URI != ""
	}
	return false
}

func isPlainNote(a *mcp.Annotations) bool {
	return a == nil || isPlain(a.Priority, 0)
}

// maxChecked is how many bytes of raw JSON are read through. Chosen: it takes
// 60 µs, as measured on one core.
const maxChecked = 16 << 10

// validRaw reports whether raw is JSON. If the first text repeats it, the SDK
// has made both of what it encoded itself, and only its ends are checked: for
// handlers that pass on what was cut short, or is no JSON at all.
func validRaw(raw json.RawMessage, content []mcp.Content) bool {
	if len(raw) == 0 {
		return raw == nil // goes out as null
	}
	if !validEnds(raw) {
		return json.Valid(raw) // a bare value, or space around one
	}
	if len(content) == 1 {
		if text, ok := content[0].(*mcp.TextContent); ok && text.Text == string(raw) {
			return true
		}
	}
	return len(raw) > maxChecked || json.Valid(raw)
}

// validEnds reports whether raw begins and ends as a compact object or list does.
func validEnds(raw []byte) bool {
	if len(raw) < 2 {
		return false
	}
	first, second, last := raw[0], raw[1], raw[len(raw)-1]
	switch first {
	case '{':
		return last == '}' && (second == '"' || second == '}')
	case '[':
		return last == ']' && strings.IndexByte(`"{[]-0123456789tfn`, second) >= 0
	}
	return false
}

// isPlain reports whether v is a value as a JSON decoder makes them, which can
// always be encoded.
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
		for _, item := range v {
			if !isPlain(item, depth+1) {
				return false
			}
		}
		return true
	}
	return false
}

// Try encodes v for its error alone. A panic of one of its methods is an error too.
func Try(v any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = failure.Recovered(p)
		}
	}()
	if _, err := json.Marshal(v); err != nil {
		return fmt.Errorf("the result cannot be encoded: %w", err)
	}
	return nil
}
