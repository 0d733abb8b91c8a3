// Package toolerr defines the error that an MCP tool returns when it fails. An [Error] says what
// kind of failure it is, whether the same call may be retried, and what the agent should do next.
//
//	func refund(ctx context.Context, order string, amount float64) error {
//		if amount > 500 {
//			return toolerr.LimitExceeded(
//				fmt.Sprintf("A refund of $%.2f exceeds the limit of $500.", amount),
//				"A colleague has to approve this refund.")
//		}
//		if err := gateway.Refund(ctx, order, amount); err != nil {
//			return toolerr.Wrap(err, "The payment gateway did not accept the refund.")
//		}
//		return nil
//	}
//
// Package result sends and reads these errors, and explains the terms in GLOSSARY.md; package retry
// acts on them.
//
// # Categories
//
//	transient   often retryable  retry with backoff, then give up and report
//	validation  not retryable    fix the input: call again with other arguments
//	business    not retryable    escalate: relay CustomerMessage, hand over to a person
//	permission  not retryable    use other credentials, or alert the operators
//
// # Constructors
//
// Choose the constructor by what the caller should do next:
//
//	repeat the call                  Transient           transient
//	repeat it after a while          RateLimited         transient   rate_limited
//	repeat it: it was not accepted   Unavailable         transient   unavailable
//	repeat it if that is safe        Timeout             transient   timeout
//	send something else              Validation          validation
//	send one argument more           MissingArgument     validation  missing_argument
//	send an argument of this form    InvalidArgument     validation  invalid_argument
//	send a value within the range    OutOfRange          validation  out_of_range
//	send a name that exists          NotFound            validation  not_found
//	choose one of several            Ambiguous           validation  ambiguous
//	explain, or ask a person         Business            business
//	explain the limit                LimitExceeded       business    limit_exceeded
//	call another tool first          FailedPrecondition  business    failed_precondition
//	read the current state           Conflict            business    conflict
//	use the one that exists          AlreadyExists       business    already_exists
//	get other credentials            Permission          permission
//	renew the credentials            Unauthenticated     permission  unauthenticated
//	have a scope granted             InsufficientScope   permission  insufficient_scope
//	continue without the tool        Internal            transient   internal
//
// Four functions classify failures that come from elsewhere:
//
//   - [Wrap] classifies an error and gives it the author's message.
//   - [From] classifies an error and gives it a generic message.
//   - [FromResponse] classifies an HTTP response.
//   - [FromText] reads the text of a failure.
//
// # Retries
//
// Retryable means the same in Go, on the wire and in the log: the identical call may be sent again,
// since it may succeed and cannot do the work twice. A loop that calls [IsRetryable] and a host
// that reads only the flag are therefore safe:
//
//   - A failure that From, Wrap or FromResponse classifies is not retryable if its effect is
//     unknown.
//   - With Transient, an author tells the callers of a Go function that a repeat is allowed. As the
//     result of a tool, the failure is retryable only if nothing was done (WithEffect), or if the
//     tool is safe to repeat.
//   - FromText, and JSON without a flag, only say that a repeat may succeed: check the effect.
//   - A tool is safe to repeat if it is annotated as read-only or idempotent, or if the call
//     carried an idempotency key. [Error.Resolve] then marks a temporary failure as retryable,
//     unless the work was done.
//   - A partial result and an already retried failure are never sent as retryable.
//
// An unexpected error (a bug, a panic, a bare [errors.New]) is transient but not
// retryable, because nothing shows that a repeat may succeed.
//
// # Effect
//
// [Effect] says what the failed call changed. An effect is stated by an author or proven by the
// kind of failure, and never inferred from prose:
//
//	none     nothing was done         a refused connection, 401, 404, 409, 429
//	unknown  it may have been done    a timeout, a reset, 500, 502, 503, 504, a bare error
//	applied  it was done              an author says so, or items of a partial result
//	(empty)  not stated               read-only tools send none, idempotent ones nothing,
//	                                  others unknown, except for a refusal, a partial
//	                                  result and a failure without a category
//
// The constructors of a rejection (Validation, Business, Permission and their variants) state that
// nothing was done. Transient states nothing; call WithEffect(EffectNone) if you know that nothing
// was done.
//
// Proxies send 503 for requests that they have forwarded, so a 503 proves that nothing
// was done only if it has a Retry-After header or answers a safe method such as GET.
//
// # The envelope
//
// On the wire, the error is one compact JSON object, with keys in this order, none of them empty:
//
//	{"isError":true,"errorCategory":"business","isRetryable":false,
//	 "code":"limit_exceeded","message":"...","hint":"...","customerMessage":"..."}
//
// It holds the exported fields of [Error], but not the cause. Strings are valid UTF-8. Outside
// partial.results, they contain no control characters except newlines and tabs, no terminal
// escapes, no bidi controls, and no invisible characters except joiners and emoji variation.
//
// Outside partial.results, a string has at most 2 KiB and a list at most 20 items; the envelope
// without partial has at most 8 KiB. If it is larger, members are dropped in this order until it
// fits: details, the arguments in attempted, attempted, options, suggestions, alternatives.
//
// Long prose is cut, with an ellipsis. Identifiers are sent whole or left out.
//
// # Compatibility
//
// Keys are only ever added. Unknown categories and codes survive decoding and
// encoding; unknown keys are ignored. Messages and default hints may be reworded, so a
// program should branch on Category, Retryable, Code and Effect.
//
// The folder testdata contains a JSON Schema of the envelope, and test vectors for implementations
// in other languages.
package toolerr
