// Package result builds and reads the results of MCP tool calls, so that an
// empty success is never a failure and a failure never passes for empty data.
//
// A server needs one line, and its tools return errors as Go does:
//
//	server.AddReceivingMiddleware(result.Middleware(nil))
//	result.AddTool(server, &mcp.Tool{
//		Name:        "lookup_order",
//		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}, // a repeat is safe
//	}, lookupOrder)
//
// A raw handler returns [OK], [Empty] or [Failure]; a typed one returns its value,
// [Empty] beside its zero value, or an error.
//
// # Reading
//
// An agent reads whatever a call came back with in one go:
//
//	out := result.Parse(session.CallTool(ctx, params))
//	orders, err := result.Decode[Orders](out)
//
//	out.Kind        what came                     where it is        out.Err
//	data            a success with data           Decode, Text       nil
//	empty           a success that found nothing  Decode, Text       nil
//	partial         a part of the work            Err.Partial        the failure
//	failure         a failure                     Err                the failure
//	input_required  a question to the client      Result             nil
//
// # What goes on the wire
//
// A failure is a result with isError set whose first block is a text that holds the
// envelope of package toolerr. It has no structured content: several clients validate
// that against the tool's output schema even when the call failed, throw, and lose the
// error. Further blocks follow only if a handler has written the failed result itself:
// what the envelope does not hold whole of its texts, images and resources, unchanged.
// Members of its JSON that the envelope has no name for are in details.
//
// An empty success says in its text what was looked for, and carries the empty
// list as structured value. Its _meta has "io.github.mcp-toolerr/kind": "empty",
// which hosts may drop.
//
// Protocol errors (*jsonrpc.Error) stay protocol errors: the call could not be
// made at all.
//
// # What stays with the server
//
// The text of an unclassified error is never sent, unless [MiddlewareOptions] choose it:
// the agent gets a sentence and a correlation id. Of the words of a failed result nothing
// is claimed that they do not say. The log gets one record for each
// failed call: the tool, the duration, the session, the failure with its cause,
// and for an error that was masked the constructor that would have said it
// better. The values of the call's arguments are taken out of the cause. [Counts]
// counts calls and their durations by tool, and failures by tool, category and code,
// for expvar and for Prometheus; OnCall of [MiddlewareOptions] is called with every
// finished call. OpenTelemetry is package mcpotel, a module of its own.
//
// # Say of each tool what a repeat does
//
// After a lost reply nobody knows whether a call was carried out, so that it is
// repeated only if the tool says that this is safe. [Middleware] puts it into
// isRetryable, which is safe to act on by itself:
//
//	the tool                                 its timeout, or a lost reply
//	ReadOnlyHint: true                       retryable, without effect
//	IdempotentHint: true                     retryable
//	takes a key, and the call carried one    retryable
//	says nothing, or got no key              not retryable: look up what was done
//
// So a tool that says nothing gets fewer retries, and the log advises an annotation,
// once for each tool. If its author knows that nothing was done, a failure says
// WithEffect(toolerr.EffectNone), and is retryable too.
//
// A tool that must not do its work twice takes an idempotency key, and is added with
// AddTool of package idempotency: a repeat with the same key gets the first answer, and
// the work is done once.
//
// # What other servers send
//
// [Parse] also reads failures that other servers word in their own way: JSON in
// the common spellings, wherever it stands, and bare text. In a payload an
// explicit flag wins over what its code suggests, a code over words, the meaning
// of words over a bare status. Text alone is retryable only if it is unmistakable (a
// rate limit, a timeout, a refused connection). Words never prove that nothing was
// done: the effect is then unknown, and the call is repeated only if the tool is known
// to be safe. A failure that is not understood has the empty category, is not
// retryable, and keeps its words.
//
// A result that is not flagged as a failure is one only if it is a JSON object
// that says so and holds nothing else; what it claims about retrying may forbid a
// retry, never allow one, since a server may echo what it was sent. Data that
// talks about failures is data.
//
// A success is empty if it says so, has no content, or is a search's answer
// whose only list is empty.
package result
