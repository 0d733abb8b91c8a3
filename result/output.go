package result

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	errTwoAnswers failure.FaultError = "the handler returned a result with one answer and an output with another: " +
		"return the answer as the output, and no result"
	errIsResult failure.FaultError = "the answer is a result itself: return it without result.OK or result.Empty, and " +
		"not as an output; an Outcome has CallToolResult and AsError"
	errIsOutput failure.FaultError = "the handler returned an error as its output: return it as the error"
	errNotEmpty failure.FaultError = "the handler returned result.Empty and an output that is not empty: return only " +
		"the output, or an empty one"
)

// notData returns value if it is an error, errIsResult for a result, and nil for data.
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

// notOutput is notData for a typed handler's output. A zero value is data, and so is an error if Out
// is not an interface type.
func notOutput[Out any](out Out) error {
	err, v := notData(out), reflect.ValueOf(&out).Elem()
	switch isResult := err == errIsResult; { //nolint:errorlint // the very value
	case v.IsZero(), v.Kind() != reflect.Interface && !isResult:
		return nil
	case err != nil && !isResult && toolerr.CategoryOf(err) == "":
		return errors.Join(err, errIsOutput) // its type proves nothing: the handler may have done its work
	}
	return err
}

// contradiction returns an error if a typed handler's output is not data, or contradicts the
// handler's result: clients would get both, or lose the result's structured data.
func contradiction[Out any](res *mcp.CallToolResult, out, normal Out) error {
	if err := notOutput(out); err != nil || res == nil || res.NeedsInput() {
		return err
	}
	v, err := jsonvalue.Recode(normal)
	members, _ := v.(map[string]any)
	if err != nil || len(members) == 0 {
		return nil //nolint:nilerr // the SDK reports an output that cannot be encoded; others are not objects, or empty
	}
	switch {
	case res.Meta[kindKey] == KindEmpty.String():
		if isFull(members) && !reflect.ValueOf(&out).Elem().IsZero() {
			return errNotEmpty
		}
	case res.StructuredContent != nil:
		if !jsonvalue.Same(res.StructuredContent, normal) {
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

// isFull reports whether an output holds a result: it has lists or objects, none empty or zero, or
// it has neither, and no member is zero.
func isFull(members map[string]any) bool {
	hasPart, hasZero := false, false
	for _, v := range members {
		isPart, isZero := jsonvalue.TypeOf(v) == "array" || jsonvalue.TypeOf(v) == "object", isZeroJSON(v)
		if isPart && isZero {
			return false
		}
		hasPart, hasZero = hasPart || isPart, hasZero || isZero
	}
	return hasPart || !hasZero
}

// withoutZeroOutput returns the author's content without the zero value of a typed handler's
// output, which the SDK adds to a failed result, or puts in place of its structured content.
func (f *failedCall) withoutZeroOutput(said *mcp.CallToolResult) *mcp.CallToolResult {
	if said == nil || f.tool == nil || f.tool.OutputSchema == nil {
		return said
	}
	raw, _ := said.StructuredContent.(json.RawMessage)
	if v, isJSON := jsonvalue.Decode(raw); !isJSON || !isZeroJSON(v) {
		return said
	}
	c := &mcp.CallToolResult{Content: said.Content}
	if last := len(c.Content) - 1; last > 0 {
		if t, _ := c.Content[last].(*mcp.TextContent); t != nil && t.Text == string(raw) {
			c.Content = c.Content[:last] // the SDK adds it if the output is not an object
		}
	}
	return c
}

// isZeroJSON reports whether a decoded JSON value is the zero value of some Go type.
func isZeroJSON(v any) bool {
	members, _ := v.(map[string]any)
	for _, member := range members {
		if !isZeroJSON(member) {
			return false
		}
	}
	return len(members) > 0 || jsonvalue.IsZero(v) || v == "0001-01-01T00:00:00Z" // time.Time
}
