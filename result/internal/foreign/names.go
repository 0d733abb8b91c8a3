package foreign

import (
	"strings"
	"sync"
)

// names lists the spellings of a report's members by meaning, the envelope's own first. Of several
// members with one meaning in one object, the one whose name comes first counts.
var names = struct {
	category, message, innerMessage, code, status, retryable            []string
	hint, advice, customerMessage, field, correlationID, idempotencyKey []string
	effect, suggestions, options, milliseconds, seconds, notBefore      []string
	processed, total, continueFrom, results                             []string
}{
	category:        []string{"errorCategory", "error_category", "category", "class"},
	message:         []string{"message", "msg", "error_description", "detail", "title", "description", "errorMessage", "error_message", "errmsg", "errMsg", "error_msg", "msg1", "resultMsg", "descripcion", "mensaje", "mensagem"}, //nolint:misspell // WeChat, DingTalk, Baidu, KIS, data.go.kr, AEMET
	innerMessage:    []string{"message", "msg", "detail"},
	code:            []string{"code", "error_code", "errorCode", "reason", "type", "errorType", "error_type", "status", "kind"},
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
	processed:       []string{"processed"},
	total:           []string{"total", "total_count"},
	continueFrom:    []string{"continueFrom", "continue_from", "next_cursor", "nextCursor", "cursor"},
	results:         []string{"results", "items", "data", "rows", "records", "entries"},
}

var (
	// reportNames lists all names of members that describe a failure.
	reportNames = sync.OnceValue(func() map[string]bool {
		return union([]string{"error", "errors", "outcome", "object"}, names.category, names.message, names.code, names.status, names.retryable,
			names.hint, names.customerMessage, names.field, names.correlationID, names.idempotencyKey, names.effect, names.suggestions, names.options,
			names.milliseconds, names.seconds, names.notBefore)
	})
	// partNames lists the names of members of a partial result.
	partNames = sync.OnceValue(func() map[string]bool {
		return union(names.processed, names.total, names.continueFrom, names.results)
	})
)

// besideNames lists further members of reports that are not data: the state of the call, its
// request, and where the failure was.
var besideNames = set(`
	success ok isError instance timestamp systemTime details context meta metadata extensions documentation_url links _links request requested
	params parameters arguments jsonrpc messages cause causes stack trace traceback locale data partial attempted recovery service output stderr`)

// set returns a function that returns the set of words and creates it on first use.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return union(strings.Fields(words)) })
}

func union(lists ...[]string) map[string]bool {
	m := make(map[string]bool)
	for _, list := range lists {
		for _, word := range list {
			m[word] = true
		}
	}
	return m
}
