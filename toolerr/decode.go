package toolerr

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// UnmarshalJSON implements [json.Unmarshaler] for envelopes from any source. Unknown categories and
// codes are kept; unknown members, and members of the wrong type, are ignored. Text is bounded as in
// [Error]. A delay may be a string. Names are case-sensitive; the last of two counts.
//
// Without isRetryable, a failure is retryable only if its code is [CodeTimeout], [CodeRateLimited] or
// [CodeUnavailable]; its effect, if not stated, is then [EffectUnknown]. An unreadable isRetryable is
// false, an unreadable effect unknown. Null changes nothing; data that is no JSON object is an error.
func (e *Error) UnmarshalJSON(data []byte) error {
	if e == nil {
		return errors.New("toolerr: UnmarshalJSON on a nil *Error: pass a pointer to an Error")
	}
	if string(bytes.TrimSpace(data)) == "null" { // a no-op by convention
		return nil
	}
	m, ok := jsonvalue.MembersOf[object](data)
	if !ok {
		return errors.New("toolerr: an envelope must be a JSON object")
	}
	*e = Error{
		Category:        Category(m.word("errorCategory")),
		Code:            Code(m.word("code")),
		Message:         m.text("message"),
		Hint:            m.text("hint"),
		CustomerMessage: m.text("customerMessage"),
		RetryAfter:      m.millis("retryAfterMs"),
		Field:           m.word("field"),
		Suggestions:     m.list("suggestions"),
		Effect:          m.effect(),
		IdempotencyKey:  m.word("idempotencyKey"),
		Alternatives:    m.list("alternatives"),
		CorrelationID:   m.word("correlationId"),
		Details:         m.object("details"),
		Attempted:       m.attempted(),
		Partial:         m.partial(),
	}
	if options, _ := m.value("options").([]any); len(options) > 0 {
		e.Options = options
	}
	if m.has("isRetryable") {
		e.Retryable = e.Partial == nil && m["isRetryable"][0] == 't'
	} else if e.Partial == nil && slices.Contains([]Code{CodeTimeout, CodeRateLimited, CodeUnavailable}, e.Code) {
		e.Retryable = true
		e.Effect = cmp.Or(e.Effect, EffectUnknown)
	}
	return nil
}

// An object holds the members of a JSON object. Its methods, except effect, treat a member of the
// wrong type as absent.
type object map[string]json.RawMessage

// has reports whether there is a member other than null.
func (m object) has(name string) bool {
	raw := m[name]
	return len(raw) > 0 && raw[0] != 'n'
}

func (m object) text(name string) string { return textOf(m[name]) }

func textOf(raw []byte) string {
	text, _ := jsonvalue.Text(raw)
	return sanitize.Text(text, sanitize.MaxLength)
}

func (m object) word(name string) string {
	text, _ := jsonvalue.Text(m[name])
	return sanitize.Word(text)
}

// effect returns the effect, or EffectUnknown if it is present but unreadable.
func (m object) effect() Effect {
	text, ok := jsonvalue.Text(m["effect"])
	if !ok && m.has("effect") {
		return EffectUnknown
	}
	return cleanEffect(Effect(text))
}

// cleanEffect returns e, or EffectUnknown if e cannot be sent.
func cleanEffect(e Effect) Effect {
	const longest = 64 // bytes; the longest effect has seven
	if e != "" && (len(e) > longest || sanitize.Word(string(e)) == "") {
		return EffectUnknown
	}
	return e
}

// list returns the first maxList strings of a list that are not empty.
func (m object) list(name string) (out []string) {
	for _, raw := range jsonvalue.Items(m[name]) {
		if text := textOf(raw); text != "" && len(out) < maxList {
			out = append(out, text)
		}
	}
	return out
}

// count returns a non-negative integer of at most 1<<53. On 32-bit platforms, a number that an int
// cannot hold becomes 0, for unknown, because a smaller number would be wrong.
func (m object) count(name string) int {
	n, err := json.Number(m[name]).Float64()
	if n = max(0, min(n, 1<<53)); err != nil || n > math.MaxInt {
		return 0
	}
	return int(n)
}

// millis returns a delay: a number, or one in a string. A negative or unreadable one becomes 0, and one above the
// limit the limit.
func (m object) millis(name string) time.Duration {
	text, isText := jsonvalue.Text(m[name])
	if !isText {
		text = string(m[name])
	}
	if !jsonvalue.IsNumber(text) {
		return 0
	}
	ms, _ := json.Number(text).Float64()
	return time.Duration(math.Ceil(max(0, min(ms, float64(classify.MaxDelay/time.Millisecond))))) * time.Millisecond
}

func (m object) object(name string) map[string]any {
	object, _ := m.value(name).(map[string]any)
	return object
}

// value returns what AppendJSON writes of an object or a list, decoded; or nil.
func (m object) value(name string) any {
	raw := m[name]
	if len(raw) == 0 || raw[0] != '{' && raw[0] != '[' {
		return nil
	}
	v, _ := jsonvalue.Decode(raw)
	raw = appendValue(make([]byte, 0, min(len(raw), maxEnvelope)), v)
	v, _ = jsonvalue.DecodeNumbers(raw, func(n json.Number) any { // a float64, if that is written the same way
		f, _ := n.Float64()
		const exact = 15 // the digits that any float64 keeps
		if len(n) <= exact && strings.Trim(string(n), "0123456789") == "" {
			return f
		}
		if raw, _ := json.Marshal(f); string(raw) == string(n) {
			return f
		}
		return n
	})
	return v
}

func (m object) attempted() (out []Attempt) {
	items := jsonvalue.Items(m["attempted"])
	for _, raw := range items[:min(len(items), maxList)] {
		a, _ := jsonvalue.MembersOf[object](raw) // an item of another type is an attempt without members
		out = append(out, Attempt{
			Tool:          a.text("tool"),
			Arguments:     a.object("arguments"),
			Attempts:      a.count("attempts"),
			Elapsed:       a.millis("elapsedMs"),
			Category:      Category(a.word("errorCategory")),
			Code:          Code(a.word("code")),
			Effect:        a.effect(),
			CorrelationID: a.word("correlationId"),
		})
	}
	return out
}

func (m object) partial() *Partial {
	w, ok := jsonvalue.MembersOf[object](m["partial"])
	if !ok {
		return nil
	}
	p := &Partial{Processed: w.count("processed"), Total: w.count("total")}
	if raw := appendCursor(nil, json.Number(w["continueFrom"])); len(raw) > 0 {
		p.ContinueFrom = json.Number(raw)
	} else if text, _ := jsonvalue.Text(w["continueFrom"]); sanitize.Identifier(text) != "" {
		p.ContinueFrom = text
	}
	if w.has("results") {
		p.Results = jsonvalue.AppendCompact(nil, w["results"])
	}
	return p
}
