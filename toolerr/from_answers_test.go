package toolerr_test

import (
	"fmt"
	"net/textproto"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// keptError has an answer's raw body in addition to its own fields.
type keptError struct {
	StatusCode *int
	Code       *string
	Body       []byte
	Details    []map[string]any
}

func (e keptError) Error() string { return "the call failed" }

// contextError has a map that is not a service's answer.
type contextError struct{ Data map[string]any }

func (e contextError) Error() string { return "the call failed" }

// graphqlError has the error list of a GraphQL answer.
type graphqlError struct {
	StatusCode int
	Response   struct {
		Errors []struct{ Extensions map[string]any }
	}
}

func (e *graphqlError) Error() string { return "the call failed" }

// smtpError has the codes of RFC 5321 and RFC 3463.
type smtpError struct {
	code     int
	enhanced string
}

func (e smtpError) Error() string              { return "the call failed" }
func (e smtpError) ErrorCode() int             { return e.code }
func (e smtpError) EnhancedStatusCode() string { return e.enhanced }

// fieldsError holds errors by member name.
type fieldsError map[string]error

func (e fieldsError) Error() string { return "the call failed" }

type ExitMissingError struct{}

func (ExitMissingError) Error() string { return "the call failed" }

func TestFrom_KeptAnswers(t *testing.T) {
	t.Parallel()
	status := func(n int) *int { return &n }
	code := "Throttling.User"
	limited := &graphqlError{StatusCode: 400}
	limited.Response.Errors = append(limited.Response.Errors, struct{ Extensions map[string]any }{map[string]any{"code": "RATELIMITED"}})
	const throttled, business = "transient rate_limited retryable none", "business limit_exceeded none"
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"a status behind a pointer":    {keptError{StatusCode: status(404)}, "validation not_found none"},
		"a code with a suffix":         {keptError{StatusCode: status(400), Code: &code}, throttled},
		"a reason in a list of maps":   {keptError{StatusCode: status(400), Details: []map[string]any{{"reason": "API_KEY_INVALID"}}}, "permission unauthenticated none"},
		"a code in a body":             {keptError{StatusCode: status(400), Body: []byte(`{"error":{"code":"already_exists"}}`)}, "business already_exists none"},
		"a body that is too long":      {keptError{StatusCode: status(400), Body: fmt.Appendf(nil, `{"code":"already_exists","x":%5000d}`, 1)}, "validation invalid_argument none"},
		"a daily quota in a body":      {keptError{StatusCode: status(429), Body: []byte(`{"policyName":"DAILY"}`)}, business},
		"a monthly quota in a message": {keptError{StatusCode: status(429), Body: []byte(`{"message":"The monthly quota is used up."}`)}, throttled},
		"a map that forbids":           {contextError{map[string]any{"reason": "NOT_FOUND"}}, "validation not_found none"},
		"a map that allows a retry":    {contextError{map[string]any{"reason": "throttled"}}, "transient internal unknown"},
		"GraphQL within a response":    {limited, throttled},
		"mail, unknown recipient":      {smtpError{550, "5.1.1"}, "validation not_found none"},
		"mail, refused":                {smtpError{554, "5.7.1"}, "permission permission_denied none"},
		"mail, deferred":               {smtpError{450, "4.2.0"}, "transient unavailable retryable none"},
		"mail, mailbox full":           {smtpError{552, "5.2.2"}, business},
		"mail, no enhanced code":       {smtpError{535, ""}, "permission unauthenticated none"},
		"mail, codes that disagree":    {smtpError{450, "5.1.1"}, "transient unavailable retryable none"},
		"an enhanced code in a text":   {&textproto.Error{Code: 550, Msg: "5.1.1 No such user"}, "validation not_found none"},
		"a map of errors":              {fieldsError{"name": toolerr.Validation("x")}, is(toolerr.Validation("x"))},
		"a type named Missing":         {ExitMissingError{}, "transient internal unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, is(toolerr.From(fmt.Errorf("call: %w", test.err))))
		})
	}
}
