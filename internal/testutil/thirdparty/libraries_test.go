package thirdparty

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/failsafe-go/failsafe-go/bulkhead"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/ratelimiter"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	limit "github.com/failsafe-go/failsafe-go/timeout"
	validate "github.com/go-ozzo/ozzo-validation/v4"
	"github.com/golang-jwt/jwt/v5"
	influx "github.com/influxdata/influxdb-client-go/v2/api/http"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	mssql "github.com/microsoft/go-mssqldb"
	"github.com/quic-go/quic-go"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/sony/gobreaker/v2"
	"github.com/twmb/franz-go/pkg/kerr"
	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"
)

var pgxCases = []testCase{
	{"jackc/pgx", "no rows", "1", value(fmt.Errorf("load: %w", pgx.ErrNoRows)), validation, no, 0},
	{
		"jackc/pgx", "23514 check", "6", state("23514", `new row for relation "orders" violates check constraint "positive"`),
		or(validation, business), no, 0,
	},
	{
		"jackc/pgx", "53100 disk full", "6", state("53100", "could not extend file: No space left on device"),
		or(transient, business), nil, 0,
	},
	{"jackc/pgx", "08006", "6", state("08006", "connection failure"), transient, yesUnproven, 0},
	{
		"jackc/pgx", "25006 read only", "6", state("25006", "cannot execute INSERT in a read-only transaction"),
		or(business, permission, transient), no, 0,
	},
	{"jackc/pgx", "refused", "1", func(t *testing.T) error {
		_, err := pgx.Connect(t.Context(), "postgres://app:"+secret+"@"+refused(t)+"/shop?sslmode=disable")
		return err
	}, transient, yes, 0},
	{"jackc/pgx", "too many rows", "8", value(pgx.ErrTooManyRows), or(validation, transient, business), no, 0},
}

func state(code, message string) func(*testing.T) error {
	return value(&pgconn.PgError{Severity: "ERROR", Code: code, Message: message, Routine: "r", Line: 404})
}

var mssqlCases = []testCase{
	{"go-mssqldb", "2627 unique", "7", sqlServer(2627, 14, "Violation of PRIMARY KEY constraint 'PK_orders'. Cannot "+
		"insert duplicate key in object 'dbo.orders'."), business, no, 0},
	{
		"go-mssqldb", "1205 deadlock", "7", sqlServer(1205, 13, "Transaction (Process ID 52) was deadlocked on lock "+
			"resources with another process and has been chosen as the deadlock victim. Rerun the transaction."), transient, yes,
		0,
	},
	{"go-mssqldb", "18456 login", "7", sqlServer(18456, 14, "Login failed for user 'app'."), transient, no, 0},
	{"go-mssqldb", "208 object", "7", sqlServer(208, 16, "Invalid object name 'orderz'."), transient, no, 0},
	{"go-mssqldb", "229 permission", "7", sqlServer(229, 14, "The SELECT permission was denied on the object 'orders', "+
		"database 'shop', schema 'dbo'."), transient, no, 0},
	{"go-mssqldb", "40501 busy", "7", sqlServer(40501, 20, "The service is currently busy. Retry the request after 10 "+
		"seconds."), transient, yes, 0},
	{"go-mssqldb", "547 foreign key", "7", sqlServer(547, 16, "The INSERT statement conflicted with the FOREIGN KEY "+
		"constraint \"FK_orders\"."), or(business, validation), no, 0},
}

func sqlServer(number int32, class uint8, message string) func(*testing.T) error {
	return value(mssql.Error{Number: number, State: 1, Class: class, Message: message, LineNo: 1})
}

