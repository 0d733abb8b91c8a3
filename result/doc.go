// Package result builds and reads the results of MCP tool calls. It keeps failures and empty
// successes apart: an empty list is never reported as a failure, nor a failure read as one.
//
// A server installs one middleware, and its tools return Go errors:
//
//	type Order struct{ ID string `json:"id"` }
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
//	server.AddReceivingMiddleware(result.Middleware(nil)) // after all other calls of it: outside
//	result.AddTool(server, &mcp.Tool{Name: "lookup_order"},
//		func(_ context.Context, _ *mcp.CallToolRequest, in Order) (*mcp.CallToolResult, any, error) {
//			return nil, nil, toolerr.NotFound("order", in.ID)
//		})
//	err := server.Run(context.Background(), &mcp.StdioTransport{})
//
// A handler returns its value, an error, or [Empty] with the zero value; a raw handler (of
// Server.AddTool) returns [OK], [Empty] or [Failure]. GLOSSARY.md explains the terms.
//
// # What the client gets
//
// A returned error, refused arguments and a panic become a result with isError set, whose first block
// is the envelope of package toolerr; in the example:
//
//	// {"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found",
//	// "message":"There is no order \"ORD-8\".","hint":"Check the name, ...","effect":"none", ...}
//
// It has no structured content: several clients validate that against the output schema even if the
// call failed, and lose the error. Protocol errors stay what they are; an unknown name gets near
// misses, the similar names, as data. An empty success says what was looked for: see [Empty].
//
// # Reading results
//
// An agent passes the results of CallTool to [Parse]:
//
//	out := result.Parse(session.CallTool(ctx, params))
//	orders, err := result.Decode[Orders](out)
//	fmt.Println(out.Kind, orders, err) // data {[ORD-7]} <nil>
//
// The kind determines which fields are set; PARTIAL.md describes partial results:
//
//	out.Kind        meaning                       read it with       out.Err
//	data            a success with data           Decode, Text       nil
//	empty           a success that found nothing  Decode, Text       nil
//	partial         a part of the work            Err.Partial        the failure
//	failure         a failure                     Err                the failure
//	input_required  a question to the client      Result             nil
//
// # Annotating tools
//
// After a lost reply a client cannot know whether the call was executed. [Middleware] sets isRetryable
// by what the tool declares, so that a host can act on the flag alone:
//
//	the tool                                 its timeout, or a lost reply
//	ReadOnlyHint: true                       retryable, without effect
//	IdempotentHint: true                     retryable
//	takes a key, and the call has one        retryable; with idempotency.AddTool a timeout
//	                                         only if its Options have UpstreamDedupes
//	no annotation, or no key                 not retryable: check what was done
//
// The log names each tool once that is retried less often for lack of an annotation. Package
// idempotency is for tools that must not run twice: a repeat with the same key gets the first answer.
//
// # An existing server
//
// Set Reveal, which selects the texts that are sent, to [RevealAll], so that no text disappears:
//
//	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Reveal: result.RevealAll}))
//
//	succeeds                       nothing, but records with errors get a mark in _meta
//	returns a *jsonrpc.Error       nothing, but unknown names get near misses
//	returns an error               its text is the message; its type, or the status of a
//	                               service, determines the other members
//	returns a result with IsError  the same with its text and the members of its JSON; other
//	                               content follows the envelope
//	gets invalid arguments         the message names the argument and what to send; the SDK's
//	                               text follows
//	panics                         the call fails, and the server continues
//
// Next, annotate the tools, return toolerr errors, and write Rules, functions that classify your own
// errors. The log names the tools that need this.
//
// # The log
//
// The log gets one record for each failed call: tool, duration, session and failure, with a message
// and a cause of up to 2 KiB each. Credentials are masked, by their form or the name beside them.
//
//	level=WARN msg="tool call failed" gen_ai.tool.name=book toolerr.code=timeout ...
//
// # Results of other servers
//
// [Parse] reads the failures of servers that do not use this module too, JSON and plain text:
//
//	res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "429 Too Many Requests"}}}
//	fmt.Println(result.Parse(res, nil).Err.Code) // rate_limited
//
// What is read as what:
//
//	isRetryable: false          not retryable
//	isRetryable: true           retryable beside one of the four categories, or unless a code, a
//	                            status or words mean a refusal
//	a code, a status, words     the first, unless a later one says more or words forbid a retry
//	unmistakable words alone    retryable with effect unknown, so only if the tool is safe
//	a report in other text      may be an echoed argument: it can forbid a retry, never allow one
//	an object without isError   a failure if it says so and nothing else; not marked retryable
//	other text without isError  data, also if it says Error
//	some items failed           partial, with the data; up to 1 MiB of JSON text is searched
//	nothing was found           empty if the text says so, or all lists of a search are empty
//	anything else that failed   no category, not retryable, with its text
package result
