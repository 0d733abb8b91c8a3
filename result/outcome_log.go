package result

import (
	"log/slog"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// otherWord stands in a log for a word of a server that this module does not know.
const otherWord = "other"

// LogValue implements [slog.LogValuer] with a group of kind, session_lost, if it is true,
// and, of a failure, error: category, code, retryable, effect and correlation_id, without
// those that are empty. The texts of a failure are not in it, since they may quote the call's
// arguments; and because a server may put an argument or a key into any member, it has
// only words that this module knows, "other" in place of those that it does not, and only
// correlation ids of the form that this module makes. A program that trusts its server
// finds the rest in Err and in Result.
func (o Outcome) LogValue() slog.Value {
	attrs := append(make([]slog.Attr, 0, 3), slog.String("kind", o.Kind.String()))
	if o.SessionLost {
		attrs = append(attrs, slog.Bool("session_lost", true))
	}
	if e := o.Err; e != nil {
		attrs = append(attrs, slog.Attr{Key: "error", Value: slog.GroupValue(errorAttrs(e)...)})
	}
	return slog.GroupValue(attrs...)
}

var (
	knownCategories = []toolerr.Category{toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission}
	knownEffects    = []toolerr.Effect{toolerr.EffectNone, toolerr.EffectApplied, toolerr.EffectUnknown}
)

func errorAttrs(e *toolerr.Error) []slog.Attr {
	attrs := make([]slog.Attr, 0, 5)
	word := func(key, value string, known bool) {
		if value == "" {
			return
		}
		if !known {
			value = otherWord
		}
		attrs = append(attrs, slog.String(key, value))
	}
	word("category", string(e.Category), slices.Contains(knownCategories, e.Category))
	word("code", string(e.Code), toolerr.DefaultHint(e.Code) != "")
	attrs = append(attrs, slog.Bool("retryable", e.Retryable))
	word("effect", string(e.Effect), slices.Contains(knownEffects, e.Effect))
	if isOurID(e.CorrelationID) {
		attrs = append(attrs, slog.String("correlation_id", e.CorrelationID))
	}
	return attrs
}

// isOurID reports whether an identifier has the form of those that this module has made:
// 26 letters and digits of base32 (RFC 4648), or 18 decimal digits.
func isOurID(id string) bool {
	const base32, decimal = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", "0123456789"
	return len(id) == 26 && strings.Trim(id, base32) == "" || len(id) == 18 && strings.Trim(id, decimal) == ""
}
