package resulttest

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Options configures [TestServer]. By default only tools annotated as read-only are called.
type Options struct {
	Cases   []Case                                            // called first, in this order, each in a subtest
	Tools   []string                                          // tools that may be called without a ReadOnlyHint
	All     bool                                              // allow calls of all tools
	Skip    []string                                          // tools that are never called, except by a Case
	Leaks   []*regexp.Regexp                                  // match further texts that must not be in a failure
	Ignore  []string                                          // no test errors: "leak", or "get_order leak" for one tool
	Timeout time.Duration                                     // of each call; zero is 15 s, negative is no limit
	Connect func(context.Context) (*mcp.ClientSession, error) // makes a new session if the server exits; or nil
}

// A Case is an additional call of [TestServer] with its expected result, like [servertest.Case].
type Case struct {
	Name      string           // of the subtest; if empty, the tool's name
	Tool      string           // the tool to call; the server must have it
	Arguments any              // must encode as a JSON object; nil is an empty one
	Kind      result.Kind      // the expected kind of result; zero is any, or a failure if Category or Code is set
	Category  toolerr.Category // the expected category of the failure; empty is any
	Code      toolerr.Code     // the expected code of the failure; empty is any
	// Setup, if not nil, is called before the call with the *[testing.T] of the subtest. It brings
	// the server's upstream into the state that the case needs; functions that it passes to Cleanup
	// are called before the next case. If it ends the subtest, the call is not made.
	Setup func(tb testing.TB)
}

// TestServer calls the tools of a server: first for each case, then with arguments derived from
// their schemas, as [servertest.Check] does. Each finding is a test error, reported in a case's
// subtest if the case's result alone shows it. TestServer ends the test if it cannot check the
// server or if no tool was called, and logs the notes, such as a tool that was not called. It stops when the
// test's context ends. Call it from the test's goroutine. If opts is nil, the zero value is used.
// If tb is not a *[testing.T], the cases use tb itself instead of subtests.
func TestServer(tb testing.TB, session *mcp.ClientSession, opts *Options) {
	tb.Helper()
	s := &suite{tb: tb, shown: map[string]bool{}}
	report, err := servertest.Check(tb.Context(), session, s.options(cmp.Or(opts, new(Options))))
	for _, f := range report.Findings {
		if len(f.Evidence) == 0 || slices.ContainsFunc(f.Evidence, func(call int) bool { return !s.shown[key(f, call)] }) {
			tb.Errorf("%s", f)
		}
	}
	if err != nil {
		tb.Fatalf("the server could not be checked: %v", err)
	}
	for _, f := range report.Notes {
		tb.Logf("%s: %s: %s", cmp.Or(f.Tool, "the server"), f.Kind, f.Detail)
	}
	if report.Called == 0 {
		tb.Fatalf("none of the %d tools was called: annotate tools as read-only, or allow calls with Options.Tools or "+
			"Options.All", len(report.Tools))
	}
}

// A suite runs the cases of a test.
type suite struct {
	tb    testing.TB
	shown map[string]bool // findings that subtests have reported
}

func key(f servertest.Finding, call int) string { return fmt.Sprintln(f.Tool, f.Kind, call) }

func (s *suite) options(o *Options) *servertest.Options {
	var cases []servertest.Case
	for _, c := range o.Cases {
		cases = append(cases, servertest.Case{
			Name: c.Name, Tool: c.Tool, Arguments: c.Arguments, Kind: c.Kind, Category: c.Category, Code: c.Code,
			Run: func(call func() ([]servertest.Finding, error)) { s.run(c, call) },
		})
	}
	return &servertest.Options{
		Cases: cases, Tools: o.Tools, All: o.All, Skip: o.Skip, Leaks: o.Leaks, Ignore: o.Ignore, Timeout: o.Timeout,
		Connect: o.Connect,
	}
}

// run runs a case in a subtest.
func (s *suite) run(c Case, call func() ([]servertest.Finding, error)) {
	body := func(tb testing.TB) {
		tb.Helper()
		if c.Setup != nil {
			c.Setup(tb)
		}
		findings, err := call()
		if err != nil {
			tb.Fatalf("the call was not made: %v", err)
		}
		for _, f := range findings {
			tb.Errorf("%s", f)
			s.shown[key(f, f.Evidence[0])] = true
		}
	}
	if t, ok := s.tb.(interface {
		Run(name string, f func(*testing.T)) bool
	}); ok {
		t.Run(cmp.Or(c.Name, c.Tool), func(t *testing.T) { t.Helper(); body(t) })
	} else {
		body(s.tb)
	}
}
