package result

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// fill takes over what the report says beside its kind. An explicit flag wins;
// one that allows a retry is believed only where the result is flagged.
func fill(e *toolerr.Error, o object, m map[string]any, codes []string, flagged bool) {
	if category := toolerr.Category(strings.ToLower(o.text("errorCategory", "error_category", "category", "class"))); known(category) {
		if e.Category != category {
			e.Retryable = category == toolerr.CategoryTransient && e.Retryable
		}
		e.Category = category
	}
	switch {
	case len(codes) > 0:
		e.Code = toolerr.Code(codes[0])
	default:
		if n, ok := number(o.get("code", "error_code", "errorCode")); ok && n == math.Trunc(n) && math.Abs(n) < 1e9 && n != 0 && (n < 400 || n >= 600) {
			e.Code = toolerr.Code(strconv.Itoa(int(n)))
		}
	}
	for _, name := range []string{"isRetryable", "retryable", "retriable", "is_retryable", "recoverable"} {
		if v, ok := flag(o.get(name)); ok {
			e.Retryable = v
			if v && e.Category == "" && flagged {
				e.Category = toolerr.CategoryTransient
			}
			break
		}
		if v, ok := flag(o.all().get(name)); ok && !v {
			e.Retryable = false
		}
	}
	o = o.all()
	if d, ok := waitIn(o); ok {
		e.RetryAfter = d
	}
	e.Hint = o.text("hint", "suggestion", "guidance", "recoveryHint", "help", "agentGuidance", "recovery", "resolution")
	if recovery, ok := o.get("recovery").(map[string]any); ok && e.Hint == "" {
		e.Hint, _ = recovery["hint"].(string)
	}
	e.CustomerMessage = o.text("customerMessage", "customer_message", "userMessage", "user_message")
	e.Field = o.text("field", "param", "parameter", "argument", "path")
	e.CorrelationID = o.text("correlationId", "correlation_id", "request_id", "requestId", "trace_id", "traceId")
	e.IdempotencyKey = o.text("idempotencyKey", "idempotency_key", "idempotency_token")
	if effect := toolerr.Effect(o.text("effect")); effect != "" {
		e.Effect = effect
	}
	if list, ok := o.get("suggestions", "alternatives", "available").([]any); ok {
		for _, v := range list {
			if s, ok := v.(string); ok {
				e.Suggestions = append(e.Suggestions, s)
			}
		}
	}
	if list, ok := o.get("options", "candidates").([]any); ok {
		e.Options = list
	}
	if p := partialIn(m); p != nil {
		e.Partial, e.Retryable = p, false
	}
}

func known(c toolerr.Category) bool {
	return c == toolerr.CategoryTransient || c == toolerr.CategoryValidation || c == toolerr.CategoryBusiness || c == toolerr.CategoryPermission
}

// waitIn reads a delay: in seconds, milliseconds where the name says so, or as
// the duration that a string spells.
func waitIn(o object) (time.Duration, bool) {
	if n, ok := number(o.get("retryAfterMs", "retry_after_ms")); ok {
		return wait(n / 1000), true
	}
	for _, name := range []string{"retry_after_seconds", "retryAfterSeconds", "retry_after", "retryAfter", "retryDelay", "retry_delay"} {
		v := o.get(name)
		if n, ok := number(v); ok {
			return wait(n), true
		}
		if s, ok := v.(string); ok {
			if d, err := time.ParseDuration(s); err == nil {
				return wait(d.Seconds()), true
			}
		}
	}
	if list, ok := o.get("details").([]any); ok { // google.rpc.Status
		for _, v := range list {
			if detail, ok := v.(map[string]any); ok {
				if s, ok := detail["retryDelay"].(string); ok {
					if d, err := time.ParseDuration(s); err == nil {
						return wait(d.Seconds()), true
					}
				}
			}
		}
	}
	if at, err := time.Parse(time.RFC3339, o.text("retryNotBefore", "retry_not_before")); err == nil {
		return wait(time.Until(at).Seconds()), true
	}
	return 0, false
}

// wait bounds a delay in seconds that anybody may have written.
func wait(seconds float64) time.Duration {
	const year = 365 * 24 * time.Hour // the longest delay that an envelope has
	switch {
	case math.IsNaN(seconds) || seconds <= 0:
		return 0
	case seconds >= year.Seconds():
		return year
	}
	return time.Duration(seconds * float64(time.Second))
}
