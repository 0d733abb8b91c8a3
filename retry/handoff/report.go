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

// maxReported is how many attempts are handed up. Chosen as the limit of an
// envelope's lists.
const maxReported = 20

// A Report is what an agent hands up of work that it could not finish: a subagent
// to its coordinator. Fill it with [Report.Add] from the failures of its calls, or
// by hand, and return what [Report.Failure] makes of it: a subagent that is an MCP
// tool returns it as its error, and the coordinator finds it in the outcome of its
// call.
//
// Over several layers the category and the code stay those of the innermost
// failure, and what was attempted stays that of the innermost calls. The order in
// which failures are added does not matter. The zero value is an empty report, ready
// to use. It is not safe for concurrent use.
type Report struct {
	// Attempted is what was tried without success.
	Attempted []toolerr.Attempt
	// Partial is the part of the work that was done, if any.
	Partial *toolerr.Partial
	// Alternatives are other tools, other sources or narrower queries that were not
	// tried, best first. Those of the failures that are added follow.
	Alternatives []string
	// Err is the failure that counts: of several the one that forbids a retry.
	Err *toolerr.Error
	// Secret, if not nil, names arguments that are masked besides those whose names
	// look secret, such as password, token or card_number, and what in texts stands behind
	// such a name or is a credential by its form.
	Secret func(name string) bool

	others        []string // alternatives of the failures
	effectUnknown bool
	partialOf     *toolerr.Error // whose Partial it is, if not the caller's own
}

// Add adds the failure of a call of tool with these arguments: the error of a
// [result.Outcome], of retry.Do, or any other. If the failure says what was
// attempted further down, that is added in place of the call. Nil adds nothing.
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
	if e.Partial != nil && (r.Partial == nil || r.partialOf != nil && worse(e, r.partialOf)) {
		r.Partial, r.partialOf = e.Partial, e
	}
	if e.Effect != "" && e.Effect != toolerr.EffectNone && e.Effect != toolerr.EffectApplied {
		r.effectUnknown = true
	}
	if worse(e, r.Err) {
		r.Err = e
	}
}

// addAttempts adds what was attempted: the call itself, if e does not say.
func (r *Report) addAttempts(tool string, arguments any, e *toolerr.Error) {
	attempted := e.Attempted
	if len(attempted) == 0 {
		attempted = []toolerr.Attempt{{Attempts: 1, Category: e.Category, Code: e.Code}}
	}
	for _, a := range attempted {
		if a.Tool == "" { // of retry.Do, which knows no tool
			a.Tool, a.Arguments = tool, redact.Arguments(arguments, nil)
		}
		r.Attempted = append(r.Attempted, a)
	}
}

// worse reports whether a counts rather than b, which may be nil: one that forbids a
// retry before one that allows it, then in an order that is always the same. They are only
// encoded if nothing else tells them apart.
func worse(a, b *toolerr.Error) bool {
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

// rank orders the known categories, and those that are not known before them.
func rank(e *toolerr.Error) int { return slices.Index(ranks, e.Category) }

var ranks = []toolerr.Category{
	toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission,
}

// Failure returns the report as a failure. Message says what could not be done,
// for the coordinator's model. Secrets in the arguments are masked; at most
// twenty attempts are kept, those of the same call taken together. An empty report
// is a transient failure that is not retryable.
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
	if hints.IsDefault(last) { // it was advice for the caller further down
		e.Hint = r.hint(e)
	}
	return e.WithCause(last)
}

// hint returns the next step if no author has named one; "" is the default one.
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

// merged returns the attempts, those of one call as one, in an order that does not
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
