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

// readWords reads the statements of an author or a service about the call's arguments. An
// unclassified sentence is about the arguments if it names one as an argument, or quotes
// a value that was sent. E is the caller's own copy.
func (f *failedCall) readWords(e *toolerr.Error) {
	text := e.Message[:min(len(e.Message), maxWords)]
	isSaid := f.said != nil || f.opts.ServiceMessages && e.Message != hint.Sentence(string(e.Code))
	lacksField := e.Category == toolerr.CategoryValidation && e.Field == "" && isSaid
	if !lacksField && (e.Category != "" || elsewhere().MatchString(text)) {
		return
	}
	var sent map[string]any
	_ = jsonvalue.Unmarshal(f.arguments, &sent) // what is no object names nothing
	field, names, fault := f.argumentsIn(statement(text), sent)
	if len(names) == 0 && fault != classify.Callers {
		field, names, fault = f.argumentsIn(text, sent)
	}
	if e.Field == "" {
		e.Field = field
	}
	if v := sent[e.Field]; e.Code == toolerr.CodeMissingArgument && v != nil && v != "" {
		e.Code = toolerr.CodeInvalidArgument // "a valid type is required" of a type that was sent
	}
	switch {
	case e.Category != "" || len(names) == 0 && fault != classify.Callers:
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

// argumentsIn returns the argument that a text is about, if it is one, and the names of those
// that it names, or else whose fault it says the failure is by values.
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

// isAttempt reports whether a text says what was tried and not why it failed: what it
// quotes is what was asked for, and need not be at fault. To look a thing up and to fail
// is an answer about the thing.
func isAttempt(text string) bool {
	m := attempt().FindStringSubmatch(text)
	return m != nil && !slices.Contains([]string{"find", "locate", "parse", "recognize", "resolve", "understand", "validate"}, strings.ToLower(m[1]))
}

var attempt = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(?:error: )?(?:failed|unable) to (\w+)[^:;.\n]*\.?$`)
})

// lacking finds words that ask for an argument.
var lacking = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\b(?:required|missing|mandatory|provide|specify|needs?)\b`)
})

// isArgument reports whether a path begins with one of the tool's arguments, or with one
// that was sent to a tool that names none.
func (f *failedCall) isArgument(path string) bool {
	first := path
	if i := strings.IndexAny(path, ".["); i >= 0 {
		first = path[:i]
	}
	known := f.tool.Input().Properties()
	_, ok := known[first]
	return ok || len(known) == 0 && f.sent.Has(first)
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
