package toolerr

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// wire is an envelope as it is read: every member optional, whatever its type
// turns out to be.
type wire struct {
	Category        string          `json:"errorCategory"`
	Retryable       *bool           `json:"isRetryable"`
	Code            string          `json:"code"`
	Message         string          `json:"message"`
	Hint            string          `json:"hint"`
	CustomerMessage string          `json:"customerMessage"`
	RetryAfterMs    json.RawMessage `json:"retryAfterMs"`
	Field           string          `json:"field"`
	Suggestions     []string        `json:"suggestions"`
	Options         json.RawMessage `json:"options"`
	Effect          json.RawMessage `json:"effect"`
	IdempotencyKey  string          `json:"idempotencyKey"`
	Alternatives    []string        `json:"alternatives"`
	CorrelationID   string          `json:"correlationId"`
	Details         json.RawMessage `json:"details"`
	Attempted       []wireAttempt   `json:"attempted"`
	Partial         json.RawMessage `json:"partial"`
}

type wireAttempt struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
	Attempts  float64         `json:"attempts"`
	ElapsedMs json.RawMessage `json:"elapsedMs"`
	Category  string          `json:"errorCategory"`
	Code      string          `json:"code"`
}

type wirePartial struct {
	Processed    float64         `json:"processed"`
	Total        float64         `json:"total"`
	ContinueFrom json.RawMessage `json:"continueFrom"`
	Results      json.RawMessage `json:"results"`
}

// UnmarshalJSON implements [json.Unmarshaler] for envelopes from anywhere:
// unknown members are ignored, members of the wrong type are as good as absent,
// texts are cleaned and bounded as they are on the way out, delays are clamped.
// Unknown categories and codes are kept.
//
// Without isRetryable the failure is not retryable, unless its code is one of
// [CodeTimeout], [CodeRateLimited] and [CodeUnavailable]; then Effect is
// [EffectUnknown] where the envelope does not say otherwise, since nobody has
// vouched for a repeat.
//
// An effect that cannot be read is unknown. It returns an error for what is not
// a JSON object; null changes nothing.
func (e *Error) UnmarshalJSON(data []byte) error {
	if string(data) == "null" { // nothing to do, by convention
		return nil
	}
	if own, tail, ok := decodeOwn(string(data)); ok && own.decodeTail(tail) {
		*e = own
		return nil
	}
	var w wire
	var mismatch *json.UnmarshalTypeError
	err := json.Unmarshal(data, &w)
	switch {
	case errors.As(err, &mismatch) && mismatch.Field == "":
		return errors.New("toolerr: an envelope must be a JSON object")
	case err != nil && mismatch == nil:
		return fmt.Errorf("toolerr: decode envelope: %w", err)
	}
	*e = Error{
		Category:        Category(cleanIdentifier(w.Category)),
		Code:            Code(cleanIdentifier(w.Code)),
		Message:         cleanText(w.Message, maxString),
		Hint:            cleanText(w.Hint, maxString),
		CustomerMessage: cleanText(w.CustomerMessage, maxString),
		RetryAfter:      decodeMillis(w.RetryAfterMs),
		Field:           cleanIdentifier(w.Field),
		Suggestions:     cleanList(w.Suggestions),
		Options:         decodeList(w.Options),
		Effect:          decodeEffect(w.Effect),
		IdempotencyKey:  cleanIdentifier(w.IdempotencyKey),
		Alternatives:    cleanList(w.Alternatives),
		CorrelationID:   cleanIdentifier(w.CorrelationID),
		Details:         decodeMap(w.Details),
		Attempted:       decodeAttempted(w.Attempted),
		Partial:         decodePartial(w.Partial),
	}
	switch {
	case w.Retryable != nil:
		e.Retryable = *w.Retryable && e.Partial == nil
	case transientCode(e.Code) && e.Partial == nil:
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
	var w struct {
		Details   json.RawMessage `json:"details"`
		Attempted []wireAttempt   `json:"attempted"`
		Partial   json.RawMessage `json:"partial"`
	}
	d := json.NewDecoder(strings.NewReader("{" + tail[1:]))
	d.DisallowUnknownFields()
	if d.Decode(&w) != nil || d.InputOffset() != int64(len(tail)) {
		return false
	}
	e.Details, e.Attempted, e.Partial = decodeMap(w.Details), decodeAttempted(w.Attempted), decodePartial(w.Partial)
	e.Retryable = e.Retryable && e.Partial == nil
	return true
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
	if e != "" && (len(e) > maxEffect || !isClean(string(e))) {
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
	if json.Unmarshal(raw, &number) != nil || number == "" {
		return 0
	}
	ms, _ := number.Float64() // ±Inf where it is out of range
	switch {
	case math.IsNaN(ms) || ms <= 0:
		return 0
	case ms >= float64(maxRetryAfter/time.Millisecond):
		return maxRetryAfter
	}
	return time.Duration(math.Ceil(ms)) * time.Millisecond
}

// decodeCount reads a number of things.
func decodeCount(n float64) int {
	if math.IsNaN(n) || n <= 0 {
		return 0
	}
	return int(min(n, math.MaxInt32))
}

func cleanList(list []string) []string {
	var out []string
	for _, s := range list {
		if s = cleanText(s, maxString); s != "" && len(out) < maxList {
			out = append(out, s)
		}
	}
	return out
}

func decodeAttempted(list []wireAttempt) []Attempt {
	if len(list) == 0 {
		return nil
	}
	out := make([]Attempt, 0, min(len(list), maxList))
	for _, w := range list[:min(len(list), maxList)] {
		out = append(out, Attempt{
			Tool:      cleanText(w.Tool, maxString),
			Arguments: decodeMap(w.Arguments),
			Attempts:  decodeCount(w.Attempts),
			Elapsed:   decodeMillis(w.ElapsedMs),
			Category:  Category(cleanIdentifier(w.Category)),
			Code:      Code(cleanIdentifier(w.Code)),
		})
	}
	return out
}

func decodePartial(raw json.RawMessage) *Partial {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var w wirePartial
	_ = json.Unmarshal(raw, &w) // members of another type are as good as absent
	p := &Partial{Processed: decodeCount(w.Processed), Total: decodeCount(w.Total)}
	var text string
	var number json.Number
	switch {
	case json.Unmarshal(w.ContinueFrom, &text) == nil:
		if text = cleanIdentifier(text); text != "" {
			p.ContinueFrom = text
		}
	case json.Unmarshal(w.ContinueFrom, &number) == nil && number != "":
		if _, ok := appendCursor(nil, number); ok {
			p.ContinueFrom = number
		}
	}
	if results, ok := compactJSON(w.Results); ok && string(results) != "null" {
		p.Results = results
	}
	return p
}
