// Package toolerr defines the error that an MCP tool returns when it fails. An [Error] says what
// kind of failure it is, whether the same call may be retried, and what the agent should do next.
//
//	func status(order string) (string, error) {
//		text, err := os.ReadFile(filepath.Join("orders", order+".txt"))
//		if errors.Is(err, fs.ErrNotExist) {
//			return "", toolerr.NotFound("order", order)
//		}
//		return string(text), toolerr.Wrap(err, "The order could not be read.")
//	}
//
// Package result sends and reads these errors, and explains the terms in GLOSSARY.md; package retry
// acts on them.
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
// Validation, business and permission failures are not retryable, and have effect none. [From],
// [Wrap], [FromResponse] and [FromText] classify errors from elsewhere.
//
// # Effect and Retryable
//
// [Effect] says what the failed call changed: applied, if it was done, or
//
//	none     nothing was done         a refused connection, 401, 404, 409, 429
//	unknown  it may have been done    a timeout, a reset, 500, 502, 503, 504, a bare error
//
// Retryable means the same in Go, on the wire and in the log: the identical call may succeed, and
// cannot do the work twice. A loop over [IsRetryable] is safe, but for [FromText] and foreign JSON.
//
// # Compatibility
//
// Keys are only ever added. Messages and default hints may be reworded: branch on Category, Retryable,
// Code and Effect. The folder testdata has a JSON Schema and test vectors for other languages.
package toolerr
