package toolerr_test

import (
	"context"
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
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// is describes an envelope as "category code [retryable] [effect]". Retryable means that the
// failure is, for a tool that is safe to repeat. Without one it is only if nothing was done.
func is(e *toolerr.Error) string {
	if e == nil {
		return "nil"
	}
	s := string(e.Category) + " " + string(e.Code)
	if isTemporary(e) {
		s += " retryable"
	}
	if e.Retryable != (isTemporary(e) && (e.Effect == "" || e.Effect == toolerr.EffectNone)) {
		s += " although the effect is"
	}
	if e.Effect != "" {
		s += " " + string(e.Effect)
	}
	return s
}

type (
	httpStatusError  struct{ status int }
	codedError       struct{ code string }
	stateError       struct{ state, text string }
	permanentError   struct{ error }
	declaredError    struct{ retryable bool }
	hintedError      struct{ wait time.Duration }
	RateLimitError   struct{ RetryAfter int }
	ValidationErrors []string
	temporaryError   struct{}
	aliasError       struct{ target error }
	limitedAPIError  struct {
		StatusCode int
		Code       any
		Header     http.Header
	}
	nestedAPIError struct {
		Code   int
		Errors []struct{ Reason, Message string }
	}
	responseError struct{ Response *http.Response }
)

func (e httpStatusError) Error() string         { return "http" }
func (e httpStatusError) StatusCode() int       { return e.status }
func (e codedError) Error() string              { return "coded" }
func (e codedError) ErrorCode() string          { return e.code }
func (e stateError) Error() string              { return e.text }
func (e stateError) SQLState() string           { return e.state }
func (e permanentError) Unwrap() error          { return e.error }
func (e permanentError) Permanent() bool        { return true }
func (e declaredError) Error() string           { return "declared" }
func (e declaredError) Retryable() bool         { return e.retryable }
func (e hintedError) Error() string             { return "hinted" }
func (e hintedError) RetryAfter() time.Duration { return e.wait }
func (e RateLimitError) Error() string          { return "limit" }
func (e ValidationErrors) Error() string        { return "fields" }
func (temporaryError) Error() string            { return "temp" }
func (temporaryError) Temporary() bool          { return true }
func (e aliasError) Error() string              { return "alias" }
func (e aliasError) Is(t error) bool            { return t == e.target }
func (e limitedAPIError) Error() string         { return "api" }
func (e *nestedAPIError) Error() string         { return "nested" }
func (e *responseError) Error() string          { return "response" }

type statusAroundError struct {
	status int
	inner  error
}

func (e statusAroundError) Error() string   { return "around" }
func (e statusAroundError) StatusCode() int { return e.status }
func (e statusAroundError) Unwrap() error   { return e.inner }

func dial(err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
}

func read(err error) error {
	return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", err)}
}

func TestFrom(t *testing.T) {
	t.Parallel()
	_, numErr := strconv.Atoi("x")
	_, rangeErr := strconv.Atoi("99999999999999999999")
	_, timeErr := time.Parse(time.RFC3339, "yesterday")
	_, durationErr := time.ParseDuration("5 minutes")
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"plain":                    {errors.New("x"), "transient internal unknown"},
		"cancelled":                {fmt.Errorf("a: %w", context.Canceled), "transient canceled unknown"},
		"deadline":                 {fmt.Errorf("a: %w", context.DeadlineExceeded), "transient timeout retryable unknown"},
		"refused":                  {&url.Error{Op: "Get", URL: "u", Err: dial(syscall.ECONNREFUSED)}, "transient unavailable retryable none"},
		"reset":                    {&url.Error{Op: "Post", URL: "u", Err: read(syscall.ECONNRESET)}, "transient unavailable retryable unknown"},
		"reset while dialing":      {dial(syscall.ECONNRESET), "transient unavailable retryable none"},
		"dial timed out":           {dial(syscall.ETIMEDOUT), "transient timeout retryable none"},
		"dial deadline":            {&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, "transient timeout retryable none"},
		"read deadline":            {&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, "transient timeout retryable unknown"},
		"reply lost":               {&url.Error{Op: "Post", URL: "u", Err: io.EOF}, "transient unavailable retryable unknown"},
		"half a body":              {io.ErrUnexpectedEOF, "transient unavailable retryable unknown"},
		"no such host":             {&net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}}, "transient internal none"},
		"slow resolver":            {&net.OpError{Op: "dial", Err: &net.DNSError{IsTimeout: true}}, "transient timeout retryable none"},
		"broken resolver":          {&net.DNSError{IsTemporary: true}, "transient unavailable retryable none"},
		"untrusted":                {&url.Error{Op: "Get", URL: "u", Err: x509.UnknownAuthorityError{}}, "transient internal none"},
		"closed by us":             {net.ErrClosed, "transient internal unknown"},
		"no file":                  {&fs.PathError{Op: "open", Err: syscall.ENOENT}, "transient internal unknown"},
		"file denied":              {&fs.PathError{Op: "open", Err: syscall.EACCES}, "transient internal unknown"},
		"disk full":                {&fs.PathError{Op: "write", Err: syscall.ENOSPC}, "transient unavailable unknown"},
		"descriptors":              {&fs.PathError{Op: "open", Err: syscall.EMFILE}, "transient unavailable retryable none"},
		"quota":                    {syscall.EDQUOT, "business limit_exceeded none"},
		"odd errno":                {syscall.Errno(4095), "transient internal unknown"},
		"number":                   {numErr, "transient internal unknown"},
		"number too large":         {rangeErr, "transient internal unknown"},
		"time":                     {timeErr, "transient internal unknown"},
		"duration":                 {durationErr, "transient internal unknown"},
		"json":                     {json.Unmarshal([]byte("{"), new(int)), "transient internal unknown"},
		"no rows":                  {fmt.Errorf("get: %w", sql.ErrNoRows), "validation not_found none"},
		"bad connection":           {driver.ErrBadConn, "transient unavailable retryable unknown"},
		"transaction done":         {sql.ErrTxDone, "transient internal unknown"},
		"smtp later":               {&textproto.Error{Code: 450}, "transient unavailable retryable none"},
		"smtp login":               {&textproto.Error{Code: 535}, "permission unauthenticated none"},
		"alias":                    {aliasError{fs.ErrNotExist}, "validation not_found none"},
		"alias of a timeout":       {aliasError{context.DeadlineExceeded}, "transient timeout retryable unknown"},
		"temporary":                {temporaryError{}, "transient unavailable retryable unknown"},
		"status 503":               {httpStatusError{503}, "transient unavailable retryable unknown"},
		"status 502":               {httpStatusError{502}, "transient unavailable retryable unknown"},
		"a cut reply in a 503":     {fmt.Errorf("%w", statusAroundError{503, io.ErrUnexpectedEOF}), "transient unavailable retryable unknown"},
		"status 200":               {httpStatusError{200}, "transient internal unknown"},
		"code":                     {codedError{"ThrottlingException"}, "transient rate_limited retryable none"},
		"code in parts":            {codedError{"Workspace.NotFound"}, "validation not_found none"},
		"unknown code":             {codedError{"Zap"}, "transient internal unknown"},
		"plan exhausted under 429": {limitedAPIError{StatusCode: 429, Code: "insufficient_quota"}, "business limit_exceeded none"},
		"throttled under 400":      {limitedAPIError{StatusCode: 400, Code: "throttling"}, "transient rate_limited retryable none"},
		"generic code, status 401": {limitedAPIError{StatusCode: 401, Code: "invalid_request_error"}, "permission unauthenticated none"},
		"generic code, status 500": {limitedAPIError{StatusCode: 500, Code: "internal_error"}, "transient unavailable retryable unknown"},
		"reason under 403":         {&nestedAPIError{Code: 403, Errors: []struct{ Reason, Message string }{{Reason: "userRateLimitExceeded"}}}, "transient rate_limited retryable none"},
		"response":                 {&responseError{&http.Response{StatusCode: http.StatusNotFound}}, "validation not_found none"},
		"no response":              {&responseError{}, "transient internal unknown"},
		"SQLSTATE":                 {stateError{"40001", ""}, "transient unavailable retryable none"},
		"SQLSTATE class":           {stateError{"08999", ""}, "transient unavailable retryable unknown"},
		"statement timeout":        {stateError{"57014", "canceling statement due to statement timeout"}, "transient timeout retryable none"},
		"statement cancelled":      {stateError{"57014", "canceling statement due to user request"}, "transient canceled unknown"},
		"no SQLSTATE":              {stateError{"00", ""}, "transient internal unknown"},
		"permanent":                {permanentError{dial(syscall.ECONNREFUSED)}, "transient unavailable none"},
		"permanent inside":         {fmt.Errorf("a: %w", permanentError{errors.New("x")}), "transient internal unknown"},
		"declared final":           {fmt.Errorf("%w: %w", declaredError{false}, context.DeadlineExceeded), "transient timeout unknown"},
		"declared retryable":       {declaredError{true}, "transient unavailable retryable unknown"},
		"type name":                {RateLimitError{30}, "transient rate_limited retryable none"},
		"type name of a slice":     {ValidationErrors{"a"}, "validation invalid_argument none"},
		"a delay alone":            {hintedError{time.Second}, "transient rate_limited retryable none"},
		"breaker":                  {errors.New("circuit breaker is open"), "transient unavailable retryable none"},
		"text of a library":        {fmt.Errorf("publish: %w", errors.New("nats: no responders available for request")), "transient unavailable retryable none"},
		"text inside a text":       {errors.New("publish: nats: no responders available for request"), "transient internal unknown"},
		"digits in a text":         {errors.New("order 503 failed with 429 items: timeout"), "transient internal unknown"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := toolerr.From(test.err)
			assert.Equal(t, test.want, is(e))
			assert.Equal(t, test.err, errors.Unwrap(e), "cause")
		})
	}
}

