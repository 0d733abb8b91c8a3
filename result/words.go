package result

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readWords reads what an author's words, or a service's, say of the call's arguments. A
// sentence that nobody has classified is about the arguments if it names one as an
// argument, or quotes a value that was sent. E is the caller's own copy.
func (f *failedCall) readWords(e *toolerr.Error) {
	text := e.Message[:min(len(e.Message), maxWords)]
	lacksField := e.Category == toolerr.CategoryValidation && e.Field == "" && f.said != nil
	if !lacksField && (e.Category != "" || elsewhere().MatchString(text)) {
		return
	}
	var sent map[string]any
	_ = jsonvalue.Unmarshal(f.arguments, &sent) // what is no object names nothing
	names := argumentsNamed(text, f.tool.Input().Properties())
	field := oneOf(names, sent)
	if len(names) == 0 {
		field = quotedValue(text, sent)
	}
	if e.Field == "" {
		e.Field = field
	}
	switch {
	case e.Category != "" || len(names) == 0 && field == "":
		return
	case len(names) > 0 && e.Code == "":
		e.Code = toolerr.CodeInvalidArgument
		if v := sent[field]; field != "" && (v == nil || v == "") && lacking().MatchString(text) {
			e.Code = toolerr.CodeMissingArgument
		}
	case e.Hint == "": // that a value is quoted does not say what is wrong with it
		e.Hint = hint.Unclassified
	}
	e.Category = toolerr.CategoryValidation
}

// withoutZeroOutput is said without the zero value of a typed handler's output, which the
// SDK has put beside the handler's failed result, or in its place.
func (f *failedCall) withoutZeroOutput() *mcp.CallToolResult {
	if f.said == nil || f.tool == nil || f.tool.OutputSchema == nil {
		return f.said
	}
	raw, ok := f.said.StructuredContent.(json.RawMessage)
	if v, isJSON := jsonvalue.Decode(raw); !ok || !isJSON || !isZeroJSON(v) {
		return f.said
	}
	c := &mcp.CallToolResult{Content: f.said.Content}
	last := len(c.Content) - 1
	if last < 1 {
		return c
	}
	if t, isText := c.Content[last].(*mcp.TextContent); isText && t.Text == string(raw) {
		c.Content = c.Content[:last] // what the SDK adds if it is no object
	}
	return c
}

// isZeroJSON reports whether a value is the zero value of some Go type, as JSON.
func isZeroJSON(v any) bool {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			if !isZeroJSON(member) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	case json.Number:
		return v == "0"
	}
	return v == nil || v == "" || v == false || v == "0001-01-01T00:00:00Z" // time.Time
}

// lacking finds words that ask for an argument.
var lacking = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:required|missing|mandatory|provide|specify|needs?)\b`)
})

// isArgument reports whether a path begins with one of the tool's arguments.
func (f *failedCall) isArgument(path string) bool {
	first := path
	if i := strings.IndexAny(path, ".["); i >= 0 {
		first = path[:i]
	}
	_, ok := f.tool.Input().Properties()[first]
	return ok
}

// maxWords is how many bytes of a sentence are looked at for arguments. Chosen: as many as
// a message has.
const maxWords = 2 << 10

// elsewhere finds words about something else than the arguments, whatever they quote: the
// tool itself, access, limits, a service.
var elsewhere = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:internal|unexpected|crash(?:ed)?|panic(?:ked)?|exception|traceback|out of memory|exit (?:status|code)|killed|signal|bug|` +
		`denied|privileges?|permissions?|credentials?|unauthori[sz]ed|forbidden|expired|log(?:ged)? ?in|subscription|quota|limits?|disabled|` +
		`unavailable|offline|unreachable|overloaded|connect(?:ion)?|timeout|[45]\d\d)\b`)
})

