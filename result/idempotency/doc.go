// Package idempotency adds tools that do their work once even if they are called twice: a repeat
// with the same idempotency key gets the first call's answer. The key is an argument that all
// attempts at one task share; a tool that has one is keyed. Without [Options].Store, work is
// done once in the process: a restarted server forgets the keys.
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
//	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, nil, processRefund)
//
// # Repeats
//
//	the first call                  a repeat with the same arguments
//	succeeded, fully or in part     gets its answer
//	failed without an effect        is carried out
//	failed with an unknown effect   gets its failure; is carried out with Options.UpstreamDedupes
//	is running                      waits up to Options.Wait, then fails as retryable
//	lost its server                 fails with effect unknown; is carried out with Options.UpstreamDedupes
//	succeeded, its answer is gone   fails with effect applied
//
// Arguments are equal if their JSON values are; null and the schema's default equal an absent
// member. A repeat with other arguments is a business failure with code conflict, unless the
// first call had no effect. The message says that the first call was executed, or that it may have
// taken effect.
//
// If an intermediary delivers an attempt twice, the duplicate gets the attempt's answer: clients of
// package retry number their attempts in _meta.
//
// # Effects
//
// The store gets the effect that is sent to the client. A handler's failure has effect none only if
// an author says so: in a [toolerr.Error], in an envelope, or with a rule of the server's
// [result.Middleware]. From and Wrap count as the author's word, although they see only one step:
// if an earlier step may have done something, add WithEffect.
//
// A bare error (even a refused
// connection), a [toolerr.Transient] without an effect, or a panic may have come after the work, so
// its effect is unknown. For a protocol error, the store gets only the effect clients read from it,
// not the answer.
//
// A call whose key cannot be claimed is not executed. Its effect is none if the store is full, or if
// the server or package retry has just created the key. Otherwise it is unknown: earlier calls may
// have had the key. An answer that cannot be read becomes a failure with an unknown effect.
//
// # Keys
//
// The caller creates the key: at most 255 visible ASCII characters (Stripe's limit). A call without
// a key gets a random one, if the input is a struct or a map without UnmarshalJSON. Without
// omitempty the schema requires a key in every call. A key belongs to a principal and a tool.
//
// A failure whose effect is unknown has the key in IdempotencyKey, so that a model can pass it
// back. So has a retryable failure if the caller sent the key. A resumable partial result has none:
// the next part is another call, and needs another key.
//
// # Asking a person
//
// A handler that asks for input with InputRequests ends the call, and the client's answer runs it
// again from the start, which repeats whatever it did before the question. So ask first:
//
//	if req.Params.InputResponses == nil {
//		return &mcp.CallToolResult{InputRequests: confirm}, receipt{}, nil // nothing is done yet
//	}
//
// # Stores
//
// The default is one [MemoryStore] for the process. A retry.Client tells a younger process how old an
// attempt is that may have taken effect; after a restart of both, the repeat is executed.
//
// Packages sqlstore and redisstore provide stores that are shared and survive restarts;
// OPERATIONS.md is for their operators; GLOSSARY.md of package result explains the terms. With
// [Record.Tell], your own store takes about seventy lines: see [Store]'s example.
package idempotency
