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

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// The SDK encodes a result when middleware is done. One that it cannot encode is
// never answered, and one whose own methods panic ends the server.
var (
	errNilContent = errors.New("the result has a content block that is nil")
	errContent    = errors.New("the result is no JSON that a client can read: it is malformed, no UTF-8, or nested too deep")
)

// Check returns an error if a successful result cannot be encoded. Plain values and raw
// JSON cost no memory; the rest is encoded once more. Raw JSON is read from one end to the
// other whoever has made it: nothing tells what the SDK has encoded from what an author, or
// middleware that cuts answers, has put in its place, and a result that is encoded three
// times more is not slower for it.
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
		if raw != nil && !jsonvalue.Valid(raw) { // nil goes out as null
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
	raw, err := json.Marshal(v)
	switch {
	case err != nil:
		return fmt.Errorf("the result cannot be encoded: %w", err)
	case !jsonvalue.Valid(raw): // of raw JSON inside, or of what nests too deep
		return errContent
	}
	return nil
}
