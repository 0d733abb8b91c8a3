package toolerr_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestNearMisses(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		name  string
		known []string
		want  []string
	}{
		"swapped letters":          {"APLE", []string{"MSFT", "AAPL", "ALPE", "APL"}, []string{"ALPE", "APL", "AAPL"}},
		"a missing letter":         {"src/auth/sesion.ts", []string{"src/auth/login.ts", "src/auth/session.ts", "src/auth/sessions.ts"}, []string{"src/auth/session.ts", "src/auth/sessions.ts"}},
		"case and separators":      {"Process-Refund", []string{"process_refunds", "processRefund", "process_refund"}, []string{"processRefund", "process_refund", "process_refunds"}},
		"nothing similar":          {"weather", []string{"refund", "customer", "feather_report"}, nil},
		"at most five":             {"tool", []string{"tool1", "tool2", "tool3", "tool4", "tool5", "tool6"}, []string{"tool1", "tool2", "tool3", "tool4", "tool5"}},
		"the best of many":         {"tool", []string{"toolx", "tooly", "toolz", "toolw", "toolv", "TOOL"}, []string{"TOOL", "toolx", "tooly", "toolz", "toolw"}},
		"the name itself":          {"tool", []string{"tool", "tools"}, []string{"tools"}},
		"duplicates":               {"tol", []string{"tool", "tool"}, []string{"tool"}},
		"letters of other scripts": {"Strasse", []string{"Straße", "Straẞe"}, []string{"Straße", "Straẞe"}},
		"upper case umlauts":       {"ÄPFEL", []string{"äpfel", "apfel"}, []string{"äpfel", "apfel"}},
		"empty name":               {"", []string{"a"}, nil},
		"only separators":          {"--", []string{"a"}, nil},
		"one letter":               {"x", []string{"y", "xy", "abc"}, []string{"y", "xy"}},
		"longer than any name":     {string(make([]byte, 10_000)), []string{"a"}, nil},
		"a long known name":        {"abc", []string{string(make([]byte, 10_000)), "abd"}, []string{"abd"}},
		"invalid UTF-8":            {"ab\xff", []string{"ab"}, []string{"ab"}},
		"a swap and a letter":      {"metirc", []string{"metric", "metrics"}, []string{"metric", "metrics"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := toolerr.NotFound("name", test.name, test.known...)
			assert.Equal(t, test.want, e.Suggestions)
			assert.Equal(t, toolerr.CodeNotFound, e.Code)
			if test.want != nil {
				assert.Contains(t, e.Hint, `"`+test.want[0]+`"`)
			}
		})
	}
}

// FuzzNearMisses compares the edit distance with a textbook implementation.
func FuzzNearMisses(f *testing.F) {
	f.Add("sesion", "session")
	f.Add("ab", "ba")
	f.Add("abcdefghijkl", "bacdegfhijlk")
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a) > 60 || len(b) > 60 || a == b || !lowerASCII(a) || !lowerASCII(b) {
			return
		}
		near := toolerr.NotFound("x", a, b).Suggestions != nil
		assert.Equal(t, a != "" && b != "" && textbook(a, b) <= far(len(a)), near, "%q %q", a, b)
	})
}

func lowerASCII(s string) bool {
	for _, r := range s {
		if r < 'a' || r > 'z' {
			return false
		}
	}
	return true
}

func far(n int) int {
	if n <= 3 {
		return 1
	}
	return max(2, min(n/4, 4))
}

func textbook(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0 || j == 0:
				d[i][j] = i + j
			default:
				cost := 1
				if a[i-1] == b[j-1] {
					cost = 0
				}
				d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d[i][j] = min(d[i][j], d[i-2][j-2]+1)
				}
			}
		}
	}
	return d[len(a)][len(b)]
}

func TestInvalidArgument(t *testing.T) {
	t.Parallel()
	e := toolerr.InvalidArgument("units", "metrc", `"metric" or "imperial"`, "metric", "imperial")
	assert.Equal(t, `units must be "metric" or "imperial", got "metrc".`, e.Message)
	assert.Equal(t, "units", e.Field)
	assert.Equal(t, []string{"metric"}, e.Suggestions)
	assert.Equal(t, `Call again with units "metric".`, e.Hint)
	e = toolerr.InvalidArgument("count", -3, "a positive number")
	assert.Equal(t, "count must be a positive number, got -3.", e.Message)
	assert.Equal(t, "Call again with count as a positive number.", e.Hint)
	assert.NotPanics(t, func() { _ = toolerr.InvalidArgument("x", stringer{}, "") })
}

type stringer struct{}

func (stringer) String() string { panic("boom") }

