package handoff

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxReported limits the attempts and the alternatives in a report. It is chosen as an envelope's limit for lists.
const maxReported = 20

// A Report describes work that a subagent could not finish. Add the results of its calls with
// [Report.Add]. A subagent that is an MCP tool returns [Report.Failure] as its error, and the
// coordinator finds it in the outcome of its call.
//
// If there are several layers, the report states the category, the code and the attempts of the
// innermost calls. The zero value is an empty report, ready to use. A Report is not safe for
// concurrent use.
type Report struct {
	// Partial is the part of the work that was done. If nil, that of an added failure is used.
	Partial *toolerr.Partial
	// Alternatives are other tools, other sources or narrower queries that were not tried, best
	// first. They are followed by the alternatives of the added failures.
	Alternatives []string

	failed    []failedCall
	succeeded bool // a call did, and may have changed something
}

// A failedCall is the failure of one call.
type failedCall struct {
	id       [sha256.Size]byte // of its tool and its arguments without idempotency_key
	err      *toolerr.Error
	attempts []toolerr.Attempt
}

// Add adds the result of calling tool with these arguments: the error of a [result.Outcome] or of
// retry.Do, or any other error. If the error lists attempts, those are reported instead of the
// call. A call that a retry.Guard has stopped was not sent, and is not an attempt. A nil error is a
// success, which removes the earlier failures of the same call.
func (r *Report) Add(tool string, arguments any, err error) {
	v, _ := jsonvalue.Recode(arguments) // null if they cannot be encoded
	object, _ := v.(map[string]any)
	delete(object, "idempotency_key")
	same, _ := jsonvalue.Canonical(v)
	f := failedCall{id: sha256.Sum256(append([]byte(tool+"\x00"), same...)), err: toolerr.From(err)}
	e := f.err
	if e == nil {
		r.failed = slices.DeleteFunc(r.failed, func(other failedCall) bool { return other.id == f.id })
		r.succeeded = true
		return
	}
	call := toolerr.Attempt{Tool: tool, Arguments: redact.Arguments(arguments), Attempts: 1}
	if len(e.Attempted) == 0 && !errors.Is(err, hints.ErrStopped) {
		call.Category, call.Code, call.Effect, call.CorrelationID = e.Category, e.Code, e.Effect, e.CorrelationID
		f.attempts = append(f.attempts, call)
	}
	for _, a := range e.Attempted {
		if a.Arguments = redact.Arguments(a.Arguments); a.Tool == "" { // from retry.Do, which has no tool
			a.Tool, a.Arguments = tool, call.Arguments
		}
		f.attempts = append(f.attempts, a)
	}
	r.failed = append(r.failed, f)
}

// isWorse reports whether a takes precedence over b, which may be nil and was added before: a failure that forbids a
// retry does, then the one with the higher rank.
func isWorse(a, b *toolerr.Error) bool {
	if b == nil || a.Retryable != b.Retryable {
		return b == nil || b.Retryable
	}
	return slices.Index(ranks, a.Category) > slices.Index(ranks, b.Category)
}

// ranks lists the categories by rank. Unknown ones rank lowest.
var ranks = []toolerr.Category{
	toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission,
}

// Failure returns the report as a failure that is not retryable. Message tells the coordinator's
// model what could not be done. The effect is the worst of the added calls and their attempts; a
// success, or a lack of failures, counts as unstated, because something may have changed. An
// idempotency key is left out: it belongs to the inner tool. Secrets in the arguments are masked:
// strings and numbers with names such as password, token or card_number, and credentials in text if
// they have such a name or a known form. Objects and lists are left out. The first twenty attempts
// are kept. Without added failures, the category is transient.
func (r *Report) Failure(message string) *toolerr.Error {
	var last, part *toolerr.Error
	var attempts []toolerr.Attempt
	whole, alternatives := toolerr.EffectNone, slices.Clone(r.Alternatives)
	for _, f := range r.failed {
		if isWorse(f.err, last) {
			last = f.err
		}
		if f.err.Partial != nil && isWorse(f.err, part) {
			part = f.err
		}
		whole = effect.Worst(whole, f.err.Effect)
		attempts = append(attempts, f.attempts...)
		for _, other := range f.err.Alternatives {
			if len(alternatives) < maxReported && !slices.Contains(alternatives, other) {
				alternatives = append(alternatives, other)
			}
		}
	}
	for _, a := range attempts { // also of those that an added failure lists
		whole = effect.Worst(whole, a.Effect)
	}
	last = cmp.Or(last, toolerr.Transient(message))
	if r.succeeded || last.Effect == "" {
		whole = effect.Worst(whole, "")
	}
	e := &toolerr.Error{
		// never retryable: it was attempted
		Category: last.Category, Code: last.Code, RetryAfter: last.RetryAfter, Message: message,
		Hint: last.Hint, CustomerMessage: last.CustomerMessage, Effect: whole, CorrelationID: last.CorrelationID,
		Alternatives: alternatives, Attempted: attempts[:min(len(attempts), maxReported)],
		Partial: cmp.Or(r.Partial, cmp.Or(part, new(toolerr.Error)).Partial),
	}
	// is for the subagent, which has the key
	if hints.IsDefault(last) || last.IdempotencyKey != "" && strings.Contains(strings.ToLower(last.Hint), "key") {
		e.Hint = "" // the default
		switch known, p := whole != toolerr.EffectUnknown, e.Partial; {
		case known && p != nil && p.ContinueFrom == nil && len(e.Alternatives) > 0:
			e.Hint = "Use the results in partial, and one of the alternatives for the rest."
		case known && p == nil && e.Category == toolerr.CategoryTransient && len(e.Attempted) > 0:
			e.Hint = "This was tried already, as attempted says. Use one of the alternatives or a narrower request, or go on " +
				"and say what is missing."
		}
	}
	e = e.WithCause(last)
	e.Effect = whole // also not stated, which a retried failure's effect would replace
	return e
}
