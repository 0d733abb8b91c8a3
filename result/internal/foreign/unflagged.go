package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Success reads a result without isError. It returns an error if the result says nothing but that
// the call failed, or one with a Partial if some items failed. It reports whether the result says
// that nothing was found, unless the SDK has encoded the structured content already, as on a server. Any
// other result is data. Most JSON texts and encoded contents prove to be that without being decoded.
func Success(res *mcp.CallToolResult) (e *toolerr.Error, empty bool) {
	text := FirstText(res)
	raw, isEncoded := res.StructuredContent.(json.RawMessage)
	if isEncoded && (text == string(raw) || !looksLikeJSON(text)) && !mayReport(raw) {
		return nil, false
	}
	if len(res.Content) == 1 && looksLikeJSON(text) && len(text) <= maxAnswer {
		if raw := []byte(text); mayBeEmpty(text) || mayReport(raw) {
			v, _ := jsonvalue.Decode(raw)
			return unflagged(v)
		}
		return nil, false
	}
	m, isObject := structured(res)
	isObject = isObject && (len(m) > 0 || len(res.Content) == 0) // {} beside anything else says nothing
	switch {
	case isObject && !repeats(m, text):
		return unflagged(m)
	case len(res.Content) == 0:
		return nil, jsonvalue.IsZero(res.StructuredContent)
	}
	return nil, len(res.Content) == 1 && isNothing(text)
}

// maxAnswer is the maximum size, in bytes, of an answer in which failed items are looked for: some thousand items.
const maxAnswer = 1 << 20

func looksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	rest, isList := strings.CutPrefix(text, "[")
	rest = strings.TrimLeft(rest, " \t\r\n") // prose may begin with [Section 4]
	return strings.HasPrefix(text, "{") || isList && strings.IndexByte(`]{["-0123456789tfn`, cmp.Or(rest, "]")[0]) >= 0
}

// repeats reports whether an object only repeats the text in a member, as frameworks do for
// tools that return text.
func repeats(m map[string]any, text string) bool {
	return len(m) == 1 && slices.Contains(slices.Collect(maps.Values(m)), any(text))
}

// unflagged decides what a value from a result without isError amounts to: a failure if it claims one
// and has no other data, a query of which some fields or a batch of which some items failed, nothing
// found, or data.
func unflagged(v any) (e *toolerr.Error, empty bool) {
	m, _ := v.(map[string]any)
	if e := failureIn(m); e != nil {
		return e, false
	}
	p, said := graphQL(m)
	if p = cmp.Or(p, partialIn(v, false)); p == nil {
		if m["jsonrpc"] != nil {
			v = m["result"]
		}
		return nil, isEmpty(v)
	}
	if p.Processed == 0 && p.Total > 0 {
		return &toolerr.Error{Message: cmp.Or(said, "None of the work was done."), Effect: toolerr.EffectUnknown}, false
	}
	return &toolerr.Error{Message: cmp.Or(said, "Only part of the work was done."), Partial: p}, false
}

// graphQL returns how much of a GraphQL answer with errors beside its data, or in it (userErrors), came,
// and what failed, or nil if m is none.
func graphQL(m map[string]any) (p *toolerr.Partial, message string) {
	data, isObject := m["data"].(map[string]any)
	list, _ := m["errors"].([]any)
	failed := slices.ContainsFunc(list, func(v any) bool { return isErrorWith(v, "locations", "path", "extensions") })
	// beside other members, what is below data may be a run that failed
	isOther := func(name string, _ any) bool { return !isWord(name, "data", "errors", "extensions") }
	isWhole := !answers.ContainsFunc(m, isOther)
	isData := func(_ string, v any) bool { return v != nil }
	isErrors := isWhole && len(list)*len(data) > 0 // beside null fields, a failure without words, too
	failed = failed || isErrors && !answers.ContainsFunc(data, isData)
	p, message = &toolerr.Partial{Total: max(len(data), 1)}, answers.Read(m).Message()
	for _, name := range slices.Sorted(maps.Keys(data)) {
		field, _ := data[name].(map[string]any)
		if !isHollow(data[name]) {
			p.Processed++
			continue
		}
		isRefused := isWhole || answers.ContainsFunc(field, isUserErrors)
		if said := answers.Read(field).Message(); isRefused && said != "" {
			failed, message = true, cmp.Or(message, said)
		}
	}
	if !isObject || !failed {
		return nil, ""
	}
	return p, message
}

