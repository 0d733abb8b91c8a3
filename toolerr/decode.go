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
	if m.s.Members(envelopeNames, m.spans[:]); !m.s.Done() {
		return fmt.Errorf("toolerr: decode envelope: invalid JSON at byte %d", m.s.Offset())
	}
	*e = Error{
		Category:        Category(m.identifier(memberCategory)),
		Code:            Code(m.identifier(memberCode)),
		Message:         m.text(memberMessage),
		Hint:            m.text(memberHint),
		CustomerMessage: m.text(memberCustomerMessage),
		RetryAfter:      m.millis(memberRetryAfter),
		Field:           m.identifier(memberField),
		Suggestions:     m.list(memberSuggestions),
		Options:         m.options(),
		Effect:          m.effect(memberEffect),
		IdempotencyKey:  m.identifier(memberIdempotencyKey),
		Alternatives:    m.list(memberAlternatives),
		CorrelationID:   m.identifier(memberCorrelationID),
		Details:         m.object(memberDetails),
		Attempted:       m.attempted(),
		Partial:         m.partial(),
	}
	switch flag := m.spans[memberRetryable].Kind; {
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
func (m *members) effect(at int) Effect {
	v := m.spans[at]
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
	m.items(memberAttempted, func(s *jsonvalue.Scanner) bool {
		if out == nil {
			out = make([]Attempt, 0, 4) // there are rarely more
		}
		w := members{}
		if w.s = *s; s.Kind() == '{' { // an item of another type is an attempt without members
			w.s.Members(attemptNames, w.spans[:])
		}
		out = append(out, Attempt{
			Tool:      w.text(attemptTool),
			Arguments: w.object(attemptArguments),
			Attempts:  w.count(attemptAttempts),
			Elapsed:   w.millis(attemptElapsed),
			Category:  Category(w.identifier(attemptCategory)),
			Code:      Code(w.identifier(attemptCode)),
			Effect:    w.effect(attemptEffect), CorrelationID: w.identifier(attemptCorrelationID),
		})
		return len(out) < maxList
	})
	return out
}

func (m *members) partial() *Partial {
	v := m.spans[memberPartial]
	if v.Kind != '{' {
		return nil
	}
	w := members{s: m.s.In(v)}
	w.s.Members(partialNames, w.spans[:])
	p := &Partial{Processed: w.count(partialProcessed), Total: w.count(partialTotal)}
	switch cursor := w.spans[partialContinueFrom]; cursor.Kind {
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
	if results := w.spans[partialResults]; results.Kind != 'n' {
		p.Results = jsonvalue.AppendCompact(nil, w.s.Raw(results))
	}
	return p
}
