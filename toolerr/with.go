package toolerr

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

// with returns a changed copy of e, also of its lists and maps, with e as its original, or nil if e is nil.
func (e *Error) with(change func(*Error)) *Error {
	if e == nil {
		return nil
	}
	c := *e
	c.Suggestions, c.Alternatives = cloneList(e.Suggestions), cloneList(e.Alternatives)
	c.Options, c.Details = cloneList(e.Options), cloneMap(e.Details)
	c.Attempted, c.Partial, c.parent = cloneAttempts(e.Attempted), clonePartial(e.Partial), e
	change(&c)
	return &c
}

// restate is like with, for a change that may alter the effect and the flag.
func (e *Error) restate(change func(*Error)) *Error {
	return e.with(func(c *Error) {
		change(c)
		if c.Partial.IsEmpty() {
			c.Partial = nil
		}
		c.decide(c.facts(), nil)
	})
}

// reflag is like with, for a change that may alter only the flag. The effect stays, because a known
// tool may have determined it.
func (e *Error) reflag(change func(*Error)) *Error {
	return e.with(func(c *Error) {
		change(c)
		f := c.facts()
		f.Processed = false
		c.decide(f, nil)
	})
}

// WithMessage returns a copy with another message, for example for a template.
func (e *Error) WithMessage(message string) *Error {
	return e.with(func(c *Error) { c.Message = message })
}

// WithCode returns a copy with the code. The default hint depends on it.
func (e *Error) WithCode(code Code) *Error {
	return e.with(func(c *Error) { c.Code, c.origin.kind = code, false })
}

// WithRetryable returns a copy that states whether the identical call may succeed if repeated. True is kept
// for [Error.Resolve] if the call may have taken effect.
func (e *Error) WithRetryable(retryable bool) *Error {
	return e.reflag(func(c *Error) {
		c.Retryable, c.temporary, c.origin.kind, c.origin.words = retryable, false, false, false
	})
}

// WithHint returns a copy with the next step, in the imperative.
func (e *Error) WithHint(hint string) *Error {
	return e.with(func(c *Error) { c.Hint, c.origin.hint = hint, false })
}

// WithCustomerMessage returns a copy with text to show the customer verbatim.
func (e *Error) WithCustomerMessage(message string) *Error {
	return e.with(func(c *Error) { c.CustomerMessage = message })
}

// WithRetryAfter returns a copy with the minimum time to wait.
func (e *Error) WithRetryAfter(d time.Duration) *Error {
	return e.with(func(c *Error) { c.RetryAfter = d })
}

// WithField returns a copy that names the argument at fault, as a path.
func (e *Error) WithField(path string) *Error {
	return e.with(func(c *Error) { c.Field = path })
}

// WithSuggestions returns a copy with these near misses, best first.
func (e *Error) WithSuggestions(suggestions ...string) *Error {
	return e.with(func(c *Error) { c.Suggestions = cloneList(suggestions) })
}

// WithOptions returns a copy with these choices.
func (e *Error) WithOptions(options ...any) *Error {
	return e.with(func(c *Error) { c.Options = cloneList(options) })
}

// WithEffect returns a copy that states what the call changed. Only EffectNone or "" leaves it retryable.
// After processed items, the effect is applied or unknown.
func (e *Error) WithEffect(changed Effect) *Error {
	return e.restate(func(c *Error) { c.Effect, c.origin.effect = changed, false })
}

// WithIdempotencyKey returns a copy with the key that a repeat should carry.
func (e *Error) WithIdempotencyKey(key string) *Error {
	return e.with(func(c *Error) { c.IdempotencyKey = key })
}

// WithAlternatives returns a copy with these alternatives, best first.
func (e *Error) WithAlternatives(alternatives ...string) *Error {
	return e.with(func(c *Error) { c.Alternatives = cloneList(alternatives) })
}

// WithCorrelationID returns a copy with the id of the failure in the log.
func (e *Error) WithCorrelationID(id string) *Error {
	return e.with(func(c *Error) { c.CorrelationID = id })
}

// WithDetails returns a copy with these domain-specific members only.
func (e *Error) WithDetails(details map[string]any) *Error {
	return e.with(func(c *Error) { c.Details = cloneMap(details) })
}

// WithAttempted returns a copy with the attempts made. It is not retryable.
func (e *Error) WithAttempted(attempted ...Attempt) *Error {
	return e.reflag(func(c *Error) { c.Attempted = cloneAttempts(attempted) })
}

// WithPartial returns a copy with the part of the work that was done. If items were processed, it has
// EffectApplied, unless e's effect is unknown. Nil, or an empty part, removes the part; the effect stays.
func (e *Error) WithPartial(partial *Partial) *Error {
	return e.restate(func(c *Error) { c.Partial, c.origin.kind = clonePartial(partial), false })
}

// WithCause returns a copy with this cause, for the log and for [errors.Is]. If it was
// already retried, the copy is not retryable, and takes its effect if that is worse or its own is empty.
func (e *Error) WithCause(cause error) *Error {
	return e.with(func(c *Error) {
		if inner := retried(cause); inner != nil {
			c.retried, c.temporary, c.Retryable = true, c.temporary || c.Retryable, false
			c.Effect = effect.Worst(cmp.Or(c.Effect, inner.Effect), inner.Effect)
			c.yieldHint()
		}
		c.cause = cause
	})
}

func cloneAttempts(attempts []Attempt) []Attempt {
	c := cloneList(attempts)
	for i := 0; i < len(c) && len(c) <= maxNodes; i++ { // else c is not a copy
		c[i].Arguments = cloneMap(c[i].Arguments)
	}
	return c
}

// cloneList returns a copy of a list, or the list itself if it has more than maxNodes items.
func cloneList[T any](list []T) []T {
	if len(list) > maxNodes {
		return slices.Clip(list)
	}
	return slices.Clone(list)
}

func cloneMap(m map[string]any) map[string]any {
	if len(m) > maxNodes {
		return m
	}
	return maps.Clone(m)
}

func clonePartial(p *Partial) *Partial {
	if p == nil {
		return nil
	}
	c := *p
	if c.Results = slices.Clone(p.Results); c.ContinueFrom == "" {
		c.ContinueFrom = nil
	}
	return &c
}
