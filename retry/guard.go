package retry

import "github.com/mcp-toolerr/toolerr-go/retry/internal/guard"

// A Guard stops a model that repeats a call although it cannot succeed, or although it may have taken
// effect. A stopped call is not sent: its outcome repeats an earlier answer, and a failure's hint
// says what to do instead. The [Decision] has [ReasonRepeatedCall], no attempts, and the earlier
// action, or [ActionPropagate] if the input was not fixed at the third stop. Set one Guard as
// [Policy.Guard] for each conversation; one [Client] serves many:
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
// is to ask the user. Identical calls run one after the other, so a handler for input must not make
// the call that asked for it. A failure or an empty answer is forgotten after ten minutes, or after a
// call that may have changed something; a failed_precondition also after any successful call.
//
// A call that took or may have taken effect is held for a day or until it is looked up, and may then
// be made once more. A lookup is a later call to a read-only tool of the same server that returns
// data, an empty answer or not_found, and has one of the held call's strings of at least 4 characters
// with a digit (no date, time or JSON), strings of at least 8 with one that is no letter, digit or
// underscore, or integers of at least 5 digits, not counting trailing zeros; or if that has none, all
// its strings, or without strings all its numbers. So let tools that change something and those that
// look it up take the same identifiers.
//
// A call in doubt that was sent with a key may be made again with it until it succeeds, and gets it
// if it has none; with another key it is sent only after a lookup. After a lookup that found nothing
// it gets a new key, unless the server has not answered the call, which may still run.
//
// Calls are identical if their server, tool, arguments, InputResponses and RequestState are, whatever
// the order of members, the spelling of numbers and the key. The server is the [Client], or the
// [Session] compared with ==, which must be comparable. A Guard remembers the latest 1,000 failures
// and empty answers, of at most 8 KiB, and 5,000 calls that took or may have taken effect, of at most
// 12 KiB, with their servers. The zero value is ready to use. A Guard is safe for concurrent use, and
// must not be copied. A nil *Guard stops nothing.
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
