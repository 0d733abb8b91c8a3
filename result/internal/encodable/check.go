// Package encodable makes results encodable: it replaces nil slices and maps in outputs, and
// returns an error for a result that the SDK cannot encode.
package encodable

import (
	"encoding/json"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// Check returns a copy of a successful result in a form that can be encoded, or an error. Plain
// values and raw JSON stay as they are; all others are replaced by their encodings: see
// [failure.Encoded]. Raw JSON is always validated completely: the SDK's JSON cannot be
// distinguished from JSON that an author or middleware has put in its place.
func Check(r *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	out := *r // it may be shared by calls, and so may its content
	out.Content = slices.Clone(r.Content)
	var err error
	for i, block := range r.Content {
		if out.Content[i], err = failure.EncodedBlock(block); err != nil {
			return nil, err
		}
	}
	if out.Meta, err = failure.EncodedMeta(r.Meta); err != nil {
		return nil, err
	}
	if r.InputRequests != nil {
		if out.InputRequests, err = failure.EncodedRequests(r.InputRequests); err != nil {
			return nil, err
		}
	}
	raw, isRaw := r.StructuredContent.(json.RawMessage)
	if isRaw && jsonvalue.Valid(raw) || failure.IsPlain(r.StructuredContent) {
		return &out, nil
	}
	out.StructuredContent, err = failure.Encoded(r.StructuredContent)
	return &out, err
}
