package result

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Parse reads what [mcp.ClientSession.CallTool] returned, as is:
//
//	out := result.Parse(session.CallTool(ctx, params))
//
// It never guesses a retry: a failure that is not understood has the empty
// category and is not retryable. Neither a result nor an error is a failure too. It
// keeps res, and changes nothing in it.
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
	case !isComplete(res):
		return Outcome{Kind: KindFailure, Result: res, Err: toolerr.Transient("The server answered with a kind of result that this client does not know.").
			WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectUnknown)}
	case res.IsError:
		e, _ := readFailure(res)
		if e.Partial != nil {
			return Outcome{Kind: KindPartial, Err: e, Result: res}
		}
		return Outcome{Kind: KindFailure, Err: e, Result: res}
	}
	return readSuccess(res)
}

// resultTypeField is where the SDK keeps a result's type, which it does not
// export; -1 where a later version keeps it elsewhere.
var resultTypeField = func() int {
	if f, ok := reflect.TypeFor[mcp.CallToolResult]().FieldByName("resultType"); ok && len(f.Index) == 1 && f.Type.Kind() == reflect.String {
		return f.Index[0]
	}
	return -1
}()

// isComplete reports whether a result is one of the kind that was always there.
func isComplete(res *mcp.CallToolResult) bool {
	if resultTypeField < 0 {
		return true
	}
	kind := reflect.ValueOf(res).Elem().Field(resultTypeField).String()
	return kind == "" || kind == "complete"
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
	return readForeign(res, text), false
}

// readForeign reads a failure in another spelling, where it may stand: as the
// whole text, in an adapter's frame, in another text, in the structured content
// or in _meta; as bare words last.
func readForeign(res *mcp.CallToolResult, text string) *toolerr.Error {
	framed := unframe(text)
	if e, ok := readEnvelope(framed); ok {
		return e
	}
	if failure, ok := res.Meta["io.modelcontextprotocol/toolFailure"].(map[string]any); ok {
		if e, ok := failureIn(failure, true); ok {
			e.Message = text
			return e
		}
	}
	if m, ok := decodeObject(framed); ok {
		if e, ok := failureIn(m, true); ok {
			return e
		}
	}
	words := readText(text)
	refused := refusal.MatchString(text[:min(len(text), maxRead)]) || words.Category != "" && words.Category != toolerr.CategoryTransient
	beside := func(e *toolerr.Error) *toolerr.Error {
		// What stands beside a refusal may be an echo.
		e.Retryable = e.Retryable && !refused
		return e
	}
	if m, ok := res.StructuredContent.(map[string]any); ok {
		if e, ok := failureIn(m, true); ok && e.Category != "" {
			return beside(e)
		}
	}
	for _, c := range res.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok || t.Text == text {
			continue
		}
		if e, ok := readEnvelope(t.Text); ok {
			return beside(e)
		}
	}
	return words
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

// onlyListIsEmpty reports whether an object is the answer of a search without
// hits: one list, empty, that is not a mere supplement, and beside it nothing
// but what describes a search.
func onlyListIsEmpty(object map[string]any) bool {
	lists := 0
	for name, v := range object {
		lower := strings.ToLower(name)
		switch v := v.(type) {
		case []any:
			switch {
			case descriptions[lower]:
			case len(v) > 0 || supplements[lower]:
				return false
			default:
				lists++
			}
		case map[string]any:
			if len(v) > 0 && !descriptions[lower] {
				return false
			}
		case nil:
		case string:
			if v != "" && !descriptions[lower] {
				return false
			}
		case bool:
			if v && !descriptions[lower] {
				return false
			}
		default:
			if n, ok := number(v); (!ok || n != 0) && !descriptions[lower] {
				return false
			}
		}
	}
	return lists == 1
}

// descriptions are members that describe a search or a table, and hold none of
// its rows.
var descriptions = map[string]bool{
	"columns": true, "headers": true, "fields": true, "schema": true, "paging": true, "pagination": true, "page_info": true,
	"total": true, "total_count": true, "totalcount": true, "count": true, "page": true, "limit": true, "offset": true, "next": true,
	"next_cursor": true, "nextcursor": true, "cursor": true, "has_more": true, "hasmore": true, "took": true, "status": true, "ok": true,
	"success": true, "message": true, "object": true, "type": true, "start_at": true, "startat": true, "max_results": true,
	"maxresults": true, "per_page": true, "page_size": true, "pagesize": true, "size": true, "search": true, "q": true, "url": true,
	"pageinfo": true, "meta": true, "metadata": true, "query": true, "params": true, "filters": true, "filter": true, "sort": true,
}

// supplements are lists that say something about an answer and are not it.
var supplements = map[string]bool{
	"warnings": true, "errors": true, "notes": true, "notices": true, "messages": true, "tags": true, "labels": true,
	"hints": true, "suggestions": true, "logs": true, "attachments": true, "links": true, "steps": true, "changes": true,
}
