// Package retry decides what an agent does after a tool call, and carries out the retries. It never
// repeats a call that may have been carried out already, unless the repeat is safe.
//
//	client := &retry.Client{Safety: retry.SafetyOf, Connect: func(ctx context.Context) (retry.ClientSession, error) {
//		return mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil).
//			Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://localhost:8080"}, nil)
//	}}
//	defer client.Close()
//	out, decision := client.CallTool(ctx, &mcp.CallToolParams{Name: "lookup_order"})
//	fmt.Println(decision.Action, out.Text()) // accept {"status":"shipped"}
//
// A [Client] is for one server, and the README has a whole agent. [CallTool] makes a call on a
// session of your own, [Do] runs any function, [Middleware] serves programs that you cannot change,
// and [Resume] continues partial results. Package handoff reports what could not be done. LAYERS.md
// shows who retries what, and what is safe to repeat; GLOSSARY.md of package result explains the
// terms.
//
// # Decisions
//
// [Policy.Decide] is the pure function behind all entry points. The first line that matches applies:
//
//	the outcome                             the action     the reason
//
//	data or empty                           accept         succeeded
//	input_required                          provide_input  input_required
//	unreadable                              propagate      unreadable
//	partial, with an unknown effect         verify         may_have_taken_effect
//	partial, to be continued                fix_input      partial_result
//	partial, applied, not to be continued   verify         may_have_taken_effect
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
// The lines that do not repeat a failed call give verify if it may have taken effect: if the worst
// effect of its attempts is unknown or applied, or not stated by a failure that is neither
// retryable nor of category validation, business or permission. A read-only tool has no effect.
// Otherwise, the lines that stop a repeat give a failure that is not transient the action of its
// code or category.
//
// A partial result that fits no line, or is continued only after a wait over MaxRetryAfter, has the
// action of its code or category, and reason partial_result or retry_after_too_long. One without
// items and results is a failure.
package retry
