package result

import (
	"errors"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The errors of a typed handler's answer, and what the log says about one beside an error.
const (
	lostAdvice = "a tool returned an answer beside a retryable error, which is not sent: if part of the work was done, return the error WithPartial, or a retry repeats it; otherwise return no answer"

	errTwoAnswers failure.FaultError = "the handler returned a result with one answer and an output with another: return the answer as the output, and no result"
	errIsResult   failure.FaultError = "the answer is a result itself: return it without result.OK or result.Empty, and not as an output; an Outcome has CallToolResult and AsError"
	errIsOutput   failure.FaultError = "the handler returned an error as its output: return it as the error"
	errNotEmpty   failure.FaultError = "the handler returned result.Empty and an output that is not empty: return only the output, or an empty one"
)

// notData returns the failure that a value is, or a failure if it is a result; nil if it is data.
func notData(value any) error {
	switch value := value.(type) {
	case error:
		return value
	case toolerr.Error:
		return &value
	case mcp.CallToolResult, *mcp.CallToolResult, Outcome, *Outcome:
		return errIsResult
	}
	return nil
}

// notOutput is notData for a typed handler's output. Zero is data, and so is an error of the type Out.
func notOutput[Out any](out Out) error {
	err, v := notData(out), reflect.ValueOf(&out).Elem()
	switch isResult := err == errIsResult; { //nolint:errorlint // the very value
	case v.IsZero(), v.Kind() != reflect.Interface && !isResult:
		return nil
	case err != nil && !isResult && toolerr.CategoryOf(err) == "":
		return errors.Join(err, errIsOutput) // what it is proves nothing: the handler may have done its work
	}
	return err
}

// isLost reports whether a typed handler has an answer, which is not sent beside an error: content,
// rows, or a struct without a zero field. It reads nothing to which goroutines may still write.
func isLost(res *mcp.CallToolResult, out any) bool {
	v, full := reflect.ValueOf(out), false
	for i := 0; v.Kind() == reflect.Struct && i < v.NumField(); i++ {
		f := v.Field(i)
		if f.Kind() == reflect.Slice && f.Len() > 0 {
			return true
		}
		full = (full || i == 0) && !f.IsZero() && f.Kind() != reflect.Slice && f.Kind() != reflect.Map
	}
	return full || res != nil && !res.IsError && len(res.Content) > 0
}

// contradiction returns an error if a typed handler's output is no data, or contradicts its result.
// A client would get both, or the output, normalized, in place of structured content.
func contradiction[Out any](res *mcp.CallToolResult, out, normal Out) error {
	if err := notOutput(out); err != nil || res == nil || res.NeedsInput() {
		return err
	}
	v, err := jsonvalue.Recode(normal)
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
		if !jsonvalue.Same(res.StructuredContent, normal) {
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
		case isPart && isZeroJSON(v):
			return false
		case isPart:
			parts++
		case isZeroJSON(v):
			zeros++
		}
	}
	return parts > 0 || zeros == 0
}
