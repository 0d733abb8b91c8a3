package classify_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

func TestError_Shapes(t *testing.T) {
	t.Parallel()
	status, code := func(n int) *int { return &n }, "Throttling.User"
	limited := &graphqlError{StatusCode: 400}
	limited.Response.Errors = append(limited.Response.Errors, struct{ Extensions map[string]any }{map[string]any{"code": "RATELIMITED"}})
	const throttled, business = "transient rate_limited retryable none", "business limit_exceeded none"
	classified{
		"declared by its name":             {RetryableError{}, "transient unavailable retryable unknown"},
		"quotas":                           {QuotasExceededError{}, "business limit_exceeded"},
		"daily limit":                      {DailyRateLimitError{}, "business limit_exceeded"},
		"permissions":                      {PermissionsDeniedError{}, "permission permission_denied"},
		"arguments":                        {InvalidArgumentsError{}, "validation invalid_argument"},
		"already done":                     {AlreadyVisitedError{}, "business failed_precondition"},
		"a pointer":                        {&WidgetNotFoundError{}, "validation not_found"},
		"unavailable":                      {BackendUnavailableError{}, "transient unavailable retryable unknown"},
		"a response":                       {InvalidResponseError{}, "transient internal unknown"},
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
		"a status behind a pointer":        {keptError{StatusCode: status(404)}, "validation not_found none"},
		"a code with a suffix":             {keptError{StatusCode: status(400), Code: &code}, throttled},
		"a reason in a list of maps":       {keptError{StatusCode: status(400), Details: []map[string]any{{"reason": "API_KEY_INVALID"}}}, "permission unauthenticated none"},
		"a code in a body":                 {keptError{StatusCode: status(400), Body: []byte(`{"error":{"code":"already_exists"}}`)}, "business already_exists none"},
		"a body that is too long":          {keptError{StatusCode: status(400), Body: fmt.Appendf(nil, `{"code":"already_exists","x":%5000d}`, 1)}, "validation invalid_argument none"},
		"a daily quota in a body":          {keptError{StatusCode: status(429), Body: []byte(`{"policyName":"DAILY"}`)}, business},
		"a monthly quota in a message":     {keptError{StatusCode: status(429), Body: []byte(`{"message":"The monthly quota is used up."}`)}, throttled},
		"a map that forbids":               {contextError{map[string]any{"reason": "NOT_FOUND"}}, "validation not_found none"},
		"a map that allows a retry":        {contextError{map[string]any{"reason": "throttled"}}, "transient internal unknown"},
		"GraphQL within a response":        {limited, throttled},
		"mail, unknown recipient":          {smtpError{550, "5.1.1"}, "validation not_found none"},
		"mail, refused":                    {smtpError{554, "5.7.1"}, "permission permission_denied none"},
		"mail, deferred":                   {smtpError{450, "4.2.0"}, "transient unavailable retryable none"},
		"mail, mailbox full":               {smtpError{552, "5.2.2"}, business},
		"mail, no enhanced code":           {smtpError{535, ""}, "permission unauthenticated none"},
		"mail, codes that disagree":        {smtpError{450, "5.1.1"}, "transient unavailable retryable none"},
		"an enhanced code in a text":       {&textproto.Error{Code: 550, Msg: "5.1.1 No such user"}, "validation not_found none"},
		"a map of errors":                  {fieldsError{"name": by("validation", "", "none")}, "validation  none"},
		"a type named Missing":             {ExitMissingError{}, "transient internal unknown"},
	}.check(t)
}

// Words of an error that has nothing but a text classify nothing.
func TestError_Words(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"repository not found", "not found", "clone: authentication required", "permission denied", "a user with this name already exists",
		"unauthorized (401)", "Service Unavailable", "404 Not Found", "429 Too Many Requests", "timeout", "i/o timeout", "connection refused",
		"rate limit exceeded", "too many requests", "try again in a minute", "order 404 of 503", "owner is required", "invalid argument",
		"context canceled", "path/not_found/..", "operation was canceled", "",
	} {
		assert.Equal(t, "transient internal unknown", is(from(errors.New(text))), text)
		assert.Equal(t, "transient internal unknown", is(from(fmt.Errorf("step 3: %w", errors.New(text)))), text)
	}
	assert.Equal(t, "transient timeout retryable none", is(from(fmt.Errorf("access denied: %w", dial(syscall.ETIMEDOUT)))))
}

