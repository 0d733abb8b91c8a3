package thirdparty

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/googleapis/gax-go/v2/apierror"
	"google.golang.org/api/googleapi"
)

var googleCases = []testCase{
	{
		"googleapi", "429 with Retry-After", "5", drive(429, headers{"Retry-After": "20"}, "Too many", "rateLimitExceeded"),
		transient, yes, 20 * time.Second,
	},
	{
		"googleapi", "403 userRateLimitExceeded", "5", drive(403, nil, "User Rate Limit Exceeded", "userRateLimitExceeded"),
		transient, yes, 0,
	},
	{
		"googleapi", "403 insufficientPermissions", "5",
		drive(403, nil, "Request had insufficient authentication scopes.", "insufficientPermissions"), permission, no, 0,
	},
	{
		"googleapi", "403 dailyLimitExceeded", "5", drive(403, nil, "Daily Limit Exceeded", "dailyLimitExceeded"),
		or(business, permission), no, 0,
	},
	{"googleapi", "404 notFound", "5", drive(404, nil, "Not Found", "notFound"), validation, no, 0},
	{"googleapi", "409 conflict", "5", drive(409, nil, "Already exists", "duplicate"), business, no, 0},
	{"googleapi", "400 badRequest", "5", drive(400, nil, "Bad "+secret, "badRequest"), validation, no, 0},
	{"googleapi", "410 deleted, by a client", "5", func(t *testing.T) error {
		failure, _ := drive(410, nil, "Resource has been deleted", "deleted")(t).(*googleapi.Error) //nolint:errorlint // not wrapped
		inner, _ := apierror.ParseError(failure, false)
		failure.Wrap(inner) // as the clients do
		return failure
	}, validation, no, 0},
	{"googleapi", "401 authError", "5", drive(401, nil, "Invalid Credentials", "authError"), permission, no, 0},
	{"googleapi", "503 backendError", "5", func(t *testing.T) error {
		return fmt.Errorf("drive: %w", drive(503, nil, "Backend "+secret, "backendError")(t))
	}, transient, yes, 0},
}

func drive(status int, header headers, message, reason string) func(*testing.T) error {
	body := fmt.Sprintf(`{"error":{"code":%d,"message":%q,"errors":[{"domain":"global","reason":%q,"message":%q}]}}`,
		status, message, reason, message)
	return func(t *testing.T) error {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, answer(t, status, header, body), nil)
		must(t, err)
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		defer response.Body.Close()
		return googleapi.CheckResponse(response)
	}
}
