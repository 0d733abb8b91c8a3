// Package idempotency makes tools that may be called twice and do their work once: a
// repeat with the same idempotency key gets the answer of the first call.
//
// The input of such a tool has a field for the key, and AddTool stands in place of
// result.AddTool:
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
// # What a repeat gets
//
//	the first call              a repeat with the same arguments
//	succeeded                   its answer
//	failed, had no effect       is carried out
//	failed, may have changed    its failure; is carried out with Options.Rerun
//	is running                  waits up to Options.Wait, then "come again in a second"
//	its server has died         that nobody knows; is carried out with Options.Rerun
//	was carried out long ago    that it was, and that the answer is gone
//
// An intermediary may send the same request twice. Clients of package retry number their
// attempts in _meta, and the same attempt gets its own answer, also where the next one
// would be carried out.
//
// With other arguments it is a failure with code conflict, unless the first call had no
// effect. A key that is not at most 255 visible ASCII characters (Stripe's limit) is one
// with code invalid_argument.
//
// That a call had no effect is believed only if an author says so, in a
// [toolerr.Error] or by a rule: of a bare error it is not, neither of a
// [toolerr.Transient] that states no effect, and not when something could not be
// parsed, which may have been the answer of a service.
//
// Failures are classified by the rules of the server's [result.Middleware], which a call
// brings with it. A panic counts as a failure whose effect is unknown. A protocol error passes, and
// is no answer: it says that the call could not be made. One with the code of an internal
// error says nothing of that, and its effect is unknown.
//
// # Where the key comes from
//
// The caller makes it. A call without a key gets one in its field, if the input is a
// struct or a map, and a failure that may have had an effect returns it, so that a model
// can pass it back. Without omitempty the schema asks every call for a key.
//
// A key belongs to a principal and a tool: the same key of another is another key.
//
// A failure has the key in IdempotencyKey if a repeat makes sense: if it is retryable, or
// nobody knows what was done. The hint names the argument that takes it.
//
// # Time
//
// A handler whose caller has gone goes on for up to Options.Grace, so that the caller's
// next attempt finds an answer and not a failure of which nobody knows what it has done. A
// time limit of the server ends it at once.
//
// While a handler runs, its claim to the key is renewed. If its server dies, the claim ends
// after Options.Lease. What was done then is not known: a repeat is told so, and is not
// carried out. A server that was only paused may still end its call; then a repeat gets that
// answer. To keep an answer a store has as long as the lease is.
//
// # Stores
//
// A [Store] remembers the calls: by default a [MemoryStore], which knows one process, and
// dies with it. A client of package retry tells the next process of an attempt that it knows
// nothing of, and is told then that nobody knows; of other clients a repeat is carried out.
// Package sqlstore, below this one, is for several, on SQLite or PostgreSQL. One of your own
// needs some sixty lines beside [Record.Tell], as the example of [Store] shows.
//
// A store that fails costs an answer, never a second run: a call whose key cannot be claimed
// is not made, and what a store has kept and cannot be read is told as a failure whose effect
// is unknown.
package idempotency
