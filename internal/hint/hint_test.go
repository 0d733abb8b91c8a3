package hint_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
)

var codes = []string{
	"", "timeout", "rate_limited", "unavailable", "canceled", "internal", "not_found", "invalid_argument", "missing_argument", "ambiguous", "out_of_range",
	"conflict", "already_exists", "failed_precondition", "limit_exceeded", "unauthenticated", "permission_denied", "insufficient_scope", "odd",
}

// facts are all that a default hint may depend on.
func facts() (all []hint.Facts) {
	for _, category := range []string{"", "transient", "validation", "business", "permission", "odd"} {
		for _, code := range codes {
			for _, effect := range []string{"", "none", "applied", "unknown"} {
				for bits := range 1 << 4 {
					f := hint.Facts{Category: category, Code: code, Effect: effect, Retryable: bits&1 > 0, Delay: bits&2 > 0, Partial: bits&12 > 0, Continue: bits&12 == 12}
					if f.Retryable && f.Partial {
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
	imperative = regexp.MustCompile(`(?:^|[.?!;:] )(?i:add|bring|call|check|choose|correct|do not|read|repeat|retry|tell|use|wait) `)
	forbids    = regexp.MustCompile(`(?i)do not (?:repeat|retry)`)
	retries    = regexp.MustCompile(`(?i)retry the same call`)
)

// The hint and the members beside it say the same.
func TestDefault(t *testing.T) {
	t.Parallel()
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
			assert.Contains(t, text, "may have taken effect", "%+v", f)
		}
		if name := hint.KeyArgument(text); name != "" {
			assert.Equal(t, f.Key, name, text)
			assert.Contains(t, []string{"unknown", "applied"}, f.Effect, "%+v", f)
		} else {
			assert.False(t, f.Key != "" && f.Effect == "unknown" && !f.Partial, "%+v: the key is not named: %s", f, text)
		}
		assert.Equal(t, f.Delay && (f.Retryable && !f.Partial || f.Partial && f.Continue), strings.Contains(text, "retryAfterMs"), "%+v: %s", f, text)
	}
}

func TestKeyArgument(t *testing.T) {
	t.Parallel()
	for _, name := range []string{hint.AnyArgument, "idempotency_key", "requestId", "x-key"} {
		for _, retryable := range []bool{true, false} {
			assert.Equal(t, name, hint.KeyArgument(hint.Default(hint.Facts{Effect: "unknown", Retryable: retryable, Key: name})))
		}
	}
	for _, text := range []string{"", "Retry.", "Call again with idempotencyKey as"} {
		assert.Empty(t, hint.KeyArgument(text), text)
	}
}
