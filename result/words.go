package result

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// readWords reads the field, and if it is missing the category, from the text of an author
// or a service. An unclassified text is about the arguments if it names an argument as such
// or quotes a value from the call. It changes e.
func (f *failedCall) readWords(e *toolerr.Error) {
	text := e.Message[:min(len(e.Message), maxWords)]
	isAuthored := f.authored != nil || f.opts.ServiceMessages && e.Message != hint.Sentence(string(e.Code))
	lacksField := e.Category == toolerr.CategoryValidation && e.Field == "" && isAuthored
	if !lacksField && (e.Category != "" || elsewhere().MatchString(text)) {
		return
	}
	var sent map[string]any
	_ = jsonvalue.Unmarshal(f.arguments, &sent) // empty if it is not an object
	field, names, fault := f.argumentsIn(statement(text), sent)
	if len(names) == 0 && fault != classify.Callers {
		field, names, fault = f.argumentsIn(text, sent)
	}
	if e.Field == "" {
		e.Field = field
	}
	if v := sent[e.Field]; e.Code == toolerr.CodeMissingArgument && v != nil && v != "" {
		e.Code = toolerr.CodeInvalidArgument // such as "a valid type is required" for an invalid type
	}
	switch {
	case e.Category != "" || len(names) == 0 && fault != classify.Callers:
		return
	case len(names) > 0 && e.Code == "":
		e.Code = toolerr.CodeInvalidArgument
		if v := sent[field]; field != "" && (v == nil || v == "") && lacking().MatchString(text) {
			e.Code = toolerr.CodeMissingArgument
		}
	case e.Hint == "": // a quoted value does not show what is wrong with it
		e.Hint = hint.Unclassified
	}
	e.Category = toolerr.CategoryValidation
}

// argumentsIn returns the argument that a text is about, if it is only one, and all arguments
// that it names. If it names none, fault depends on the values that it quotes.
func (f *failedCall) argumentsIn(text string, sent map[string]any) (field string, names []string, fault classify.Fault) {
	if names = argumentsNamed(text, f.tool.Input().Properties()); len(names) > 0 {
		return oneOf(names, sent), names, classify.Unnamed
	}
	if isAttempt(text) {
		return "", nil, classify.Unnamed
	}
	field, fault = f.sent.Words(text)
	return field, nil, fault
}

// isAttempt reports whether a text states only what was tried and not why it failed. The
// values that it quotes need not be at fault, unless the attempt was a lookup or a check.
func isAttempt(text string) bool {
	m := attempt().FindStringSubmatch(text)
	return m != nil && !slices.Contains([]string{"find", "locate", "parse", "recognize", "resolve", "understand", "validate"}, strings.ToLower(m[1]))
}

var attempt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:error: )?(?:failed|unable) to (\w+)[^:;.\n]*\.?$`)
})

// lacking matches words for a missing argument.
var lacking = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:required|missing|mandatory|provide|specify|needs?)\b`)
})

// isArgument reports whether a path begins with one of the tool's arguments or, if the schema
// names none, with an argument of the call.
func (f *failedCall) isArgument(path string) bool {
	first := path
	if i := strings.IndexAny(path, ".["); i >= 0 {
		first = path[:i]
	}
	known := f.tool.Input().Properties()
	_, ok := known[first]
	return ok || len(known) == 0 && f.sent.Has(first)
}

// maxWords is how many bytes of a text are searched for arguments. Chosen: the maximum
// length of a message.
const maxWords = 2 << 10

// elsewhere matches words about something other than the arguments, whatever the text quotes:
// the tool itself, access, limits, a service.
var elsewhere = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:internal|unexpected|crash(?:ed)?|panic(?:ked)?|exception|traceback|out of memory|exit (?:status|code)|killed|signal|bug|` +
		`denied|privileges?|permissions?|credentials?|unauthori[sz]ed|forbidden|expired|log(?:ged)? ?in|subscription|quota|limits?|disabled|` +
		`unavailable|offline|unreachable|overloaded|connect(?:ion)?|timeout|[45]\d\d)\b`)
})

// argumentsNamed returns the arguments that a text names as such: in quotes, as a compound
// identifier, or in a phrase about arguments.
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

// isCoined reports whether a name is a compound identifier, in snake_case or camelCase, and
// not an ordinary word.
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

// inPhrase reports whether a text has a name in a phrase about arguments.
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

// oneOf returns which of the named arguments is at fault: the only one that was sent, or the
// only one that is named, otherwise "".
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
