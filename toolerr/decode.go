package toolerr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
)

// members are those of a JSON object by their exact names, where a struct would
// take IsRetryable for isRetryable. Of two with one name the last counts.
type members map[string]json.RawMessage

// into decodes the member at key into v, as far as it fits.
func (m members) into(key string, v any) {
	if raw, ok := m[key]; ok {
		_ = json.Unmarshal(raw, v) // members of another type are as good as absent
	}
}

func (m members) text(key string) string {
	var s string
	m.into(key, &s)
	return sanitize.Text(s, sanitize.MaxLength)
}

func (m members) identifier(key string) string {
	var s string
	m.into(key, &s)
	return sanitize.Identifier(s)
}

// list leaves out what is no text.
func (m members) list(key string) []string {
	var out []string
	for raw := range itemsOf(m[key]) {
		var s string
		if json.Unmarshal(raw, &s) == nil {
			s = sanitize.Text(s, sanitize.MaxLength)
		}
		if s == "" {
			continue
		}
		if out = append(out, s); len(out) == maxList {
			break
		}
	}
	return out
}

// count reads a number of things.
func (m members) count(key string) int {
	const most = min(math.MaxInt, 1<<53)
	var n float64
	m.into(key, &n)
	if n <= 0 {
		return 0
	}
	return int(min(n, most))
}

// UnmarshalJSON implements [json.Unmarshaler] for envelopes from anywhere:
// unknown members are ignored, members of the wrong type are as good as absent,
// texts are cleaned and bounded as they are on the way out, delays are clamped,
// and may be numbers in a string. Names are exact; of two members with one name
// the last counts. Unknown categories and codes are kept.
//
// Without isRetryable the failure is not retryable, unless its code is one of
// [CodeTimeout], [CodeRateLimited] and [CodeUnavailable]; then Effect is
// [EffectUnknown] where the envelope does not say otherwise, since nobody has
// vouched for a repeat.
//
// An isRetryable that cannot be read is false, an effect that cannot is unknown.
// It returns an error for what is not a JSON object; null changes nothing.
func (e *Error) UnmarshalJSON(data []byte) error {
	if e == nil {
		return errors.New("toolerr: UnmarshalJSON of a nil *Error: give it a pointer to an Error")
	}
	if string(data) == "null" { // nothing to do, by convention
		return nil
	}
	if own, tail, ok := decodeOwn(string(data)); ok && own.decodeTail(tail) {
		*e = own
		return nil
	}
	var m members
	var mismatch *json.UnmarshalTypeError
	switch err := json.Unmarshal(data, &m); {
	case errors.As(err, &mismatch):
		return errors.New("toolerr: an envelope must be a JSON object")
	case err != nil:
		return fmt.Errorf("toolerr: decode envelope: %w", err)
	}
	*e = Error{
		Category:        Category(m.identifier("errorCategory")),
		Code:            Code(m.identifier("code")),
		Message:         m.text("message"),
		Hint:            m.text("hint"),
		CustomerMessage: m.text("customerMessage"),
		RetryAfter:      decodeMillis(m["retryAfterMs"]),
		Field:           m.identifier("field"),
		Suggestions:     m.list("suggestions"),
		Options:         decodeList(m["options"]),
		Effect:          decodeEffect(m["effect"]),
		IdempotencyKey:  m.identifier("idempotencyKey"),
		Alternatives:    m.list("alternatives"),
		CorrelationID:   m.identifier("correlationId"),
	}
	e.setTail(m)
	switch flag := m["isRetryable"]; {
	case e.Partial != nil:
	case len(flag) > 0 && string(flag) != "null":
		e.Retryable = string(flag) == "true"
	case transientCode(e.Code):
		e.Retryable = true
		if e.Effect == "" {
			e.Effect = EffectUnknown
		}
	}
	return nil
}

// decodeTail reads details, attempted and partial at the end of an envelope, and
// reports whether there was nothing else.
func (e *Error) decodeTail(tail string) bool {
	if tail == "" {
		return true
	}
	var m members
	d := json.NewDecoder(strings.NewReader("{" + tail[1:]))
	if d.Decode(&m) != nil || d.InputOffset() != int64(len(tail)) {
		return false
	}
	for key := range m {
		if key != "details" && key != "attempted" && key != "partial" {
			return false
		}
	}
	e.setTail(m)
	e.Retryable = e.Retryable && e.Partial == nil
	return true
}

func (e *Error) setTail(m members) {
	e.Details, e.Attempted, e.Partial = decodeMap(m["details"]), decodeAttempted(m), decodePartial(m["partial"])
}

// decodeEffect takes an effect that is there and cannot be read for unknown.
func decodeEffect(raw json.RawMessage) Effect {
	if len(raw) == 0 || string(raw) == "null" || string(raw) == `""` {
		return ""
	}
	var text string
	if json.Unmarshal(raw, &text) != nil {
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

// decodeMillis reads a delay that anybody may have written: negative and
// unreadable ones are no delay, absurd ones the longest.
func decodeMillis(raw json.RawMessage) time.Duration {
	var number json.Number
	if len(raw) == 0 || json.Unmarshal(raw, &number) != nil || number == "" {
		return 0
	}
	ms, _ := number.Float64() // ±Inf where it is out of range
	switch {
	case math.IsNaN(ms) || ms <= 0:
		return 0
	case ms >= float64(classify.MaxDelay/time.Millisecond):
		return classify.MaxDelay
	}
	return time.Duration(math.Ceil(ms)) * time.Millisecond
}

func decodeAttempted(m members) []Attempt {
	var out []Attempt
	for raw := range itemsOf(m["attempted"]) {
		var w members
		_ = json.Unmarshal(raw, &w) // what is no object was an attempt all the same
		out = append(out, Attempt{
			Tool:      w.text("tool"),
			Arguments: decodeMap(w["arguments"]),
			Attempts:  w.count("attempts"),
			Elapsed:   decodeMillis(w["elapsedMs"]),
			Category:  Category(w.identifier("errorCategory")),
			Code:      Code(w.identifier("code")),
		})
		if len(out) == maxList {
			break
		}
	}
	return out
}

func decodePartial(raw json.RawMessage) *Partial {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var w members
	_ = json.Unmarshal(raw, &w) // it is an object
	p := &Partial{Processed: w.count("processed"), Total: w.count("total")}
	var text string
	var number json.Number
	switch cursor := w["continueFrom"]; {
	case json.Unmarshal(cursor, &text) == nil:
		if text = sanitize.Identifier(text); text != "" {
			p.ContinueFrom = text
		}
	case json.Unmarshal(cursor, &number) == nil && number != "":
		if whole, ok := appendCursor(nil, number); ok {
			p.ContinueFrom = json.Number(whole)
		}
	}
	if results, ok := compactJSON(w["results"]); ok && string(results) != "null" {
		p.Results = results
	}
	return p
}