var kerrCases = []testCase{
	{"franz-go/kerr", "NOT_LEADER_OR_FOLLOWER", "5", value(kerr.NotLeaderForPartition), transient, yes, 0},
	{"franz-go/kerr", "TOPIC_AUTHORIZATION_FAILED", "5", value(kerr.TopicAuthorizationFailed), permission, no, 0},
	{
		"franz-go/kerr", "UNKNOWN_TOPIC_OR_PARTITION", "5", value(kerr.UnknownTopicOrPartition), or(validation, transient),
		nil, 0,
	},
	{"franz-go/kerr", "REQUEST_TIMED_OUT", "5", value(kerr.RequestTimedOut), transient, yesUnproven, 0},
	{"franz-go/kerr", "MESSAGE_TOO_LARGE", "5", value(kerr.MessageTooLarge), validation, no, 0},
	{"franz-go/kerr", "OFFSET_OUT_OF_RANGE", "5", value(kerr.OffsetOutOfRange), validation, no, 0},
	{"franz-go/kerr", "TOPIC_ALREADY_EXISTS", "5", value(kerr.TopicAlreadyExists), business, no, 0},
	{"franz-go/kerr", "THROTTLING_QUOTA_EXCEEDED", "5", value(kerr.ThrottlingQuotaExceeded), transient, yes, 0},
	{"franz-go/kerr", "SASL_AUTHENTICATION_FAILED", "5", value(kerr.SaslAuthenticationFailed), permission, no, 0},
	{
		"franz-go/kerr", "INVALID_PRODUCER_EPOCH", "5", value(kerr.InvalidProducerEpoch), or(business, validation, transient),
		no, 0,
	},
}

var smtpCases = []testCase{
	{"go-smtp", "550 no such user", "7", smtpReply(550, 5, 1, 1, "The email account that you tried to reach does not "+
		"exist."), validation, no, 0},
	{"go-smtp", "421 closing", "7", smtpReply(421, 4, 3, 2, "System not accepting network messages"), transient, yes, 0},
	{
		"go-smtp", "451 greylisted", "7", smtpReply(451, 4, 7, 1, "Greylisted, please try again in 300 seconds"), transient,
		yes, 0,
	},
	{"go-smtp", "535 credentials", "7", smtpReply(535, 5, 7, 8, "Authentication credentials invalid"), permission, no, 0},
	{"go-smtp", "552 over quota", "7", smtpReply(552, 5, 2, 2, "mailbox full"), or(business, validation), no, 0},
	{
		"go-smtp", "452 full", "7", smtpReply(452, 4, 2, 2, "The recipient's inbox is out of storage space."),
		or(transient, business), nil, 0,
	},
	{"go-smtp", "503 sequence", "7", smtpReply(503, 5, 5, 1, "Bad sequence of commands"), transient, no, 0},
	{"go-smtp", "530 auth required", "7", value(smtp.ErrAuthRequired), permission, no, 0},
}

func smtpReply(code, class, subject, detail int, text string) func(*testing.T) error {
	return value(&smtp.SMTPError{Code: code, EnhancedCode: smtp.EnhancedCode{class, subject, detail}, Message: text})
}

var influxCases = []testCase{
	{
		"influxdb-client-go", "404 bucket", "5",
		value(&influx.Error{StatusCode: 404, Code: "not found", Message: "bucket \"metrix\" not found"}), validation, no, 0,
	},
	{
		"influxdb-client-go", "429", "5",
		value(&influx.Error{
			StatusCode: 429, Code: "too many requests",
			Message: "org 1 has exceeded limited_write plan limit", RetryAfter: 40,
		}), transient, yes, 40e9,
	},
	{
		"influxdb-client-go", "422", "5",
		value(&influx.Error{StatusCode: 422, Code: "unprocessable entity", Message: "failure writing points to database: " +
			"partial write: field type conflict"}), or(validation, business), no, 0,
	},
	{
		"influxdb-client-go", "503", "5",
		value(&influx.Error{StatusCode: 503, Code: "unavailable", Message: "unavailable", RetryAfter: 3}), transient, yes,
		3e9,
	},
	{
		"influxdb-client-go", "cause", "2",
		func(t *testing.T) error { return influx.NewError(fmt.Errorf("write: %w", errors.ErrUnsupported)) },
		or(transient, validation), no, 0,
	},
}

var bboltCases = []testCase{
	{"bbolt", "timeout on the lock", "8", func(t *testing.T) error {
		path := filepath.Join(t.TempDir(), "db")
		db, err := bbolt.Open(path, 0o600, nil)
		must(t, err)
		t.Cleanup(func() { _ = db.Close() })
		_, err = bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Millisecond})
		return err
	}, transient, yes, 0},
	{"bbolt", "bucket not found", "8", value(berrors.ErrBucketNotFound), validation, no, 0},
	{"bbolt", "bucket exists", "8", value(berrors.ErrBucketExists), business, no, 0},
	{"bbolt", "key too large", "8", value(berrors.ErrKeyTooLarge), validation, no, 0},
	{"bbolt", "database not open", "8", value(berrors.ErrDatabaseNotOpen), transient, no, 0},
	{"bbolt", "tx not writable", "8", value(berrors.ErrTxNotWritable), or(transient, business), no, 0},
}

