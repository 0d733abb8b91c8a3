// Package servertest grades how an MCP server fails. It calls the server's tools with valid
// and invalid arguments, and reports every answer that an agent could not act on. The server
// may be written in any language and need not use this module:
//
//	client := mcp.NewClient(&mcp.Implementation{Name: "grade", Version: "v1"}, nil)
//	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: exec.Command("./server")}, nil)
//	if err != nil {
//		return err
//	}
//	defer session.Close()
//	report, err := servertest.Check(ctx, session, nil)
//	if err != nil {
//		return err
//	}
//	for _, finding := range report.Findings {
//		fmt.Println(finding)
//	}
//
// Each [Finding] states what is wrong, why it matters and how to fix it; findings.md lists all kinds.
// The command examples/grade runs [Check]. In a Go test, use resulttest.TestServer.
//
// [Report] holds the server's [Tier], which is [TierUnsafe] if any finding has severity error and its
// kind is not in Options.Allow. Report.Notes names what else limits the tier: tools that were not
// called, or that never succeeded.
//
// # Calls
//
// Check derives the calls from the tools' input schemas, and makes them one after the other. Calls
// that cannot be derived from a schema are written as a [Case]. Use a client that does not answer
// requests for input, because nobody is there to ask.
//
// By default only tools that are annotated as read-only are called. Options.Tools allows calls to
// further tools, and Options.All to all: use All only with a server whose data is disposable.
//
// # What is tested
//
// A failure must be a JSON object with a category, a retryable flag, a message and a hint. Other
// common spellings of these members are accepted.
//
// A tool must declare whether a repeat is safe, because an agent repeats a call after a timeout
// only if it is. It does so with readOnlyHint, idempotentHint or at least destructiveHint, or with
// an idempotency_key argument.
//
// The statements in a failure are verified with further calls. A hint may name only existing tools,
// and field only an existing argument. After a failure with effect none, the server's read-only
// tools must return what they returned before.
//
// A repeat with the same idempotency key must not be executed. All these calls use only tools that
// Check may call anyway.
//
// Some findings depend on wording: empty results, unmarked failures, leaks, tools named in advice,
// and new keys. Use [Options.Ignore] to drop false positives.
package servertest
