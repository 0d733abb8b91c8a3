package hint_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

var codes = []string{
	"", "timeout", "rate_limited", "unavailable", "canceled", "internal", "not_found", "invalid_argument",
	"missing_argument", "ambiguous", "out_of_range",
	"conflict", "already_exists", "failed_precondition", "limit_exceeded", "unauthenticated", "permission_denied",
	"insufficient_scope", "odd",
}

// facts are all that a default hint may depend on.
func facts() (all []hint.Facts) {
	for _, category := range []string{"", "transient", "validation", "business", "permission", "odd"} {
		for _, code := range codes {
			for _, effect := range []string{"", "none", "applied", "unknown"} {
				for bits := range 1 << 7 {
					f := hint.Facts{
						Category: category, Code: code, Effect: effect, Retryable: bits&1 > 0,
						Delay: []time.Duration{0, time.Nanosecond, 0, time.Hour}[bits&2/2+bits&64/32], Partial: bits&12 > 0,
						Continue: bits&12 == 12,
						Results:  bits&12 > 0 && bits&16 > 0, Options: bits&32 > 0, Field: bits&32 > 0,
					}
					if f.Retryable && (f.Partial || f.Effect == "applied") {
						continue // never on the wire
					}
					all = append(all, f)
					f.Key = "request_id"
					all = append(all, f)
				}
			}
		}
	}
	return all
}

var (
	imperative = regexp.MustCompile(`(?:^|[.?!;:] |^Before calling again, )(?i:add|ask|bring|call|check|choose|correct|` +
		`do not|read|repeat|retry|send|tell|use|wait)[ ,]`)
	forbids = regexp.MustCompile(`(?i)do not (?:repeat|retry)`)
	retries = regexp.MustCompile(`(?i)retry the same call`)
)

// TestDefault_Words checks the hint for facts, and the next steps that packages above derive.
func TestDefault_Words(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/default.txt", func(sample string) string {
		var f hint.Facts
		require.NoError(t, json.Unmarshal([]byte(sample), &f), sample) //nolint:musttag // the names of the fields
		text := hint.Default(f)
		if hint.Fixes(f.Category, f.Code) {
			text += "\nfixable"
		}
		return text
	})
}

// TestKeyArgument_Authors checks which argument a hint sets to the key.
func TestKeyArgument_Authors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "Retry.": "", "Call again set to idempotencyKey": "", "with k set to idempotencyKey": "k",
	} {
		assert.Equal(t, want, hint.KeyArgument(text), text)
	}
}

// The hint and the members beside it say the same.
func TestDefault(t *testing.T) {
	t.Parallel()
	texts := map[string]int{}
	for _, f := range facts() {
		text := hint.Default(f)
		if text == "" {
			assert.True(t, f.Category == "" && hint.Code(f.Code) == "" && !f.Retryable && !f.Partial, "%+v", f)
			continue
		}
		assert.Regexp(t, imperative, text, "%+v", f)
		assert.True(t, strings.HasSuffix(text, "."), "%+v: %s", f, text)
		assert.LessOrEqual(t, len(strings.Fields(text)), 21, "%+v: %s", f, text)
		if repeats := f.Retryable && !f.Partial; repeats {
			assert.Regexp(t, retries, text, "%+v", f)
			assert.NotRegexp(t, forbids, text, "%+v", f)
		} else {
			assert.NotRegexp(t, retries, text, "%+v", f)
		}
		if !f.Partial && f.Effect == "applied" && !f.Retryable {
			assert.Regexp(t, forbids, text, "%+v", f)
		}
		if !f.Partial && f.Effect == "unknown" && !f.Retryable {
			assert.Regexp(t, "check whether the call took effect|takes effect only once", text, "%+v", f)
		}
		if f.Partial && f.Effect == "unknown" {
			assert.Regexp(t, "^Check .*calling again|^Check .* the first that was not", text, "%+v", f)
		}
		if name := hint.KeyArgument(text); name != "" {
			assert.Equal(t, f.Key, name, text)
			assert.Equal(t, "unknown", f.Effect, "%+v", f)
		} else {
			assert.False(t, f.Key != "" && f.Effect == "unknown" && !f.Partial, "%+v: the key is not named: %s", f, text)
		}
		checkNames(t, f, text)
		texts[text] = len(strings.Fields(text))
		if t.Failed() {
			return // the other facts fail likewise
		}
	}
	words := 0
	for _, n := range texts {
		words += n
	}
	assert.LessOrEqual(t, float64(words)/float64(len(texts)), 11.1, "the mean length in words, of %d", len(texts))
}

// checkNames checks that a hint names the members that are sent, and no other.
func checkNames(t *testing.T, f hint.Facts, text string) {
	t.Helper()
	doubtful := f.Effect == "unknown"
	solved := !doubtful && (f.Category == "business" || f.Category == "permission") // first
	for name, is := range map[string]bool{
		"retryAfterMs":         f.Delay > 0 && (f.Retryable && !f.Partial || f.Partial && f.Continue && !solved && !doubtful),
		"partial.continueFrom": f.Partial && f.Continue,
		"results in partial": f.Partial && f.Results && !f.Continue && !doubtful &&
			(f.Effect == "applied" || !hint.Fixes(f.Category, f.Code)), "when solved": f.Partial && f.Continue && solved,
		"options":              f.Options && strings.Contains(text, "options"),
		"Correct the argument": f.Field && strings.Contains(text, "Correct the argument"), "Check the arguments": !f.Field &&
			f.Code == "invalid_argument" && strings.Contains(text, "Check the arguments"),
	} {
		assert.Equal(t, is, strings.Contains(text, name), "%+v: the hint %q names %q", f, text, name)
	}
}