// TestError_RateLimitReset checks delays that are stated as a time.
func TestError_RateLimitReset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // in which no time passes
		for at, want := range map[time.Time]time.Duration{
			time.Now().Add(24 * time.Hour * 1000): 365 * 24 * time.Hour, time.Now().Add(time.Hour): time.Hour, time.Unix(1, 0): 0,
		} {
			err := &RateLimitedError{Response: &http.Response{StatusCode: http.StatusForbidden}, Rate: struct{ Reset stamp }{stamp{at}}}
			assert.Equal(t, want, from(err).After)
		}
	})
}

// An askedError counts how often it is asked for its text.
type askedError struct {
	StatusCode int
	RetryAfter time.Duration
	times      *int
}

func (e askedError) Error() string {
	*e.times++
	return "429 Too Many Requests"
}

// The text of an error is asked for once at most while it is classified, and not at all if the
// delay that it is read for is stated. That of a join is not asked for: in a loop it is quadratic
// in its length.
func TestError_AsksOnce(t *testing.T) {
	t.Parallel()
	for limit, err := range []askedError{{StatusCode: 429, RetryAfter: time.Second}, {}} {
		times := 0
		err.times = &times
		wrapped := fmt.Errorf("save: %w", err)
		var joined error
		for range 1000 {
			joined = errors.Join(joined, err)
		}
		times = 0
		assert.Equal(t, err.RetryAfter, from(err).After)
		assert.Equal(t, err.RetryAfter, from(wrapped).After)
		assert.Equal(t, err.RetryAfter, from(joined).After)
		assert.LessOrEqual(t, times, 1002*limit)
	}
}

// Errors in the forms of gRPC, Connect, Kubernetes, AWS and GraphQL.
type (
	rpcStatus struct {
		code    uint32
		text    string
		details []any
	}
	rpcError     struct{ status *rpcStatus }
	connectError struct{ *rpcStatus }
	errorInfo    struct{ reason string }
	retryInfo    struct{ RetryDelay *seconds }
	seconds      struct{ n int }
	badRequest   struct{ FieldViolations []*violation }
	violation    struct{ Field string }
	kubeError    struct{ status kubeStatus }
	kubeStatus   struct {
		Code            int32
		Reason, Message string
		Details         *kubeDetails
	}
	kubeDetails struct {
		RetryAfterSeconds int32
		Causes            []struct{ Field, Message string }
	}
	awsError      struct{ code string }
	graphqlErrors []struct{ Message, Locations string }
	noticeError   struct {
		StatusCode    int
		Message       string
		Param         string
		ErrorMessages []string
		Errors        map[string]string
	}
	forgeError struct { // go-github
		Response *http.Response
		Message  string
		Errors   []forgeItem
	}
	forgeItem  struct{ Resource, Field, Code, Message string }
	cloudError struct { // googleapi
		Code    int
		Message string
	}
	chatError struct { // discordgo
		Response *http.Response
		Message  *cloudError
	}
	swaggerError struct{ Payload *struct{ Message *string } } // go-swagger
	replyError   struct {
		StatusCode, Code int
		Body             string
		RetryAfter       *int
		EnhancedCode     [3]int
	}
	countedError struct{ Status uint64 }
	levelError   int
	kindError    struct{ kind string }
)

