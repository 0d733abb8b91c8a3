package answers

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// Claims is what a sender says about a failure, in a tool's result, in the body of an HTTP response
// or in the objects that a Go error holds. Nothing in it is verified, cleaned or shortened.
type Claims struct {
	Own    bool          // the flag is the envelope's isRetryable, beside one of its categories
	After  time.Duration // the longest delay, or 0
	IsPlan bool          // the limit is one for a day or more

	namesPeriod bool // a message names a period of a day or more
	several     bool // there is a list of failures
	words       [codeRanks][]word
	values      [spelling.Meanings]any   // texts, lists, a status and a flag
	levels      [spelling.Meanings]level // of the values; a lower one takes precedence
	wholes      []map[string]any
}

// A level says whether an object is about the failure as a whole, about a part of it, holds data of any kind, or may
// repeat the request. An echo may forbid a retry, but never allow one.
type level int

const (
	whole level = iota
	part
	data
	echo
)

const (
	// MaxDepth is the maximum depth to which an error object is read. Google's error objects have
	// reasons at depth 4 and exhausted quotas at depth 6.
	MaxDepth = 7
	// MaxItems is the maximum number of items read from a list in an error. Most lists have a few.
	MaxItems = 20
	wholes   = 5 // the first names of objects about the whole failure: error, err, detail, errors, fault
)

// Read returns the claims in an object.
func Read(members map[string]any) *Claims {
	c := new(Claims)
	c.object(members, MaxDepth, whole)
	return c
}

// Text returns the first text with a meaning, or "".
func (c *Claims) Text(m spelling.Meaning) string {
	text, _ := c.values[m].(string)
	return text
}

// List returns the first list with a meaning, or nil.
func (c *Claims) List(m spelling.Meaning) []any {
	list, _ := c.values[m].([]any)
	return list
}

// Status returns an HTTP status from 400 to 599, or 0.
func (c *Claims) Status() int {
	n, _ := c.values[spelling.Status].(int)
	return n
}

// Flag returns what is said about a repeat: that it may succeed or does not help, if anything is stated.
func (c *Claims) Flag() (allows, stated bool) {
	allows, stated = c.values[spelling.Retryable].(bool)
	return allows, stated
}

// Message returns the text that says what failed: of the failure, or else of its parts.
func (c *Claims) Message() string {
	if message := cmp.Or(c.Text(spelling.Message), c.Text(spelling.ErrorText)); message != "" {
		return message
	}
	return c.sentences()
}

// ReadJSON adds the claims in a JSON text. Text that is no JSON object or list is ignored.
func (c *Claims) ReadJSON(text []byte) {
	var value any
	_ = json.Unmarshal(text, &value) // nil if it is none
	c.value(value, MaxDepth, whole)
}

// ReadObject adds the claims in an object, and in its parts to the given depth.
func (c *Claims) ReadObject(members map[string]any, depth int) { c.object(members, depth, whole) }

// value adds an object, or the objects of a list. Of a list, the first is about the whole failure.
func (c *Claims) value(value any, depth int, l level) {
	if depth <= 0 {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		c.object(value, depth, l)
	case []map[string]any:
		for i, item := range value[:min(len(value), MaxItems)] {
			c.value(item, depth-1, max(l, level(min(i, 1))))
		}
	case []any:
		c.several = c.several || l == whole && len(value) > 1
		for i, item := range value[:min(len(value), MaxItems)] {
			c.value(item, depth-1, max(l, level(min(i, 1))))
		}
	}
}

// A member is one of an object, with one of its meanings.
type member struct {
	spelling.Place

	value  any
	isCode bool // the name is that of a code, and of nothing else
}

