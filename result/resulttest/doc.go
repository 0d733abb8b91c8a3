// Package resulttest tests the error paths of MCP servers, as [testing/slogtest]
// tests handlers of logs. It calls a server's tools in every way that can go
// wrong and does no harm, and says what an agent could not act on. The server may
// be written in any language, and need not use this module. This is an author's
// whole test:
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
// # One result
//
// The assertions are about one call, read by [result.Parse], with what is expected
// before it. Each reports whether it holds; if it does not, it fails the test, which
// goes on:
//
//	out := result.Parse(session.CallTool(ctx, params))
//	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound, out)
//
// # A whole server
//
// [TestServer] and [Check] derive calls from the input schemas. What they cannot
// derive is a [Case] of the author's own:
//
//	resulttest.TestServer(t, session, &resulttest.Options{Cases: []resulttest.Case{
//		{Tool: "process_refund", Arguments: refund{Amount: 650}, Category: toolerr.CategoryBusiness},
//		{Tool: "lookup_order", Arguments: lookup{CustomerID: "CUS-48291"}, Kind: result.KindEmpty},
//	}})
//
// Each [Finding] says why it matters and how to fix it. The members of a failure may
// be spelt in any way that package result reads, as long as all tools of a server
// spell them alike.
//
// A tool has to say what a repeat of its calls does, since an agent repeats after a
// timeout only what is safe to repeat: by an annotation (readOnlyHint, idempotentHint,
// or at least destructiveHint), or by taking an idempotency_key.
//
// What a failure promises is put to the test: a hint must name tools and arguments that are
// there, a suggestion be accepted, an effect none leave everything as the tools that only
// read show it, a key keep a repeat from doing the work again, and a wait be long enough.
// These tests call no tool that may not be called anyway, and wait at most 12 seconds in a
// whole check. With [Options.Other], the answers over two transports are compared.
//
// Some findings rest on the words of an answer: that it says that nothing was
// found, that it says that it failed, what it leaks. [Options.Ignore] leaves out
// what is wrong about such a finding.
//
// The session is best one of a client that answers no requests for input, since
// nobody is there to ask.
//
// # A store of idempotency keys
//
// [TestStore] tests a store for package idempotency, an author's own or one that is
// wrapped: with owners that die, leases that end and callers that go away in the middle.
//
// # Upstreams
//
// Package [faults] makes the services behind a server fail, so that a test sees what
// becomes of it: as the transport of the server's HTTP client, or as a service of
// its own on loopback.
//
// [faults]: https://pkg.go.dev/github.com/mcp-toolerr/toolerr-go/result/resulttest/faults
// [testing/slogtest]: https://pkg.go.dev/testing/slogtest
package resulttest
