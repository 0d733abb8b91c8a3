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
// # The envelope
//
// [Error.AppendJSON] writes what is sent: one compact JSON object, keys in this order, none empty.
//
//	e := toolerr.LimitExceeded("Over the limit of $500.", "A colleague has to approve this.")
//	fmt.Printf("%s", e.AppendJSON(nil))
//	// {"isError":true,"errorCategory":"business","isRetryable":false,"code":"limit_exceeded",
//	// "message":"Over the limit of $500.","hint":"Do not retry or split it; explain it, or hand
//	// over to a person.","customerMessage":"A colleague has to approve this.","effect":"none"}
//
// The cause is not sent. Text is valid UTF-8 without control characters (but newlines and tabs),
// terminal escapes, bidi controls or hidden characters. A string has at most 2 KiB, a list 20 items,
// the envelope without partial 8 KiB: prose is cut, identifiers are sent whole or left out, details
// go first.
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
// # Errors from elsewhere
//
// [From] classifies any Go error by its types and codes, [Wrap] with your own message,
// [FromResponse] an HTTP response, [FromText] the text of a failure:
//
//	e := toolerr.From(fmt.Errorf("asking: %w", context.DeadlineExceeded))
//	fmt.Println(e.Code, e.Effect, e) // timeout unknown No answer came in time.
//
// An unexpected error (a bug, a panic, a bare [errors.New]) is transient with code internal, and not
// retryable.
//
// # Effect
//
// [Effect] says what the failed call changed. An author states it, or the kind of failure proves it;
// words never do:
//
//	none     nothing was done         a refused connection, 401, 404, 409, 429
//	unknown  it may have been done    a timeout, a reset, 500, 502, 503, 504, a bare error
//	applied  it was done              an author says so, or items of a partial result
//	(empty)  not stated               Error.Resolve decides it by the tool
//
// A 503 proves that nothing was done if it has a Retry-After header or answers a safe method such as
// GET. If you know that nothing was done, say so:
//
//	return toolerr.Transient("The lock is held.").WithEffect(toolerr.EffectNone)
//
// # Retryable
//
// The flag means the same in Go, on the wire and in the log: the identical call may succeed, and
// cannot do the work twice. A loop over [IsRetryable] is therefore safe, except for a failure from
// [FromText], whose words prove no effect:
//
//	fmt.Println(toolerr.IsRetryable(context.DeadlineExceeded)) // false: its effect is unknown
//
// A tool is safe to repeat if it is annotated as read-only or idempotent, or if the call carried an
// idempotency key, an argument that all attempts at one task share. Then the flag is true for a
// temporary failure too, unless the work was done; idempotency.AddTool has a rule of its own.
//
// A partial or already retried failure is never retryable.
//
// # Compatibility
//
// Keys are only ever added; unknown categories, codes and keys are no error. Messages and default
// hints may be reworded: branch on Category, Retryable, Code and Effect. The folder testdata has a
// JSON Schema and test vectors for other languages.
package toolerr
