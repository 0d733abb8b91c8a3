package ledger

import "fmt"

// Texts are failed results after a booking: the work is done, but something else was busy,
// unavailable or late. Read alone, the words about that seem to say that the work was not done.
var Texts = []string{
	"Refund issued. Could not send mail: 503 Service Unavailable",
	"Refund issued. Notification failed: connection refused",
	"Your card was charged; the receipt service answered 429 Too Many Requests, retry after 5 ms",
	"Booked. Error: database is locked",
	"Payment captured, webhook not delivered: dial tcp 127.0.0.1:25: connect: connection refused",
	"Order 4711 placed; audit log unavailable: ECONNREFUSED 10.0.0.7:9200",
	"rate limit exceeded while writing the confirmation (the transfer itself went through)",
	"Transfer done. slack: rate_limited. Please try again later.",
	"Service temporarily unavailable: could not print the label for the shipment that was created",
	"503 Service Unavailable",
	"429 Too Many Requests",
	"502 Bad Gateway: upstream prematurely closed connection after the insert",
	"HTTP 504 Gateway Timeout",
	"Error: connect ECONNREFUSED 127.0.0.1:587 (mail), subscription started",
	"could not connect to the server redis:6379 to drop the cached balance; the balance was changed",
	"Too many requests: the ticket was created, its watchers were not told",
	"SQLSTATE 55P03: lock not available when the statistics were updated, row inserted",
	"deadlock detected in reporting, the sale is stored",
	"Temporary failure in name resolution (smtp.example.com). The invitation is in the calendar.",
	"Timeout waiting for the receipt; the debit has been executed",
	"server is busy",
	"server is starting up, your first message was posted",
	"rpc error: code = Unavailable desc = the ledger was written, the index was not",
	"rpc error: code = ResourceExhausted desc = written, quota of the mailer used up",
	"An error occurred (ThrottlingException) when calling the SendEmail operation: Rate exceeded; the order stands",
	"ThrottlingException: Rate exceeded",
	`{"error": "connection refused", "step": "mail", "refund": "issued"}`,
	`{"error": {"code": 503, "message": "Service Unavailable"}, "charged": true}`,
	`{"status": "error", "code": "rate_limited", "message": "mail throttled", "refund_id": "re_1"}`,
	`{"success": false, "error": "database is locked", "retry_after_ms": 5, "inserted": 1}`,
	`{"status": 503, "title": "Service Unavailable", "detail": "receipt printer"}`,
	`{"code": "ECONNREFUSED", "message": "connect ECONNREFUSED", "written": true}`,
	`{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}`,
	`MCP error -32000: {"error":"service unavailable","order":"placed"}`,
	"Überweisung ausgeführt. Bestätigung nicht versandt: 503 Service Unavailable",
	"Rückerstattung gebucht, aber: Verbindung verweigert (connection refused)",
	"Remboursement effectué. Envoi du reçu impossible : connexion refusée, 429 Too Many Requests",
	"Pago realizado. No se pudo enviar el correo: servicio no disponible (503)",
	"払い戻しを実行しました。メール送信に失敗: 503 Service Unavailable",
	"退款已完成。通知发送失败：connection refused",
	"Возврат выполнен. Почта недоступна: ECONNREFUSED",
	"Rimborso eseguito; invio fallito: database is locked",
	"Reembolso emitido. Falha no e-mail: limite de taxa, rate limit exceeded",
	"تم رد المبلغ. تعذر إرسال البريد: 503 Service Unavailable",
	"<html><head><title>503 Service Temporarily Unavailable</title></head></html>",
	"Traceback (most recent call last):\n  File \"mail.py\", line 3, in send\nConnectionRefusedError: [Errno 111] " +
		"Connection refused",
}

// Refusals are similar texts, but the words about the later failure read like a refusal.
var Refusals = []string{
	"Refund issued. Could not notify the customer: e-mail address not found",
	"Payment captured. Slack answered: permission denied",
	"Charged. The CRM said 404 Not Found",
	"Order placed; updating the loyalty card failed: 401 Unauthorized",
	"Transfer done, but the invoice already exists",
	"Inserted. Could not tag the row: invalid argument: tag",
	"Booked; validation error in the analytics event: field required",
	`{"error": "not_found", "what": "mail address", "refund": "issued"}`,
	`{"error": {"code": 403, "message": "Forbidden"}, "charged": true}`,
	"Rückerstattung gebucht. Kunde nicht benachrichtigt: 404 Not Found",
}

func init() {
	for i, text := range Texts {
		Fates[TextFate(i)] = failWithText(text)
	}
	for i, text := range Refusals {
		Fates[RefusalFate(i)] = failWithText(text)
	}
}

// TextFate returns the name of the fate that returns Texts[i].
func TextFate(i int) string { return fmt.Sprintf("text %d", i) }

// RefusalFate returns the name of the fate that returns Refusals[i].
func RefusalFate(i int) string { return fmt.Sprintf("refusal %d", i) }
