package classify

import (
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// prometheusKinds are the words by which Prometheus's API and its client name errors
// that they find in what was asked or answered.
var prometheusKinds = map[string]class.Class{
	"bad_data":     class.Invalid,
	"execution":    class.Invalid, // status 422: of a query that can be parsed
	"bad_response": class.ReplyLost,
	"timeout":      class.TimedOut,
	"unavailable":  class.Unavailable,
}

// readPrometheus reads an error of Prometheus's client. Of what is no answer of the API
// it has the status at the end of a text: client error: 403.
func (in inspector) readPrometheus(_ error, r *codes.Reader) bool {
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
