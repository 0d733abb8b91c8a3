package classify_test

import (
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// A row of numbers has a class, and no number of a library stands twice.
func TestNumbers(t *testing.T) {
	t.Parallel()
	type number struct {
		packages string
		n        int64
	}
	seen := map[number]bool{}
	classify.Numbers(func(packages string, class int, n int64) {
		at := number{packages, n}
		assert.False(t, seen[at], "%d stands twice in the table of %s", n, packages)
		seen[at] = true
		assert.Positive(t, class, "%d of %s has no class", n, packages)
		assert.LessOrEqual(t, class, classify.Classes)
	})
	assert.Greater(t, len(seen), 400)
}

// A row of texts has a class, and texts without white space around them.
func TestTexts(t *testing.T) {
	t.Parallel()
	classify.Texts(func(table, text string, class int) {
		assert.Positive(t, class, "%q of %s has no class", text, table)
		assert.Equal(t, strings.TrimLeft(text, " "), text, table)
	})
}

// A row of words has a class and a word, in lower case and in the singular, and there
// are no more rows than bits that stand for them.
func TestStems(t *testing.T) {
	t.Parallel()
	rows := 0
	classify.Stems(func(class int, word, beside string) {
		rows++
		assert.Positive(t, class, word)
		assert.NotEmpty(t, strings.TrimSpace(word))
		for w := range strings.FieldsSeq(word + " " + beside) {
			assert.Equal(t, strings.ToLower(w), w)
			if !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
				assert.False(t, strings.HasSuffix(w, "s"), "%s is no singular", w)
			}
		}
	})
	assert.LessOrEqual(t, rows, 32)
}

func TestWord_Stems(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"QuotasExceededError":             "limit_exceeded",
		"ORDER_ALREADY_CAPTURED":          "failed_precondition",
		"INSTRUMENT_DECLINED":             "failed_precondition",
		"USER_NOT_FOUND_IN_ORGANIZATION":  "not_found",
		"not-authorized-to-delete":        "permission_denied",
		"api.rate_limit_exceeded.v1":      "rate_limited",
		"TOO_MANY_REQUESTS_PER_DAY":       "limit_exceeded",
		"password_expired":                "unauthenticated",
		"CouponExpired":                   "failed_precondition",
		"MaxLengthExceeded":               "out_of_range",
		"DeadlineExceededByUpstreamThing": "",
		"UnknownTopic":                    "not_found",
		"UnknownOutcome":                  "",
		"HTTPTimeoutsTotal":               "",
		"REQUIRED_SCOPE_MISSING":          "insufficient_scope",
	} {
		assert.Equal(t, want, classify.Word(code).Code, code)
	}
}

func TestCode(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		code   string
		status int
		want   string
	}{
		"a word":                       {"RESOURCE_EXHAUSTED", 0, "rate_limited"},
		"a word beats a status":        {"insufficient_quota", 429, "limit_exceeded"},
		"a vague word leaves it":       {"invalid_request", 404, "not_found"},
		"an unknown word leaves it":    {"E1234", 409, "conflict"},
		"an unknown word explains 403": {"E1234", 403, "permission_denied"},
		"a status":                     {"", 503, "unavailable"},
		"an end":                       {"WidgetNotFound", 0, "not_found"},
		"an end behind a system":       {"backend_timeout", 0, "timeout"},
		"an end behind a thing":        {"session_timeout", 0, ""},
		"nothing":                      {"", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, classify.Code(test.code, test.status).Code)
		})
	}
	assert.Equal(t, 7*time.Second, classify.HTTPStatus(429, http.Header{"Retry-After": {"7"}}, "", time.Now()).After)
	assert.Zero(t, classify.HTTPStatus(404, http.Header{"Retry-After": {"7"}}, "", time.Now()).After, "of what is not retryable")
	assert.Equal(t, "already_exists", classify.SQLState("23505", "").Code)
}

// The package stands on the standard library alone.
func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	assert.Equal(t, "github.com/mcp-toolerr/toolerr-go/internal/classify", strings.TrimSpace(string(out)))
}
