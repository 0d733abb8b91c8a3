package foreign

import (
	"cmp"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// envelope reads text that is just an envelope: a JSON object with an errorCategory, or with
// isError, isRetryable and a message. It returns nil for other text. Own means that its flag is
// trusted: its category is one of the four or absent. Members that the envelope lacks are filled from
// other spellings of their names. The code and message of an unclassified failure are read like those
// of a foreign server.
func (r reader) envelope(text string) (e *toolerr.Error, own bool) {
	is, hasOthers := isEnvelope(text)
	if !is {
		return nil, false
	}
	e = new(toolerr.Error)
	_ = e.UnmarshalJSON([]byte(text)) // it is an object
	if own = slices.Contains(categories, e.Category); own && !hasOthers {
		return e, true
	}
	m, ok := object(text)
	if !ok {
		return e, own || e.Category == ""
	}
	c := answers.Read(m)
	if !own {
		isNew := e.Category != ""
		kind := r.kind(c)
		e.Category, e.Code = cmp.Or(kind.Category, e.Category), cmp.Or(e.Code, kind.Code)
		own = !isNew && !e.Retryable // the flag promises nothing without a category
	}
	e.Message = cmp.Or(e.Message, sanitize.Text(c.Message(), sanitize.MaxLength))
	if e.Code == "" && len(c.Codes) > 0 {
		e.Code = toolerr.Code(c.Codes[0])
	}
	before := *e
	r.addClaims(e, c)
	if _, states := m["isRetryable"].(bool); states && own || e.Partial != nil { // the envelope's own members count
		e.Category, e.Retryable, e.Effect = before.Category, before.Retryable, before.Effect
	}
	if m["retryAfterMs"] != nil {
		e.RetryAfter = before.RetryAfter
	}
	e.Effect = cmp.Or(before.Effect, e.Effect)
	return e, own
}

// categories are the words that the envelope has for a category.
var categories = []toolerr.Category{
	toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission,
}

// isEnvelope reports whether a text is an envelope, and whether it has unknown members.
func isEnvelope(text string) (is, hasOthers bool) {
	text = strings.TrimSpace(text)
	isObject := strings.HasPrefix(text, "{") && strings.HasSuffix(text, "}")
	if !isObject || !strings.Contains(text, `"errorCategory"`) && !strings.Contains(text, `"isRetryable"`) {
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
