package result

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Errors for a typed handler whose result and output contradict each other, and the advice about an
// answer beside an error.
const (
	lostAdvice = "a tool returned an answer beside a retryable error, which is not sent: if part of the work was done, return the error WithPartial, or a retry repeats it; otherwise return no answer"

	errTwoAnswers failure.FaultError = "the handler returned a result with one answer and an output with another: return the answer as the output, and no result"
	errIsResult   failure.FaultError = "the answer is a result itself: return it without result.OK or result.Empty, and not as an output; an Outcome has CallToolResult and AsError"
	errNotEmpty   failure.FaultError = "the handler returned result.Empty and an output that is not empty: return only the output, or an empty one"
)

// notData returns value if it is an error, errIsResult for a result, and nil for data.
func notData(value any) error {
	switch value := value.(type) {
	case error:
		return value
	case toolerr.Error:
		return &value
	case mcp.Result, mcp.CallToolResult, Outcome:
		return errIsResult
	}
	return nil
}

// isLost reports whether a typed handler returned an answer, which is not sent beside an error.
func isLost(res *mcp.CallToolResult, out any) bool {
	defer func() { _ = recover() }() // from an author's method
	v, _ := jsonvalue.Recode(out)
	members, _ := v.(map[string]any)
	return res != nil && len(res.Content) > 0 || len(members) > 0 && isFull(members)
}

// contradiction returns an error if a typed handler's output is not data or contradicts its result:
// clients would get both, or the output instead of structured content. Out must be normalized.
func contradiction(res *mcp.CallToolResult, out any) error {
	if err := notData(out); err != nil || res == nil || out == nil || res.NeedsInput() {
		return err
	}
	v, err := jsonvalue.Recode(out)
	members, _ := v.(map[string]any)
	if err != nil || len(members) == 0 {
		return nil //nolint:nilerr // the SDK reports an output that cannot be encoded; any other here is not an object, or is empty
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
		if items, _ := v.([]any); len(items) > 0 { // from OK
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
