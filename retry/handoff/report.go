package handoff

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxReported limits the attempts in a report. It is chosen as an envelope's limit for lists.
const maxReported = 20

// A Report describes work that a subagent could not finish. Add the results of its calls with
// [Report.Add], or set the fields. A subagent that is an MCP tool returns [Report.Failure] as its
// error, and the coordinator finds it in the outcome of its call.
//
// If there are several layers, the report states the category, the code and the attempts of the
// innermost calls. The order in which failures are added does not matter. The zero value is an
// empty report, ready to use. A Report is not safe for concurrent use.
type Report struct {
	// Attempted lists other failed attempts.
	Attempted []toolerr.Attempt
	// Partial is the part of the work that was done. If nil, that of an added failure is used.
	Partial *toolerr.Partial
	// Alternatives are other tools, other sources or narrower queries that were not tried, best
	// first. They are followed by the alternatives of the added failures.
	Alternatives []string
	// Err is one more failure. Of several failures, one that forbids a retry takes precedence.
	Err *toolerr.Error
	// Secret reports whether to mask the argument with this name. It may be nil. Strings and
	// numbers with names such as password, token or card_number are always masked, as are
	// credentials in text if they have such a name or a known form. Objects and lists are left out.
	Secret func(name string) bool

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
	call := toolerr.Attempt{Tool: tool, Arguments: redact.Arguments(arguments, nil), Attempts: 1}
	if len(e.Attempted) == 0 && !errors.Is(err, hints.ErrStopped) {
		call.Category, call.Code, call.Effect, call.CorrelationID = e.Category, e.Code, e.Effect, e.CorrelationID
		f.attempts = append(f.attempts, call)
	}
	for _, a := range e.Attempted {
		if a.Tool == "" { // from retry.Do, which has no tool
			a.Tool, a.Arguments = tool, call.Arguments
		}
		f.attempts = append(f.attempts, a)
	}
	r.failed = append(r.failed, f)
}

// isWorse reports whether a takes precedence over b, which may be nil. A failure that forbids a retry
// takes precedence, then the one with the higher rank; otherwise the order is arbitrary but fixed.
func isWorse(a, b *toolerr.Error) bool {
	if b == nil || a.Retryable != b.Retryable {
		return b == nil || b.Retryable
	}
	rank := slices.Index(ranks, a.Category) - slices.Index(ranks, b.Category)
	return cmp.Or(rank, slices.Compare(b.AppendJSON(nil), a.AppendJSON(nil))) > 0
}

// ranks lists the categories by rank. Unknown ones rank lowest.
var ranks = []toolerr.Category{
	toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission,
}

// Failure returns the report as a failure that is not retryable. Message tells the coordinator's
// model what could not be done. The effect is the worst in Err, Attempted and the added calls; a
// success, or a lack of failures, counts as unstated, because something may have changed. An
// idempotency key is left out: it belongs to the inner tool. Secrets in the arguments are masked.
// Attempts of the same call are merged, and at most twenty are kept. Without Err and added
// failures, the category is transient.
func (r *Report) Failure(message string) *toolerr.Error {
	last, attempts := r.Err, slices.Clone(r.Attempted)
	whole := cmp.Or(last, &toolerr.Error{Effect: toolerr.EffectNone}).Effect
	var part *toolerr.Error
	var alternatives []string
	for _, f := range r.failed {
		if isWorse(f.err, last) {
			last = f.err
		}
		if f.err.Partial != nil && isWorse(f.err, part) {
			part = f.err
		}
		whole = effect.Worst(whole, f.err.Effect)
		attempts = append(attempts, f.attempts...)
		alternatives = append(alternatives, f.err.Alternatives...)
	}
	for _, a := range attempts { // also of those that an added failure lists
		whole = effect.Worst(whole, a.Effect)
	}
	slices.Sort(alternatives)
	alternatives = slices.DeleteFunc(slices.Compact(alternatives),
		func(other string) bool { return slices.Contains(r.Alternatives, other) })
	last = cmp.Or(last, toolerr.Transient(message))
	if r.succeeded || last.Effect == "" {
		whole = effect.Worst(whole, "")
	}
	attempts = r.merge(attempts)
	e := &toolerr.Error{
		// never retryable: it was attempted
		Category: last.Category, Code: last.Code, RetryAfter: last.RetryAfter, Message: message,
		Hint: last.Hint, CustomerMessage: last.CustomerMessage, Effect: whole, CorrelationID: last.CorrelationID,
		Alternatives: slices.Concat(r.Alternatives, alternatives), Attempted: attempts[:min(len(attempts), maxReported)],
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
	return e.WithCause(last)
}

// merge masks the arguments of attempts, and merges the attempts of the same call. The order of the
// result does not depend on the order of attempts.
func (r *Report) merge(attempts []toolerr.Attempt) []toolerr.Attempt {
	byCall := map[string]toolerr.Attempt{}
	for _, a := range attempts {
		a.Arguments = redact.Arguments(a.Arguments, r.Secret)
		raw, _ := jsonvalue.Marshal(a.Arguments) // scalars
		id := a.Tool + "\x00" + string(raw)
		if known, ok := byCall[id]; ok {
			a.Attempts += known.Attempts
			a.Elapsed += known.Elapsed
			a.Effect = effect.Worst(a.Effect, known.Effect)
			if cmp.Or(cmp.Compare(known.Category, a.Category), cmp.Compare(known.Code, a.Code),
				cmp.Compare(known.CorrelationID, a.CorrelationID)) < 0 {
				a.Category, a.Code, a.CorrelationID = known.Category, known.Code, known.CorrelationID
			}
		}
		byCall[id] = a
	}
	merged := attempts[:0]
	for _, id := range slices.Sorted(maps.Keys(byCall)) {
		merged = append(merged, byCall[id])
	}
	return merged
}
