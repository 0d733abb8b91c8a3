// Package idempotency adds tools that do their work once even if they are called twice: a
// repeat with the same idempotency key gets the answer of the first call.
//
// The tool's input has a field for the key, and AddTool replaces result.AddTool:
//
//	type Refund struct {
//		OrderID        string  `json:"order_id"`
//		Amount         float64 `json:"amount"`
//		IdempotencyKey string  `json:"idempotency_key,omitempty"`
//	}
//
//	server.AddReceivingMiddleware(result.Middleware(nil))
//	opts := new(idempotency.Options) // for all tools of the server
//	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, opts, processRefund)
//
// # Repeats
//
//	the first call                  a repeat with the same arguments
//	succeeded                       gets its answer
//	failed, had no effect           is carried out
//	failed, may have had an effect  gets its failure; is carried out with Options.Rerun
//	is running                      waits up to Options.Wait, then fails as retryable
//	lost its server                 fails with effect unknown; is carried out with Options.Rerun
//	was carried out long ago        fails with effect applied, without the answer
//
// A repeat with other arguments fails with code conflict, unless the first call had no
// effect. A key must be at most 255 visible ASCII characters (Stripe's limit); otherwise
// the call fails with code invalid_argument.
//
// An intermediary may send a request twice. Clients of package retry number their attempts
// in _meta. A duplicate of an attempt gets the answer of that attempt, even if the next
// attempt would be carried out.
//
// A call had no effect only if an author says so, in a [toolerr.Error] or with a rule. A
// bare error, a [toolerr.Transient] without an effect, and an error from parsing do not say
// so, because the failure may have happened after the work.
//
// Failures are classified by the rules of the server's [result.Middleware], which are found
// through the call's context. A panic is a failure with an unknown effect. A protocol error
// means that the call was not made, and is not stored as its answer, unless it has the code
// of an internal error: its effect is unknown.
//
// # Keys
//
// The caller creates the key. A call without one gets one in its field, if the input is a
// struct or a map. A failure that may have had an effect returns it, so that a model can
// pass it back. Without omitempty the schema requires a key in every call.
//
// A key belongs to a principal and a tool. Other principals and tools may use the same key.
//
// A failure has the key in IdempotencyKey if a repeat makes sense: if it is retryable or has
// an unknown effect. The hint names the argument for the key.
//
// # Time
//
// If the caller disconnects, the handler may continue for Options.Grace, so that the caller's
// next attempt gets an answer instead of an unknown effect. A time limit of the server ends
// the handler immediately.
//
// While a handler runs, its claim to the key is renewed. If the server crashes, the claim
// ends after Options.Lease. Whether the work was done is then unknown, so a repeat fails. If
// the server was only paused, it may still finish its call, and a repeat gets that answer. A
// store has at most the time of a lease to save an answer.
//
// # Stores
//
// A [Store] remembers the calls. The default is a [MemoryStore], which is lost when the
// process ends. Clients of package retry say in a repeat how old an attempt with an unknown
// result is; a younger process answers that the effect is unknown. Repeats of other clients
// are carried out. Package sqlstore has a store for several processes, on SQLite or
// PostgreSQL. A store of your own takes about sixty lines with [Record.Tell], as the example
// of [Store] shows.
//
// A failing store never causes a second run. A call whose key cannot be claimed is not
// made. An answer that cannot be read becomes a failure with an unknown effect.
package idempotency
