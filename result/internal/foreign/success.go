package foreign

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Success reads a result without isError. If the whole result reports a failure, Success
// returns it, with a Partial if some of the work was done. Otherwise it returns nil, and
// reports whether nothing was found.
func Success(res *mcp.CallToolResult) (e *toolerr.Error, empty bool) {
	structured, _ := res.StructuredContent.(map[string]any)
	text := ""
	switch len(res.Content) {
	case 0:
		if v := res.StructuredContent; v == nil || holdsNothing(v) {
			return nil, true
		}
	case 1:
		text = FirstText(res)
	default:
		if structured == nil {
			return nil, reportsNothing(joined(res))
		}
	}
	switch {
	case structured == nil && (text == "" || len(text) > maxUnflagged):
		return nil, false
	case looksLikeJSON(text):
		return readJSON(text)
	case structured == nil || isWrapped(structured):
		return readSentence(text)
	case allListsEmpty(structured):
		e, _ = readSentence(text)
		return e, e == nil
	}
	return readObject(structured)
}

// joined returns all texts of a result as one, or "" if it has other content.
func joined(res *mcp.CallToolResult) string {
	texts, size := make([]string, 0, len(res.Content)), 0
	for _, c := range res.Content {
		t, ok := c.(*mcp.TextContent)
		if !ok || t == nil || size+len(t.Text) > maxNothing {
			return ""
		}
		size += len(t.Text)
		texts = append(texts, t.Text)
	}
	return strings.Join(texts, "\n")
}

// LooksLikeFailure reports whether [Success] interprets a result that is data as a failure
// or as partial. Most results are decided by a cheap check of their text.
func LooksLikeFailure(res *mcp.CallToolResult) bool {
	if len(res.Content) != 1 {
		return false
	}
	text := FirstText(res)
	raw, isRaw := res.StructuredContent.(json.RawMessage)
	if len(text) > maxUnflagged || len(raw) > maxUnflagged || !mayClaimFailure(text) && !mayClaimFailure(string(raw)) {
		return false
	}
	client := mcp.CallToolResult{Content: res.Content}
	if isRaw {
		if m, ok := object(string(raw)); ok {
			client.StructuredContent = m
		}
	}
	e, _ := Success(&client)
	return e != nil
}

// mayClaimFailure is a cheap check for words that a failure or a partial result must
// contain.
func mayClaimFailure(text string) bool {
	for _, sign := range []string{"rro", "ail", "ehler", "❌", "⚠", `"success"`, `"ok"`, `"detail"`, "partial", "truncated", "ncomplete"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// maxUnflagged is how many bytes a text without isError may have to be read. Chosen:
// reports of failures and of nothing are short, data is not.
const maxUnflagged = 64 << 10

func looksLikeJSON(text string) bool {
	text = strings.TrimLeft(text, " \t\r\n")
	if text == "" || text[0] != '[' {
		return text != "" && text[0] == '{'
	}
	rest := strings.TrimLeft(text[1:], " \t\r\n") // prose may begin with [Section 4]
	return rest == "" || strings.ContainsRune(`]{["-0123456789tfn`, rune(rest[0]))
}

// isWrapped reports whether an object only wraps the text, as FastMCP does.
func isWrapped(m map[string]any) bool {
	text, ok := m["result"].(string)
	return ok && len(m) == 1 && !looksLikeJSON(text)
}

// readSentence reads a failure or an empty result from prose.
func readSentence(text string) (e *toolerr.Error, empty bool) {
	p := partialInText(text)
	if p == nil {
		p = partialAtEnd(text)
	}
	if p != nil {
		return partialError(p), false
	}
	return nil, reportsNothing(text)
}

// readJSON reads a failure or an empty result from JSON.
func readJSON(text string) (e *toolerr.Error, empty bool) {
	if !mayBeReport(text) {
		return nil, false
	}
	if m, ok := object(text); ok {
		return readObject(m)
	}
	v, _ := jsonvalue.Decode([]byte(text))
	if p := partialAmong(v); p != nil {
		return partialError(p), false
	}
	return nil, v != nil && holdsNothing(v)
}

// readObject reads a failure or an empty result from an object.
func readObject(m map[string]any) (e *toolerr.Error, empty bool) {
	if e := readReport(m, false); e != nil {
		return e, false
	}
	p := partialIn(m, false)
	if p == nil {
		p = partialAmong(m)
	}
	if p != nil {
		return partialError(p), false
	}
	if holdsNothing(m) || len(m) == 1 && holdsNothing(m["result"]) {
		return nil, true
	}
	message, _ := m["message"].(string) // {"status": "success", "message": "No rows found."}
	return nil, message != "" && len(m) <= 3 && !holdsOther(m) && reportsNothing(message)
}

// holdsOther reports whether an object contains more than a sentence and a flag.
func holdsOther(m map[string]any) bool {
	for name, v := range m {
		if !descriptions()[strings.ToLower(name)] && !isZero(v) {
			return true
		}
	}
	return false
}

// mayBeReport is a cheap check for the members that a report of a failure, of nothing or of
// a part must have: one of a few names, or something empty.
func mayBeReport(text string) bool {
	for i := range len(text) - 1 {
		next := text[i+1]
		switch text[i] {
		case '[', '{':
			if next == text[i]+2 { // the closing one
				return true
			}
		case '"':
			if next < 'z' && slices.ContainsFunc(reportStarts[next], func(start string) bool { return strings.HasPrefix(text[i+1:], start) }) {
				return true
			}
		}
	}
	return strings.Contains(text, "fail") || strings.Contains(text, `errors"`) || len(text) < 16
}

// reportStarts are the beginnings of these members, by their first letter.
var reportStarts = ['z'][]string{
	'd': {`detail"`},
	'e': {"erro", "erreur"},
	'f': {"fehler"},
	'i': {"isError", "incomplete", "isIncomplete", "is_incomplete", "isTruncated", "is_truncated"},
	'o': {`ok"`, "outcome", "object"},
	'p': {"partial"},
	's': {"success", "status"},
	't': {"truncated"},
}
