package result

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

// The errors of a typed handler whose result and output contradict each other.
const (
	errTwoAnswers failure.FaultError = "the handler returned a result with one answer and an output with another: return the answer as the output, and no result"
	errNotEmpty   failure.FaultError = "the handler returned result.Empty and an output that is not empty: return only the output, or an empty one"
)

// contradiction returns an error if a typed handler's result contradicts its output. Out must be
// normalized. A client would get both, or the output in place of the result's structured content.
func contradiction(res *mcp.CallToolResult, out any) error {
	if res == nil || out == nil || res.NeedsInput() {
		return nil
	}
	v, err := jsonvalue.Recode(out)
	members, _ := v.(map[string]any)
	if err != nil || len(members) == 0 {
		return nil //nolint:nilerr // the SDK reports an output that cannot be encoded; another is no object, or says nothing
	}
	switch {
	case res.Meta[kindKey] == KindEmpty.String():
		if isFull(members) {
			return errNotEmpty
		}
	case res.StructuredContent != nil:
		if !jsonvalue.Same(res.StructuredContent, out) {
			return errTwoAnswers
		}
	case isZeroJSON(members):
		v, _ := jsonvalue.Decode([]byte(foreign.FirstText(res)))
		if items, _ := v.([]any); len(items) > 0 { // of OK
			return errTwoAnswers
		}
	}
	return nil
}

// isFull reports whether an output holds a result: none of its lists and objects is empty or, if it
// has neither, none of its members is zero.
func isFull(members map[string]any) bool {
	parts, zeros := 0, 0
	for _, v := range members {
		switch isPart := jsonvalue.TypeOf(v) == "array" || jsonvalue.TypeOf(v) == "object"; {
		case isPart && jsonvalue.IsZero(v):
			return false
		case isPart:
			parts++
		case jsonvalue.IsZero(v):
			zeros++
		}
	}
	return parts > 0 || zeros == 0
}
