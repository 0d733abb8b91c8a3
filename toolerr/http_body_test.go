package toolerr_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestFromResponse_Bodies(t *testing.T) {
	t.Parallel()
	const (
		quota     = "business limit_exceeded none"
		throttled = "transient rate_limited retryable none"
	)
	for name, test := range map[string]struct {
		resp *http.Response
		want string
	}{
		"a nested code":                     {respond(400, `{"error":{"type":"invalid_request_error","code":"context_length_exceeded","param":null}}`), "validation invalid_argument none"},
		"a code before a type":              {respond(404, `{"error":{"type":"invalid_request_error","code":"model_not_found"}}`), "validation not_found none"},
		"a plan under 429":                  {respond(429, `{"error":{"code":"insufficient_quota"}}`), quota},
		"a plan with a vague code":          {respond(429, `{"errorType":"RATE_LIMIT","message":"You have reached your daily limit."}`), quota},
		"a month in a message, and a delay": {respond(429, `{"message":"You have exceeded the MONTHLY quota."}`, "Retry-After", "30"), throttled},
		"a limit of requests":               {respond(429, `{"errorType":"RATE_LIMIT","message":"Request limit exceeded."}`), throttled},
		"a reason before a status":          {respond(403, `{"error":{"code":403,"status":"PERMISSION_DENIED","errors":[{"reason":"dailyLimitExceeded"}]}}`), quota},
		"a reason among the details":        {respond(403, `{"error":{"status":"PERMISSION_DENIED","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"ACCESS_TOKEN_SCOPE_INSUFFICIENT"}]}}`), "permission insufficient_scope none"},
		"throttled under 403":               {respond(403, `{"error":{"errors":[{"reason":"rateLimitExceeded"}]}}`), throttled},
		"a refusal with Retry-After":        {respond(403, `{"error":{"code":"access_denied"}}`, "Retry-After", "9"), "permission permission_denied none"},
		"__type":                            {respond(400, `{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException"}`), "business failed_precondition none"},
		"X-Amzn-ErrorType":                  {respond(400, ``, "X-Amzn-ErrorType", "ResourceNotFoundException:http://internal.amazon.com/"), "validation not_found none"},
		"XML":                               {respond(404, `<?xml version="1.0"?><Error><Code>NoSuchKey</Code><Message>x</Message></Error>`), "validation not_found none"},
		"throttled under 503":               {respond(503, `<Error><Code>SlowDown</Code></Error>`), "transient rate_limited retryable unknown"},
		"OAuth":                             {respond(400, `{"error":"invalid_grant","error_description":"x"}`), "permission unauthenticated none"},
		"OAuth, too fast":                   {respond(400, `{"error":"slow_down"}`), throttled},
		"a plan under 503":                  {respond(503, `{"error":{"code":"insufficient_quota"}}`), "business limit_exceeded unknown"},
		"a list of errors":                  {respond(422, `[{"code":"x"},{"code":"already_exists"}]`), "business already_exists none"},
		"a transient code under 400":        {respond(400, `{"error":{"code":"timeout"}}`), "validation invalid_argument none"},
		"a transient code under 404":        {respond(404, `{"error":"service_unavailable"}`), "validation not_found none"},
		"the status as text":                {respond(500, `{"error":"Internal Server Error","status":500}`), "transient unavailable retryable unknown"},
		"too deep":                          {respond(400, strings.Repeat(`{"error":`, 50)+`{"code":"not_found"}`+strings.Repeat("}", 50)), "validation invalid_argument none"},
		"members of the wrong type":         {respond(409, `{"error":[1,null,{"code":{}}],"code":[],"type":7,"message":{}}`), "business conflict none"},
		"a daily quota with a delay":        {respond(429, `{"error":{"details":[{"violations":[{"quotaId":"RequestsPerDayPerProject"}]},{"retryDelay":"31s"}]}}`), quota},
		"a minute's quota":                  {respond(429, `{"error":{"details":[{"metadata":{"quota_limit":"RequestsPerMinute"}}]}}`), throttled},
		"a daily policy":                    {respond(429, `{"errorType":"RATE_LIMIT","policyName":"DAILY"}`), quota},
		"a period alone":                    {respond(400, `{"error":"x","period":"monthly"}`), "validation invalid_argument none"},
		"a daily limit in a header":         {respond(429, ``, "X-RateLimit-Type", "Daily-limit"), quota},
		"nothing remains today":             {respond(429, ``, "X-RateLimit-Remaining-Day", "0"), quota},
		"something remains today":           {respond(429, ``, "X-RateLimit-Remaining-Day", "40"), throttled},
		"a monthly quota in a message":      {respond(429, `{"message":"You have exceeded the MONTHLY quota."}`), quota},
		"requests over a limit under 403":   {respond(403, `[{"errorCode":"REQUEST_LIMIT_EXCEEDED"}]`), quota},
		"requests over a limit under 429":   {respond(429, `[{"errorCode":"REQUEST_LIMIT_EXCEEDED"}]`), throttled},
		"extensions of GraphQL":             {respond(400, `{"errors":[{"message":"x","extensions":{"code":"RATELIMITED"}}]}`), throttled},
		"a tagged union":                    {respond(409, `{"error":{".tag":"path","path":{".tag":"not_found"}}}`), "validation not_found none"},
		"not begun, under 400":              {respond(400, `[{"errorCode":"UNABLE_TO_LOCK_ROW"}]`), "transient unavailable retryable none"},
		"not begun, under 422":              {respond(422, `[{"errorCode":"UNABLE_TO_LOCK_ROW"}]`), "validation invalid_argument none"},
		"overloaded by the code":            {respond(529, `{"error":{"type":"overloaded_error"}}`), "transient unavailable retryable unknown"},
		"a sentence under 400":              {respond(400, `{"message":"Branch already exists"}`), "validation invalid_argument none"},
		"a syntax token under 400":          {respond(400, `{"message":"Invalid token in the expression"}`), "validation invalid_argument none"},
		"a cut body":                        {respond(400, `{"error":{"code":"not_found"`), "validation invalid_argument none"},
		"a rate limit as 403":               {respond(403, "", "X-RateLimit-Remaining", "0"), "transient rate_limited retryable none"},
		"a secondary limit as 403":          {respond(403, "", "Retry-After", "60"), "transient rate_limited retryable none"},
		"a limit with room left":            {respond(403, "", "X-RateLimit-Remaining", "12"), "permission permission_denied none"},
		"problem details":                   {respond(400, `{"type":"https://example.com/problems/out-of-range?x=1","title":"hunter2"}`), "validation out_of_range none"},
		"problem details with a code":       {respond(403, `{"type":"about:blank","code":"insufficient_scope"}`), "permission insufficient_scope none"},
		"a code that is a number":           {respond(400, `{"code":42,"type":"urn:problem:missing-parameter"}`), "validation missing_argument none"},
		"a transient type under 404":        {respond(404, `{"type":"timeout"}`), "validation not_found none"},
		"unavailable after a POST":          {respond(503, ""), "transient unavailable retryable unknown"},
		"unavailable with Retry-After":      {respond(503, "", "Retry-After", "2"), "transient unavailable retryable none"},
		"unavailable, bad Retry-After":      {respond(503, "", "Retry-After", "-5"), "transient unavailable retryable unknown"},
		"no JSON":                           {respond(400, "<html>"), "validation invalid_argument none"},
	} {
		assert.Equal(t, test.want, is(toolerr.FromResponse(test.resp)), name)
	}
}

