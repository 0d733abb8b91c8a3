package result

import (
	"log/slog"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/correlation"
	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// LogValue implements [slog.LogValuer]. It returns a group of kind, session_lost (if true) and, for
// a failure, category, code, retryable, effect and correlation_id, without empty members. The
// server's own words are not logged: unknown ones become "other", and a correlation id is logged only
// in this module's format of 18 digits.
func (o Outcome) LogValue() slog.Value {
	attrs := append(make([]slog.Attr, 0, 7), slog.String("kind", o.Kind.String()))
	if o.SessionLost {
		attrs = append(attrs, slog.Bool("session_lost", true))
	}
	if o.Err == nil {
		return slog.GroupValue(attrs...)
	}
	e := o.Err
	word := func(key, value string, known bool) {
		if value == "" {
			return
		}
		if !known {
			value = "other"
		}
		attrs = append(attrs, slog.String(key, value))
	}
	word("category", string(e.Category), slices.Contains(class.Categories, string(e.Category)))
	word("code", string(e.Code), hint.Code(string(e.Code)) != "")
	attrs = append(attrs, slog.Bool("retryable", toolerr.IsRetryable(e)))
	word("effect", string(e.Effect), e.Effect == toolerr.EffectUnknown || !effect.IsUnknown(e.Effect))
	if correlation.IsID(e.CorrelationID) {
		attrs = append(attrs, slog.String("correlation_id", e.CorrelationID))
	}
	return slog.GroupValue(attrs...)
}
