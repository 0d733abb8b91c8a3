// Package retry is the agent's side of a failed tool call: it decides what to do
// next, and carries out the retries, never too many, never too early, and never
// of something that may have been done already.
//
//	tool := tools["process_refund"]
//	policy := retry.Policy{Safety: retry.SafetyOf(tool)}
//	out, decision := retry.CallTool(ctx, policy, session, &mcp.CallToolParams{
//		Name:      tool.Name,
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
// # Decisions
//
// A retryable failure is retried if a repeat is safe: if it had no effect, if the
// server vouches for a repeat, or if the tool is read-only, idempotent or keyed.
// [Policy] bounds the attempts and the waiting. Where it ends, and for a failure
// that is not retryable, the category decides:
//
//	transient, unknown  propagate      hand it up, with what was attempted
//	validation          fix_input      call again with other arguments
//	business            escalate       relay the customer message, hand to a person
//	permission          reauthorize    other credentials, or alert the operators
//
// Whatever stops a call that may have taken effect, the action is verify. A
// partial result that can be continued is fix_input: the next call is another
// one.
package retry
