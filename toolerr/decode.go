package toolerr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// UnmarshalJSON implements [json.Unmarshaler] for envelopes from anywhere:
// unknown members and members of the wrong type are ignored,
// texts are cleaned and bounded as they are on the way out, delays are clamped,
// and may be numbers in a string. Names are exact; of two members with one name
// the last counts. Unknown categories and codes are kept.
//
// Without isRetryable the failure is not retryable, unless its code is one of
// [CodeTimeout], [CodeRateLimited] and [CodeUnavailable]; then Effect is
// [EffectUnknown] if the envelope has no effect, because nobody stated that a
// repeat is safe.
//
// An isRetryable that cannot be read is false, an effect that cannot is unknown.
// It returns an error for what is not a JSON object; null changes nothing.
func (e *Error) UnmarshalJSON(data []byte) error {
	if e == nil {
		return errors.New("toolerr: UnmarshalJSON of a nil *Error: give it a pointer to an Error")
	}
	if string(bytes.TrimSpace(data)) == "null" { // nothing to do, by convention
		return nil
	}
	m := members{s: jsonvalue.NewScanner(data)}
	if m.s.Kind() != '{' {
		return errors.New("toolerr: an envelope must be a JSON object")
	}
	if m.s.Members(envelopeNames, m.spans[:]); !m.s.Done() {
		return fmt.Errorf("toolerr: decode envelope: no JSON from byte %d on", m.s.Offset())
	}
	*e = Error{
		Category:        Category(m.identifier(inCategory)),
		Code:            Code(m.identifier(inCode)),
		Message:         m.text(inMessage),
		Hint:            m.text(inHint),
		CustomerMessage: m.text(inCustomerMessage),
		RetryAfter:      m.millis(inRetryAfter),
		Field:           m.identifier(inField),
		Suggestions:     m.list(inSuggestions),
		Options:         m.options(),
		Effect:          m.effect(),
		IdempotencyKey:  m.identifier(inIdempotencyKey),
		Alternatives:    m.list(inAlternatives),
		CorrelationID:   m.identifier(inCorrelationID),
		Details:         m.object(inDetails),
		Attempted:       m.attempted(),
		Partial:         m.partial(),
	}
	switch flag := m.spans[inRetryable].Kind; {
	case e.Partial != nil:
	case flag != 0 && flag != 'n':
		e.Retryable = flag == 't'
	case transientCode(e.Code):
		e.Retryable = true
		if e.Effect == "" {
			e.Effect = EffectUnknown
		}
	}
	return nil
}

// effect takes an effect that is there and cannot be read for unknown.
func (m *members) effect() Effect {
	v := m.spans[inEffect]
	if v.Kind == 0 || v.Kind == 'n' {
		return ""
	}
	text, ok := m.s.Text(v)
	if !ok {
		return EffectUnknown
	}
	return cleanEffect(Effect(text))
}

// cleanEffect is unknown for an effect that cannot be put on the wire.
func cleanEffect(e Effect) Effect {
	if e != "" && (len(e) > maxEffect || !sanitize.IsClean(string(e))) {
		return EffectUnknown
	}
	return e
}

// maxEffect is how many bytes a word for an effect may have. Chosen: the longest
// known one has seven.
const maxEffect = 64

func (m *members) attempted() []Attempt {
	var out []Attempt
	m.items(inAttempted, func(s *jsonvalue.Scanner) bool {
		if len(out) == maxList {
			return false
		}
		if out == nil {
			out = make([]Attempt, 0, 4) // chosen: seldom more, so that they are not moved
		}
		w := members{}
		if w.s = *s; s.Kind() == '{' { // what is no object was an attempt all the same
			w.s.Members(attemptNames, w.spans[:])
		}
		out = append(out, Attempt{
			Tool:      w.text(ofTool),
			Arguments: w.object(ofArguments),
			Attempts:  w.count(ofAttempts),
			Elapsed:   w.millis(ofElapsed),
			Category:  Category(w.identifier(ofCategory)),
			Code:      Code(w.identifier(ofCode)),
		})
		return true
	})
	return out
}

func (m *members) partial() *Partial {
	v := m.spans[inPartial]
	if v.Kind != '{' {
		return nil
	}
	w := members{s: m.s.In(v)}
	w.s.Members(partialNames, w.spans[:])
	p := &Partial{Processed: w.count(ofProcessed), Total: w.count(ofTotal)}
	switch cursor := w.spans[ofContinueFrom]; cursor.Kind {
	case '"':
		if text := w.identifier(ofContinueFrom); text != "" {
			p.ContinueFrom = text
		}
	case '0':
		number, _ := w.s.Number(cursor)
		if whole, ok := appendInteger(nil, number); ok {
			p.ContinueFrom = json.Number(whole)
		}
	}
	if results := w.spans[ofResults]; results.Kind != 0 && results.Kind != 'n' {
		p.Results = w.s.AppendCompact(nil, results)
	}
	return p
}
