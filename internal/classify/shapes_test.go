package classify_test

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

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
	rpcCode   uint32
	rpcStatus struct {
		N    rpcCode
		Text string
		List details
	}
	details  []any
	rpcError struct {
		Given *rpcStatus
		Code  string
	}
	connectError  struct{ Given *rpcStatus }
	rawError      struct{ Given string }
	temporalError struct{ Given *rpcStatus }
	errorInfo     struct{ Given string }
	retryInfo     struct{ RetryDelay *seconds }
	connectDetail struct{ Given details }
	seconds       struct{ Given int }
	badRequest    struct{ FieldViolations []*violation }
	violation     struct{ Field string }
	kubeError     struct{ Given kubeStatus }
	kubeStatus    struct {
		Code            int32
		Reason, Message string
		Details         *kubeDetails
	}
	kubeDetails struct {
		RetryAfterSeconds int32
		Causes            []struct{ Field, Message string }
	}
	awsError      struct{ Given, ErrorField string }
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
	countedError struct {
		Status             uint64
		Timeout, Temporary bool
	}
	shortError   int32
	severalError struct {
		Code string
		errs []error
	}
	levelError int
	kindError  struct{ Given string }

	whyError      struct{ Err error }
	partsError    struct{ Parts []*cloudError }
	mailError     struct{ EnhancedStatusCode string }
	pairMailError struct{ EnhancedCode [2]int }
	wordMailError struct{ EnhancedCode [3]string }
	extendedError struct {
		Message    string
		Extensions map[string]any
	}
	extendedErrors  []extendedError
	statusBodyError struct {
		Given int
		Body  string
	}
	pairError struct {
		StatusCode int
		Response   *http.Response
		Body       string
	}
	RetryAfterError struct{ Duration time.Duration }
	timedError      struct{ Duration time.Duration }
	infoError       struct{ ErrorInfo cloudError }
	plainDetail     struct{ Given string }
	oddStatusError  struct{ text }

	// Results of several writes.
	bulkError struct { // mongo's BulkWriteException, and with counts
		WriteErrors []struct {
			Index   int
			Code    string
			Request any
		}
		Result *struct{ InsertedCount, MatchedCount int }
		Later  []struct{ Index int }
	}
	oneWriteError struct { // mongo's WriteException
		WriteErrors []struct {
			Index int
			Code  string
		}
	}
	mapError struct { // mongo's ClientBulkWriteException
		WriteErrors   map[int]writeError
		PartialResult *struct{ DeletedCount int64 }
	}
	writeError    struct{ Code string }
	failuresError []*failure // sarama's ProducerErrors
	failure       struct {
		Err error
		Msg *message
	}
	message      struct{ Topic string }
	BatchError   struct{ Errors []struct{ Key, Code string } } // s3manager
	resultsError struct{ Errs []error }
	classError   struct {
		Class    string
		Category countError
	}
	countError int

	// Errors of libraries: see libraries.
	Error        []error
	retriedError []error
	sqliteError  struct{ Code, ExtendedCode int }
	driverError  struct{ Given [3]int }
	loginError   struct{ Code string }
	writesError  struct{ WriteErrors []struct{ Code int } }
	streamError  struct {
		Code      int
		ErrorCode uint16
	}
	textError   string
	decodeError struct{ text }
	numberError int
)

// libraries are the packages of errors in samples.
var libraries = map[string]error{
	"github.com/avast/retry-go/v4": Error{}, "github.com/avast/retry-go": retriedError{},
	"github.com/mattn/go-sqlite3": sqliteError{}, "github.com/ncruces/go-sqlite3": driverError{},
	"github.com/trinodb/trino-go-client/trino": loginError{},
	"go.mongodb.org/mongo-driver/v2/mongo":     writesError{}, "github.com/nats-io/nats.go/jetstream": streamError{},
	"github.com/redis/go-redis/v9/internal/proto": textError(""), "github.com/mitchellh/mapstructure": decodeError{},
}

