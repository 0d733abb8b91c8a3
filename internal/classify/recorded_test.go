package classify_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/textproto"
	"net/url"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// types are the types of errors in samples, by their names.
var types = byName(
	RetryableError{}, QuotasExceededError{}, DailyRateLimitError{}, PermissionsDeniedError{}, InvalidArgumentsError{},
	AlreadyVisitedError{}, &WidgetNotFoundError{},
	BackendUnavailableError{}, InvalidResponseError{}, ExitMissingError{}, &ParseError{}, ConfigFileNotFoundError{},
	RateLimitError{}, twoDelaysError{}, ValidationErrors{},
	faultError{}, summaryError{}, labeledError{}, enumError{}, statusError{}, proxyError{}, listError{}, rowError{},
	postgresError{}, protocolError{}, remoteError{}, &responseError{},
	contextError{}, limitedAPIError{}, &nestedAPIError{}, &bodyError{}, keptError{}, &graphqlError{}, &LimitError{},
	&RateLimitedError{}, httpStatusError{}, codedError{}, remoteCodeError{},
	stateError{}, smtpError{}, declaredError{}, hintedError{}, temporaryError{},
	&EmbeddedAPIError{}, kubeError{}, awsError{}, graphqlErrors{}, noticeError{},
	&forgeError{}, &cloudError{}, &chatError{}, &swaggerError{}, replyError{}, countedError{}, shortError(0),
	levelError(0), kindError{}, rpcError{}, temporalError{}, connectError{}, rawError{}, &retryInfo{}, errorInfo{},
	&badRequest{}, connectDetail{},
	mailError{}, pairMailError{}, wordMailError{}, partsError{}, extendedError{}, extendedErrors{}, statusBodyError{},
	pairError{}, RetryAfterError{}, timedError{}, infoError{}, plainDetail{}, oddStatusError{}, text(""),
	bulkError{}, oneWriteError{}, mapError{}, failuresError{}, BatchError{}, resultsError{}, classError{}, countError(0),
	Error{}, retriedError{}, sqliteError{}, driverError{}, loginError{}, writesError{}, streamError{}, textError(""),
	decodeError{}, numberError(0), authored{}, &textproto.Error{}, textproto.ProtocolError(""), &net.DNSError{},
	&http.MaxBytesError{}, &json.SyntaxError{},
	&tls.CertificateVerificationError{}, x509.UnknownAuthorityError{},
)

func byName(list ...any) map[string]reflect.Type {
	m := map[string]reflect.Type{}
	for _, v := range list {
		t := reflect.TypeOf(v)
		m[strings.TrimPrefix(strings.TrimPrefix(t.String(), "*"), "classify_test.")] = t
	}
	return m
}

