// Package retry is the agent's side of a failed tool call: it decides what to do
// next, and carries out the retries, never too many, never too early, and never
// of something that may have been done already.
//
//	client := &retry.Client{Connect: connect, Safety: retry.SafetyOf}
//	defer client.Close()
//	out, decision := client.CallTool(ctx, &mcp.CallToolParams{
//		Name:      "process_refund",
//		Arguments: map[string]any{"order_id": "ORD-7", "amount": 40},
//	})
//	switch decision.Action {
//	case retry.ActionAccept:
//		refund, err := result.Decode[Refund](out)
//	case retry.ActionEscalate:
//		tell(customer, out.Err.CustomerMessage)
//	case retry.ActionVerify:
//		// The refund may have been booked: look it up before anything else.
//	}
//
// There are four ways to use it:
//
//   - [Client] is for one server, for as long as the program runs.
//   - [CallTool] makes one call on a session that one has.
//   - [Do] runs any function, such as a tool's own call of what is behind it.
//   - [Middleware] is for a program that is to know nothing of it.
//
// # Decisions
//
// A retryable failure is retried if a repeat is safe: if it had no effect, if the
// server vouches for a repeat, or if the tool is read-only, idempotent or keyed.
// [Policy] bounds the attempts and the waiting. The first line that fits decides:
//
//	the outcome                             the action     the reason
//
//	data or empty                           accept         the call succeeded
//	input_required                          provide_input  the tool asks for input
//	nobody has read it                      propagate      the outcome cannot be read
//	partial, to be continued                fix_input      part of the work is done
//	partial, of category business           escalate       part of the work is done
//
//	a failure that is not retryable,
//	of code canceled                        propagate      the caller cancelled
//	of category transient                   propagate      the failure is not retryable
//	of category validation                  fix_input      the failure is not retryable
//	of category business                    escalate       the failure is not retryable
//	of category permission                  reauthorize    the failure is not retryable
//	of a category that is not known         propagate      the failure is not retryable
//	that may have taken effect              verify         the failure is not retryable
//
//	a failure that is retryable,
//	and was retried inside                  propagate      an inner layer has retried already
//	after a person was asked                propagate      a person was asked during the call, and is not asked twice
//	after which a repeat is not safe        verify         the call may have taken effect and a repeat is not safe
//	at the last attempt                     propagate      no attempts are left
//	on a session that is lost               propagate      the session is lost
//	with a hint over the limit              propagate      the server asks for a longer wait than allowed
//	with more to wait than allowed          propagate      the total wait would exceed its limit
//	too near the deadline                   propagate      the next attempt would start after the deadline
//	beyond the budget                       propagate      the retry budget is spent
//	and nothing of this                     retry          the failure is retryable and a repeat is safe
//
// Whatever stops a call that may have taken effect, the action is verify, unless
// the tool is read-only; else it is that of the category. A server that sheds load
// has a retryable failure. What the [Guard] stops has the action of the first
// failure, and a reason of its own.
//
// # What is safe to repeat
//
// A failure says by its effect whether the call may have been carried out; the
// tool says by its [Safety] whether that matters. Where both are unknown,
// nothing is repeated.
//
//	effect     read-only, idempotent, keyed   unknown safety
//	none       retry                          retry
//	absent     retry                          retry: the flag vouches for it
//	unknown    retry                          verify
//	applied    retry                          the category's action
//
// # Layers
//
// Attempts do not multiply where several layers know how to retry. A failure that
// is handed up carries what was attempted, and is not retried by the layer above;
// [Middleware] lets pass what [CallTool] and [Client] send.
//
// [Resume] goes on with a partial result until it is whole. Package handoff reports
// what could not be done, and what is missing of several sources.
package retry
