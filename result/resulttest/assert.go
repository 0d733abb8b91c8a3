package resulttest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// AssertFailure combines all assertions on a failed call: it has an envelope with this
// category and code and a hint, and leaks nothing.
func AssertFailure(tb testing.TB, category toolerr.Category, code toolerr.Code, out result.Outcome) bool {
	tb.Helper()
	if !AssertEnvelope(tb, out) {
		return false
	}
	return !slices.Contains([]bool{
		AssertCategory(tb, category, out), AssertCode(tb, code, out), AssertHint(tb, out), AssertNoLeak(tb, out),
	}, false)
}

// AssertEnvelope asserts that a call failed with an envelope that every client can read:
// isError is set, the first block is a text with the envelope, and there is no structured
// content.
func AssertEnvelope(tb testing.TB, out result.Outcome) bool {
	tb.Helper()
	if reason := notEnvelope(out); reason != "" {
		tb.Errorf("the outcome is not an envelope: %s", reason)
		return false
	}
	return true
}

// notEnvelope returns why an outcome is not an envelope, or "".
func notEnvelope(out result.Outcome) string {
	res := out.Result
	switch {
	case res == nil && out.Err != nil:
		return "there is no result, only the error " + clip(out.Err.Error(), 300)
	case res == nil:
		return "there is no result"
	case !res.IsError:
		return "isError is not set, and the answer is " + out.Kind.String()
	case res.StructuredContent != nil:
		return "it has structured content: clients validate that against the output schema and lose the failure"
	case len(res.Content) == 0:
		return "it has no content block"
	}
	if first, ok := res.Content[0].(*mcp.TextContent); !ok || first.Text == "" {
		return "its first content block is not text"
	}
	f := readFailure(res)
	var lacks []string
	for _, v := range f.violations() {
		if v.kind != KindNoHint { // see AssertHint
			lacks = append(lacks, v.detail)
		}
	}
	for r, spelt := range roles {
		if m := f.get(role(r)); m.path != "" && m.path != spelt.spellings[0] {
			lacks = append(lacks, spelt.name+" is in "+m.path+" instead of "+spelt.spellings[0])
		}
	}
	if len(lacks) == 0 && f.members["isError"] != true {
		lacks = append(lacks, "the object has no isError")
	}
	if len(lacks) > 0 {
		return strings.Join(lacks, ", ") + ": " + clip(f.text, 300)
	}
	return ""
}

// AssertCategory asserts that a call failed in this category.
func AssertCategory(tb testing.TB, want toolerr.Category, out result.Outcome) bool {
	tb.Helper()
	got := toolerr.CategoryOf(out.AsError())
	return holds(tb, got == want, out, "the category is %q instead of %q", got, want)
}

// AssertCode asserts that a call failed with this code.
func AssertCode(tb testing.TB, want toolerr.Code, out result.Outcome) bool {
	tb.Helper()
	got := toolerr.CodeOf(out.AsError())
	return holds(tb, got == want, out, "the code is %q instead of %q", got, want)
}

// AssertHint asserts that a call failed and that its failure has a hint.
func AssertHint(tb testing.TB, out result.Outcome) bool {
	tb.Helper()
	return holds(tb, out.Err != nil && strings.TrimSpace(out.Err.Hint) != "", out, "the failure has no hint")
}

// AssertEmpty asserts that a call succeeded and found nothing.
func AssertEmpty(tb testing.TB, out result.Outcome) bool {
	tb.Helper()
	return holds(tb, out.Kind == result.KindEmpty, out, "the answer is %s instead of empty", out.Kind)
}

// AssertNoLeak asserts that an answer, also a success, contains none of [Leaks] and none of
// more. It reports one error for each leak.
func AssertNoLeak(tb testing.TB, out result.Outcome, more ...Leak) bool {
	tb.Helper()
	var list []string
	if out.Result != nil {
		list = texts(out.Result)
	} else if out.Err != nil {
		list = []string{out.Err.Message}
	}
	found := findLeaks(list, "", "", more)
	for _, m := range found {
		tb.Errorf("the answer shows a %s: %s", m.Name, m.shown())
	}
	return len(found) == 0
}

// holds fails the test if an assertion does not hold, and shows the outcome.
func holds(tb testing.TB, ok bool, out result.Outcome, format string, args ...any) bool {
	tb.Helper()
	if !ok {
		tb.Errorf("%s: %s", fmt.Sprintf(format, args...), shown(out))
	}
	return ok
}

// shown returns an outcome as text for a test's error: the text of the server, not what
// Parse reads from it.
func shown(out result.Outcome) string {
	text := out.Text()
	if out.Result != nil && len(texts(out.Result)) > 0 {
		text = strings.Join(texts(out.Result), "\n")
	}
	return clip(withoutSecrets(text, nil), 300)
}