// known returns error for the name of any object with one, such as odata.error, but not lastError, in an object that
// does not say itself what failed; other names stay.
func known(members map[string]any, name string) string {
	if _, isObject := members[name].(map[string]any); !isObject || spelling.Means(name, spelling.Inside) {
		return name
	}
	head, tail, isError := strings.Cut(strings.ReplaceAll(spelling.Fold(name), "exception", "error"), "error")
	isSentence := func(name string, v any) bool {
		text, _ := v.(string)
		return strings.Contains(text, " ") && spelling.Means(name, spelling.Message, spelling.ErrorText)
	}
	if isError && (tail == "" || codes.List("wraps").Has(tail)) && !codes.List("apart").Has(head) &&
		!ContainsFunc(members, isSentence) {
		return "error"
	}
	return name
}

// object adds the codes of an object and the members that they name, then the objects in it, in the order of their
// names in the table, and then its other members. Of a list of errors, the first is about the whole failure.
func (c *Claims) object(members map[string]any, depth int, l level) {
	var mine, inside []member
	var tags []string
	for _, name := range sorted(members) {
		v := members[name]
		if v == nil {
			continue
		}
		text, _ := v.(string)
		name = known(members, name)
		for _, p := range spelling.Places(name) {
			m := member{p, v, strings.HasSuffix(name, "ode") || name == "error"}
			switch p.Meaning { //nolint:exhaustive // the rest
			case spelling.Inside, spelling.Echo:
				inside = append(inside, m)
			case spelling.Reasons, spelling.Codes, spelling.Types, spelling.States:
				c.code(p.Meaning, name, text, l)
				if !slices.Contains(tags, text) && !spelling.Means(text, spelling.Inside, spelling.Echo) {
					tags = append(tags, text) // a tagged union: the code names the member that is set; each is read once
					c.value(members[text], depth-1, max(l, part))
				}
			case spelling.Period:
				c.IsPlan = c.IsPlan || codes.Periods.In(text)
			default:
				c.namesPeriod = c.namesPeriod || name == "message" && codes.Periods.In(text)
				mine = append(mine, m)
			}
		}
	}
	inOrder := func(a, b member) int { return cmp.Or(cmp.Compare(a.Meaning, b.Meaning), cmp.Compare(a.Rank, b.Rank)) }
	slices.SortStableFunc(inside, inOrder)
	slices.SortStableFunc(mine, inOrder)
	for _, m := range inside {
		at := l
		if m.Meaning == spelling.Echo {
			at = max(l, data+level(min(m.Rank/2, 1))) // data and details are the first names
		} else if m.Rank >= wholes {
			at = max(l, part)
		}
		c.value(m.value, depth-1, at)
	}
	if _, has := members["isRetryable"].(bool); has && l == whole {
		category, _ := members["errorCategory"].(string)
		c.Own = slices.Contains(class.Categories, category)
	}
	if l == whole {
		c.wholes = append(c.wholes, members)
	}
	for _, m := range mine {
		c.claim(m, l)
	}
}

// claim adds a member at a level, unless an earlier object or name has a usable member with the same meaning.
func (c *Claims) claim(m member, l level) {
	const clear = 3 // the first names of a message: message, msg, detail; and the last, diagnostics
	isTitle := m.Meaning == spelling.Message && m.Rank >= clear && m.Rank < len(spelling.Names(m.Meaning))-1
	isWhole := isTitle || m.Meaning == spelling.Category || m.Meaning == spelling.ErrorText
	if isWhole && l > whole || m.Meaning == spelling.Code && l > part {
		return
	}
	if isShort := m.Meaning == spelling.Milliseconds; isShort || m.Meaning == spelling.Seconds {
		n, isNumber := Number(m.value)
		if text, _ := m.value.(string); !isNumber {
			d, _ := time.ParseDuration(text) // such as 1.5s; 0 if it is none
			n = d.Seconds()
		}
		if isShort {
			n /= 1000
		}
		c.After = max(c.After, class.Seconds(n))
		return
	}
	if m.Meaning == spelling.Code { // the innermost is the most specific
		l = whole
	}
	meaning := m.Meaning
	if meaning == spelling.Doubt {
		meaning = spelling.Effect
	}
	v, held := m.usable(l), c.values[meaning]
	isWorse := v == "applied" || v == class.EffectUnknown && held != "applied"
	if v == false || meaning == spelling.Effect && isWorse { // wherever it stands
		l, held = whole-1, nil
	}
	if v != nil && v != "" && (held == nil || l < c.levels[meaning]) {
		c.levels[meaning], c.values[meaning] = l, v
	}
}

