package resulttest

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

// Options states which tools [TestServer] calls and what it ignores. By default it calls only
// tools that are annotated as read-only.
type Options = servertest.Options

// A Case is an additional call of [TestServer] with its expected result.
type Case = servertest.Case

// TestServer calls the tools of a server with arguments derived from their schemas, as
// [servertest.Check] does, and reports one test error for each finding. It ends the test if
// the check is not possible or if no tool was called, and logs the tools that were not
// called. Call it from the test's goroutine. It stops when the test's context ends. If opts
// is nil, the zero value is used.
func TestServer(tb testing.TB, session *mcp.ClientSession, opts *Options) {
	tb.Helper()
	report, err := servertest.Check(tb.Context(), session, opts)
	for _, f := range report.Findings {
		tb.Errorf("%s", f)
	}
	if err != nil {
		tb.Fatalf("the server could not be checked: %v", err)
	}
	called := 0
	for _, tool := range report.Tools {
		if tool.Calls > 0 {
			called++
		} else {
			tb.Logf("%s was not called: %s", tool.Name, tool.Skipped)
		}
	}
	if called == 0 {
		tb.Fatalf("none of the %d tools was called: annotate tools as read-only, or allow calls with Options.Tools or Options.All", len(report.Tools))
	}
}
