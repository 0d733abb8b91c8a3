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
}

// The packages below classify import only the standard library and each other.
func TestDependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	for pkg := range strings.FieldsSeq(string(out)) {
		assert.True(t, strings.HasPrefix(pkg, "github.com/mcp-toolerr/toolerr-go/internal/classify"), pkg)
	}
}
