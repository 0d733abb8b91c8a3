package toolerr_test

import (
	"fmt"
	"net/textproto"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// keptError keeps an answer as it came, beside what it says of it.
type keptError struct {
	StatusCode *int
	Code       *string
	Body       []byte
	Details    []map[string]any
}

func (e keptError) Error() string { return "the call failed" }

// contextError keeps a map that is nobody's answer.
type contextError struct{ Data map[string]any }

func (e contextError) Error() string { return "the call failed" }

// graphqlError keeps a list of a GraphQL answer within a response.
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

// fieldsError are errors by the names of members.
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
		"a status behind a pointer":      {keptError{StatusCode: status(404)}, "validation not_found none"},
		"a code qualified from behind":   {keptError{StatusCode: status(400), Code: &code}, throttled},
		"a reason in a list of maps":     {keptError{StatusCode: status(400), Details: []map[string]any{{"reason": "API_KEY_INVALID"}}}, "permission unauthenticated none"},
		"a code in a body":               {keptError{StatusCode: status(400), Body: []byte(`{"error":{"code":"already_exists"}}`)}, "business already_exists none"},
		"a body that is too long":        {keptError{StatusCode: status(400), Body: fmt.Appendf(nil, `{"code":"already_exists","x":%5000d}`, 1)}, "validation invalid_argument none"},
		"a day's quota in a body":        {keptError{StatusCode: status(429), Body: []byte(`{"policyName":"DAILY"}`)}, business},
		"a month's words in a body":      {keptError{StatusCode: status(429), Body: []byte(`{"message":"The monthly quota is used up."}`)}, business},
		"a minute's words in a body":     {keptError{StatusCode: status(429), Body: []byte(`{"message":"The quota of a minute is used up."}`)}, throttled},
		"a map that forbids":             {contextError{map[string]any{"reason": "NOT_FOUND"}}, "validation not_found none"},
		"a map that is no answer":        {contextError{map[string]any{"reason": "throttled"}}, "transient internal unknown"},
		"GraphQL within a response":      {limited, throttled},
		"mail to nobody":                 {smtpError{550, "5.1.1"}, "validation not_found none"},
		"mail that is refused":           {smtpError{554, "5.7.1"}, "permission permission_denied none"},
		"mail that is put off":           {smtpError{450, "4.2.0"}, "transient unavailable retryable none"},
		"mail to a full box":             {smtpError{552, "5.2.2"}, business},
		"mail without an enhanced code":  {smtpError{535, ""}, "permission unauthenticated none"},
		"an enhanced code of another":    {smtpError{450, "5.1.1"}, "transient unavailable retryable none"},
		"an enhanced code in a text":     {&textproto.Error{Code: 550, Msg: "5.1.1 No such user"}, "validation not_found none"},
		"a map of errors":                {fieldsError{"name": toolerr.Validation("x")}, is(toolerr.Validation("x"))},
		"what is missing is no argument": {ExitMissingError{}, "transient internal unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, is(toolerr.From(fmt.Errorf("call: %w", test.err))))
		})
	}
}
