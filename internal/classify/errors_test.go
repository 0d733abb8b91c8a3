package classify_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"
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
	ParseError              struct{ text }
	ConfigFileNotFoundError struct{ text }
	ExitMissingError        struct{ text }
	RetryableError          struct{ text }
	RateLimitError          struct{ RetryAfter int }
	twoDelaysError          struct{ RetryAfter, RetryIn int }
	ValidationErrors        []string

	// Fields.
	faultError struct {
		FaultCode, RejectReason, ResourceType string
		Condition                             errCond
		Topic                                 topicName
	}
	errCond      string
	topicName    string
	summaryError struct{ ErrorSummary string }
	labeledError struct {
		Label, Operation string
		Step             enum
	}
	labeledAroundError struct {
		labeledError

		inner error
	}
	enumError       struct{ Code enum }
	enum            int
	statusError     struct{ Status string }
	proxyError      struct{ UpstreamStatus int }
	listError       struct{ Details []*errorBody }
	rowError        struct{ SQLState [5]byte }
	postgresError   struct{ Severity, Code, Message string }
	protocolError   struct{ Given map[byte]string }
	remoteError     struct{ Code int }
	responseError   struct{ Response *http.Response }
	contextError    struct{ Data map[string]any } // that is not a service's answer
	limitedAPIError struct {
		StatusCode int
		Code       any
		Header     http.Header
		Body       json.RawMessage
	}
	nestedAPIError struct {
		Code   int
		Errors []struct{ Reason, Message string }
	}
	bodyError struct {
		StatusCode int
		Body       *errorBody
	}
	errorBody struct {
		Code       string
		RetryAfter int
	}
	keptError struct { // with an answer's raw body
		StatusCode *int
		Code       *string
		Body       json.RawMessage
		Details    []map[string]any
		Notes      map[textError]any
		RetryAfter *time.Duration
		RetryDelay float64
	}
	graphqlError struct {
		StatusCode int
		Response   struct {
			Errors []struct {
				Message    string
				Extensions map[string]any
			}
		}
	}
	LimitError       struct{ Response *http.Response }
	RateLimitedError struct {
		Response *http.Response
		Rate     struct{ Reset, ResetAt stamp }
		Inner    error
	}
	stamp struct{ time.Time }

	// Methods.
	httpStatusError struct{ Given int }
	codedError      struct{ Given string }
	remoteCodeError struct{ Given int }
	stateError      struct{ Given, Also string }
	smtpError       struct { // with the codes of RFC 5321 and RFC 3463
		Given int
		Also  string
	}
	finalError     struct{ error }
	declaredError  struct{ Given, Final bool }
	hintedError    struct{ Given time.Duration }
	temporaryError struct{}
	aliasError     struct{ target error }

	// Causes, of which some are not unwrapped.
	statusAroundError struct {
		status int
		inner  error
		code   string
		wait   time.Duration
	}
	innerError       struct{ Inner error }
	attemptsError    struct{ Errors []error }
	manyErrors       []error
	fieldsError      map[string]error
	EmbeddedAPIError struct {
		*apiError

		Body any
	}
	apiError struct {
		StatusCode int
		err        error
	}

	// Malformed errors.
	loopError struct{ next error }
	manyError struct{ errs []error }
	badError  struct{ how int }
	pointer   struct{ secret string }
)

type text string

