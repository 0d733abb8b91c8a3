package foreign

import (
	"cmp"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// envelope reads text that is just an envelope: a JSON object with an errorCategory, or with
// isError, isRetryable and a message. It returns nil for other text. Some members that the envelope
// lacks are filled from other spellings of their names. The code and message of an unclassified
// failure are read like those of a foreign server.
func (r reader) envelope(text string) *toolerr.Error {
	is, hasOthers := isEnvelope(text)
	if !is {
		return nil
	}
	e := new(toolerr.Error)
	_ = e.UnmarshalJSON([]byte(text)) // it is an object
	if hasOthers || e.Category == "" {
		if m, ok := object(text); ok {
			fillMissing(e, m)
			if e.Category == "" {
				r.classifyEnvelope(e, m)
			}
		}
	}
	return e
}

// isEnvelope reports whether a text is an envelope, and whether it has unknown members.
func isEnvelope(text string) (is, hasOthers bool) {
	text = strings.TrimSpace(text)
	if !strings.HasPrefix(text, "{") || !strings.HasSuffix(text, "}") || !strings.Contains(text, `"errorCategory"`) && !strings.Contains(text, `"isRetryable"`) {
		return false, false
	}
	var category, message, failed, flag bool
	s := jsonvalue.NewScanner([]byte(text))
	for more := s.Open(); more; more = s.More('}') {
		name, v := s.Name(), s.Value()
		switch string(s.Raw(name)) {
		case `"errorCategory"`: // it may be empty
			category = v.Kind == '"'
		case `"message"`:
			message = v.Kind == '"'
		case `"isError"`:
			failed = v.Kind == 't'
		case `"isRetryable"`:
			flag = v.Kind == 't' || v.Kind == 'f'
		case `"code"`, `"hint"`, `"customerMessage"`, `"retryAfterMs"`, `"field"`, `"suggestions"`, `"options"`, `"effect"`,
			`"idempotencyKey"`, `"alternatives"`, `"correlationId"`, `"details"`, `"attempted"`, `"partial"`:
		default:
			hasOthers = true
		}
	}
	return s.Done() && (category || message && failed && flag), hasOthers
}

// classifyEnvelope sets the category of an unclassified failure, and its code if there is none. It
// changes neither the flag nor the effect.
func (r reader) classifyEnvelope(e *toolerr.Error, m map[string]any) {
	own, all := layersOf(m)
	c := r.classify(codesIn(m, own), statusIn(own), e.Message, all)
	e.Category = toolerr.Category(c.Category)
	e.Code = cmp.Or(e.Code, toolerr.Code(c.Code))
	if e.Retryable { // the envelope says so
		e.Category = cmp.Or(e.Category, toolerr.CategoryTransient)
	}
}

// fillMissing sets some members that an envelope lacks from other spellings in m, its object. The
// envelope's own members take precedence.
func fillMissing(e *toolerr.Error, m map[string]any) {
	own, all := layersOf(m)
	if claimed, claims := claimIn(own, all); claims && m["isRetryable"] == nil && e.Partial == nil {
		e.Retryable = claimed
		if claimed && m["effect"] == nil {
			e.Effect = "" // the report allows a retry, and the effect is not guessed
		}
	}
	if d, ok := all.delay(); ok && m["retryAfterMs"] == nil {
		e.RetryAfter = d
	}
	e.Message = cmp.Or(e.Message, own.prose(spelling.Message))
	if codes := codesIn(m, own); e.Code == "" && len(codes) > 0 {
		e.Code = toolerr.Code(codes[0])
	}
	fill(e, own)
}

// fill sets missing members of e that neither classify the failure nor decide about a retry.
func fill(e *toolerr.Error, from layers) {
	e.Hint = cmp.Or(e.Hint, from.prose(spelling.Hint))
	e.CustomerMessage = cmp.Or(e.CustomerMessage, from.prose(spelling.CustomerMessage))
	e.CorrelationID = cmp.Or(e.CorrelationID, from.identifier(spelling.CorrelationID))
	e.IdempotencyKey = cmp.Or(e.IdempotencyKey, from.identifier(spelling.IdempotencyKey))
	if len(e.Options) == 0 {
		e.Options = from.options()
	}
}