// isUserErrors reports whether a member of a GraphQL operation, as customerUserErrors, lists what is wrong with its
// input.
func isUserErrors(name string, _ any) bool {
	return strings.HasSuffix(strings.ToLower(name), "usererrors")
}

// isErrorName reports whether a part of a GraphQL answer holds what is wrong with the request.
func isErrorName(name string) bool {
	return name == "error" || name == "errors" || strings.HasSuffix(name, "Errors")
}

// isHollow reports whether a value has no data at any depth, except errors.
func isHollow(v any) bool { return jsonvalue.IsVoid(v, isErrorName) }

// partialIn returns the Partial of a value that reports a batch of which some items failed, or nil.
// It reads a cursor, if an envelope may hold it, only from a flagged result: one with isError.
func partialIn(v any, flagged bool) *toolerr.Partial {
	items := answers.ReadItems(v, flagged)
	if items == nil {
		return nil
	}
	p := &toolerr.Partial{Processed: items.Done, Total: items.Total}
	if items.Results != nil {
		p.Results, _ = jsonvalue.Marshal(items.Results) // it was JSON
	}
	switch items.From.(type) {
	case string, json.Number, float64:
		if text := fmt.Sprint(items.From); flagged && text != "" && sanitize.Identifier(text) == text {
			p.ContinueFrom = items.From
		}
	}
	return p
}

// answerIn returns the only member of an object, or the result of a JSON-RPC message, if that is the answer
// itself, or the object. Of a whole result of another server, it returns what that says, unless it is a transcript's.
func answerIn(m map[string]any) map[string]any {
	if all, _ := m["content"].([]any); len(all) > 0 && cmp.Or(m["isError"], m["is_error"]) == true && m["type"] == nil {
		block, _ := all[0].(map[string]any)
		return map[string]any{"ok": false, "message": block["text"]}
	}
	for name, v := range m {
		inner, isObject := v.(map[string]any)
		isAnswer := inner["isError"] == true || inner["userErrors"] != nil || name == "data" && isHollow(v) ||
			isWord(name, "result", "body", "payload", "status", "fault") || strings.HasSuffix(spelling.Fold(name), "response")
		if isObject && isAnswer && (len(m) == 1 || m["jsonrpc"] != nil && name == "result") {
			return answerIn(inner)
		}
	}
	return m
}

// failureIn returns the failure that an object reports if it claims that the call failed and
// contains nothing else, otherwise nil. Only category, code, message and doubt are taken from it,
// because a server may echo its input.
func failureIn(m map[string]any) *toolerr.Error {
	m = answerIn(m)
	o := answers.Folded(m)
	for name, v := range o { // {"errorResponse": {"message": "..."}}
		isSole := len(o) == 1 && isWord(name, "errorresponse", "errorinfo", "errordetails", "errorbody")
		if inner, _ := v.(map[string]any); isSole && isErrorWith(v, "code") && fmt.Sprint(inner["code"]) != "0" {
			o = answers.Object{"error": v}
		}
	}
	_, isObject := o["error"].(map[string]any)
	marked, refused := marks(o)
	code, _ := answers.Number(o["code"])
	// a text under error is no clear mark: records of jobs and checks have one too
	clear := marked || isObject || !jsonvalue.IsZero(o["errormessage"]) || code < 0
	_, isList := o["errors"].([]any)
	made := false // an id beside a list of errors may be that of what was made
	state, _ := cmp.Or(o["status"], o["state"]).(string)
	_, isNumber := answers.Number(state)
	hasState := state != "" && !isNumber && !refused
	isRecord := hasState && !isWord(state, "error", "fail", "failure")
	for name, v := range m {
		data, _ := v.(map[string]any)
		isOf := strings.HasSuffix(name, "_id") || strings.HasSuffix(name, "Id")
		made = made || isList && !clear && isOf && !spelling.Means(name, spelling.CorrelationID) && !jsonvalue.IsZero(v)
		switch {
		case jsonvalue.IsZero(v), (name == "details" || name == "partial") && answers.Read(m).Own,
			name == "data" && strings.Contains(fmt.Sprint(o["code"]), "_") && answers.Read(data).Status() > 0:
		case isData(name, v, clear), spelling.Means(name, spelling.Life),
			refused && spelling.Means(name, spelling.Checked),
			hasState && name == "id",
			isRecord && strings.HasSuffix(spelling.Fold(name), "id") && !spelling.Means(name, spelling.CorrelationID):
			return nil
		}
	}
	c := answers.Read(m)
	e := reader{prose: true}.kind(c)
	if readOutput(e); !saysFailed(o, c, e) {
		return nil
	}
	if c.Text(spelling.Effect) != "" || c.Text(spelling.Traces) != "" || o["partial"] != nil || made {
		e.Effect = toolerr.EffectUnknown
	}
	return &toolerr.Error{Category: e.Category, Code: e.Code, Message: e.Message, Effect: e.Effect}
}

