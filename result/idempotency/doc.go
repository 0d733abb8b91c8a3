// Package idempotency adds tools that do their work once even if they are called twice: a repeat with
// the same idempotency key, an argument that all attempts at one task share, gets the first answer.
//
//	type Refund struct {
//		OrderID        string  `json:"order_id"`
//		Amount         float64 `json:"amount"`
//		IdempotencyKey string  `json:"idempotency_key,omitempty"`
//	}
//
//	server.AddReceivingMiddleware(result.Middleware(nil))
//	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, nil, processRefund)
//	// two calls with one key: {"number":1} and {"number":1}; with another amount: code conflict
//
// Work is done once in the process: without [Options].Store, a restarted server forgets the keys.
// GLOSSARY.md of package result explains the terms.
//
// # Repeats
//
//	the first call                  a repeat with the same arguments
//	succeeded, fully or in part     gets its answer
//	failed without an effect        is carried out
//	failed with an unknown effect   gets its failure; is carried out with Options.UpstreamDedupes
//	is running                      waits up to Options.Wait, then fails as retryable
//	lost its server (with a Store)  fails with effect unknown; is carried out with Options.UpstreamDedupes
//	succeeded, its answer is gone   fails with effect applied
//	failed with effect applied      gets its failure
//
// Arguments are equal if their JSON values are; null, {} and the schema's default equal an absent member.
// A repeat with other arguments is a conflict, unless the first call failed without an
// effect; the message says what is known of the first call.
//
// A call for the rest of a partial result needs its own key: retry.Resume derives it from the first. An
// attempt that is delivered twice gets one answer: clients of package retry number theirs in _meta.
//
// # A lost answer
//
// If it is unknown whether the service behind the tool acted, a repeat is not executed, unless the
// service itself acts once on each key. State that if it does, and pass the key on:
//
//	&idempotency.Options{UpstreamDedupes: true}
//	req.Header.Set("Idempotency-Key", in.IdempotencyKey)
//
// Without it the failure says to look up what was done; if nothing was after a minute, call with another
// key. A retry.Guard lets that pass after a look-up if the server has answered the call. It does not wait:
// after a timeout, the service may still be at the call.
//
// # Effects
//
// A handler's failure has effect none only if an author says so: in a [toolerr.Error], in an envelope,
// or with a rule of [result.Middleware]. From and Wrap count as the author's word, although they see
// only one step: if an earlier step may have done something, add WithEffect.
//
//	return nil, out, toolerr.Wrap(err, "Sent, but not recorded.")         // none after a refused dial
//	return nil, out, toolerr.From(err).WithEffect(toolerr.EffectUnknown) // whatever err is
//
// A bare error, a [toolerr.Transient] without an effect, or a panic has effect unknown: it may follow the work.
//
// A call whose key cannot be claimed is not executed. Its effect is none if the store is full, or if
// the server or package retry has just created the key; otherwise unknown, as after an answer that
// cannot be read.
//
// # Keys
//
// The caller creates the key: at most 255 visible ASCII characters (Stripe's limit). A call without a
// key gets a random one, if the input is a struct or a map without UnmarshalJSON. Without omitempty the
// schema requires a key. A key belongs to a tool and a principal, the user of the request's token.
//
// A failure with an unknown effect, or retryable if the caller sent the key, has it in
// IdempotencyKey, but no partial result that can be continued.
//
// # Asking a person
//
// A handler that asks for input with InputRequests ends the call, and the client's answer runs it again
// from the start. So ask first:
//
//	if req.Params.InputResponses == nil {
//		return &mcp.CallToolResult{InputRequests: confirm}, receipt{}, nil // nothing is done yet
//	}
//
// # Stores
//
// A [Store] remembers the calls. The default is one [MemoryStore] for the process; packages sqlstore and
// redisstore are shared and survive restarts, and OPERATIONS.md is for their operators. With
// [Record.Tell], your own takes about eighty lines: see the example of resulttest.TestStore.
//
// A retry.Client tells the age of an attempt that may have taken effect. A MemoryStore or a process
// that is younger, or a minute older, refuses its repeat without UpstreamDedupes, unless the client
// is restarted, too.
package idempotency
