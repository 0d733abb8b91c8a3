package classify

import (
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// prometheusKinds are the words with which Prometheus's API and its client name errors in
// requests or replies.
var prometheusKinds = map[string]class.Class{
	"bad_data":     class.Invalid,
	"execution":    class.Invalid, // status 422: the query can be parsed
	"bad_response": class.ReplyLost,
	"timeout":      class.TimedOut,
	"unavailable":  class.Unavailable,
}

// readPrometheus reads an error of Prometheus's client. For replies that are not from the
// API, the status is at the end of a text: client error: 403.
func (in *inspector) readPrometheus(_ error, r *codes.Reader) bool {
	if !strings.HasPrefix(in.pkg, "github.com/prometheus/client_golang/") || !in.object.IsValid() {
		return false
	}
	kind, text := in.object.FieldByName("Type"), in.object.FieldByName("Msg")
	if !kind.IsValid() || !text.IsValid() {
		return false
	}
	switch name := word(kind); name {
	case "client_error", "server_error":
		_, digits, _ := strings.Cut(word(text), " error: ")
		digits, _, _ = strings.Cut(digits, ":")
		status, _ := strconv.Atoi(digits)
		return r.Override(codes.FromStatus(status))
	default:
		return r.Override(prometheusKinds[name])
	}
}
