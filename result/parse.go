package result

import (
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Parse reads what [mcp.ClientSession.CallTool] returned, as is:
//
//	out := result.Parse(session.CallTool(ctx, params))
//
// It never guesses a retry: a failure that is not understood has the empty
// category and is not retryable. It keeps res, and changes nothing in it.
func Parse(res *mcp.CallToolResult, err error) Outcome {
	switch {
	case err != nil:
		e, lost := fromCallError(err)
		return Outcome{Kind: KindFailure, Err: e, SessionLost: lost}
	case res == nil:
		return Outcome{Kind: KindFailure, Err: toolerr.Transient("The call returned neither a result nor an error.").
			WithCode(toolerr.CodeInternal).WithRetryable(false)}
	case res.NeedsInput():
		return Outcome{Kind: KindInputRequired, Result: res}
	case res.IsError:
		e, _ := readFailure(res)
		if e.Partial != nil {
			return Outcome{Kind: KindPartial, Err: e, Result: res}
		}
		return Outcome{Kind: KindFailure, Err: e, Result: res}
	case isEmpty(res):
		return Outcome{Kind: KindEmpty, Result: res}
	}
	return Outcome{Kind: KindData, Result: res}
}

// readFailure returns the envelope that the first text of a failed result
// holds, and whether it holds one. Any other failure keeps its words, and is of
// no category.
func readFailure(res *mcp.CallToolResult) (*toolerr.Error, bool) {
	text := firstText(res)
	if text == "" {
		return &toolerr.Error{Message: "The tool failed without saying why."}, false
	}
	if e, ok := readEnvelope(text); ok {
		return e, true
	}
	return &toolerr.Error{Message: text}, false
}

// firstText returns the first text of a result that is not empty.
func firstText(res *mcp.CallToolResult) string {
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok && t.Text != "" {
			return t.Text
		}
	}
	return ""
}

// readEnvelope reads text that is an envelope as a whole: a JSON object with an
// errorCategory.
func readEnvelope(text string) (*toolerr.Error, bool) {
	const ours = `{"isError":true,"errorCategory":"`
	if !strings.HasPrefix(text, ours) {
		var probe struct {
			Category *string `json:"errorCategory"`
		}
		if !strings.Contains(text, `"errorCategory"`) || json.Unmarshal([]byte(text), &probe) != nil || probe.Category == nil {
			return nil, false //nolint:nilerr // no JSON is no envelope
		}
	}
	e := new(toolerr.Error)
	err := e.UnmarshalJSON([]byte(text))
	return e, err == nil
}

// isEmpty reports whether a success found nothing: it says so in _meta, has no
// content at all, or its structured value is an empty list or an object whose
// only list is empty.
func isEmpty(res *mcp.CallToolResult) bool {
	if kind, ok := res.Meta[kindKey].(string); ok {
		return kind == KindEmpty.String()
	}
	switch v := res.StructuredContent.(type) {
	case nil:
		return len(res.Content) == 0
	case []any:
		return len(v) == 0
	case map[string]any:
		return onlyListIsEmpty(v)
	}
	return false
}

// onlyListIsEmpty reports whether an object is the answer of a search without
// hits: one list, empty, that is not a mere supplement, and beside it nothing
// but numbers, texts and flags that describe the search.
func onlyListIsEmpty(object map[string]any) bool {
	lists := 0
	for name, v := range object {
		switch v := v.(type) {
		case []any:
			if len(v) > 0 || supplements[strings.ToLower(name)] {
				return false
			}
			lists++
		case map[string]any:
			if len(v) > 0 {
				return false
			}
		}
	}
	return lists == 1
}

// supplements are lists that say something about an answer and are not it.
var supplements = map[string]bool{
	"warnings": true, "errors": true, "notes": true, "notices": true, "messages": true, "tags": true, "labels": true,
	"hints": true, "suggestions": true, "logs": true, "attachments": true, "links": true, "steps": true, "changes": true,
}