func (t text) Error() string               { return string(t) }
func (twoDelaysError) Error() string       { return "delays" }
func (e RateLimitError) Error() string     { return "limit" }
func (e ValidationErrors) Error() string   { return "fields" }
func (faultError) Error() string           { return "fault" }
func (summaryError) Error() string         { return "summary" }
func (labeledError) Error() string         { return "label" }
func (e labeledAroundError) Unwrap() error { return e.inner }
func (enumError) Error() string            { return "enum" }
func (e enum) String() string {
	return []string{"Ok", "QuotaExceeded", "NotFound", "ACCESS_DENIED (497)", "key not found"}[e]
}
func (statusError) Error() string                     { return "status" }
func (proxyError) Error() string                      { return "proxy" }
func (listError) Error() string                       { return "list" }
func (rowError) Error() string                        { return "row" }
func (postgresError) Error() string                   { return "postgres" }
func (protocolError) Error() string                   { return "ERROR: boom" }
func (e protocolError) Field(k byte) string           { return e.Given[k] }
func (remoteError) Error() string                     { return "remote" }
func (*responseError) Error() string                  { return "response" }
func (contextError) Error() string                    { return "the call failed" }
func (limitedAPIError) Error() string                 { return "api" }
func (*nestedAPIError) Error() string                 { return "nested" }
func (*bodyError) Error() string                      { return "body" }
func (keptError) Error() string                       { return "the call failed" }
func (*graphqlError) Error() string                   { return "the call failed" }
func (*LimitError) Error() string                     { return "limit" }
func (*RateLimitedError) Error() string               { return "rate" }
func (e *RateLimitedError) Unwrap() error             { return e.Inner }
func (httpStatusError) Error() string                 { return "http" }
func (e httpStatusError) StatusCode() int             { return e.Given }
func (codedError) Error() string                      { return "coded" }
func (e codedError) ErrorCode() string                { return e.Given }
func (remoteCodeError) Error() string                 { return "remote" }
func (e remoteCodeError) ErrorCode() int              { return e.Given }
func (e stateError) Error() string                    { return e.Also }
func (e stateError) SQLState() string                 { return e.Given }
func (smtpError) Error() string                       { return "the call failed" }
func (e smtpError) ErrorCode() int                    { return e.Given }
func (e smtpError) EnhancedStatusCode() string        { return e.Also }
func (e finalError) Unwrap() error                    { return e.error }
func (finalError) NoRetry() bool                      { return true }
func (declaredError) Error() string                   { return "declared" }
func (e declaredError) Retryable() bool               { return e.Given }
func (e declaredError) Permanent() bool               { return e.Final }
func (hintedError) Error() string                     { return "hinted" }
func (e hintedError) RetryAfter() time.Duration       { return e.Given }
func (temporaryError) Error() string                  { return "temp" }
func (temporaryError) Temporary() bool                { return true }
func (aliasError) Error() string                      { return "alias" }
func (e aliasError) Is(t error) bool                  { return t == e.target }
func (statusAroundError) Error() string               { return "around" }
func (e statusAroundError) ErrorCode() string         { return e.code }
func (e statusAroundError) RetryAfter() time.Duration { return e.wait }
func (e statusAroundError) StatusCode() int           { return e.status }
func (e statusAroundError) Unwrap() error             { return e.inner }
func (*innerError) Error() string                     { return "inner" }
func (e *attemptsError) Error() string                { return fmt.Sprint(e.Errors) }
func (manyErrors) Error() string                      { return "many" }
func (fieldsError) Error() string                     { return "the call failed" }
func (e *apiError) Error() string                     { return e.err.Error() }
func (e *apiError) Unwrap() error                     { return e.err }
func (e *apiError) Retryable() bool                   { return e.StatusCode >= 500 }
func (*loopError) Error() string                      { return "hunter2" }
func (e *loopError) Unwrap() error                    { return e.next }
func (manyError) Error() string                       { return "hunter2" }
func (e manyError) Unwrap() []error                   { return e.errs }
func (e *pointer) Error() string                      { return e.secret } // panics on nil
func (e badError) Error() string                      { return fmt.Sprint("hunter2", e.panics(0)) }
func (e badError) Timeout() bool                      { return e.panics(1) }
func (e badError) Is(error) bool                      { return e.panics(2) }
func (e badError) As(any) bool                        { return e.panics(3) }
func (e badError) panics(how int) bool {
	if e.how == how {
		panic([]any{"hunter2", errors.New("hunter2")}[how/2])
	}
	return false
}

func dialContext(err error) error { return &net.OpError{Op: "dial", Net: "tcp", Err: err} }
func dial(err error) error        { return dialContext(os.NewSyscallError("connect", err)) }