// argumentsNamed returns the arguments that a text names as such: in quotes, as a word
// that is no word of prose, or in a phrase that only arguments stand in.
func argumentsNamed(text string, known map[string]any) (names []string) {
	quoted := quotedSpans(text)
	for name := range known {
		if slices.Contains(quoted, name) || isCoined(name) && hasWord(text, name) || inPhrase(text, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// isCoined reports whether a name is hardly a word of prose: snake_case, camelCase.
func isCoined(name string) bool {
	return strings.ContainsRune(name, '_') || strings.IndexFunc(name, unicode.IsUpper) > 0
}

// Phrases around the name of an argument.
var (
	beforeName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:parameters?|arguments?|fields?|properties|property|missing|invalid|required|unsupported|provide|specify):?(?: (?:a|an|the|valid))? $`)
	})
	afterName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^ (?:parameter|argument|field|property|(?:is|are) (?:required|missing|invalid|mandatory|empty|not (?:valid|supported|allowed|set))|(?:must|should|may not|can ?not|can only|has to|needs to)\b)`)
	})
)

// inPhrase reports whether a word of a text is named as an argument.
func inPhrase(text, name string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], name)
		if i < 0 || name == "" {
			return false
		}
		i += from
		from = i + len(name)
		if isWord(text, i, from) && (beforeName().MatchString(text[max(0, i-40):i]) || afterName().MatchString(text[from:])) {
			return true
		}
	}
}

// oneOf returns the argument that is at fault of those that a text names: the one that
// was sent, or the only one.
func oneOf(names []string, sent map[string]any) string {
	var given []string
	for _, name := range names {
		if sent[name] != nil {
			given = append(given, name)
		}
	}
	switch {
	case len(given) == 1:
		return given[0]
	case len(names) == 1:
		return names[0]
	}
	return ""
}

// quotedValue returns the argument whose value a text quotes, or several together, such
// as owner and name: then it is the last.
func quotedValue(text string, sent map[string]any) (field string) {
	quoted := quotedSpans(text)
	for name, v := range sent {
		value := ""
		switch v := v.(type) {
		case string:
			value = v
		case json.Number:
			value = v.String()
		}
		switch {
		case value == "":
		case slices.Contains(quoted, value), isTelling(value) && hasWord(text, value),
			slices.ContainsFunc(quoted, func(span string) bool {
				return slices.Contains(strings.Split(span, "/"), value) && isMadeOf(span, sent)
			}):
			if field == "" || strings.Index(text, value) > strings.Index(text, toText(sent[field])) {
				field = name
			}
		}
	}
	return field
}

func toText(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	text, _ := v.(string)
	return text
}

// isMadeOf reports whether each part of a path is a value that was sent.
func isMadeOf(path string, sent map[string]any) bool {
	for part := range strings.SplitSeq(path, "/") {
		found := false
		for _, v := range sent {
			found = found || part != "" && toText(v) == part
		}
		if !found {
			return false
		}
	}
	return true
}

// isTelling reports whether a value is hardly in a sentence by accident. Chosen: words of
// prose have no such signs in them, and counts are shorter than five digits.
func isTelling(value string) bool {
	if len(value) < 5 {
		return false
	}
	return strings.ContainsAny(value, "/@_#:") || strings.IndexFunc(value, unicode.IsDigit) >= 0 && strings.IndexFunc(value, unicode.IsSpace) < 0
}

// maxQuotes is how many quotations of a text are looked at. Chosen: a sentence has a few.
const maxQuotes = 50

// quotation is a span in quotes.
var quotation = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("\"([^\"\n]{1,300})\"|`([^`\n]{1,300})`|(?:^|[\\s(=:\\[,])'([^'\n]{1,300})'")
})

// quotedSpans returns what a text quotes, without the names of members in JSON.
func quotedSpans(text string) (spans []string) {
	for _, m := range quotation().FindAllStringSubmatchIndex(text, maxQuotes) {
		if strings.HasPrefix(text[m[1]:], ":") {
			continue
		}
		for group := 2; group < len(m); group += 2 {
			if m[group] >= 0 {
				spans = append(spans, text[m[group]:m[group+1]])
			}
		}
	}
	return spans
}

// hasWord reports whether a text has a word.
func hasWord(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 || word == "" {
			return false
		}
		i += from
		from = i + len(word)
		if isWord(text, i, from) {
			return true
		}
	}
}

// isWord reports whether text[from:to] is no part of a longer word or name.
func isWord(text string, from, to int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:from])
	behind, _ := utf8.DecodeRuneInString(text[to:])
	return !slices.ContainsFunc([]rune{before, behind}, func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) })
}
