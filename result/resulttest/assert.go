package resulttest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// AssertFailure asserts that a call failed with an envelope that has this category, this code and a
// hint, and that the result leaks nothing.
func AssertFailure(tb testing.TB, category toolerr.Category, code toolerr.Code, out result.Outcome) bool {
	tb.Helper()
	if !AssertEnvelope(tb, out) {
		return false
	}
	return !slices.Contains([]bool{
		AssertCategory(tb, category, out), AssertCode(tb, code, out), AssertHint(tb, out), AssertNoLeak(tb, out),
	}, false)
}

// AssertEnvelope asserts that a call failed with an envelope that every client can read: isError is
// set, the first block is the envelope as text, and there is no structured content. The envelope
// has isError, isRetryable, a message and one of the four categories.
func AssertEnvelope(tb testing.TB, out result.Outcome) bool {
	tb.Helper()
	reason := notEnvelope(out)
	return failed(tb, out) && holds(tb, reason == "", out, "the outcome is not an envelope: %s", reason)
}

// failed asserts that a call did not succeed.
func failed(tb testing.TB, out result.Outcome) bool {
	tb.Helper()
	return holds(tb, out.Err != nil || out.Result == nil, out, "the call should have failed, but the answer is %s",
		out.Kind)
}

// notEnvelope returns why an outcome is not an envelope, or "".
func notEnvelope(out result.Outcome) string {
	res := out.Result
	switch {
	case res == nil:
		return "there is no result"
	case !res.IsError:
		return "isError is not set"
	case res.StructuredContent != nil:
		return "it has structured content: clients validate that against the output schema and lose the failure"
	case len(res.Content) == 0:
		return "it has no content block"
	}
	first, ok := res.Content[0].(*mcp.TextContent)
	if !ok || first.Text == "" {
		return "its first content block is not text"
	}
	var e map[string]any
	if json.Unmarshal([]byte(first.Text), &e) != nil || e == nil {
		return "its first text is not a JSON object"
	}
	var lacks []string
	if e["isError"] != true {
		lacks = append(lacks, "isError")
	}
	if !slices.Contains([]any{"transient", "validation", "business", "permission"}, e["errorCategory"]) {
		lacks = append(lacks, "one of the four values of errorCategory")
	}
	if _, ok := e["isRetryable"].(bool); !ok {
		lacks = append(lacks, "isRetryable")
	}
	if message, _ := e["message"].(string); strings.TrimSpace(message) == "" {
		lacks = append(lacks, "message")
	}
	if len(lacks) > 0 {
		return "it lacks " + strings.Join(lacks, ", ")
	}
	return ""
}

// AssertCategory asserts that a call failed with this category.
func AssertCategory(tb testing.TB, want toolerr.Category, out result.Outcome) bool {
	tb.Helper()
	got := toolerr.CategoryOf(out.AsError())
	return failed(tb, out) && holds(tb, got == want, out, "the category is %q instead of %q", got, want)
}

// AssertCode asserts that a call failed with this code.
func AssertCode(tb testing.TB, want toolerr.Code, out result.Outcome) bool {
	tb.Helper()
	got := toolerr.CodeOf(out.AsError())
	return failed(tb, out) && holds(tb, got == want, out, "the code is %q instead of %q", got, want)
}

// AssertHint asserts that a call failed with a hint.
func AssertHint(tb testing.TB, out result.Outcome) bool {
	tb.Helper()
	return failed(tb, out) && holds(tb, out.Err != nil && strings.TrimSpace(out.Err.Hint) != "", out,
		"the failure has no hint")
}

// AssertEmpty asserts that a call succeeded and found nothing.
func AssertEmpty(tb testing.TB, out result.Outcome) bool {
	tb.Helper()
	is := "it is " + out.Kind.String()
	if out.Kind == result.KindFailure {
		is = "the call failed"
	}
	return holds(tb, out.Kind == result.KindEmpty, out, "the answer should be empty, but %s", is)
}

// AssertNoLeak asserts that a result, even a success, contains nothing that [servertest.Leaks]
// finds: no stack traces, paths, internal hosts or secrets, and no match of the expressions. It
// reports one error for each kind of leak.
func AssertNoLeak(tb testing.TB, out result.Outcome, more ...*regexp.Regexp) bool {
	tb.Helper()
	leaks := servertest.Leaks(out, more...)
	for _, leak := range leaks {
		tb.Errorf("the answer shows %s", leak)
	}
	return len(leaks) == 0
}

// holds fails the test if ok is false, and shows the server's text, masked. It returns ok.
func holds(tb testing.TB, ok bool, out result.Outcome, format string, args ...any) bool {
	tb.Helper()
	if ok {
		return true
	}
	text := out.Text()
	if out.Result != nil && len(out.Result.Content) > 0 {
		if first, isText := out.Result.Content[0].(*mcp.TextContent); isText { // unlike out.Text, as sent
			text = first.Text
		}
	}
	tb.Errorf(format+": %s", append(args, sanitize.Line(redact.Mask(text[:min(len(text), 2000)]), 300))...)
	return false
}
