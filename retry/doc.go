// Package retry is the agent's side of a failed tool call: the outcome of a call comes
// in, and a decision what to do next leaves. It carries out the retries itself, never
// too many, never too early, and never of a call that may have been carried out
// already unless a repeat is safe.
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
//   - [CallTool] makes one call on a session of your own.
//   - [Do] runs any function, such as a tool's call of the service behind it.
//   - [Middleware] is for programs you cannot change.
//
// # Decisions
//
// A retryable failure is retried if a repeat is safe: if it had no effect, if the
// server says that a repeat is safe, or if the tool is read-only, idempotent or keyed.
// [Policy] bounds the attempts and the waiting. The first line that fits decides:
//
//	the outcome                             the action     the reason
//
//	data or empty                           accept         succeeded
//	input_required                          provide_input  input_required
//	of no kind                              propagate      unreadable
//	partial, to be continued                fix_input      partial_result
//	partial, of category business           escalate       partial_result
//
//	a failure that is not retryable,
//	of code canceled, without effect        propagate      canceled
//	of category transient, retried inside   propagate      already_retried
//	a timeout, of a read-only tool          retry          retryable
//	an outage, of an idempotent tool        retry          retryable
//	of category transient, without effect   propagate      not_retryable
//	of category transient, not stated       verify         not_retryable
//	of category validation                  fix_input      not_retryable
//	of code failed_precondition             fix_input      not_retryable
//	of category business                    escalate       not_retryable
//	of category permission                  reauthorize    not_retryable
//	of a category that is not known         verify         not_retryable
//	that may have taken effect              verify         not_retryable
//
//	a failure that is retryable,
//	and was retried inside                  propagate      already_retried
//	after a person was asked                propagate      person_asked
//	after which a repeat is not safe        verify         unsafe_repeat
//	at the last attempt                     propagate      no_attempts_left
//	on a session that is lost               propagate      session_lost
//	with a hint over the limit              propagate      hint_too_long
//	with more to wait than allowed          propagate      wait_too_long
//	too near the deadline                   propagate      past_deadline
//	beyond the budget                       propagate      budget_exhausted
//	and nothing of this                     retry          retryable
//
// If a call that may have taken effect is not repeated, the action is verify, unless
// the tool is read-only; else it is that of the category. A call may have taken effect
// if its effect is unknown, or if nobody has stated it: of a failure that is not
// retryable, and transient or of no category that is known. One of code
// failed_precondition names the tool to call first in its hint, and as first in its
// details.
//
// A timeout or an outage (codes timeout and unavailable) whose effect is unknown is
// repeated for a tool that the policy, or the trusted annotations, call read-only or
// idempotent, although the flag forbids it: the server may not have known. For a keyed
// tool the server's flag is final, and so is for [Do] what an error declares. A server
// that sheds load has a retryable failure. A call that the [Guard] stops has the action
// of the first one, and the reason repeated_call. [Reason.Sentence] says it in words.
//
// # What is safe to repeat
//
// A failure says by its effect whether the call may have been carried out; the tool
// says by its [Safety] whether that matters. If neither is known, nothing is repeated.
// So annotate your tools, and of the servers that you trust believe the annotations. Of
// a retryable failure:
//
//	effect     read-only, idempotent, keyed   unknown safety
//	none       retry                          retry
//	absent     retry                          retry: the flag says that it is safe
//	unknown    retry                          verify
//	applied    retry                          the category's action
//
// # Sessions
//
// A [Client] keeps what it knows of a server's tools across sessions, until the server is
// another version or says that they have changed. A call whose tool it does not know yet
// waits for the list, or fails as one that was not sent: never is a keyed tool called
// without its key because the list was late. A session that is lost, or on which no sign
// of life comes after a request that was not answered in time, is replaced; the one repeat
// that a call needs for that is not charged to the [Budget], nor is one after an attempt
// that was not sent, so that a crash under calls costs none of those that may be repeated.
// Between dials there is a pause, which callers share. [Client.Options] lets it hear what
// a server says besides its answers.
//
// # Layers
//
// Attempts do not multiply if several layers know how to retry. A failure that is
// handed up carries what was attempted, and is not retried by the layer above;
// [Middleware] lets the calls of [CallTool] and [Client] pass.
//
// [Resume] continues a partial result until it is whole. Package handoff reports what
// could not be done, and what is missing of several sources.
package retry
