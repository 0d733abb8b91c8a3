package foreign

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// names are the spellings of a report's members, by member of the envelope.
var names = struct {
	category, message, innerMessage, code, number, status, retryable    []string
	hint, advice, customerMessage, field, correlationID, idempotencyKey []string
	effect, suggestions, options, milliseconds, seconds, notBefore      []string
}{
	category:        []string{"errorCategory", "error_category", "category", "class"},
	message:         []string{"message", "msg", "error_description", "detail", "title", "description", "errorMessage", "error_message", "errmsg", "errMsg", "error_msg", "msg1", "resultMsg", "descripcion", "mensaje", "mensagem"}, //nolint:misspell // WeChat, DingTalk, Baidu, KIS, data.go.kr, AEMET
	innerMessage:    []string{"message", "msg", "detail"},
	code:            []string{"code", "error_code", "errorCode", "reason", "type", "errorType", "error_type", "status", "kind"},
	number:          []string{"code", "error_code", "errorCode"},
	status:          []string{"status", "statusCode", "status_code", "http_status", "httpStatus", "code"},
	retryable:       []string{"isRetryable", "retryable", "retriable", "is_retryable", "recoverable"},
	hint:            []string{"hint", "suggestion", "guidance", "recoveryHint", "help", "agentGuidance", "recovery", "resolution"},
	advice:          []string{"hint", "recovery", "detail"},
	customerMessage: []string{"customerMessage", "customer_message", "userMessage", "user_message"},
	field:           []string{"field", "param", "parameter", "argument", "path"},
	correlationID:   []string{"correlationId", "correlation_id", "request_id", "requestId", "trace_id", "traceId"},
	idempotencyKey:  []string{"idempotencyKey", "idempotency_key", "idempotency_token"},
	effect:          []string{"effect"},
	suggestions:     []string{"suggestions", "alternatives", "available"},
	options:         []string{"options", "candidates"},
	milliseconds:    []string{"retryAfterMs", "retry_after_ms"},
	seconds:         []string{"retry_after_seconds", "retryAfterSeconds", "retry_after", "retryAfter", "retryDelay", "retry_delay"},
	notBefore:       []string{"retryNotBefore", "retry_not_before"},
}

const (
	// maxList is how many items a list in an envelope may have.
	maxList = 20
	// maxOptions is how many bytes the options may have altogether, the limit of an
	// envelope.
	maxOptions = 8 << 10
)

// setMembers copies the members of a report, except those that decide about a retry, to e.
func setMembers(e *toolerr.Error, own, all layers, codes []string) {
	switch c := toolerr.Category(strings.ToLower(own.text(names.category))); c {
	case toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission:
		e.Retryable = e.Retryable && (c == e.Category || c == toolerr.CategoryTransient)
		e.Category = c
	}
	if len(codes) > 0 {
		e.Code = toolerr.Code(codes[0])
	} else if n, ok := number(own.get(names.number...)); ok && isOwnNumber(n) {
		e.Code = toolerr.Code(strconv.Itoa(int(n)))
	}
	if d, ok := delayIn(all); ok {
		e.RetryAfter = d
	}
	e.Hint = all.prose(names.hint)
	if recovery, ok := all.get("recovery").(map[string]any); ok && e.Hint == "" {
		e.Hint = layers{recovery}.prose(names.hint[:1])
	}
	e.CustomerMessage = all.prose(names.customerMessage)
	e.Field = all.identifier(names.field)
	e.CorrelationID = all.identifier(names.correlationID)
	e.IdempotencyKey = all.identifier(names.idempotencyKey)
	if all.text(names.effect) != "" {
		if e.Effect = toolerr.Effect(all.identifier(names.effect)); e.Effect == "" {
			e.Effect = toolerr.EffectUnknown
		}
	}
	for _, v := range all.list(names.suggestions) {
		if s, ok := v.(string); ok && len(e.Suggestions) < maxList {
			e.Suggestions = append(e.Suggestions, sanitize.Text(s, sanitize.MaxLength))
		}
	}
	e.Options = optionsIn(all)
}

// isOwnNumber reports whether a number is a server's own code: an integer that is not the
// HTTP status of a failure.
func isOwnNumber(n float64) bool {
	return n == math.Trunc(n) && math.Abs(n) < 1e9 && n != 0 && (n < 400 || n >= 600)
}

// optionsIn returns a copy of the options of a report, up to the limits of an envelope.
func optionsIn(all layers) []any {
	list := all.list(names.options)
	if len(list) == 0 {
		return nil
	}
	options := make([]any, min(len(list), maxList))
	for i := range options {
		options[i] = list[i]
		if s, ok := list[i].(string); ok {
			options[i] = sanitize.Text(s, sanitize.MaxLength)
		}
	}
	if raw, err := jsonvalue.Marshal(options); err != nil || len(raw) > maxOptions {
		return nil
	}
	return options
}

// delayIn returns the delay in a report, and reports whether it has one.
func delayIn(all layers) (time.Duration, bool) {
	if n, ok := number(all.get(names.milliseconds...)); ok {
		return classify.Seconds(n / 1000), true
	}
	for _, name := range names.seconds {
		if d, ok := duration(all.get(name)); ok {
			return d, true
		}
	}
	for _, v := range all.list([]string{"details"}) { // google.rpc.Status
		if detail, ok := v.(map[string]any); ok {
			if d, ok := duration(detail["retryDelay"]); ok {
				return d, true
			}
		}
	}
	if at, err := time.Parse(time.RFC3339, all.text(names.notBefore)); err == nil {
		return classify.Seconds(time.Until(at).Seconds()), true
	}
	return 0, false
}

// duration returns the duration of a number of seconds, or of a string that spells one.
func duration(v any) (time.Duration, bool) {
	if n, ok := number(v); ok {
		return classify.Seconds(n), true
	}
	s, _ := v.(string)
	d, err := time.ParseDuration(s)
	return classify.Seconds(d.Seconds()), err == nil
}