func TestOutOfRange(t *testing.T) {
	t.Parallel()
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	e := toolerr.OutOfRange("travel_date", day(2024, 7, 31), day(2025, 7, 25), nil, day(2025, 7, 31))
	assert.Equal(t, "travel_date must be at least 2025-07-25, got 2024-07-31.", e.Message)
	assert.Equal(t, "If 2025-07-31 was meant, call again with that; else with travel_date at least 2025-07-25.", e.Hint)
	assert.Equal(t, []string{"2025-07-31"}, e.Suggestions)
	e = toolerr.OutOfRange("amount", 650, 1, 500, nil)
	assert.Equal(t, "amount must be from 1 to 500, got 650.", e.Message)
	assert.Empty(t, e.Suggestions)
	assert.Equal(t, toolerr.CodeOutOfRange, e.Code)
	assert.Contains(t, toolerr.OutOfRange("x", 1, nil, 0, nil).Message, "at most 0")
	assert.Equal(t, "amount must be from 1 to 500.5, got 650.", toolerr.OutOfRange("amount", 650, 500.5, uint8(1), nil).Message, "swapped")
	assert.Contains(t, toolerr.OutOfRange("x", 1, "b", "a", nil).Message, `from "b" to "a"`, "an order of the author's")
	assert.Contains(t, toolerr.OutOfRange("x", time.Date(2025, 1, 2, 3, 4, 5, 0, time.UTC), nil, nil, nil).Message, "2025-01-02T03:04:05Z")
}

func TestConstructors_Situations(t *testing.T) {
	t.Parallel()
	type file struct {
		Path string `json:"path"`
	}
	e := toolerr.Ambiguous("path", "session", file{"src/auth/session.ts"}, file{"src/db/session.ts"})
	assert.Contains(t, string(e.AppendJSON(nil)), `"options":[{"path":"src/auth/session.ts"},{"path":"src/db/session.ts"}]`)
	assert.Equal(t, `path "session" fits 2 things.`, e.Message)
	assert.Equal(t, []any{"a", "b"}, toolerr.Ambiguous("path", "s", []string{"a", "b"}).Options, "a slice")
	assert.Equal(t, []any{"a", "b"}, toolerr.Ambiguous[any]("path", "s", []string{"a", "b"}).Options)
	assert.Equal(t, `path "s" fits several things.`, toolerr.Ambiguous[string]("path", "s").Message)

	e = toolerr.FailedPrecondition("The instance is running.", "stop_instance")
	assert.Equal(t, toolerr.CategoryBusiness, e.Category)
	assert.Contains(t, e.Hint, "stop_instance first")
	assert.Contains(t, string(toolerr.FailedPrecondition("m", "").AppendJSON(nil)), `"hint":"Bring about`)

	e = toolerr.RateLimited("Slow down.", time.Minute)
	assert.Equal(t, "transient rate_limited retryable none", is(e))
	assert.Equal(t, time.Minute, e.RetryAfter)
	assert.Equal(t, "business limit_exceeded none", is(toolerr.LimitExceeded("m", "c")))

	cause := errors.New("hunter2")
	e = toolerr.Internal(cause)
	assert.Equal(t, "transient internal unknown", is(e))
	require.ErrorIs(t, e, cause)
	assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2")
}

func TestConstructors_Codes(t *testing.T) {
	t.Parallel()
	e := toolerr.Timeout("m")
	assert.Equal(t, "transient timeout retryable unknown", is(e))
	assert.False(t, e.Retryable, "only of a safe tool")
	assert.Equal(t, "transient unavailable retryable none", is(toolerr.Unavailable("m", time.Second)))
	assert.Equal(t, time.Second, toolerr.Unavailable("m", time.Second).RetryAfter)
	assert.Equal(t, `There is already a branch "x".`, toolerr.AlreadyExists("branch", "x").Message)
	e = toolerr.InsufficientScope("repo")
	assert.Equal(t, "The credentials lack the scope repo.", e.Message)
	assert.Equal(t, map[string]any{"scope": "repo"}, e.Details)
	assert.Equal(t, "The credentials lack a scope.", toolerr.InsufficientScope("").Message)
	e = toolerr.MissingArgument("start", "a date")
	assert.Equal(t, "The argument start is missing. Call again with start as a date.", e.Message+" "+e.Hint)
}

func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("service_%d/handler_%c%c.go", i*7919%n, 'a'+i%26, 'a'+i/26%26)
	}
	return out
}

func BenchmarkNearMisses(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		known := names(n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = toolerr.NotFound("file", "service_42/handlre_xq.go", known...)
			}
		})
	}
}
