package toolerr

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// UnmarshalJSON implements [json.Unmarshaler] for envelopes from any source:
//
//   - Unknown members and members of the wrong type are ignored.
//   - Unknown categories and codes are kept.
//   - Text is sanitized and bounded as in [Error.AppendJSON].
//   - Delays are clamped, and may be strings that contain a number.
//   - Names are case-sensitive. Of two members with the same name, the last one is used.
//
// Without isRetryable, a failure is retryable only if its code is [CodeTimeout], [CodeRateLimited]
// or [CodeUnavailable]. Its effect, if not stated, then becomes [EffectUnknown], because nothing
// states that a repeat is safe.
//
// An unreadable isRetryable is read as false, and an unreadable effect as unknown. The method
// returns an error if data is not a JSON object or e is nil. The value null changes nothing.
func (e *Error) UnmarshalJSON(data []byte) error {
	if e == nil {
		return errors.New("toolerr: UnmarshalJSON on a nil *Error: pass a pointer to an Error")
	}
	if string(bytes.TrimSpace(data)) == "null" { // a no-op by convention
		return nil
	}
	m := members{s: jsonvalue.NewScanner(data)}
	if m.s.Kind() != '{' {
		return errors.New("toolerr: an envelope must be a JSON object")
	}
	if m.all = m.s.Members(); !m.s.Done() {
		return fmt.Errorf("toolerr: decode envelope: invalid JSON at byte %d", m.s.Offset())
	}
	*e = Error{
		Category:        Category(m.identifier("errorCategory")),
		Code:            Code(m.identifier("code")),
		Message:         m.text("message"),
		Hint:            m.text("hint"),
		CustomerMessage: m.text("customerMessage"),
		RetryAfter:      m.millis("retryAfterMs"),
		Field:           m.identifier("field"),
		Suggestions:     m.list("suggestions"),
		Options:         m.options("options"),
		Effect:          m.effect("effect"),
		IdempotencyKey:  m.identifier("idempotencyKey"),
		Alternatives:    m.list("alternatives"),
		CorrelationID:   m.identifier("correlationId"),
		Details:         m.object("details"),
		Attempted:       m.attempted(),
		Partial:         m.partial(),
	}
	switch flag := m.all["isRetryable"].Kind; {
	case e.Partial != nil:
	case flag != 0 && flag != 'n':
		e.Retryable = flag == 't'
	case transientCode(e.Code):
		e.Retryable = true
		e.Effect = cmp.Or(e.Effect, EffectUnknown)
	}
	return nil
}

// effect returns the effect, or EffectUnknown if it is present but unreadable.
func (m *members) effect(name string) Effect {
	v := m.all[name]
	if v.Kind == 0 || v.Kind == 'n' {
		return ""
	}
	text, ok := m.s.Text(v)
	if !ok {
		return EffectUnknown
	}
	return cleanEffect(Effect(text))
}

// cleanEffect returns e, or EffectUnknown if e cannot be sent.
func cleanEffect(e Effect) Effect {
	if e != "" && (len(e) > maxEffect || sanitize.Word(string(e)) == "") {
		return EffectUnknown
	}
	return e
}

// maxEffect is the maximum length of an effect in bytes, chosen because the longest has seven.
const maxEffect = 64

func (m *members) attempted() []Attempt {
	var out []Attempt
	m.items("attempted", func(s *jsonvalue.Scanner) bool {
		if out == nil {
			out = make([]Attempt, 0, 4) // there are rarely more
		}
		w := members{}
		if w.s = *s; s.Kind() == '{' { // an item of another type is an attempt without members
			w.all = w.s.Members()
		}
		out = append(out, Attempt{
			Tool:      w.text("tool"),
			Arguments: w.object("arguments"),
			Attempts:  w.count("attempts"),
			Elapsed:   w.millis("elapsedMs"),
			Category:  Category(w.identifier("errorCategory")),
			Code:      Code(w.identifier("code")),
			Effect:    w.effect("effect"), CorrelationID: w.identifier("correlationId"),
		})
		return len(out) < maxList
	})
	return out
}

func (m *members) partial() *Partial {
	v := m.all["partial"]
	if v.Kind != '{' {
		return nil
	}
	w := members{s: m.s.In(v)}
	w.all = w.s.Members()
	p := &Partial{Processed: w.count("processed"), Total: w.count("total")}
	switch cursor := w.all["continueFrom"]; cursor.Kind {
	case '"':
		raw, _ := w.s.Text(cursor)
		if text := sanitize.Identifier(raw); text != "" {
			p.ContinueFrom = text
		}
	case '0':
		number, _ := w.s.Number(cursor)
		if whole, ok := appendInteger(nil, number); ok {
			p.ContinueFrom = json.Number(whole)
		}
	}
	if results := w.all["results"]; results.Kind != 'n' {
		p.Results = jsonvalue.AppendCompact(nil, w.s.Raw(results))
	}
	return p
}