func (s *rpcStatus) Code() uint32            { return s.code }
func (s *rpcStatus) Message() string         { return s.text }
func (s *rpcStatus) Details() []any          { return s.details }
func (rpcError) Error() string               { return "rpc" }
func (e rpcError) GRPCStatus() *rpcStatus    { return e.status }
func (connectError) Error() string           { return "connect" }
func (e errorInfo) GetReason() string        { return e.reason }
func (errorInfo) GetDomain() string          { return "x.org" }
func (s *seconds) AsDuration() time.Duration { return time.Duration(s.n) * time.Second }
func (kubeError) Error() string              { return "kube" }
func (e kubeError) Status() kubeStatus       { return e.status }
func (graphqlErrors) Error() string          { return "graphql" }
func (awsError) Error() string               { return "aws" }
func (e awsError) ErrorCode() string         { return e.code }
func (awsError) ErrorMessage() string        { return "No such bucket." }
func (noticeError) Error() string            { return "notice" }
func (*forgeError) Error() string            { return "forge" }
func (*cloudError) Error() string            { return "cloud" }
func (*chatError) Error() string             { return "chat" }
func (*swaggerError) Error() string          { return "swagger" }
func (*swaggerError) Code() int              { return 412 }
func (replyError) Error() string             { return "reply" }
func (countedError) Error() string           { return "counted" }
func (levelError) Error() string             { return "level" }
func (e levelError) Status() int             { return int(e) }
func (kindError) Error() string              { return "kind" }
func (e kindError) Type() string             { return e.kind }

