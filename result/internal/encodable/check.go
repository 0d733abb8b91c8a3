// Package encodable reads the output of a tool and returns a value that the SDK can encode:
// without nil slices and maps. It returns an error for a result that cannot be encoded.
package encodable

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// Check returns a successful result as it can be encoded, or an error. Plain values and raw
// JSON are checked without an allocation. All others are replaced by their encodings in a
// copy of the result: see [failure.Encoded]. Raw JSON is always read completely: JSON of the
// SDK cannot be told from JSON that an author or middleware has put in its place.
func Check(r *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	out := r
	edit := func() *mcp.CallToolResult {
		if out == r { // it may be shared by calls
			c := *r
			out = &c
		}
		return out
	}
	for i, block := range r.Content {
		encoded, same, err := failure.EncodedBlock(block)
		if err != nil {
			return nil, err
		}
		if same {
			continue
		}
		if &edit().Content[0] == &r.Content[0] {
			out.Content = slices.Clone(r.Content)
		}
		out.Content[i] = encoded
	}
	var err error
	if !failure.IsPlain(map[string]any(r.Meta)) {
		if edit().Meta, err = failure.EncodedMeta(r.Meta); err != nil {
			return nil, err
		}
	}
	if r.InputRequests != nil {
		if edit().InputRequests, err = failure.EncodedRequests(r.InputRequests); err != nil {
			return nil, err
		}
	}
	if raw, ok := r.StructuredContent.(json.RawMessage); ok && (raw == nil || jsonvalue.Valid(raw)) { // nil goes out as null
		return out, nil
	}
	if !failure.IsPlain(r.StructuredContent) {
		raw, err := failure.Encoded(r.StructuredContent)
		if err != nil {
			return nil, err
		}
		edit().StructuredContent = raw
	}
	return out, nil
}