func TestFrom_Joins(t *testing.T) {
	t.Parallel()
	refused, lost := dial(syscall.ECONNREFUSED), read(syscall.ECONNRESET)
	authored := toolerr.Business("authored").WithCode("c")
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"one forbids":                  {errors.Join(refused, fs.ErrPermission, context.DeadlineExceeded), "permission permission_denied unknown"},
		"one forbids, one unknown":     {errors.Join(errors.New("x"), fs.ErrPermission), "permission permission_denied unknown"},
		"one unknown":                  {errors.Join(refused, errors.New("x")), "transient internal unknown"},
		"an unknown prefix":            {fmt.Errorf("%w: %w", errors.New("query failed"), refused), "transient unavailable retryable unknown"},
		"the least safe":               {errors.Join(refused, lost), "transient unavailable retryable unknown"},
		"the least safe, in any order": {errors.Join(lost, refused), "transient unavailable retryable unknown"},
		"an authored one":              {errors.Join(refused, authored), "business c none"},
		"authored permission":          {errors.Join(sql.ErrNoRows, toolerr.Permission("denied").WithCode("c")), "permission c none"},
		"permission after authored":    {fmt.Errorf("%w: %w", toolerr.NotFound("row", "7"), fs.ErrPermission), "permission permission_denied none"},
		"authored before classified":   {errors.Join(sql.ErrNoRows, authored), "business c none"},
		"permission before retryable":  {errors.Join(toolerr.Transient("m").WithCode("a"), fs.ErrPermission), "permission permission_denied"},
		"all unknown":                  {errors.Join(errors.New("x"), errors.New("y")), "transient internal unknown"},
		"a join in a chain":            {fmt.Errorf("a: %w", errors.Join(refused)), "transient unavailable retryable none"},
		"a nil *Error":                 {fmt.Errorf("a: %w", (*toolerr.Error)(nil)), "transient internal unknown"},
	} {
		assert.Equal(t, test.want, is(toolerr.From(test.err)), name)
	}
	e := toolerr.From(errors.Join(RateLimitError{30}, RateLimitError{90}))
	assert.Equal(t, 90*time.Second, e.RetryAfter, "longest wait")
}