// TestError_Services checks the classification of services' errors, their delay, and the message
// that ServiceMessage returns.
func TestError_Services(t *testing.T) {
	t.Parallel()
	rpc := func(code uint32, text string, details ...any) error { return rpcError{&rpcStatus{code, text, details}} }
	reply := func(status int) *http.Response { return &http.Response{StatusCode: status} }
	wait, changed, seven := &retryInfo{&seconds{7}}, "It has been changed.", 7
	for name, test := range map[string]struct {
		err                  error
		want, message, field string
		after                time.Duration
	}{
		"gRPC, not found":          {rpc(5, "No book 7."), "validation not_found none", "No book 7.", "", 0},
		"gRPC, an argument":        {rpc(3, "Bad.", nil, &badRequest{}, &badRequest{[]*violation{{"isbn"}}}), "validation invalid_argument none", "Bad.", "isbn", 0},
		"gRPC, unavailable":        {rpc(14, "dial 10.0.0.7"), "transient unavailable retryable unknown", "", "", 0},
		"gRPC, exhausted":          {rpc(8, "Slow down.", wait), "transient rate_limited retryable none", "Slow down.", "", 7 * time.Second},
		"gRPC, a reason":           {rpc(7, "No.", wait, errorInfo{"RATE_LIMIT_EXCEEDED"}), "transient rate_limited retryable none", "No.", "", 7 * time.Second},
		"gRPC, an unknown code":    {rpc(99, "x"), "transient internal unknown", "", "", 0},
		"gRPC, no status":          {rpcError{}, "transient internal unknown", "", "", 0},
		"Connect":                  {connectError{&rpcStatus{5, "No book 7.", []any{"x", 7}}}, "transient internal unknown", "No book 7.", "", 0},
		"Kubernetes":               {kubeError{kubeStatus{Code: 404, Message: "No pod."}}, "validation not_found none", "No pod.", "", 0},
		"Kubernetes, a reason":     {kubeError{kubeStatus{Code: 409, Reason: "AlreadyExists"}}, "business already_exists none", "", "", 0},
		"AWS":                      {awsError{"NoSuchBucket"}, "validation not_found none", "No such bucket.", "", 0},
		"a message and a member":   {noticeError{StatusCode: 400, Message: "Bad.", Param: "isbn"}, "validation invalid_argument none", "Bad.", "isbn", 0},
		"messages of members":      {noticeError{StatusCode: 422, Errors: map[string]string{"b": "too long", "a": "missing"}}, "validation invalid_argument none", "a: missing; b: too long", "a", 0},
		"a message and of members": {noticeError{StatusCode: 422, Message: "Bad", Errors: map[string]string{"a": "missing"}}, "validation invalid_argument none", "Bad: a: missing", "a", 0},
		"a list of GraphQL":        {graphqlErrors{{"Bad.", "1:2"}}, "transient internal unknown", "Bad.", "", 0},
		"a list of messages":       {noticeError{StatusCode: 400, ErrorMessages: []string{"It cannot be created.", "Why not."}, Errors: map[string]string{"title": "is required"}}, "validation invalid_argument none", "It cannot be created. Why not. title: is required", "title", 0},
		"one message twice":        {noticeError{StatusCode: 400, Message: "It cannot be created.", ErrorMessages: []string{"cannot be"}}, "validation invalid_argument none", "It cannot be created.", "", 0},
		"go-github":                {&forgeError{Response: reply(410), Message: "Issues has been disabled."}, "validation not_found none", "Issues has been disabled.", "", 0},
		"go-github, a code":        {&forgeError{Response: reply(422), Message: "Failed", Errors: []forgeItem{{"Issue", "title", "missing_field", ""}}}, "validation missing_argument none", "Failed: title missing_field", "title", 0},
		"go-github, a field":       {&forgeError{Response: reply(422), Message: "Failed", Errors: []forgeItem{{"Issue", "head", "", "head is gone"}, {"Issue", "base", "", "It is closed"}}}, "validation invalid_argument none", "Failed: head is gone; base: It is closed", "head", 0},
		"go-github, a nil pointer": {(*forgeError)(nil), "transient internal unknown", "", "", 0},
		"go-github, no response":   {&forgeError{Message: "m"}, "transient internal unknown", "", "", 0},
		"googleapi":                {&cloudError{Code: 403, Message: "No access."}, "permission permission_denied none", "No access.", "", 0},
		"discord":                  {&chatError{reply(403), &cloudError{50013, "Missing Permissions"}}, "permission permission_denied none", "Missing Permissions", "", 0},
		"go-swagger":               {&swaggerError{&struct{ Message *string }{&changed}}, "business failed_precondition none", changed, "", 0},
		"Kubernetes, causes":       {kubeError{kubeStatus{Code: 422, Message: "Pod is invalid", Details: &kubeDetails{Causes: []struct{ Field, Message string }{{"title", "is too long"}}}}}, "validation invalid_argument none", "Pod is invalid: title: is too long", "title", 0},
		"Kubernetes, a delay":      {kubeError{kubeStatus{Code: 429, Message: "Busy.", Details: &kubeDetails{RetryAfterSeconds: 7}}}, "transient rate_limited retryable none", "Busy.", "", 7 * time.Second},
		"a code in a text":         {replyError{StatusCode: 400, Body: `{"code":"conflict"}`}, "business conflict none", "", "", 0},
		"a delay in a pointer":     {replyError{StatusCode: 429, RetryAfter: &seven}, "transient rate_limited retryable none", "", "", 7 * time.Second},
		"mail, an array":           {replyError{Code: 550, EnhancedCode: [3]int{5, 1, 1}}, "validation not_found none", "", "", 0},
		"an unsigned status":       {countedError{404}, "validation not_found none", "", "", 0},
		"a large number":           {countedError{1<<63 + 404}, "transient internal unknown", "", "", 0},
		"a status of 599":          {levelError(599), "transient timeout retryable unknown", "", "", 0},
		"a status of 600":          {levelError(600), "transient internal unknown", "", "", 0},
		"a status of 400":          {levelError(400), "validation invalid_argument none", "", "", 0},
		"a status of 399":          {levelError(399), "transient internal unknown", "", "", 0},
		"a type":                   {kindError{"not_found"}, "validation not_found none", "", "", 0},
		"a page":                   {noticeError{StatusCode: 404, Message: " <html>"}, "validation not_found none", "", "", 0},
		"no status":                {noticeError{Message: "Bad."}, "transient internal unknown", "", "", 0},
		"a limit of a plan":        {limitedAPIError{StatusCode: 429, Header: map[string][]string{"X-Ratelimit-Type": {"daily"}}}, "business limit_exceeded none", "", "", 0},
	} {
		for _, err := range []error{test.err, fmt.Errorf("call: %w", test.err)} {
			c := from(err)
			assert.Equal(t, test.want, is(c), name)
			assert.Equal(t, test.after, c.After, name)
			message, field := classify.ServiceMessage(err)
			assert.Equal(t, [2]string{test.message, test.field}, [2]string{message, field}, name)
		}
	}
}
