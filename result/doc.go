// Package result builds and reads the results of MCP tool calls. It keeps failures and
// empty successes apart: an empty list is never reported as a failure, and a failure is
// never read as an empty list.
//
// A server installs one middleware, and its tools return Go errors:
//
//	server.AddReceivingMiddleware(result.Middleware(nil))
//	result.AddTool(server, &mcp.Tool{
//		Name:        "lookup_order",
//		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, // a repeat is safe
//	}, lookupOrder)
//
// A typed handler returns its value, an error, or [Empty] with the zero value. A raw
// handler returns [OK], [Empty] or [Failure].
//
// # Reading results
//
// An agent passes the results of CallTool to [Parse]:
//
//	out := result.Parse(session.CallTool(ctx, params))
//	orders, err := result.Decode[Orders](out)
//
// The kind of the [Outcome] determines which fields are set; PARTIAL.md describes partial results,
// GLOSSARY.md the terms:
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
// After a lost reply a client cannot know whether the call was executed. It should repeat the call
// only if the tool declares that a repeat is safe. [Middleware] sets isRetryable accordingly, so a
// host can act on this flag alone:
//
//	the tool                                 its timeout, or a lost reply
//	ReadOnlyHint: true                       retryable, without effect
//	IdempotentHint: true                     retryable
//	takes a key, and the call has one        retryable; with idempotency.AddTool a timeout
//	                                         only if its Options have UpstreamDedupes
//	no annotation, or no key                 not retryable: check what was done
//
// A tool without annotations is therefore retried less often; the log says so once for each tool.
// If a failed call changed nothing, return its error WithEffect(toolerr.EffectNone).
//
// Use AddTool of package idempotency for tools that must not run twice. A repeat with the same key
// then gets the first call's answer.
//
// # Adopting the middleware in an existing server
//
// Add the middleware with the last call to AddReceivingMiddleware, as its first argument: then it is
// the outermost and sees what other middleware returns. Set Reveal, which selects the texts that are
// sent, to [RevealAll], so that no text disappears. This package needs go-sdk v1.8.0 or newer.
//
//	a tool                         what changes
//
//	succeeds                       nothing, but records with errors get a mark in _meta
//	returns a *jsonrpc.Error       nothing, but unknown names get near misses
//	returns an error               its text is the message; its type, or the status of a
//	                               service, determines the other members
//	returns a result with IsError  the same with its text and the members of its JSON; other
//	                               content follows the envelope
//	gets invalid arguments         the message names the argument and what to send; the SDK's
//	                               text follows
//	panics                         the call fails, and the server continues, as it does after
//	                               a panic in a prompt, a resource or a completion
//
// RevealAll may send passwords and paths, as the SDK alone does; [RevealServices] selects only the
// messages of services.
//
// A server that logs failures itself should set Logger to one that drops
// levels below ERROR. Tests that compare whole results should set CorrelationID.
//
// Next, annotate the tools, return toolerr errors, and write Rules: a rule is a function that
// classifies your own errors. The log and [Counts] name the tools that need this.
//
// # Cost
//
// A success takes up to 1.1 times as long as with the SDK alone; examples/compare has figures for
// failures. An envelope is two to eleven times as long as plain text (examples/compare/servers).
//
// # The log
//
// The log gets one record for each failed call: the tool, duration, session and failure, with a
// message and a cause of up to 2 KiB each. Credentials, recognized by their form or by the name
// beside them, are masked. For an unclassified error, the log says once how to classify it.
//
// [Counts] counts calls for expvar and Prometheus. Package mcpotel is for OpenTelemetry.
//
// # The wire format
//
// A failure is a result with isError set. Its first block is a text with the envelope of package
// toolerr. The result has no structured content: several clients validate structured content
// against the tool's output schema even if the call failed, and lose the error.
//
// The text of an empty success says what was looked for; its structured content is the empty
// result, if there is one. Its _meta has "io.github.mcp-toolerr/kind": "empty", which hosts may
// drop. Protocol errors (*jsonrpc.Error) stay protocol errors; the SDK's errors for unknown tools
// and prompts get near misses as data, {"suggestions": [...]}.
//
// # Results of other servers
//
// [Parse] also reads the failures of servers that do not use this module: JSON objects with common
// spellings, and plain text.
//
//   - An explicit isRetryable takes precedence over a code and an HTTP status; a code over the status
//     if it is more specific; and the status over words, unless they are more specific or forbid a retry.
//   - Text alone makes a failure retryable only if it is unmistakable, such as a rate limit, a timeout
//     or an outage. The effect is then unknown, so the call is repeated only if the tool is known to
//     be safe.
//   - A failure that is not understood has no category, is not retryable, and keeps its text.
//   - A report inside other text may be an echoed argument: it can forbid a retry, but never allow
//     one. Prefixes that known SDKs and adapters put before a report are removed.
//   - Without isError, prose never makes a result a failure. It is a failure only if it is a
//     JSON object that says so and contains nothing else; it never allows a retry, and only its
//     category, code and message are used.
//   - A success is partial if it says that some items failed, or if
//     some have an error instead of their data; the Result keeps the data.
//   - A success is empty if it says so, or if it is the answer to a search and all its lists are
//     empty. Without any content it is data: it may be a task, which the SDK drops.
package result
