package retry

import "github.com/mcp-toolerr/toolerr-go/retry/internal/guard"

// A Guard stops a model that repeats a call although it cannot succeed, or although it may have
// taken effect. A stopped call is not sent. Its outcome repeats an earlier answer. For a failure,
// the hint says what to do instead, more firmly from the second time on. The [Decision] has the
// earlier action, or [ActionPropagate] if the input was not fixed at the third stop,
// [ReasonRepeatedCall], and no attempts. Set one Guard as [Policy.Guard] for each conversation. One
// [Client] serves many conversations:
//
//	out, d := retry.CallTool(ctx, retry.Policy{Guard: conversation.guard}, client.AsSession(), params)
//
//	the first call                    the same call again
//
//	a failure that is not retryable   stopped from the first repeat, unless canceled
//	the same, of category transient   stopped from the second repeat: it was unexpected
//	the same, of category permission  stopped from the second repeat: access may be renewed
//	an empty answer                   stopped from the second repeat
//	an unknown or applied effect      stopped from the first repeat, unless a repeat is safe
//	a retryable or retried failure    sent; from the third failure the hint is to report it
//
// After a tool has refused four calls with different arguments and answered none in between, the hint
// is to stop guessing and to ask the user.
//
// Identical calls do not run concurrently. A second call waits for the first and is then treated as
// a repeat, unless its context ends. A handler for input must therefore not make the call that
// asked for the input.
//
// A failure or an empty answer is forgotten after ten minutes, or after a call that may have
// changed something. A failed_precondition is also forgotten after any successful call.
//
// A call that took or may have taken effect is held for a day or until the same thing is looked up,
// and may then be made once more. Other writes do not release it. A lookup is a later call to a
// read-only tool of the same server that returns data, an empty answer or not_found. Its arguments
// share one of these with those of the held call:
//
//   - a string of at least 4 characters with a digit, except dates, times and JSON such as numbers,
//   - a string of at least 8 characters without digits, at least one of them not a letter or an
//     underscore,
//   - an integer of at least 5 digits, not counting trailing zeros.
//
// If the held call has none of these, the lookup shares all its strings, or without strings all its
// numbers. So give tools that change something, and the tools that look it up, the same identifiers.
//
// A held call with an unknown effect that was sent with an idempotency key may be made again with
// the same key until it succeeds; without a key it gets the same one from a [Client], but through
// [Client.AsSession] it is stopped, and the hint names the key. With another key it is sent only
// after a lookup. After a lookup that found nothing it gets a new key, unless the server has not
// answered the call, which may then still run.
//
// Two calls are identical if their server, tool, arguments, InputResponses and RequestState are the
// same. The order of members, the spelling of numbers and the idempotency key are ignored. The
// server is identified by the [Client], or by the [Session] compared with ==; calls on a session
// that is not comparable, such as a func, are not remembered.
//
// A Guard remembers the latest thousand failures and empty answers, of at most 8 KiB each, and
// separately the latest five thousand calls that may have taken effect, of at most 12 KiB each. It
// keeps their Client or Session alive. The zero value is ready to use. A Guard is safe for
// concurrent use, starts no goroutine, and must not be copied. A nil *Guard stops nothing.
type Guard struct {
	calls guard.Guard
}

// inner returns the inner guard, or nil for a nil *Guard.
func (g *Guard) inner() *guard.Guard {
	if g == nil {
		return nil
	}
	return &g.calls
}
