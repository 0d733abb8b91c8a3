// Package toolerr is the failure of an MCP tool as a Go error: what kind of
// failure it is, whether the same call may succeed if repeated, and what the
// agent should do next.
//
//	func refund(ctx context.Context, order string, amount float64) error {
//		if amount > limit {
//			return toolerr.Business(fmt.Sprintf("A refund of $%.2f exceeds the limit of $%d.", amount, limit)).
//				WithCode(toolerr.CodeLimitExceeded).
//				WithCustomerMessage("This refund needs a colleague's approval.")
//		}
//		if err := gateway.Refund(ctx, order, amount); err != nil {
//			return toolerr.Wrap(err, "The payment gateway did not take the refund.")
//		}
//		return nil
//	}
//
// Package result puts such errors on the wire and reads them, package retry acts
// on them.
//
// # Categories
//
//	transient   retryable      retry with backoff, then hand up
//	validation  not retryable  fix the input: call again with other arguments
//	business    not retryable  escalate: relay CustomerMessage, hand to a person
//	permission  not retryable  other credentials, or alert the operators
//
// Whether a failure is retryable is a fact of its own and wins over what its
// category suggests. An unexpected error (a bug, a panic, a bare [errors.New])
// is transient and not retryable: nothing is known to make a repeat safe.
//
// # What the model sees
//
// The envelope is one JSON object, compact, its keys in a fixed order, empty
// members left out:
//
//	{"isError":true,"errorCategory":"business","isRetryable":false,
//	 "code":"limit_exceeded","message":"...","hint":"...","customerMessage":"..."}
//
// Everything in the exported fields of [Error] is in it. Nothing of a cause is,
// unless an author wrote it there. Its texts are valid UTF-8 without control
// characters, terminal escapes, bidi controls or invisible characters; a string
// has at most 2 KiB, a list 20 items, the envelope without partial 8 KiB: over it,
// details go first, then attempted, options, suggestions and alternatives. Prose
// is cut with an ellipsis, identifiers are kept whole or left out.
//
// # Compatibility
//
// Keys are only ever added. Unknown categories and codes survive decoding and
// encoding; unknown keys are ignored.
package toolerr