// values are errors in samples that are values.
var values = map[string]error{
	"nil": nil, "x": errors.New("x"), "loop": loop{}, "EOF": io.EOF, "UnexpectedEOF": io.ErrUnexpectedEOF,
	"Canceled": context.Canceled, "DeadlineExceeded": context.DeadlineExceeded,
	"os.DeadlineExceeded": os.ErrDeadlineExceeded, "NoRows": sql.ErrNoRows, "NoCookie": http.ErrNoCookie,
	"BadConn": driver.ErrBadConn, "TxDone": sql.ErrTxDone, "Closed": net.ErrClosed,
	"NotExist": fs.ErrNotExist, "Exist": fs.ErrExist, "Permission": fs.ErrPermission, "Invalid": fs.ErrInvalid,
	"NotFound": exec.ErrNotFound, "Syntax": strconv.ErrSyntax, "Range": strconv.ErrRange,
	"ENOENT": syscall.ENOENT, "EACCES": syscall.EACCES, "EPERM": syscall.EPERM, "EEXIST": syscall.EEXIST,
	"ENOTEMPTY": syscall.ENOTEMPTY, "EINVAL": syscall.EINVAL, "E2BIG": syscall.E2BIG, "EDQUOT": syscall.EDQUOT,
	"ENOSPC": syscall.ENOSPC, "EMFILE": syscall.EMFILE, "ECONNREFUSED": syscall.ECONNREFUSED,
	"ECONNRESET": syscall.ECONNRESET, "ETIMEDOUT": syscall.ETIMEDOUT, "ECANCELED": syscall.ECANCELED,
	"4095":  syscall.Errno(4095),
	"10051": syscall.Errno(10051), "10053": syscall.Errno(10053), "10054": syscall.Errno(10054),
	"10055": syscall.Errno(10055), "10060": syscall.Errno(10060), "10061": syscall.Errno(10061),
	"10065":            syscall.Errno(10065),
	"canceled dial":    failed(new(net.Dialer).DialContext(canceled(), "tcp", "127.0.0.1:1")),
	"canceled look-up": failed(new(net.Resolver).LookupHost(canceled(), "host.invalid")),
	"time":             failed(time.Parse(time.RFC3339, "yesterday")),
	"duration":         failed(time.ParseDuration("5 minutes")),
	"time zone":        failed(time.LoadLocation("Mars/Phobos")),
	"bad line":         &ParseError{"bad line"}, "no JSON": json.Unmarshal([]byte("{"), new(any)),
	"Guessed": classify.ErrGuessed, "nil forge": (*forgeError)(nil),
	"nil pointer": (*pointer)(nil), "nil net error": (*net.OpError)(nil), "nil DNS error": (*net.DNSError)(nil),
	"nil number": (*strconv.NumError)(nil), "nil inside": &loopError{}, "nil branches": manyError{[]error{nil, nil}},
	"no branches": manyError{}, "bad text": badError{0}, "bad Timeout": badError{1},
	"bad Is": badError{2}, "bad As": badError{3},
	"another Error": func() error { type Error struct{ temporaryError }; return Error{} }(),
}

// failed returns the error of a call that has a value too.
func failed(_ any, err error) error { return err }

func canceled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

// wrappers are errors in samples around others.
var wrappers = map[string]func(errs ...error) error{
	"embedded": func(errs ...error) error { return &EmbeddedAPIError{apiError: &apiError{404, errs[0]}} },
	"wrap":     func(errs ...error) error { return fmt.Errorf("call: %w", errs[0]) }, "join": errors.Join,
	"giving up": func(errs ...error) error {
		return fmt.Errorf("POST http://x giving up after 3 attempt(s): %w", errs[0])
	},
	"words":     func(errs ...error) error { return fmt.Errorf("%w: %w", errs[0], errs[1]) },
	"dial":      func(errs ...error) error { return dialContext(errs[0]) },
	"read":      func(errs ...error) error { return &net.OpError{Op: "read", Err: errs[0]} },
	"system":    func(errs ...error) error { return os.NewSyscallError("x", errs[0]) },
	"Get":       func(errs ...error) error { return &url.Error{Op: "Get", Err: errs[0]} },
	"parse":     func(errs ...error) error { return &url.Error{Op: "parse", Err: errs[0]} },
	"open":      func(errs ...error) error { return &fs.PathError{Op: "open", Err: errs[0]} },
	"fork":      func(errs ...error) error { return &fs.PathError{Op: "fork/exec", Err: errs[0]} },
	"exec":      func(errs ...error) error { return &exec.Error{Err: errs[0]} },
	"number":    func(errs ...error) error { return &strconv.NumError{Err: errs[0]} },
	"permanent": func(errs ...error) error { return finalError{errs[0]} },
	"alias":     func(errs ...error) error { return aliasError{errs[0]} },
	"retried":   func(errs ...error) error { return Error(errs) },
	"retrying":  func(errs ...error) error { return retriedError(errs) },
	"listed":    func(errs ...error) error { return resultsError{Errs: errs} },
	"failures": func(errs ...error) error {
		list := failuresError{}
		for _, err := range errs {
			list = append(list, &failure{err, &message{}})
		}
		return list
	},
	"throttled": func(errs ...error) error { return severalError{"Throttled", errs} },
	"many":      func(errs ...error) error { return manyErrors(errs) },
	"inner":     func(errs ...error) error { return &innerError{errs[0]} },
	"attempts":  func(errs ...error) error { return &attemptsError{errs} },
	"fields":    func(errs ...error) error { return fieldsError{"a": errs[0], "b": errs[1]} },
	"limited":   func(errs ...error) error { return &RateLimitedError{Inner: errs[0]} },
	"429":       around(statusAroundError{status: 429}), "503": around(statusAroundError{status: 503}),
	"400": around(statusAroundError{status: 400}), "3s": around(statusAroundError{wait: 3 * time.Second}),
	"429 20s":        around(statusAroundError{status: 429, wait: 20 * time.Second}),
	"already_exists": around(statusAroundError{code: "already_exists"}),
	"404 not_found":  around(statusAroundError{status: 404, code: "not_found"}),
	"labeled": func(errs ...error) error {
		return labeledAroundError{labeledError{Label: "KEY_NOT_FOUND"}, errs[0]}
	},
	"why":       func(errs ...error) error { return whyError{errs[0]} },
	"retryable": func(errs ...error) error { return &apiError{600, errs[0]} },
}

