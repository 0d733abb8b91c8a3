// Package encodable reads the output of a tool and returns a value that the SDK can encode:
// without nil slices and maps. It returns an error for a result that cannot be encoded.
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

// The SDK encodes a result after all middleware has returned. A result that cannot be
// encoded is never answered, and a panic of its methods ends the server.
var (
	errNilContent = errors.New("the result has a content block that is nil")
	errContent    = errors.New("the result is no JSON that a client can read: it is malformed, no UTF-8, or nested too deep")
)

// Check returns an error if a successful result cannot be encoded. Plain values and raw JSON
// are checked without an allocation. All others are encoded once more. Raw JSON is always
// read completely: JSON of the SDK cannot be told from JSON that an author or middleware has
// put in its place.
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
	raw, err := json.Marshal(v)
	switch {
	case err != nil:
		return fmt.Errorf("the result cannot be encoded: %w", err)
	case !jsonvalue.Valid(raw): // of raw JSON inside, or of what nests too deep
		return errContent
	}
	return nil
}
