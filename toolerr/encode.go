package toolerr

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

const (
	// maxEnvelope is the size limit of an envelope without partial, in bytes, chosen as about 2,000
	// tokens of four bytes, a small part of a conversation.
	maxEnvelope = 8 << 10
	// maxList is the maximum number of items in a list, chosen because with more than twenty
	// choices, a model should search instead.
	maxList = 20
	// shortText is the length in bytes to which text is cut as a last resort, chosen because nine
	// such texts, with each byte escaped, take 4.5 of the envelope's 8 KiB.
	shortText = 256
)

// dropped are the members that an oversized envelope loses, in order; arguments are those of the attempts. Then
// prose is cut, and at last long identifiers are left out.
var dropped = [...]string{
	"details", "arguments", "attempted", "options", "suggestions", "alternatives", longProse, longIdentifiers,
}

const longProse, longIdentifiers = "long prose", "long identifiers"

// MarshalJSON implements [json.Marshaler] with the wire format; its error is nil. [json.Marshal] escapes
// <, > and & in it.
func (e *Error) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil), nil }

// AppendJSON appends what is sent, without HTML escaping. It never fails: what cannot be encoded is left
// out or, in a list, null.
func (e *Error) AppendJSON(dst []byte) []byte {
	if e == nil {
		return append(dst, "null"...)
	}
	start := len(dst)
	w := writer{dst: slices.Grow(dst, 512)} // chosen: most envelopes are shorter
	for w.envelope(e); len(w.dst)-start >= maxEnvelope && w.drops < len(dropped); w.envelope(e) {
		w.dst, w.drops = w.dst[:start], w.drops+1
	}
	if e.Partial != nil {
		w.partial(e.Partial)
	}
	return append(w.dst, '}')
}

// A writer appends the members of an object, but none that is empty.
type writer struct {
	dst   []byte
	drops int // how many of dropped are left out
}

func (w *writer) drop(name string) bool { return slices.Contains(dropped[:w.drops], name) }

// envelope appends everything before partial, without the closing brace.
func (w *writer) envelope(e *Error) {
	w.dst = append(w.dst, `{"isError":true`...)
	w.word("errorCategory", string(e.Category))
	retryable := e.retryable()
	w.dst = strconv.AppendBool(w.key("isRetryable"), retryable)
	w.word("code", string(e.Code))
	w.quoted("message", cmp.Or(w.cut(e.Message), noMessage)) // all characters may be removed
	hint := w.cut(e.Hint)
	if hint == "" {
		hint = w.cut(defaultHint(e))
	}
	w.quoted("hint", hint)
	w.quoted("customerMessage", w.cut(e.CustomerMessage))
	if retryable || e.Partial != nil {
		w.count("retryAfterMs", millis(e.RetryAfter))
	}
	w.word("field", e.Field)
	w.list("suggestions", e.Suggestions)
	w.value("options", e.Options)
	w.word("effect", string(cleanEffect(e.Effect)))
	w.word("idempotencyKey", e.IdempotencyKey)
	w.list("alternatives", e.Alternatives)
	w.word("correlationId", e.CorrelationID)
	w.value("details", e.Details)
	w.member("attempted", func([]byte) []byte { return w.attempted(e.Attempted[:min(len(e.Attempted), maxList)]) })
}

func (w *writer) attempted(attempts []Attempt) []byte {
	open := byte('[')
	for _, a := range attempts {
		w.dst, open = append(w.dst, open, '{'), ','
		w.quoted("tool", sanitize.Line(a.Tool, sanitize.MaxLength))
		w.value("arguments", redact.Arguments(a.Arguments))
		w.count("attempts", int64(a.Attempts))
		w.count("elapsedMs", millis(a.Elapsed))
		w.word("errorCategory", string(a.Category))
		w.word("code", string(a.Code))
		w.word("effect", string(cleanEffect(a.Effect)))
		w.word("correlationId", a.CorrelationID)
		w.dst = append(w.dst, '}')
	}
	if len(attempts) > 0 {
		w.dst = append(w.dst, ']')
	}
	return w.dst
}

