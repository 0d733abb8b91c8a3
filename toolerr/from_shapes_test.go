package toolerr_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Errors as other libraries define them. Each type shows its kind in one way.
type (
	// The words of the type's name.
	QuotasExceededError     struct{ text }
	PermissionsDeniedError  struct{ text }
	InvalidArgumentsError   struct{ text }
	AlreadyVisitedError     struct{ text }
	WidgetNotFoundError     struct{ text }
	DailyRateLimitError     struct{ text }
	InvalidResponseError    struct{ text }
	BackendUnavailableError struct{ text }

	// Fields.
	faultError struct {
		text

		FaultCode string
	}
	summaryError struct {
		text

		ErrorSummary string
	}
	labeledError struct {
		text

		Label, Operation string
	}
	enumError struct {
		text

		Code enum
	}
	enum        int
	statusError struct {
		text

		Status string
	}
	proxyError struct {
		text

		UpstreamStatus int
	}
	bodyError struct {
		text

		StatusCode int
		Body       *errorBody
	}
	errorBody struct {
		Code       string
		RetryAfter int
	}
	listError struct {
		text

		Details []*errorBody
	}
	rowError struct {
		text

		SQLState [5]byte
	}
	postgresError struct {
		text

		Severity, Code, Message string
	}
	protocolError   struct{ fields map[byte]string }
	remoteError     struct{ Code int }
	remoteCodeError struct{ code int }

	// Causes that are not unwrapped.
	innerError    struct{ Inner error }
	attemptsError struct{ Errors []error }
	manyErrors    []error

	// Marker methods.
	markerError     struct{ text }
	twoMarkersError struct{ text }

	EmbeddedAPIError struct {
		*apiError

		Body any
	}
	apiError struct {
		StatusCode int
		err        error
	}
)

type text string

func (t text) Error() string { return string(t) }

func (e enum) String() string {
	return []string{"Ok", "QuotaExceeded", "NotFound"}[e]
}
func (e protocolError) Error() string       { return "ERROR: boom" }
func (e protocolError) Field(k byte) string { return e.fields[k] }
func (e remoteError) Error() string         { return "remote" }
func (e remoteCodeError) Error() string     { return "remote" }
func (e remoteCodeError) ErrorCode() int    { return e.code }
func (e *innerError) Error() string         { return "inner" }
func (e *attemptsError) Error() string      { return fmt.Sprint(e.Errors) }
func (e manyErrors) Error() string          { return "many" }
func (markerError) NotFound()               {}
func (twoMarkersError) NotFound()           {}
func (twoMarkersError) Unavailable()        {}
func (e *apiError) Error() string           { return e.err.Error() }
func (e *apiError) Unwrap() error           { return e.err }
func (e *apiError) Retryable() bool         { return e.StatusCode >= 500 }

func TestFrom_TypeNames(t *testing.T) {
	t.Parallel()
	for want, errs := range map[string][]error{
		"business limit_exceeded":                 {QuotasExceededError{}, DailyRateLimitError{}},
		"permission permission_denied":            {PermissionsDeniedError{}},
		"validation invalid_argument":             {InvalidArgumentsError{}},
		"business failed_precondition":            {AlreadyVisitedError{}},
		"validation not_found":                    {&WidgetNotFoundError{}},
		"transient unavailable retryable unknown": {BackendUnavailableError{}},
		"transient internal unknown":              {InvalidResponseError{}},
	} {
		for _, err := range errs {
			assert.Equal(t, want, is(toolerr.From(err)), "%T", err)
		}
	}
}

