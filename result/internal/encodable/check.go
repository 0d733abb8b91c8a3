// Package encodable reads the output of a tool and returns a value that the SDK can encode:
// without nil slices and maps. It returns an error for a result that cannot be encoded.
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

// The SDK encodes a result after all middleware has returned. A result that cannot be
// encoded is never answered, and a panic of its methods ends the server.
var (
	errNilContent = errors.New("the result has a content block that is nil")
	errContent    = errors.New("the result's structured content is no valid JSON")
)

// Check returns an error if a successful result cannot be encoded. Plain values, and those
// that the SDK has encoded, are checked without an allocation. All others are encoded once
// more. Only the ends of long raw JSON are checked.
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

// maxChecked is how many bytes of raw JSON are validated. Chosen: this takes 60 µs,
// measured on one core.
const maxChecked = 16 << 10

// validRaw reports whether raw is JSON. If the first text repeats it, the SDK has encoded
// both, and only the ends are checked: this finds truncated output of handlers, and output
// that is not JSON.
func validRaw(raw json.RawMessage, content []mcp.Content) bool {
	if len(raw) == 0 {
		return raw == nil // sent as null
	}
	if !validEnds(raw) {
		return json.Valid(raw) // a scalar, or space around a value
	}
	if len(content) == 1 {
		if text, ok := content[0].(*mcp.TextContent); ok && text.Text == string(raw) {
			return true
		}
	}
	return len(raw) > maxChecked || json.Valid(raw)
}

// validEnds reports whether raw begins and ends like a compact object or list.
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

// isPlain reports whether v is a value like those of a JSON decoder, which can always be
// encoded.
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

// Try encodes v and returns the error. It returns a panic of its methods as an error.
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