func around(e statusAroundError) func(...error) error {
	return func(errs ...error) error {
		e.inner = errs[0]
		return e
	}
}

// build returns what a sample describes: the name of a value, or an object with one member, which is
// a type with its fields, or a wrapper with what it wraps.
func build(sample json.RawMessage) any {
	var name string
	if json.Unmarshal(sample, &name) == nil {
		return values[name]
	}
	var object map[string]json.RawMessage
	must(json.Unmarshal(sample, &object))
	for name, raw := range object {
		if around := wrappers[name]; around != nil {
			var list []json.RawMessage
			must(json.Unmarshal(raw, &list))
			errs := make([]error, len(list))
			for i := range list {
				errs[i], _ = build(list[i]).(error)
			}
			return around(errs...)
		}
		if name == "plain" {
			must(json.Unmarshal(raw, &name))
			return errors.New(name)
		}
		v := reflect.New(types[name])
		must(json.Unmarshal(raw, v.Interface()))
		return v.Elem().Interface()
	}
	return nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// UnmarshalJSON builds each detail.
func (d *details) UnmarshalJSON(raw []byte) error {
	var list []json.RawMessage
	must(json.Unmarshal(raw, &list))
	for _, item := range list {
		*d = append(*d, build(item))
	}
	return nil
}

var filler = regexp.MustCompile(`<\d+>`)

// TestError_Samples checks all that is read from an error, which is the same if it is wrapped: its
// classification, whether or not a blame says whose fault it is, what a library's parser or a service
// says to the blame, and a service's message. A number in angle brackets stands for as many letters.
// It is the year 2000.
func TestError_Samples(t *testing.T) {
	t.Parallel()
	for pkg, err := range libraries {
		classify.Place(reflect.TypeOf(err), pkg)
	}
	synctest.Test(t, func(t *testing.T) {
		testutil.Recorded(t, "testdata/errors.txt", func(sample string) string {
			sample = filler.ReplaceAllStringFunc(sample, func(n string) string {
				length, _ := strconv.Atoi(n[1 : len(n)-1])
				return strings.Repeat("x", length)
			})
			var answers [2]string
			for i, text := range []string{sample, `{"wrap":[` + sample + `]}`} {
				err, _ := build(json.RawMessage(text)).(error)
				var rejection string
				lines := []string{testutil.Fields(from(err))}
				for fault, who := range []string{"", "own ", "caller's "} {
					c, _ := classify.Error(err, known, func(_ []error, text string) (string, classify.Fault) {
						rejection = text
						return "f", classify.Fault(fault)
					})
					if line := who + testutil.Fields(c); !strings.HasSuffix(lines[0], testutil.Fields(c)) {
						lines = append(lines, line)
					}
				}
				if rejection != "" {
					lines = append(lines, "rejection: "+rejection)
				}
				if message, field := classify.ServiceMessage(err); message+field != "" {
					lines = append(lines, fmt.Sprintf("%q %s", message, field))
				}
				answers[i] = strings.TrimSpace(strings.Join(lines, "\n"))
			}
			assert.Equal(t, answers[0], answers[1], "wrapped: %s", sample)
			return answers[0]
		})
	})
}