// partial appends a partial result. It has no size limit, because the results are data.
func (w *writer) partial(p *Partial) {
	w.dst = append(w.key("partial"), '{')
	w.dst = strconv.AppendInt(w.key("processed"), int64(max(p.Processed, 0)), 10)
	w.count("total", int64(p.Total))
	w.member("continueFrom", func(dst []byte) []byte { return appendCursor(dst, p.ContinueFrom) })
	w.member("results", func(dst []byte) []byte { return appendResults(dst, p.Results) })
	w.dst = append(w.dst, '}')
}

// key appends a key, which must be escaped, and the comma before it, and returns w.dst.
func (w *writer) key(name string) []byte {
	if w.dst[len(w.dst)-1] != '{' {
		w.dst = append(w.dst, ',')
	}
	w.dst = append(append(append(w.dst, '"'), name...), '"', ':')
	return w.dst
}

// member appends a member whose value another function appends, unless that appends nothing.
func (w *writer) member(name string, value func(dst []byte) []byte) {
	if w.drop(name) {
		return
	}
	start := len(w.dst)
	from := len(w.key(name))
	if w.dst = value(w.dst); len(w.dst) == from {
		w.dst = w.dst[:start]
	}
}

// value appends a value, but no empty list, and no object whose members are all left out.
func (w *writer) value(name string, v any) {
	w.member(name, func(dst []byte) []byte {
		from := len(dst)
		if dst = appendValue(dst, v); len(dst) == from+len("{}") {
			return dst[:from]
		}
		return dst
	})
}

func (w *writer) cut(prose string) string {
	if w.drop(longProse) {
		return sanitize.Text(prose, shortText)
	}
	return sanitize.Text(prose, sanitize.MaxLength)
}

func (w *writer) word(name, s string) {
	if s = sanitize.Word(s); len(s) <= shortText || !w.drop(longIdentifiers) {
		w.quoted(name, s)
	}
}

func (w *writer) quoted(name, s string) {
	if s != "" {
		w.dst = appendQuoted(w.key(name), s)
	}
}

func (w *writer) count(name string, n int64) {
	if n > 0 {
		w.dst = strconv.AppendInt(w.key(name), n, 10)
	}
}

// list appends the first maxList texts that are not empty.
func (w *writer) list(name string, list []string) {
	w.member(name, func(dst []byte) []byte {
		n, open := 0, byte('[')
		for i := 0; i < len(list) && n < maxList; i++ {
			if s := sanitize.Text(list[i], sanitize.MaxLength); s != "" {
				dst, open = appendQuoted(append(dst, open), s), ','
				n++
			}
		}
		if n == 0 {
			return dst
		}
		return append(dst, ']')
	})
}

// millis returns a duration in whole milliseconds, rounded up.
func millis(d time.Duration) int64 {
	return int64((min(max(d, 0), classify.MaxDelay) + time.Millisecond - 1) / time.Millisecond)
}

// appendQuoted appends s, which must be sanitized, as a JSON string. It escapes only the
// characters that JSON requires to be escaped.
func appendQuoted(dst []byte, s string) []byte {
	return append(append(append(dst, '"'), escapes.Replace(s)...), '"')
}

var escapes = strings.NewReplacer(`"`, `\"`, `\`, `\\`, "\n", `\n`, "\t", `\t`)

func defaultHint(e *Error) string {
	if e.origin.text { // a hint may contradict the text
		return ""
	}
	facts := hint.Facts{
		Category: string(e.Category), Code: string(e.Code), Effect: string(cleanEffect(e.Effect)), Retryable: e.retryable(),
		Delay: e.RetryAfter, Field: e.Field != "", Options: len(e.Options) > 0, Partial: !e.Partial.IsEmpty(),
	}
	if e.IdempotencyKey != "" {
		facts.Key = hint.AnyArgument
	}
	if e.Partial != nil {
		facts.Continue = len(appendCursor(nil, e.Partial.ContinueFrom)) > 0
		facts.Results = len(appendResults(nil, e.Partial.Results)) > 0
	}
	return hint.Default(facts)
}