func TestFromResponse_Challenges(t *testing.T) {
	t.Parallel()
	const header = "WWW-Authenticate"
	for name, test := range map[string]struct {
		status       int
		value, body  string
		want, scopes string
	}{
		"a scope":            {403, `Bearer realm="x", error="insufficient_scope", error_description="hunter2", scope="files:read files:write"`, "", "permission insufficient_scope none", "files:read files:write"},
		"without one":        {403, `Bearer error="insufficient_scope"`, "", "permission insufficient_scope none", ""},
		"under 401":          {401, `Bearer error="insufficient_scope", scope="a"`, "", "permission insufficient_scope none", "a"},
		"a bare token":       {403, `bearer ERROR=insufficient_scope,scope=a`, "", "permission insufficient_scope none", "a"},
		"a second challenge": {403, `Basic realm="a \", error=\"invalid_token", Bearer error="insufficient_scope", scope="b"`, "", "permission insufficient_scope none", "b"},
		"a token":            {401, `Bearer error="invalid_token", scope="a"`, "", "permission unauthenticated none", ""},
		"a token under 400":  {400, `Bearer error="invalid_token"`, "", "permission unauthenticated none", ""},
		"with a body":        {403, `Bearer error="insufficient_scope", scope="a"`, `{"error":"insufficient_scope"}`, "permission insufficient_scope none", "a"},
		"under 404":          {404, `Bearer error="insufficient_scope", scope="a"`, "", "validation not_found none", ""},
		"no scope":           {403, "Bearer error=\"insufficient_scope\", scope=\"a\x00b\"", "", "permission insufficient_scope none", ""},
		"a long scope":       {403, `Bearer error="insufficient_scope", scope="` + strings.Repeat("a", 513) + `"`, "", "permission insufficient_scope none", ""},
		"an open quote":      {403, `Bearer error="insufficient_scope`, "", "permission insufficient_scope none", ""},
		"nothing":            {403, `Bearer`, "", "permission permission_denied none", ""},
	} {
		e := toolerr.FromResponse(respond(test.status, test.body, header, test.value))
		assert.Equal(t, test.want, is(e), name)
		assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2", name)
		if test.scopes == "" {
			assert.Empty(t, e.Details, name)
			continue
		}
		assert.Equal(t, map[string]any{"scope": test.scopes}, e.Details, name)
	}
}