var resilienceCases = []testCase{
	{"failsafe-go", "circuit breaker open", "8", value(circuitbreaker.ErrOpen), transient, yes, 0},
	{"failsafe-go", "bulkhead full", "8", value(bulkhead.ErrFull), transient, yes, 0},
	{"failsafe-go", "rate limit exceeded", "8", value(ratelimiter.ErrExceeded), transient, yes, 0},
	{"failsafe-go", "timeout exceeded", "8", value(limit.ErrExceeded), transient, &expectation{unproven: true}, 0},
	{
		"failsafe-go", "retries exceeded on no rows", "1", value(retrypolicy.ExceededError{LastError: pgx.ErrNoRows}),
		validation, no, 0,
	},
	{
		"failsafe-go", "retries exceeded, the last refused", "1",
		value(retrypolicy.ExceededError{LastError: &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}}),
		transient, &expectation{unproven: true}, 0,
	},
	{"gobreaker", "open state", "8", value(gobreaker.ErrOpenState), transient, yes, 0},
	{"gobreaker", "too many requests", "8", value(gobreaker.ErrTooManyRequests), transient, yes, 0},
}

var jwtCases = []testCase{
	{"golang-jwt", "expired", "8", func(t *testing.T) error {
		token, err := jwt.NewWithClaims(jwt.SigningMethodHS256,
			jwt.RegisteredClaims{ExpiresAt: jwt.NewNumericDate(time.Unix(1, 0))}).SignedString([]byte(secret))
		must(t, err)
		_, err = jwt.Parse(token, func(*jwt.Token) (any, error) { return []byte(secret), nil })
		return err
	}, permission, no, 0},
	{"golang-jwt", "malformed", "8", func(*testing.T) error {
		_, err := jwt.Parse("abc", nil)
		return err
	}, or(permission, validation, transient), no, 0},
	{"golang-jwt", "signature", "8", value(fmt.Errorf("auth: %w", jwt.ErrTokenSignatureInvalid)), permission, no, 0},
	{"golang-jwt", "audience", "8", value(jwt.ErrTokenInvalidAudience), permission, no, 0},
	{"golang-jwt", "not yet valid", "8", value(jwt.ErrTokenNotValidYet), permission, no, 0},
}

var quicCases = []testCase{
	{"quic-go", "idle timeout", "3", value(&quic.IdleTimeoutError{}), transient, yesUnproven, 0},
	{"quic-go", "handshake timeout", "3", value(&quic.HandshakeTimeoutError{}), transient, yes, 0},
	{
		"quic-go", "connection refused", "7", value(&quic.TransportError{Remote: true, ErrorCode: quic.ConnectionRefused}),
		transient, &expectation{}, 0,
	},
	{
		"quic-go", "application error of code 404", "9",
		value(&quic.ApplicationError{Remote: true, ErrorCode: 404, ErrorMessage: "bye"}), or(transient, validation), no, 0,
	},
	{"quic-go", "stateless reset", "3", value(&quic.StatelessResetError{}), transient, bothUnproven, 0},
	{"quic-go", "version negotiation", "7b", value(&quic.VersionNegotiationError{}), transient, no, 0},
}

var schemaCases = []testCase{
	{"santhosh-tekuri/jsonschema", "validation", "7b", func(t *testing.T) error {
		compiler := jsonschema.NewCompiler()
		must(t, compiler.AddResource("s.json", map[string]any{"type": "object", "required": []any{"name"}}))
		schema, err := compiler.Compile("s.json")
		must(t, err)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(`{"nam":1}`))
		must(t, err)
		return schema.Validate(value)
	}, or(validation, transient), no, 0},
	{"ozzo-validation", "required", "4", func(*testing.T) error {
		return validate.Errors{"name": validate.Validate("", validate.Required)}.Filter()
	}, validation, no, 0},
	{"ozzo-validation", "length", "4", func(*testing.T) error {
		return validate.Validate("abcdef", validate.Length(1, 3))
	}, validation, no, 0},
}
