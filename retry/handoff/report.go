package handoff

import (
	"cmp"
	"maps"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/hints"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxReported is the maximum number of attempts in a report. Chosen as the limit of an
// envelope's lists.
const maxReported = 20

// A Report describes work that a subagent could not finish. Add the failures of its calls
// with [Report.Add], or fill it by hand. A subagent that is an MCP tool returns
// [Report.Failure] as its error, and the coordinator finds it in the outcome of its call.
//
// Over several layers, the category, the code and the attempts are those of the innermost
// calls. The order in which failures are added does not matter. The zero value is an empty
// report, ready to use. A Report is not safe for concurrent use.
type Report struct {
	// Attempted lists the attempts without success.
	Attempted []toolerr.Attempt
	// Partial is the part of the work that was done, or nil.
	Partial *toolerr.Partial
	// Alternatives are other tools, other sources or narrower queries that were not tried,
	// best first. The alternatives of the added failures follow them.
	Alternatives []string
	// Err is the decisive failure. If several are added, one that forbids a retry takes
	// precedence.
	Err *toolerr.Error
	// Secret reports whether to mask the argument of this name. It may be nil. Arguments
	// with names such as password, token or card_number are always masked, as are
	// credentials in text that are recognized by such a name or by their form.
	Secret func(name string) bool

	others        []string // alternatives of the failures
	effectUnknown bool
	partialOf     *toolerr.Error // the failure that Partial is from; nil if the caller set it
}

// Add adds the failure of a call of tool with these arguments: the error of a
// [result.Outcome], of retry.Do, or any other. If the failure lists attempts, they are added
// in place of the call. A nil error adds nothing.
func (r *Report) Add(tool string, arguments any, err error) {
	e := toolerr.From(err)
	if e == nil {
		return
	}
	r.addAttempts(tool, arguments, e)
	for _, other := range e.Alternatives {
		if !slices.Contains(r.Alternatives, other) && !slices.Contains(r.others, other) {
			r.others = append(r.others, other)
		}
	}
	if e.Partial != nil && (r.Partial == nil || r.partialOf != nil && isWorse(e, r.partialOf)) {
		r.Partial, r.partialOf = e.Partial, e
	}
	if e.Effect != "" && e.Effect != toolerr.EffectNone && e.Effect != toolerr.EffectApplied {
		r.effectUnknown = true
	}
	if isWorse(e, r.Err) {
		r.Err = e
	}
}

// addAttempts adds the attempts of e, or the call itself if e has none.
func (r *Report) addAttempts(tool string, arguments any, e *toolerr.Error) {
	attempted := e.Attempted
	if len(attempted) == 0 {
		attempted = []toolerr.Attempt{{Attempts: 1, Category: e.Category, Code: e.Code}}
	}
	for _, a := range attempted {
		if a.Tool == "" { // from retry.Do, which has no tool
			a.Tool, a.Arguments = tool, redact.Arguments(arguments, nil)
		}
		r.Attempted = append(r.Attempted, a)
	}
}

// isWorse reports whether a takes precedence over b, which may be nil. A failure that
// forbids a retry takes precedence; otherwise the order is arbitrary but fixed. The failures
// are only encoded if nothing else distinguishes them.
func isWorse(a, b *toolerr.Error) bool {
	if b == nil {
		return true
	}
	if a.Retryable != b.Retryable {
		return b.Retryable
	}
	order := cmp.Or(cmp.Compare(rank(b), rank(a)), cmp.Compare(a.Code, b.Code), cmp.Compare(a.Message, b.Message), cmp.Compare(a.RetryAfter, b.RetryAfter))
	if order == 0 && a != b {
		order = slices.Compare(a.AppendJSON(nil), b.AppendJSON(nil))
	}
	return order < 0
}

// rank returns the rank of the category. Unknown categories have the lowest.
func rank(e *toolerr.Error) int { return slices.Index(ranks, e.Category) }

var ranks = []toolerr.Category{
	toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission,
}

// Failure returns the report as a failure, which is not retryable. Message tells the
// coordinator's model what could not be done. Secrets in the arguments are masked. Attempts
// of the same call are merged, and at most twenty are kept. An empty report is a transient
// failure.
func (r *Report) Failure(message string) *toolerr.Error {
	last := r.Err
	if last == nil {
		last = toolerr.Transient(message).WithRetryable(false)
	}
	e := &toolerr.Error{
		Category: last.Category, Code: last.Code, RetryAfter: last.RetryAfter, Message: message, // never retryable: it was attempted
		Hint: last.Hint, CustomerMessage: last.CustomerMessage, Effect: last.Effect, IdempotencyKey: last.IdempotencyKey,
		CorrelationID: last.CorrelationID, Alternatives: slices.Concat(r.Alternatives, slices.Sorted(slices.Values(r.others))),
		Attempted: r.merged(), Partial: r.Partial,
	}
	if r.effectUnknown && e.Effect != toolerr.EffectApplied {
		e.Effect = toolerr.EffectUnknown
	}
	if hints.IsDefault(last) { // a default hint is for the subagent
		e.Hint = r.hint(e)
	}
	return e.WithCause(last)
}

// hint returns the hint if no author has set one; "" means the default.
func (r *Report) hint(e *toolerr.Error) string {
	switch {
	case e.Effect == toolerr.EffectUnknown:
		return ""
	case r.Partial != nil && r.Partial.ContinueFrom != nil:
		return ""
	case r.Partial != nil && len(e.Alternatives) > 0:
		return "Use the results in partial, and one of the alternatives for the rest."
	case r.Partial == nil && e.Category == toolerr.CategoryTransient && len(r.Attempted) > 0:
		return "This was tried already, as attempted says. Use one of the alternatives or a narrower request, or go on and say what is missing."
	}
	return ""
}

// merged returns the attempts with those of the same call merged. Their order does not
// depend on the order in which they were added.
func (r *Report) merged() []toolerr.Attempt {
	byCall := map[string]toolerr.Attempt{}
	for _, a := range r.Attempted {
		a.Arguments = redact.Arguments(a.Arguments, r.Secret)
		raw, err := jsonvalue.Marshal(a.Arguments) // sorts the members
		if err != nil {
			a.Arguments, raw = nil, nil
		}
		key := a.Tool + "\x00" + string(raw)
		if known, ok := byCall[key]; ok {
			a.Attempts += known.Attempts
			a.Elapsed += known.Elapsed
			if cmp.Or(cmp.Compare(known.Category, a.Category), cmp.Compare(known.Code, a.Code)) < 0 {
				a.Category, a.Code = known.Category, known.Code
			}
		}
		byCall[key] = a
	}
	out := make([]toolerr.Attempt, 0, len(byCall))
	for _, key := range slices.Sorted(maps.Keys(byCall)) {
		out = append(out, byCall[key])
	}
	return out[:min(len(out), maxReported)]
}