func TestFrom_Fields(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"a code":                           {faultError{FaultCode: "ResourceLocked"}, "business failed_precondition none"},
		"a retryable code":                 {faultError{FaultCode: "throttled"}, "transient rate_limited retryable none"},
		"a verb in a field":                {labeledError{Operation: "conflict"}, "transient internal unknown"},
		"prose in a field":                 {labeledError{Label: "not found here"}, "transient internal unknown"},
		"an enumeration":                   {enumError{Code: 1}, "business limit_exceeded none"},
		"a status in a text":               {statusError{Status: "404 Not Found"}, "validation not_found none"},
		"a count in a status field":        {proxyError{UpstreamStatus: 12}, "transient internal unknown"},
		"a nested code":                    {&bodyError{StatusCode: 400, Body: &errorBody{Code: "insufficient_quota"}}, "business limit_exceeded none"},
		"no nested object":                 {&bodyError{StatusCode: 503}, "transient unavailable retryable unknown"},
		"a list of nested codes":           {listError{Details: []*errorBody{nil, {Code: "x"}, {Code: "already_exists"}}}, "business already_exists none"},
		"a code that aborts under 409":     {limitedAPIError{StatusCode: 409, Code: "ABORTED"}, "business conflict none"},
		"a transient code under 404":       {limitedAPIError{StatusCode: 404, Code: "unavailable"}, "validation not_found none"},
		"a SQLSTATE in bytes":              {rowError{SQLState: [5]byte{'2', '3', '5', '0', '5'}}, "business already_exists none"},
		"a SQLSTATE with a severity":       {postgresError{Severity: "ERROR", Code: "40001"}, "transient unavailable retryable none"},
		"a number like a SQLSTATE":         {faultError{FaultCode: "40001"}, "transient internal unknown"},
		"a SQLSTATE of the protocol":       {protocolError{map[byte]string{'C': "23503"}}, "validation invalid_argument none"},
		"a missing table":                  {protocolError{map[byte]string{'C': "42P01"}}, "transient internal unknown"},
		"a wrong password":                 {stateError{"28P01", ""}, "transient internal unknown"},
		"a missing database":               {stateError{"3D000", ""}, "transient internal unknown"},
		"a missing schema":                 {stateError{"3F000", ""}, "transient internal unknown"},
		"a value of a wrong form":          {stateError{"22P02", ""}, "validation invalid_argument none"},
		"a SQLSTATE in a text":             {errors.New(`insert: ERROR: duplicate key (SQLSTATE 23505)`), "transient internal unknown"},
		"a path of codes":                  {summaryError{ErrorSummary: "path/not_found/.."}, "validation not_found none"},
		"prose in place of a code":         {faultError{FaultCode: "the token is expired"}, "transient internal unknown"},
		"a number of JSON-RPC":             {remoteError{-32602}, "validation invalid_argument none"},
		"a number of JSON-RPC by a method": {remoteCodeError{-32601}, "validation not_found none"},
		"a server's own number":            {remoteError{-32042}, "transient internal unknown"},
		"a status called Code":             {remoteError{429}, "transient rate_limited retryable none"},
		"a marker":                         {markerError{}, "validation not_found none"},
		"markers that disagree":            {twoMarkersError{}, "transient internal unknown"},
		"an embedded error":                {&EmbeddedAPIError{apiError: &apiError{404, errors.New("x")}}, "validation not_found none"},
		"an embedded nil":                  {&EmbeddedAPIError{}, "transient internal unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, is(toolerr.From(fmt.Errorf("call: %w", test.err))))
		})
	}
	e := toolerr.From(&bodyError{StatusCode: http.StatusTooManyRequests, Body: &errorBody{RetryAfter: 3}})
	assert.Equal(t, 3*time.Second, e.RetryAfter, "nested delay")
}

func TestFrom_CausesInFields(t *testing.T) {
	t.Parallel()
	refused := dial(syscall.ECONNREFUSED)
	authored := toolerr.Business("authored").WithCode("c")
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"one":                     {&innerError{fs.ErrExist}, "business already_exists none"},
		"a retryable one":         {&innerError{refused}, "transient unavailable retryable unknown"},
		"nil":                     {&attemptsError{}, "transient internal unknown"},
		"a list, and one forbids": {&attemptsError{[]error{refused, nil, fs.ErrExist}}, "business already_exists none"},
		"a type that is a list":   {manyErrors{refused, fs.ErrExist}, "business already_exists none"},
		"an unknown one":          {manyErrors{refused, errors.New("x")}, "transient internal unknown"},
		"an authored one":         {&innerError{fmt.Errorf("a: %w", authored)}, "business c none"},
		"two deep":                {&innerError{&innerError{fs.ErrExist}}, "business already_exists none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			assert.Equal(t, test.want, is(toolerr.From(test.err)))
		})
	}
	loop := &innerError{}
	loop.Inner = loop
	assert.Equal(t, "transient internal unknown", is(toolerr.From(loop)), "loop")
	list := manyErrors{nil}
	list[0] = list
	assert.Equal(t, "transient internal unknown", is(toolerr.From(list)), "list of itself")
}

// Words of an error that has nothing but a text classify nothing.
func TestFrom_Words(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"repository not found", "not found", "clone: authentication required", "permission denied", "a user with this name already exists",
		"unauthorized (401)", "Service Unavailable", "404 Not Found", "429 Too Many Requests", "timeout", "i/o timeout", "connection refused",
		"rate limit exceeded", "too many requests", "try again in a minute", "order 404 of 503", "owner is required", "invalid argument",
		"context canceled", "path/not_found/..", "operation was canceled", "",
	} {
		assert.Equal(t, "transient internal unknown", is(toolerr.From(errors.New(text))), text)
		assert.Equal(t, "transient internal unknown", is(toolerr.From(fmt.Errorf("step 3: %w", errors.New(text)))), text)
	}
	assert.Equal(t, "transient timeout retryable none", is(toolerr.From(fmt.Errorf("access denied: %w", dial(syscall.ETIMEDOUT)))))
}

// A joined error's text is quadratic in length, so that no text of a join is asked for.
func TestFrom_JoinedInALoop(t *testing.T) { //nolint:paralleltest // it measures
	var err error
	for range 1024 {
		err = errors.Join(err, syscall.ECONNREFUSED)
	}
	assert.Equal(t, "transient unavailable retryable none", is(toolerr.From(err)))
	assert.Less(t, allocated(func() { _ = toolerr.From(err) }), allocated(func() { _ = err.Error() })/10)
}

// A throttledError is an error of a library that states its delay.
type throttledError struct {
	StatusCode int
	RetryAfter time.Duration
	texts      *int // how often its text was read
}

func (e *throttledError) Error() string {
	*e.texts++
	return "429 Too Many Requests"
}

// A stated delay answers what the text of a throttle is read for.
func TestFrom_StatedDelay(t *testing.T) {
	t.Parallel()
	texts := 0
	var err error = &throttledError{StatusCode: 429, RetryAfter: time.Second, texts: &texts}
	e := toolerr.From(err)
	assert.Equal(t, toolerr.CodeRateLimited, e.Code)
	assert.Equal(t, time.Second, e.RetryAfter)
	assert.Zero(t, texts)
}