// marks reports whether an object with folded names says, in a flag or in a word of APIs, that the call
// failed, and whether it denies success.
func marks(m map[string]any) (marked, refused bool) {
	kind, _ := m["type"].(string)
	isProblem := strings.Contains(kind, ":") && m["title"] != nil && m["detail"] != nil && m["instance"] != nil // RFC 9457
	refused = answers.IsDenied(m)
	return refused || isProblem || m["error"] == true || m["timedout"] == true || m["object"] == "error" ||
		m["iserror"] == true && (m["errorcategory"] == nil || m["isretryable"] != nil) || // else an example
		isWord(cmp.Or(m["status"], m["stat"], m["ret"], m["resultcode"]), "error", "fail", "failure"), refused
}

// isData reports whether a member cannot be part of a failure report. Beside a clear mark of a
// failure, neither a number nor a short text is data. What stands under data or details is, unless
// it is about the error.
func isData(name string, v any, clear bool) bool {
	const (
		maxContext = 4   // members of an object that names what an error is about
		maxShort   = 200 // bytes of an identifier or a label: a name, a URL or a command line
	)
	s, _ := v.(string)
	list, isList := v.([]any)
	m, isObject := v.(map[string]any)
	isAbout := func(v any) bool { // it says more about an error
		m, _ := v.(map[string]any)
		return len(m) <= maxContext && hasAny(m, "message", "msg", "reason", "code", "error", "field", "description")
	}
	switch {
	case name == "data" || name == "details" || name == "partial":
		isContainer := func(_ string, v any) bool { _, is := size(v); return is }
		// it only names what the error is about
		isContext := name == "details" && len(m) <= maxContext && !answers.ContainsFunc(m, isContainer)
		isFull := isObject && !isAbout(m) && !isContext || isList && !slices.ContainsFunc(list, isAbout)
		return isFull && (name != "data" || !isHollow(v))
	case isWord(v, "false"), answers.IsReportName(name), v == true && spelling.Means(name, spelling.Doubt),
		clear && name == "stackTrace", isWord(name, "documentation", "more_info") && strings.HasPrefix(s, "https://"):
		return false
	}
	return isList || isObject || !clear || len(s) > maxShort || strings.Contains(s, "\n")
}