func (whyError) Error() string               { return "why" }
func (partsError) Error() string             { return "parts" }
func (mailError) Error() string              { return "mail" }
func (pairMailError) Error() string          { return "mail" }
func (wordMailError) Error() string          { return "mail" }
func (extendedError) Error() string          { return "extended" }
func (extendedErrors) Error() string         { return "extended" }
func (statusBodyError) Error() string        { return "body" }
func (e statusBodyError) StatusCode() int    { return e.Given }
func (pairError) Error() string              { return "pair" }
func (RetryAfterError) Error() string        { return "wait" }
func (timedError) Error() string             { return "timed" }
func (infoError) Error() string              { return "info" }
func (d plainDetail) Value() (string, error) { return d.Given, nil }
func (oddStatusError) Status() *cloudError   { return &cloudError{Code: 7} }

func (bulkError) Error() string     { return "bulk" }
func (oneWriteError) Error() string { return "write" }
func (mapError) Error() string      { return "bulk" }
func (writeError) Error() string    { return "write" }
func (failuresError) Error() string { return "failures" }
func (*failure) Error() string      { return "failure" }
func (BatchError) Error() string    { return "batch" }
func (resultsError) Error() string  { return "results" }
func (classError) Error() string    { return "class" }
func (e countError) Error() string  { return e.String() }
func (e countError) String() string { return []string{"", "resource exhausted", "limits of 2"}[e] }

func (Error) Error() string             { return "attempts" }
func (retriedError) Error() string      { return "attempts" }
func (sqliteError) Error() string       { return "sqlite" }
func (driverError) Error() string       { return "driver" }
func (loginError) Error() string        { return "login" }
func (e driverError) ExtendedCode() int { return e.Given[0] }
func (e driverError) Code() int         { return e.Given[1] }
func (e driverError) Number() int       { return e.Given[2] }
func (writesError) Error() string       { return "writes" }
func (streamError) Error() string       { return "stream" }
func (e textError) Error() string       { return string(e) }
func (numberError) Error() string       { return "number" }

func (c rpcCode) String() string {
	names := strings.Fields("ok canceled unknown invalid_argument deadline_exceeded not_found already_exists " +
		"permission_denied resource_exhausted " +
		"failed_precondition aborted out_of_range unimplemented internal unavailable data_loss unauthenticated")
	if int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprint("code_", uint32(c))
}
func (connectError) Error() string           { return "connect" }
func (s *rpcStatus) Code() rpcCode           { return s.N }
func (s *rpcStatus) Message() string         { return s.Text }
func (s *rpcStatus) Details() []any          { return s.List }
func (e temporalError) Error() string        { return "temporal" }
func (e temporalError) Status() *rpcStatus   { return e.Given }
func (d connectDetail) Value() (any, error)  { return d.Given[0], nil }
func (rpcError) Error() string               { return "rpc" }
func (e connectError) Code() rpcCode         { return e.Given.N }
func (e connectError) Message() string       { return e.Given.Text }
func (e connectError) Details() []any        { return e.Given.List }
func (rawError) Error() string               { return "raw" }
func (e rawError) RawJSON() string           { return e.Given }
func (e rpcError) GRPCStatus() *rpcStatus    { return e.Given }
func (e errorInfo) GetReason() string        { return e.Given }
func (errorInfo) GetDomain() string          { return "x.org" }
func (s *seconds) AsDuration() time.Duration { return time.Duration(s.Given) * time.Second }
func (kubeError) Error() string              { return "kube" }
func (e kubeError) Status() kubeStatus       { return e.Given }
func (graphqlErrors) Error() string          { return "graphql" }
func (awsError) Error() string               { return "aws" }
func (e awsError) ErrorCode() string         { return e.Given }
func (awsError) ErrorMessage() string        { return "No such bucket." }
func (noticeError) Error() string            { return "notice" }
func (*forgeError) Error() string            { return "forge" }
func (*cloudError) Error() string            { return "cloud" }
func (*chatError) Error() string             { return "chat" }
func (*swaggerError) Error() string          { return "swagger" }
func (*swaggerError) Code() int              { return 412 }
func (replyError) Error() string             { return "reply" }
func (countedError) Error() string           { return "counted" }
func (shortError) Error() string             { return "short" }
func (e shortError) Code() int32             { return int32(e) }
func (severalError) Error() string           { return "coded" }
func (e severalError) Unwrap() []error       { return e.errs }
func (levelError) Error() string             { return "level" }
func (e levelError) Status() int             { return int(e) }
func (kindError) Error() string              { return "kind" }
func (e kindError) Type() string             { return e.Given }
