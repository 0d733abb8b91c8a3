// Package resulttest tests how the tools of an MCP server fail, as [testing/slogtest] tests slog
// handlers. [TestServer] calls a server's tools with valid and invalid arguments, and reports
// results that an agent cannot act on.
//
// This tests a built server. The package is a module of its own, which only tests need: go get
// github.com/mcp-toolerr/toolerr-go/result/resulttest.
//
//	func TestServer(t *testing.T) {
//		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
//		session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: exec.Command("./server")}, nil)
//		if err != nil {
//			t.Fatal(err)
//		}
//		defer session.Close()
//		resulttest.TestServer(t, session, nil)
//	}
//
// A server in the test's own process takes the place of the command, with its log discarded:
//
//	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1"}, nil)
//	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
//	isRead := &mcp.ToolAnnotations{ReadOnlyHint: true} // the others are called only by your own cases
//	result.AddTool(server, &mcp.Tool{Name: "lookup_order", Annotations: isRead}, lookUp) // your own tools
//	inside, outside := mcp.NewInMemoryTransports()
//	go server.Run(t.Context(), inside)
//	session, err := client.Connect(t.Context(), outside, nil)
//
// # Single results
//
// Each assertion tests one result of [result.Parse], and returns whether the result is as expected.
// If not, the test fails and continues:
//
//	out := result.Parse(session.CallTool(ctx, params))
//	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound, out)
//
// # Cases
//
// Calls that cannot be derived from a schema, such as a refund over the limit, are written as a [Case]:
//
//	resulttest.TestServer(t, session, &resulttest.Options{Cases: []resulttest.Case{
//		{Tool: "process_refund", Arguments: map[string]any{"amount": 650}, Category: toolerr.CategoryBusiness},
//		{Tool: "lookup_order", Arguments: map[string]any{"customer": "CUS-2"}, Kind: result.KindEmpty},
//	}})
//
// Each case is a subtest. The cases run in order, before the calls derived from the schemas. A
// case's Setup brings the upstream into the state that the case needs.
//
// Package servertest documents the tests and the findings. Options.Ignore drops false positives.
//
// # Idempotency stores
//
// [TestStore] tests an idempotency.Store, including expiring leases and canceled contexts.
//
// # Upstream faults
//
// Package [faults] makes a server's upstream services fail: as the transport of the server's
// HTTP client, or as an HTTP server on loopback.
//
// [faults]: https://pkg.go.dev/github.com/mcp-toolerr/toolerr-go/result/resulttest/faults
// [testing/slogtest]: https://pkg.go.dev/testing/slogtest
package resulttest