// saysFailed reports whether an object without data, which claims c, says that the call failed. A flag
// or a word says so beside any message; a list of errors alone may be a check's findings.
func saysFailed(m map[string]any, c *answers.Claims, e *toolerr.Error) bool {
	marked, refused := marks(m)
	inner, _ := m["error"].(map[string]any)
	data, _ := m["data"].(map[string]any)
	text, _ := cmp.Or(m["error"], m["err"]).(string)
	messages, _ := m["errormessages"].([]any)
	table, _ := m["errors"].(map[string]any) // by argument
	list, _ := cmp.Or(m["errors"], m["inserterrors"], m["usererrors"]).([]any)
	code, _ := answers.Number(cmp.Or(m["code"], m["statuscode"], m["ret"], m["retcode"], m["resultcode"]))
	number, _ := answers.Number(m["error"])
	said := strings.ReplaceAll(strings.ToLower(e.Message), "unsuccess", "fail")
	says := said != "" || hasAny(m, "message", "msg", "detail", "title", "description", "reason", "documentationurl")
	isReport := answers.Has(m, spelling.Runs)
	switch {
	case m["success"] == true || m["ok"] == true:
		return false
	case text != "" && !isWord(text, "none", "null", "ok", "false", "no"), len(m) == 1 && m["success"] == false,
		m["errormessages"] != nil && len(messages)+len(table) > 0 && m["errors"] != nil, // of Jira
		hasAny(answers.Folded(inner), "message", "code", "type", "msg", "errorcode"),
		!jsonvalue.IsZero(cmp.Or(m["errormessage"], m["errormsg"], m["errorsummary"], m["faultstring"])):
		return true
	case marked && (len(list) == 0 || !refused): // else a check may list what it found
		return says || m["error"] == true || m["error"] == ""
	case c.Status() > 0, c.RPCCode() != "", code >= 600, code < 0, number > 0, hasErrorCode(m, e),
		!jsonvalue.IsZero(cmp.Or(m["errcode"], m["errorcode"], m["errno"])), answers.Read(data).Status() > 0: // alone
		isSuccess := isWord(said, "ok", "done") || strings.Contains(said, "success") || strings.Contains(said, "成功")
		return says && !isSuccess
	case len(list) > 0 && !isReport: // an API's errors, and not the findings of a linter
		return isHollow(m["data"]) && !slices.ContainsFunc(list, func(v any) bool { return isFinding(v, m, e) })
	}
	text, _ = m["errors"].(string)
	isList := m["status"] == nil && (len(messages) > 0 || strings.Contains(text, " "))
	isDelayed := c.After > 0 && (m["detail"] != nil || m["status"] == nil && says && e.Code == toolerr.CodeRateLimited)
	return e.Category != "" && (!isReport && (isList || len(table) > 0 && hasAny(m, "message", "msg")) || isDelayed ||
		len(m) == 1 && (m["detail"] != nil || isStatusLine(e.Message)))
}

// hasErrorCode reports whether an object has the word of an error, the class of an exception, or a known code: of
// several words, in capitals, or of a permission.
func hasErrorCode(m map[string]any, e *toolerr.Error) bool {
	word := fmt.Sprint(cmp.Or(m["code"], m["resultcode"]))
	kind, _ := m["type"].(string)
	return strings.Contains(word, "ERROR") || strings.Contains(word, "FAIL") ||
		strings.HasSuffix(kind, "Exception") && e.Category != "" ||
		classify.Code(word, 0).Known() && (word != spelling.Fold(word) || isWord(word, "unauthorized", "forbidden"))
}

// isFinding reports whether an item of a list of errors, in m, may be what a linter found, and not an API's error.
func isFinding(v any, m map[string]any, e *toolerr.Error) bool {
	names := []string{"code", "extensions", "locations", "status", "type", "reason", "domain", "index"}
	if _, isGraphQL := m["data"]; isGraphQL || m["extensions"] != nil || m["usererrors"] != nil {
		names = append(names, "message")
	}
	item, isObject := v.(map[string]any)
	isDenial := !isObject && len(m) == 1 && e.Category == toolerr.CategoryPermission
	isRefusal := e.Category != "" && hasAny(m, "message", "msg")
	return !isDenial && !isErrorWith(v, names...) && (!isRefusal || !answers.Has(item, spelling.Field, spelling.Codes))
}

// isStatusLine reports whether a text is a status and its reason, such as 404 Project Not Found.
func isStatusLine(text string) bool {
	number, reason, _ := strings.Cut(text, " ")
	n, _ := strconv.Atoi(number)
	return n >= http.StatusBadRequest && http.StatusText(n) != "" && strings.HasSuffix(reason, http.StatusText(n))
}

// isErrorWith reports whether a value is an object with a message or the like, alone or beside one of the members.
func isErrorWith(v any, names ...string) bool {
	object, _ := v.(map[string]any)
	e := answers.Folded(object)
	return hasAny(e, "message", "errors", "extensions", "description", "detail") && (len(e) == 1 || hasAny(e, names...))
}

// isWord reports whether a value is one of the words, ignoring case.
func isWord(v any, words ...string) bool {
	s, _ := v.(string)
	return slices.ContainsFunc(words, func(word string) bool { return strings.EqualFold(s, word) })
}

// hasAny reports whether an object has one of the members, and it is not null.
func hasAny(m map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return m[name] != nil })
}