// usable returns the value of a member if it fits its meaning, or nil or "".
func (m member) usable(l level) any {
	text, list, isList := m.text()
	switch m.Meaning { //nolint:exhaustive // the others are texts
	case spelling.Retryable:
		if allows, ok := Bool(m.value); ok && (l == whole || !allows) {
			return allows
		}
		return nil
	case spelling.Status:
		if n, _ := Number(m.value); n >= 400 && n < 600 && (l < part || !codes.FromStatus(int(n)).Retryable()) {
			return int(n)
		}
		return nil
	case spelling.Doubt, spelling.Traces:
		text = map[bool]string{true: class.EffectUnknown}[m.leavesOpen(l)]
	case spelling.Suggestions, spelling.Options:
		if isList {
			return list
		}
		return nil
	case spelling.Code, spelling.ErrorText:
		isCode := m.Meaning == spelling.Code
		if isCodeWord(text) != isCode || isCode && !m.isCode && !mayBeCode(text) {
			return nil
		}
	case spelling.Effect:
		if l > whole && text == class.EffectNone { // of a part, or of the request
			return nil
		}
	case spelling.Field:
		text = m.path(text, list)
	case spelling.Message:
	default:
		text = cmp.Or(text, joined(list, " "))
	}
	return text
}

// text returns a text, also one in a language such as {"lang": "en", "value": "..."}, or a list.
func (m member) text() (text string, list []any, isList bool) {
	inner, _ := m.value.(map[string]any)
	isOther := func(name string, _ any) bool { return !codes.List("localized").Has(name) }
	text, isText := m.value.(string)
	const most = 3 // of the members in the list
	if !isText && len(inner) <= most && !ContainsFunc(inner, isOther) {
		text, _ = cmp.Or(inner["value"], inner["text"]).(string)
	}
	list, isList = m.value.([]any)
	return text, list, isList
}

// leavesOpen reports whether a mark of doubt is set, or a trace is one of work: a mark, a list without sentences, which
// say what is wrong with an argument, or an object with an id.
func (m member) leavesOpen(l level) bool {
	const marks = 12 // the first names of traces
	text, list, _ := m.text()
	object, _ := m.value.(map[string]any)
	isDoubt := m.Meaning == spelling.Doubt
	if isDoubt || m.Rank < marks {
		if m.value == true || codes.List("open").Has(strings.ToLower(text)) {
			return l <= part || isDoubt && l == data
		}
	}
	isSentence := func(v any) bool { text, _ := v.(string); return strings.Contains(text, " ") }
	isDone := len(list) > 0 && (isDoubt || !slices.ContainsFunc(list, isSentence))
	isID := func(name string, _ any) bool { return strings.HasSuffix(spelling.Fold(name), "id") }
	return l <= part && (isDone || !isDoubt && ContainsFunc(object, isID))
}

// path returns the argument at fault: a text or, under the last two names, a list such as loc: ["body", "due_date"]
// and a JSON pointer such as /data/attributes/title (RFC 9457, JSON:API).
func (m member) path(text string, list []any) string {
	pointer, isPointer := strings.CutPrefix(strings.TrimPrefix(text, "#"), "/")
	switch len(spelling.Names(spelling.Field)) - m.Rank {
	case 1:
		return cmp.Or(joined(list[min(1, max(len(list)-1, 0)):], "."), text)
	case 2:
		if !isPointer {
			return ""
		}
		return strings.ReplaceAll(strings.TrimPrefix(pointer, "data/attributes/"), "/", ".")
	}
	return text
}
