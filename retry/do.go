package retry

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Do calls fn until it succeeds or the policy gives up. It returns the last result; its error, if
// not nil, is an *[Error]. A failed *[mcp.CallToolResult] or [result.Outcome] without an error, or
// with a nil *[toolerr.Error], is a failure too. Errors are classified by [toolerr.From]. Never
// retried are unclassified ones, such as a bare [errors.New] (return a [toolerr.Transient]), those
// that declare themselves permanent and are no tool errors, and those with a lower layer's attempts.
//
// A call that may have taken effect is retried only if p.Safety allows it; for SafetyKeyed, fn must
// use the same key each time. Fn is called once even if the context has ended; then Do acts as in
// [CallTool]. It starts no goroutine, ignores p.Guard and p.Key, and is as safe for concurrent use as fn.
func Do[T any](ctx context.Context, p Policy, fn func(context.Context) (T, error)) (T, error) {
	if limit := p.AttemptTimeout; limit > 0 {
		each, invalid := fn, checkUnits(&p)
		fn = func(ctx context.Context) (v T, err error) {
			if invalid != nil {
				return v, invalid
			}
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			return each(ctx)
		}
	}
	v, err := fn(ctx)
	if err = failureIn(&v, err); err == nil {
		p.Budget.deposit(result.Outcome{}, false)
		return v, nil
	}
	l := newLoop(ctx, p)
	l.state.noResult, l.state.unanswered = true, true
	for {
		e := failureOf(err)
		out := result.Outcome{Kind: result.KindFailure, Err: e}
		if e.Partial != nil {
			out.Kind = result.KindPartial
		}
		d := l.next(out)
		if d.Action != ActionRetry {
			tool := l.final(e, d, toolerr.Attempt{})
			if tool != e {
				tool = tool.WithCause(err)
			}
			return v, &Error{Err: err, Decision: d, tool: tool, ctx: contextError(ctx)}
		}
		v, err = fn(ctx)
		if err = failureIn(&v, err); err == nil {
			l.next(result.Outcome{Kind: result.KindData})
			return v, nil
		}
	}
}

// failureIn returns err or, if it is nil or a nil *toolerr.Error, the failure in a tool's result.
func failureIn[T any](v *T, err error) error {
	if e, ok := err.(*toolerr.Error); err != nil && (!ok || e != nil) { //nolint:errorlint // the error itself
		return err
	}
	switch v := any(v).(type) {
	case **mcp.CallToolResult:
		if *v != nil {
			return result.Parse(*v, nil).AsError()
		}
	case *result.Outcome:
		return v.AsError()
	case **result.Outcome:
		if *v != nil {
			return (*v).AsError()
		}
	}
	return nil
}

// failureOf returns [toolerr.From](err), with the attempts made by a layer below, from anywhere in the error tree, and
// an unknown effect if only words say that a repeat may succeed.
func failureOf(err error) *toolerr.Error {
	e := toolerr.From(err)
	if e.Is(classify.ErrText) && e.Retryable && e.Effect == "" {
		e = e.WithEffect(toolerr.EffectUnknown)
	}
	inner, ok := classify.Find(err, func(err error) (*toolerr.Error, bool) {
		inner, ok := classify.As[toolerr.Error](err)
		return inner, ok && len(inner.Attempted) > 0
	})
	if ok && len(e.Attempted) == 0 {
		return e.WithAttempted(inner.Attempted...)
	}
	return e
}
