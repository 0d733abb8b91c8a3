// Package retry decides what an agent does after a tool call, and carries out the retries. It never
// repeats a call that may have been carried out already, unless the repeat is safe.
//
//	client := &retry.Client{Connect: connect, Safety: retry.SafetyOf}
//	defer client.Close()
//	out, decision := client.CallTool(ctx, &mcp.CallToolParams{
//		Name:      "process_refund",
//		Arguments: map[string]any{"order_id": "ORD-7", "amount": 40},
//	})
//	// decision.Action is an Action; the README has a whole agent
//
// There are four entry points:
//
//   - [Client] manages the sessions of one server for the lifetime of the program.
//   - [CallTool] makes one call on a session of your own.
//   - [Do] runs any function, for example a tool's call to the service behind it.
//   - [Middleware] adds retries to programs you cannot change.
//
// [AgentPolicy] is for an agent that makes one call at a time, [ToolPolicy] for quick retries inside a
// tool. A [Budget] limits the retries of all callers of a server. A [Guard] stops a model that repeats a
// hopeless or risky call. A program that replays its runs sets [Client].Key.
//
// Over HTTP, use the transport result.RoundTripper: a gateway's 403 then fails one call, not the
// session, and a 429 keeps its delay.
//
// # Safe repeats
//
// The failure's effect says whether the call may have been carried out. The tool's [Safety] says
// whether that matters. A call is not repeated if both forbid it. Therefore annotate your tools,
// and use the annotations of servers that you trust. For a retryable failure:
//
//	effect     read-only, idempotent, keyed   unknown safety
//	none       retry                          retry
//	not stated retry                          retry: the flag says that it is safe
//	unknown    retry                          verify
//	applied    retry if read-only             verify, as for an idempotent or keyed tool
//
// If the policy or trusted annotations say that the tool is read-only or idempotent, a call with
// code timeout or unavailable and an unknown effect is repeated even if the flag is false: the
// server may not know that the tool is safe.
//
// For a keyed tool, the flag of a result is final. Without a result and a protocol error, such as after
// a lost connection or in [Do], a safe tool's call is repeated only if [toolerr.Error.Resolve] makes the
// error retryable.
//
// # Decisions
//
// The section above says which failed calls may be repeated. The first line that matches applies:
//
//	the outcome                             the action     the reason
//
//	data or empty                           accept         succeeded
//	input_required                          provide_input  input_required
//	unreadable                              propagate      unreadable
//	partial, with an unknown effect         verify         may_have_taken_effect
//	partial, to be continued                fix_input      partial_result
//	partial, applied, not to be continued   verify         may_have_taken_effect
//	partial, of category business           escalate       partial_result
//
//	a failure that may not be repeated,
//	with an unknown or applied effect       verify         may_have_taken_effect
//	of code canceled                        propagate      canceled
//	of code failed_precondition, conflict   fix_input      not_retryable
//	of code already_exists                  fix_input      not_retryable
//	of category transient, retried inside   propagate      already_retried
//	of category transient                   propagate      not_retryable
//	of category validation                  fix_input      not_retryable
//	of category business                    escalate       not_retryable
//	of category permission                  reauthorize    not_retryable
//	of an unknown category                  propagate      not_retryable
//
//	a failure that may be repeated,
//	and was retried inside                  propagate      already_retried
//	after a person was asked                propagate      person_asked
//	at the last attempt                     propagate      no_attempts_left
//	on a lost session that stays lost       propagate      session_lost
//	with a wait over MaxRetryAfter          propagate      retry_after_too_long
//	over MaxWait in total                   propagate      wait_too_long
//	too near the deadline                   propagate      past_deadline
//	beyond the budget                       propagate      budget_exhausted
//	otherwise                               retry          retryable
//
// The lines that stop a repeat, from "at the last attempt" on, hold for calls that cannot have taken
// effect. A call that may have, of a tool that is not read-only, has the action verify there too,
// with the reason may_have_taken_effect.
//
// A call may have taken effect if its effect is unknown or applied. The same holds if the effect is
// not stated and the failure is neither retryable nor partial nor of category validation, business or
// permission. The effect of several attempts or parts is the worst: applied, then unknown, then not
// stated, then none.
//
// A partial result without processed items and results counts as the failure alone.
//
// After any other failure that is not repeated, and after a partial result that fits no line
// (reason partial_result) or whose wait is too long, the action depends on the category. A
// [toolerr.FailedPrecondition] names the tool to call first in its hint and in details.first.
//
// A request for input without a question comes from a busy server, and is repeated. A call that the
// [Guard] stops gets the action of an earlier identical call (propagate, not fix_input, from the
// third stop on), and the reason repeated_call.
// [Reason.Sentence] explains a reason in words.
//
// # Sessions
//
// A [Client] keeps what it knows about a server's tools across sessions, until the server reports
// another version or a changed list. A call whose safety depends on the list waits for it if the
// tool is unknown, so that a keyed tool gets its key; without a list, it fails with effect none.
//
// If the session is lost, a call that is safe to repeat is repeated on a new one. The [Budget] is
// not charged for a call's first repeat after such a loss, nor for the repeat of an attempt that
// was not sent. All callers wait for the same reconnection.
//
// A [Client] or [Middleware] remembers the keys of calls that may have taken effect, and tells a
// server, which may have restarted since, how old they are.
//
// # Layers
//
// Attempts do not multiply when several layers retry. A failure that was retried lists its
// attempts, and the layer above does not retry it. LAYERS.md in this package shows all layers,
// and GLOSSARY.md of package result explains the terms.
//
// [Resume] continues a partial result until it is complete. Package handoff reports
// what could not be done, and which sources are missing.
package retry
