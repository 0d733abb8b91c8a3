// Package spelling lists the names that servers use for the members of a failure report.
package spelling

// The spellings for each meaning, the envelope's own first. If an object has several members with
// one meaning, the one listed first counts.
var (
	Category        = []string{"errorCategory", "error_category", "category", "class"}
	Message         = []string{"message", "msg", "error_description", "detail", "title", "description", "errorMessage", "error_message", "errmsg", "errMsg", "error_msg", "msg1", "resultMsg", "descripcion", "mensaje", "mensagem"} //nolint:misspell // WeChat, DingTalk, Baidu, KIS, data.go.kr, AEMET
	InnerMessage    = []string{"message", "msg", "detail"}
	Code            = []string{"code", "error_code", "errorCode", "reason", "type", "errorType", "error_type", "status", "kind"}
	Status          = []string{"status", "statusCode", "status_code", "http_status", "httpStatus", "code"}
	Retryable       = []string{"isRetryable", "retryable", "retriable", "is_retryable", "recoverable"}
	Hint            = []string{"hint", "suggestion", "guidance", "recoveryHint", "help", "agentGuidance", "recovery", "resolution"}
	Advice          = []string{"hint", "recovery", "detail"}
	CustomerMessage = []string{"customerMessage", "customer_message", "userMessage", "user_message"}
	Field           = []string{"field", "param", "parameter", "argument", "path"}
	CorrelationID   = []string{"correlationId", "correlation_id", "request_id", "requestId", "trace_id", "traceId"}
	IdempotencyKey  = []string{"idempotencyKey", "idempotency_key", "idempotency_token"}
	Effect          = []string{"effect"}
	Suggestions     = []string{"suggestions", "alternatives", "available"}
	Options         = []string{"options", "candidates"}
	Milliseconds    = []string{"retryAfterMs", "retry_after_ms"}
	Seconds         = []string{"retry_after_seconds", "retryAfterSeconds", "retry_after", "retryAfter", "retryDelay", "retry_delay"}
	NotBefore       = []string{"retryNotBefore", "retry_not_before"}
	Processed       = []string{"processed"}
	Total           = []string{"total", "total_count"}
	ContinueFrom    = []string{"continueFrom", "continue_from", "next_cursor", "nextCursor", "cursor"}
	Results         = []string{"results", "items", "data", "rows", "records", "entries"}
)
