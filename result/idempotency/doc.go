// Package idempotency adds tools that do their work once even if they are called twice: a repeat
// with the same idempotency key gets the first call's answer.
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
//	succeeded, also in part         gets its answer
//	failed, had no effect           is carried out
//	failed, may have had an effect  gets its failure; is carried out with Options.Rerun
//	is running                      waits up to Options.Wait, then fails as retryable
//	lost its server                 fails with effect unknown; is carried out with Options.Rerun
//	was carried out long ago        fails with effect applied, without the answer
//
// Arguments are equal if their JSON values are; null and the schema's default equal an absent member.
// With other arguments a repeat is a validation failure with code conflict, unless the first call had no
// effect. The conflict says whether the first call was executed. A call for the rest of a partial result
// has other arguments, and needs its own key: retry.Resume derives it from the first.
//
// Clients of package retry number their attempts in _meta. If an intermediary sends a request
// twice, the duplicate of an attempt gets that attempt's answer, even if the next attempt would be
// executed.
//
// # Effects
//
// The store gets the effect that is sent to the client. A call had no effect only if an author says
// so, in a [toolerr.Error] or with a rule of the server's [result.Middleware]. That includes the
// effect of From and Wrap, which know one step: if an earlier step may have done something, add
// WithEffect. A bare error, a [toolerr.Transient] without an effect, a panic, and a parse error may
// have come after the work. A protocol error is not stored as an answer: the store gets the effect
// that clients read in it.
//
// A failing store never causes a second run. A call whose key cannot be claimed is not executed.
// Its effect is none if the store is full, or if the server or package retry has just created the
// key. Otherwise it is unknown, because of earlier calls. An answer that cannot be read becomes a
// failure with an unknown effect.
//
// # Keys
//
// The caller creates the key: at most 255 visible ASCII characters (Stripe's limit). A call without
// a key gets one in its field, if the input is a struct or a map. Without omitempty the schema
// requires a key in every call. A key belongs to a principal and a tool.
//
// A failure has the key in IdempotencyKey if it is retryable or has an unknown effect, so that
// a model can pass it back; the hint names the argument. A partial result that can be continued
// does not have it.
//
// # Time
//
// If the caller disconnects, the handler may continue for Options.Grace; a time limit of the
// server ends it immediately. While it runs, its claim to the key is renewed. A server that was
// paused for longer than Options.Lease may still finish its call, and a repeat gets that answer.
// Saving an answer must take no longer than a lease.
//
// # Asking a person
//
// A handler that asks for input with InputRequests ends the call, and runs again from the start
// with the answer: whatever it does before the question is done twice. So ask first:
//
//	if req.Params.InputResponses == nil {
//		return &mcp.CallToolResult{InputRequests: confirm}, receipt{}, nil // nothing is done yet
//	}
//
// # Stores
//
// A [Store] remembers the calls. The default is a [MemoryStore], which is lost when the process
// ends. With a repeat, a retry.Client sends the age of an attempt with an unknown result; a younger
// process answers that the effect is unknown, and remembers that. In a younger process, a repeat by
// another client, or by a restarted one, is executed. Packages sqlstore and redisstore have stores
// that are shared and survive restarts; OPERATIONS.md is for their operators. A store of your own
// takes about sixty lines with [Record.Tell], as the example of [Store] shows.
package idempotency
