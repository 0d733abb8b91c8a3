// Package resulttest tests how MCP servers fail, like [testing/slogtest] tests slog
// handlers. It calls a server's tools with valid and invalid arguments, and reports every
// answer that an agent could not act on. The server may be written in any language and need
// not use this module. This is a complete test:
//
//	func TestServer(t *testing.T) {
//		command := exec.Command("./server")
//		command.Stderr = os.Stderr // the server's log
//		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
//		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: command}, nil)
//		if err != nil {
//			t.Fatal(err)
//		}
//		defer session.Close()
//		resulttest.TestServer(t, session, nil)
//	}
//
// [TestServer] derives the calls from the tools' input schemas, and makes them one after the
// other. By default it calls only tools that are annotated as read-only. Options.Tools
// allows calls of further tools, and Options.All of all tools: use All only with a server
// whose data is disposable. [Check] does the same and returns a [Report]. The program
// examples/grade is Check as a command.
//
// Each [Finding] states what is wrong, why it matters and how to fix it.
//
// # Single results
//
// The assertions test one result of [result.Parse]. They return whether it is as expected.
// If not, the test fails and continues:
//
//	out := result.Parse(session.CallTool(ctx, params))
//	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound, out)
//
// # Cases
//
// Calls that cannot be derived from a schema, such as a refund over the limit, are a [Case]:
//
//	resulttest.TestServer(t, session, &resulttest.Options{Cases: []resulttest.Case{
//		{Tool: "process_refund", Arguments: refund{Amount: 650}, Category: toolerr.CategoryBusiness},
//		{Tool: "lookup_order", Arguments: lookup{CustomerID: "CUS-48291"}, Kind: result.KindEmpty},
//	}})
//
// # What is tested
//
// A failure must be a JSON object with a category, a retryability, a message and a hint. All
// spellings that package result reads are accepted, if all tools of the server use the same.
//
// A tool must declare whether a repeat is safe, because an agent repeats a call after a
// timeout only if it is: with readOnlyHint, idempotentHint or at least destructiveHint, or
// with an idempotency_key argument.
//
// The statements in a failure are verified with further calls. A hint must name tools and
// arguments that exist, and a suggested value must be accepted. After a failure with effect
// none, the server's read-only tools must return what they returned before. A repeat with
// the same idempotency key must not be executed again, and a wait must be long enough. These
// calls use only tools that may be called anyway, and wait at most 12 seconds per check.
//
// If [Options.Other] is set, the answers over two transports are compared.
//
// Some findings depend on the wording of an answer: empty results, unmarked failures and
// leaks. Use [Options.Ignore] to drop false positives.
//
// Use a client that does not answer requests for input, because nobody is there to ask.
//
// # Idempotency stores
//
// [TestStore] tests an implementation of idempotency.Store: with owners that exit, leases
// that expire and contexts that are canceled.
//
// # Upstream faults
//
// Package [faults] makes a server's upstream services fail: as the transport of the server's
// HTTP client, or as an HTTP server on loopback.
//
// [faults]: https://pkg.go.dev/github.com/mcp-toolerr/toolerr-go/result/resulttest/faults
// [testing/slogtest]: https://pkg.go.dev/testing/slogtest
package resulttest