func TestFrom_AuthoredErrors(t *testing.T) {
	t.Parallel()
	var none *toolerr.Error
	ours := toolerr.Business("ours")
	assert.Nil(t, toolerr.From(nil))
	assert.Nil(t, toolerr.From(none))
	assert.Same(t, ours, toolerr.From(ours))
	assert.Same(t, ours, toolerr.From(&url.Error{Op: "Get", URL: "u", Err: fmt.Errorf("a: %w", ours)}))
	assert.NoError(t, toolerr.Wrap(nil, "m"))
	assert.NoError(t, toolerr.Wrap(none, "m"))
	wrapped := toolerr.Wrap(fmt.Errorf("a: %w", ours), "words")
	require.EqualError(t, wrapped, "words")
	assert.Equal(t, toolerr.CategoryBusiness, toolerr.CategoryOf(wrapped))
	require.ErrorIs(t, wrapped, ours)

	rule := func(err error) (*toolerr.Error, bool) { return toolerr.Validation("by rule"), errors.Is(err, io.EOF) }
	assert.Equal(t, "by rule", toolerr.From(io.EOF, rule).Message)
	assert.Equal(t, "transient internal unknown", is(toolerr.From(errors.New("x"), rule)))
}

func TestFrom_Delays(t *testing.T) {
	t.Parallel()
	header := http.Header{"Retry-After": {"20"}}
	for name, test := range map[string]struct {
		err  error
		want time.Duration
	}{
		"method":        {hintedError{3 * time.Second}, 3 * time.Second},
		"negative":      {fmt.Errorf("a: %w", hintedError{-time.Second}), 0},
		"absurd":        {hintedError{1 << 62}, 365 * 24 * time.Hour},
		"seconds":       {RateLimitError{14}, 14 * time.Second},
		"header":        {limitedAPIError{StatusCode: 429, Header: header}, 20 * time.Second},
		"response":      {&responseError{&http.Response{StatusCode: http.StatusServiceUnavailable, Header: header}}, 20 * time.Second},
		"not retryable": {limitedAPIError{StatusCode: 400, Header: header}, 0},
	} {
		assert.Equal(t, test.want, toolerr.From(test.err).RetryAfter, name)
	}
}

