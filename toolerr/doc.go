// Package toolerr is the failure of an MCP tool as a Go error: what kind of
// failure it is, whether the same call may succeed if repeated, and what the
// agent should do next.
//
//	func refund(ctx context.Context, order string, amount float64) error {
//		if amount > 500 {
//			return toolerr.LimitExceeded(
//				fmt.Sprintf("A refund of $%.2f exceeds the limit of $500.", amount),
//				"A colleague has to approve this refund.")
//		}
//		if err := gateway.Refund(ctx, order, amount); err != nil {
//			return toolerr.Wrap(err, "The payment gateway did not take the refund.")
//		}
//		return nil
//	}
//
// Package result puts such errors on the wire and reads them; package retry acts
// on them.
//
// # Categories
//
//	transient   retryable      retry with backoff, then hand it up
//	validation  not retryable  fix the input: call again with other arguments
//	business    not retryable  escalate: relay CustomerMessage, hand to a person
//	permission  not retryable  use other credentials, or alert the operators
//
// Whether a failure is retryable is a fact of its own and wins over what its
// category suggests. A transient failure goes out as retryable only if a repeat does
// nothing twice: if nothing was done, or if the tool is annotated as read-only or
// idempotent, or the call carried an idempotency key that the tool takes. So annotate
// your tools; see package result. An unexpected error (a bug, a panic, a bare
// [errors.New]) is transient and not retryable: nothing is known to make a repeat safe.
//
// # Constructors
//
// Which one to use depends on what the caller does next:
//
//	repeat the call                  Transient           transient
//	repeat it after a while          RateLimited         transient   rate_limited
//	send something else              Validation          validation
//	send an argument of this form    InvalidArgument     validation  invalid_argument
//	send a value within the range    OutOfRange          validation  out_of_range
//	send a name that exists          NotFound            validation  not_found
//	choose one of several            Ambiguous           validation  ambiguous
//	explain, or ask a person         Business            business
//	explain the limit                LimitExceeded       business    limit_exceeded
//	call another tool first          FailedPrecondition  business    failed_precondition
//	get other credentials            Permission          permission
//	go on without the broken tool    Internal            transient   internal
//
// An error that comes from elsewhere is judged: by [Wrap] under a sentence of the
// author's, by [From] under a fixed one, an HTTP response by [FromResponse].
//
// # Effect
//
// [Effect] says what this call changed, and with it whether a repeat is safe. It is
// stated by an author, or proven by the kind of failure, and never read from words.
// The constructors of a rejection (Validation, Business, Permission and their like)
// state that nothing was done; Transient states nothing: say WithEffect(EffectNone)
// where you know it. From knows it of many errors:
//
//	none     nothing was done         a refused connection, 401, 404, 409, 429
//	unknown  it may have been done    a timeout, a reset, 500, 502, 503, 504, a bare error
//	applied  it was done              only authors know that
//	(empty)  nobody has stated it     result.Middleware, which knows the tool, has the last word
//
// Proxies make up 503 for requests that they have passed on: it proves that nothing was
// done only with a Retry-After header, or as the answer to a GET.
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
// characters, terminal escapes, bidi controls or invisible characters. A string
// has at most 2 KiB, a list 20 items, the envelope without partial 8 KiB: over it,
// details go first, then the arguments of what was attempted, attempted, options,
// suggestions and alternatives. Prose is cut with an ellipsis; identifiers are
// kept whole or left out.
//
// # Compatibility
//
// Keys are only ever added. Unknown categories and codes survive decoding and
// encoding; unknown keys are ignored. Sentences and default hints are for reading
// and may be reworded: a program branches on Category, Retryable, Code and Effect.
//
// For other languages, testdata has a JSON Schema of the envelope and vectors for
// writing and reading it.
package toolerr
