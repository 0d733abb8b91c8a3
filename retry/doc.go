// Package retry decides what an agent does after a tool call, and carries out the retries. It never
// repeats a call that may have been carried out already, unless the repeat is safe.
//
//	client := &retry.Client{Safety: retry.SafetyOf} // in the end, client.Close()
//	client.Connect = func(ctx context.Context) (retry.ClientSession, error) {
//		return mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, client.Options(nil)).
//			Connect(ctx, &mcp.CommandTransport{Command: exec.CommandContext(ctx, "server")}, nil)
//	}
//	out, decision := client.CallTool(ctx, &mcp.CallToolParams{Name: "lookup_order"})
//	fmt.Println(decision.Action, out.Text()) // accept {"status":"shipped"}
//
// A [Client] is for one server: see the README. [CallTool] is for a session of your own, [Do] for any
// function, [Middleware] for programs that you cannot change, [Resume] for partial results, package
// handoff for what could not be done. LAYERS.md shows who retries what, GLOSSARY.md of result the terms.
//
// # Decisions
//
// [Policy.Decide] is pure, and behind all entry points. The first line to match applies, but see below:
//
//	the outcome                                              the action     the reason
//	data or empty                                            accept         succeeded
//	input_required                                           provide_input  input_required
//	no outcome, or one of another kind                       propagate      unreadable
//	partial, with an unknown effect                          verify         may_have_taken_effect
//	partial, to be continued                                 fix_input      partial_result
//	partial, applied, not to be continued                    verify         may_have_taken_effect
//
//	a failure that may not be repeated,
//	with an unknown or applied effect                        verify         may_have_taken_effect
//	of code canceled                                         propagate      canceled
//	of code failed_precondition, conflict or already_exists  fix_input      not_retryable
//	of category transient, retried inside                    propagate      already_retried
//	of category validation                                   fix_input      not_retryable
//	of category business                                     escalate       not_retryable
//	of category permission                                   reauthorize    not_retryable
//	of category transient, or another                        propagate      not_retryable
//	a failure that may be repeated                           retry          retryable
//
// Instead of the last line, the first of these reasons that applies gives propagate, but for what
// follows: already_retried, person_asked, no_attempts_left, session_lost, retry_after_too_long,
// wait_too_long, past_deadline, budget_exhausted, or canceled.
//
// If the call may have taken effect, and is not repeated, the action is verify: if the worst effect
// of its attempts is unknown or applied (as processed items are), or not stated by a failure that is
// neither retryable nor of category validation, business or permission. A read-only tool has none.
//
// Otherwise, the reasons give a failure that is not transient the action of its code or category.
// So do partial results that fit no line, with reason partial_result, or that continue only after a
// wait over MaxRetryAfter. One without items and results is a failure.
package retry