// Malformed error trees. From must return, and must not disclose their text.
type (
	loopError struct{ next error }
	manyError struct{ errs []error }
	badError  struct{ how int }
	pointer   struct{ secret string }
)

func (e *loopError) Error() string  { return "hunter2" }
func (e *loopError) Unwrap() error  { return e.next }
func (e manyError) Error() string   { return "hunter2" }
func (e manyError) Unwrap() []error { return e.errs }
func (e *pointer) Error() string    { return e.secret } // panics on nil
func (e badError) Error() string {
	if e.how == 0 {
		panic("hunter2")
	}
	return "hunter2"
}

func (e badError) Timeout() bool {
	if e.how == 1 {
		panic("hunter2")
	}
	return false
}

func (e badError) Is(error) bool {
	if e.how == 2 {
		panic(errors.New("hunter2"))
	}
	return false
}

func (e badError) As(any) bool {
	if e.how == 3 {
		panic("hunter2")
	}
	return false
}

func TestFrom_HostileTrees(t *testing.T) {
	t.Parallel()
	loop := &loopError{}
	loop.next = loop
	wide := manyError{make([]error, 100_000)}
	for i := range wide.errs {
		wide.errs[i] = dial(syscall.ECONNREFUSED)
	}
	wide.errs[99_999] = fs.ErrPermission
	mutual := manyError{make([]error, 2)}
	mutual.errs[0], mutual.errs[1] = mutual, mutual
	var nilPointer *pointer
	trees := map[string]error{
		"loop": loop, "wide": wide, "mutual": mutual, "nil pointer": nilPointer,
		"nil branches": manyError{[]error{nil, nil}}, "no branches": manyError{}, "nil inside": &loopError{},
		"nil net error": (*net.OpError)(nil), "nil DNS error": (*net.DNSError)(nil), "nil number": (*strconv.NumError)(nil),
	}
	for how := range 4 {
		trees[fmt.Sprint("bad ", how)] = fmt.Errorf("hunter2: %w", badError{how})
	}
	for name, err := range trees {
		start := time.Now()
		e := toolerr.From(err)
		assert.Less(t, time.Since(start), testutil.Patience, name)
		assert.False(t, e.Retryable, name)
		assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2", name)
		assert.NotPanics(t, func() { toolerr.CategoryOf(err); toolerr.CodeOf(err) }, name)
	}
}

func FuzzFrom(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "hunter2")
	f.Add([]byte("\x0c\x0c\x0c\x0c\x03\x01"), "nats: timeout hunter2")
	f.Fuzz(func(t *testing.T, program []byte, text string) {
		const planted = "hunter2-planted"
		stack := []error{errors.New(planted + text)}
		pop := func() error {
			if len(stack) == 0 {
				return nil
			}
			e := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			return e
		}
		for _, op := range program[:min(len(program), 200)] {
			switch op % 16 {
			case 0:
				stack = append(stack, fmt.Errorf(planted+": %w", pop()))
			case 1:
				stack = append(stack, errors.Join(pop(), pop()))
			case 2:
				stack = append(stack, badError{int(op / 16)})
			case 3:
				l := &loopError{pop()}
				if op > 100 {
					l.next = l
				}
				stack = append(stack, l)
			case 4:
				stack = append(stack, codedError{planted + text})
			case 5:
				stack = append(stack, limitedAPIError{StatusCode: int(op) * 3, Code: text, Header: http.Header{"Retry-After": {text}}})
			case 6:
				stack = append(stack, &url.Error{Op: planted, URL: "https://u:" + planted + "@h/?" + text, Err: pop()})
			case 7:
				stack = append(stack, syscall.Errno(op))
			case 8:
				stack = append(stack, stateError{text, planted})
			case 9:
				var p *pointer
				stack = append(stack, p)
			case 10:
				stack = append(stack, manyError{[]error{pop(), nil, pop(), pop()}})
			case 11:
				stack = append(stack, permanentError{pop()})
			case 12:
				stack = append(stack, hintedError{time.Duration(op) << 55})
			case 13:
				stack = append(stack, &nestedAPIError{Code: int(op) * 3, Errors: []struct{ Reason, Message string }{{text, planted}}})
			case 14:
				stack = append(stack, aliasError{pop()})
			case 15:
				stack = append(stack, &responseError{&http.Response{StatusCode: int(op) * 3, Header: http.Header{"X-Ratelimit-Reset": {text}}}})
			}
		}
		e := toolerr.From(errors.Join(stack...))
		if e == nil {
			return
		}
		wire := string(e.AppendJSON(nil))
		require.True(t, json.Valid([]byte(wire)))
		require.NotContains(t, wire, planted)
		require.GreaterOrEqual(t, e.RetryAfter, time.Duration(0))
		require.LessOrEqual(t, e.RetryAfter, 365*24*time.Hour)
	})
}
