package classify_test

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
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// An authored error is classified by its author.
type authored struct{ classify.Classification }

func (authored) Error() string { return "authored" }

// by returns an error that its author classified.
func by(category, code, effect string) error {
	return authored{classify.Classification{Category: category, Code: code, Effect: effect}}
}

func known(err error) (classify.Classification, error) {
	if a, ok := err.(authored); ok { //nolint:errorlint // one link of the chain
		return a.Classification, a
	}
	return classify.Classification{}, nil
}

func from(err error) classify.Classification {
	c, _ := classify.Error(err, known, nil)
	return c
}

// is describes a classification as "category code [retryable] [effect]".
func is(c classify.Classification) string {
	s := c.Category + " " + c.Code
	if c.Retryable {
		s += " retryable"
	}
	if c.Effect != "" {
		s += " " + c.Effect
	}
	return s
}

// A classified has errors and their classifications.
type classified map[string]struct {
	err  error
	want string
}

// check classifies each error as it is, and wrapped.
func (c classified) check(t *testing.T) {
	t.Helper()
	for name, test := range c {
		assert.Equal(t, test.want, is(from(test.err)), name)
		assert.Equal(t, test.want, is(from(fmt.Errorf("call: %w", test.err))), "%s, wrapped", name)
	}
}

func TestError(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, canceledDial := new(net.Dialer).DialContext(ctx, "tcp", "127.0.0.1:1")
	_, canceledLookup := new(net.Resolver).LookupHost(ctx, "host.invalid")
	require.Error(t, canceledDial)
	require.Error(t, canceledLookup)
	_, numErr := strconv.Atoi("x")
	_, rangeErr := strconv.Atoi("99999999999999999999")
	_, timeErr := time.Parse(time.RFC3339, "yesterday")
	_, durationErr := time.ParseDuration("5 minutes")
	_, zoneErr := time.LoadLocation("Mars/Phobos")
	classified{
		"plain":                     {errors.New("x"), "transient internal unknown"},
		"cancelled":                 {fmt.Errorf("a: %w", context.Canceled), "transient canceled unknown"},
		"deadline":                  {fmt.Errorf("a: %w", context.DeadlineExceeded), "transient timeout retryable unknown"},
		"refused":                   {&url.Error{Op: "Get", URL: "u", Err: dial(syscall.ECONNREFUSED)}, "transient unavailable retryable none"},
		"reset":                     {&url.Error{Op: "Post", URL: "u", Err: read(syscall.ECONNRESET)}, "transient unavailable retryable unknown"},
		"reset while dialing":       {dial(syscall.ECONNRESET), "transient unavailable retryable none"},
		"dial timed out":            {dial(syscall.ETIMEDOUT), "transient timeout retryable none"},
		"dial canceled":             {dialContext(context.Canceled), "transient canceled none"},
		"dial canceled by the net":  {&url.Error{Op: "Get", URL: "u", Err: canceledDial}, "transient canceled none"},
		"canceled look-up":          {dialContext(canceledLookup), "transient canceled none"},
		"dial deadline":             {&net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, "transient timeout retryable none"},
		"read deadline":             {&net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, "transient timeout retryable unknown"},
		"reply lost":                {&url.Error{Op: "Post", URL: "u", Err: io.EOF}, "transient unavailable retryable unknown"},
		"half a body":               {io.ErrUnexpectedEOF, "transient unavailable retryable unknown"},
		"no such host":              {&net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}}, "transient internal none"},
		"slow resolver":             {&net.OpError{Op: "dial", Err: &net.DNSError{IsTimeout: true}}, "transient timeout retryable none"},
		"broken resolver":           {&net.DNSError{IsTemporary: true}, "transient unavailable retryable none"},
		"untrusted":                 {&url.Error{Op: "Get", URL: "u", Err: x509.UnknownAuthorityError{}}, "transient internal none"},
		"closed by us":              {net.ErrClosed, "transient internal unknown"},
		"no file":                   {&fs.PathError{Op: "open", Err: syscall.ENOENT}, "transient internal unknown"},
		"file denied":               {&fs.PathError{Op: "open", Err: syscall.EACCES}, "transient internal unknown"},
		"disk full":                 {&fs.PathError{Op: "write", Err: syscall.ENOSPC}, "transient unavailable unknown"},
		"descriptors":               {&fs.PathError{Op: "open", Err: syscall.EMFILE}, "transient unavailable retryable none"},
		"quota":                     {syscall.EDQUOT, "business limit_exceeded none"},
		"odd errno":                 {syscall.Errno(4095), "transient internal unknown"},
		"number":                    {numErr, "transient internal unknown"},
		"number too large":          {rangeErr, "transient internal unknown"},
		"time":                      {timeErr, "transient internal unknown"},
		"duration":                  {durationErr, "transient internal unknown"},
		"json":                      {json.Unmarshal([]byte("{"), new(int)), "transient internal unknown"},
		"no rows":                   {fmt.Errorf("get: %w", sql.ErrNoRows), "validation not_found none"},
		"bad connection":            {driver.ErrBadConn, "transient unavailable retryable unknown"},
		"transaction done":          {sql.ErrTxDone, "transient internal unknown"},
		"smtp later":                {&textproto.Error{Code: 450}, "transient unavailable retryable none"},
		"smtp login":                {&textproto.Error{Code: 535}, "permission unauthenticated none"},
		"alias":                     {aliasError{fs.ErrNotExist}, "validation not_found none"},
		"alias of a timeout":        {aliasError{context.DeadlineExceeded}, "transient timeout retryable unknown"},
		"temporary":                 {temporaryError{}, "transient unavailable retryable unknown"},
		"status 503":                {httpStatusError{503}, "transient unavailable retryable unknown"},
		"status 502":                {httpStatusError{502}, "transient unavailable retryable unknown"},
		"a cut reply in a 429":      {statusAroundError{429, io.ErrUnexpectedEOF}, "transient rate_limited retryable unknown"},
		"a cut reply in a 503":      {fmt.Errorf("%w", statusAroundError{503, io.ErrUnexpectedEOF}), "transient unavailable retryable unknown"},
		"status 200":                {httpStatusError{200}, "transient internal unknown"},
		"code":                      {codedError{"ThrottlingException"}, "transient rate_limited retryable none"},
		"code in parts":             {codedError{"Workspace.NotFound"}, "validation not_found none"},
		"unknown code":              {codedError{"Zap"}, "transient internal unknown"},
		"plan exhausted under 429":  {limitedAPIError{StatusCode: 429, Code: "insufficient_quota"}, "business limit_exceeded none"},
		"throttled under 400":       {limitedAPIError{StatusCode: 400, Code: "throttling"}, "transient rate_limited retryable none"},
		"generic code, status 401":  {limitedAPIError{StatusCode: 401, Code: "invalid_request_error"}, "permission unauthenticated none"},
		"generic code, status 500":  {limitedAPIError{StatusCode: 500, Code: "internal_error"}, "transient unavailable retryable unknown"},
		"two vague reasons":         {&nestedAPIError{Errors: []struct{ Reason, Message string }{{Reason: "invalidRequest"}, {Reason: "internal"}}}, "validation invalid_argument none"},
		"reason under 403":          {&nestedAPIError{Code: 403, Errors: []struct{ Reason, Message string }{{Reason: "userRateLimitExceeded"}}}, "transient rate_limited retryable none"},
		"response":                  {&responseError{&http.Response{StatusCode: http.StatusNotFound}}, "validation not_found none"},
		"no response":               {&responseError{}, "transient internal unknown"},
		"SQLSTATE":                  {stateError{"40001", ""}, "transient unavailable retryable none"},
		"SQLSTATE class":            {stateError{"08999", ""}, "transient unavailable retryable unknown"},
		"statement timeout":         {stateError{"57014", "canceling statement due to statement timeout"}, "transient timeout retryable none"},
		"statement canceled":        {stateError{"57014", "canceling statement due to user request"}, "transient canceled unknown"},
		"no SQLSTATE":               {stateError{"00", ""}, "transient internal unknown"},
		"permanent":                 {permanentError{dial(syscall.ECONNREFUSED)}, "transient unavailable none"},
		"permanent inside":          {fmt.Errorf("a: %w", permanentError{errors.New("x")}), "transient internal unknown"},
		"declared final":            {fmt.Errorf("%w: %w", declaredError{false}, context.DeadlineExceeded), "transient timeout unknown"},
		"declared retryable":        {declaredError{true}, "transient unavailable retryable unknown"},
		"type name":                 {RateLimitError{30}, "transient rate_limited retryable none"},
		"type name of a slice":      {ValidationErrors{"a"}, "validation invalid_argument"},
		"a delay alone":             {hintedError{time.Second}, "transient rate_limited retryable none"},
		"breaker":                   {errors.New("circuit breaker is open"), "transient unavailable retryable none"},
		"text of a library":         {fmt.Errorf("publish: %w", errors.New("nats: no responders available for request")), "transient unavailable retryable none"},
		"text inside a text":        {errors.New("publish: nats: no responders available for request"), "transient internal unknown"},
		"digits in a text":          {errors.New("order 503 failed with 429 items: timeout"), "transient internal unknown"},
		"a file's sentinel":         {&fs.PathError{Op: "open", Err: fs.ErrNotExist}, "transient internal unknown"},
		"a sentinel":                {fmt.Errorf("note: %w", fs.ErrNotExist), "validation not_found none"},
		"no program":                {&exec.Error{Name: "x", Err: exec.ErrNotFound}, "transient internal none"},
		"no program to start":       {&fs.PathError{Op: "fork/exec", Err: syscall.ENOENT}, "transient internal none"},
		"a URL":                     {&url.Error{Op: "parse", URL: ":", Err: errors.New("missing protocol scheme")}, "transient internal unknown"},
		"time zone":                 {zoneErr, "transient internal unknown"},
		"a name for a parser":       {&ParseError{}, "transient internal unknown"},
		"a name for a config file":  {ConfigFileNotFoundError{}, "transient internal unknown"},
		"a limit under a bare 403":  {&LimitError{Response: &http.Response{StatusCode: http.StatusForbidden}}, "permission permission_denied none"},
		"a rate limit under 403":    {&RateLimitedError{Response: &http.Response{StatusCode: http.StatusForbidden}}, "transient rate_limited retryable unknown"},
		"a rate limit around 403":   {&RateLimitedError{Inner: httpStatusError{403}}, "permission permission_denied none"},
		"a plan under a rate limit": {&RateLimitedError{Inner: codedError{"insufficient_quota"}}, "business limit_exceeded none"},
	}.check(t)
}

func TestError_Joins(t *testing.T) {
	t.Parallel()
	refused, lost := dial(syscall.ECONNREFUSED), read(syscall.ECONNRESET)
	authored := by("business", "c", "none")
	loop, list, joined := &innerError{}, manyErrors{nil}, refused
	for range 1000 {
		joined = errors.Join(joined, refused)
	}
	loop.Inner, list[0] = loop, list
	classified{
		"one forbids":                  {errors.Join(refused, fs.ErrPermission, context.DeadlineExceeded), "permission permission_denied unknown"},
		"one forbids, one unknown":     {errors.Join(errors.New("x"), fs.ErrPermission), "permission permission_denied unknown"},
		"one unknown":                  {errors.Join(refused, errors.New("x")), "transient internal unknown"},
		"a status, and its body":       {fmt.Errorf("%w, but parsing failed with %w", httpStatusError{404}, &json.SyntaxError{}), "validation not_found none"},
		"an unknown prefix":            {fmt.Errorf("%w: %w", errors.New("query failed"), refused), "transient unavailable retryable unknown"},
		"the least safe":               {errors.Join(refused, lost), "transient unavailable retryable unknown"},
		"the least safe, in any order": {errors.Join(lost, refused), "transient unavailable retryable unknown"},
		"an authored one":              {errors.Join(refused, authored), "business c none"},
		"authored permission":          {errors.Join(sql.ErrNoRows, by("permission", "c", "none")), "permission c none"},
		"permission after authored":    {fmt.Errorf("%w: %w", by("validation", "not_found", "none"), fs.ErrPermission), "permission permission_denied none"},
		"authored before classified":   {errors.Join(sql.ErrNoRows, authored), "business c none"},
		"permission before retryable":  {errors.Join(by("transient", "a", ""), fs.ErrPermission), "permission permission_denied"},
		"joined in a loop":             {joined, "transient unavailable retryable none"},
		"one was applied":              {errors.Join(by("business", "c", ""), by("transient", "a", "applied"), context.DeadlineExceeded), "business c applied"},
		"all unknown":                  {errors.Join(errors.New("x"), errors.New("y")), "transient internal unknown"},
		"a join in a chain":            {fmt.Errorf("a: %w", errors.Join(refused)), "transient unavailable retryable none"},
		// Causes in fields.
		"one":                        {&innerError{fs.ErrExist}, "business already_exists none"},
		"a retryable one":            {&innerError{refused}, "transient unavailable retryable unknown"},
		"nil":                        {&attemptsError{}, "transient internal unknown"},
		"a list, and one forbids":    {&attemptsError{[]error{refused, nil, fs.ErrExist}}, "business already_exists none"},
		"a type that is a list":      {manyErrors{refused, fs.ErrExist}, "business already_exists none"},
		"an unknown one":             {manyErrors{refused, errors.New("x")}, "transient internal unknown"},
		"an authored one in a field": {&innerError{fmt.Errorf("a: %w", authored)}, "business c none"},
		"two deep":                   {&innerError{&innerError{fs.ErrExist}}, "business already_exists none"},
	}.check(t)
	for name, err := range map[string]error{"loop": loop, "a list of itself": list} { // which cannot be compared
		assert.Equal(t, "transient internal unknown", is(from(err)), name)
	}
}

func TestError_Delays(t *testing.T) {
	t.Parallel()
	header := http.Header{"Retry-After": {"20"}}
	for name, test := range map[string]struct {
		err  error
		want time.Duration
	}{
		"the second":    {twoDelaysError{0, 7}, 7 * time.Second},
		"the longest":   {errors.Join(RateLimitError{30}, RateLimitError{90}), 90 * time.Second},
		"method":        {hintedError{3 * time.Second}, 3 * time.Second},
		"negative":      {fmt.Errorf("a: %w", hintedError{-time.Second}), 0},
		"absurd":        {hintedError{1 << 62}, 365 * 24 * time.Hour},
		"seconds":       {RateLimitError{14}, 14 * time.Second},
		"header":        {limitedAPIError{StatusCode: 429, Header: header}, 20 * time.Second},
		"response":      {&responseError{&http.Response{StatusCode: http.StatusServiceUnavailable, Header: header}}, 20 * time.Second},
		"not retryable": {limitedAPIError{StatusCode: 400, Header: header}, 0},
	} {
		assert.Equal(t, test.want, from(test.err).After, name)
	}
}

// TestError_HostileTrees checks that Error returns, and does not allow a retry.
func TestError_HostileTrees(t *testing.T) {
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
		assert.False(t, from(err).Retryable, name)
	}
}

// FuzzError checks that no text of an error is in its classification.
func FuzzError(f *testing.F) {
	f.Add([]byte{0, 2, 4, 5, 6, 7, 9, 17, 25, 33, 41, 49, 57, 65}, "hunter2")
	f.Add([]byte("\x0b\x33\x43\x01"), "nats: timeout hunter2")
	f.Fuzz(func(t *testing.T, program []byte, text string) {
		const planted = "hunter2-planted"
		err := errors.New(planted + text)
		for _, op := range program[:min(len(program), 200)] {
			n := int(op)
			leaf := []error{
				badError{n % 5},
				(*pointer)(nil), syscall.Errno(n),
				codedError{planted + text},
				stateError{text, planted},
				hintedError{time.Duration(n) << 55},
				limitedAPIError{StatusCode: n * 3, Code: text, Header: http.Header{"Retry-After": {text}}},
				&nestedAPIError{Code: n * 3, Errors: []struct{ Reason, Message string }{{text, planted}}},
				&responseError{&http.Response{StatusCode: n * 3, Header: http.Header{"X-Ratelimit-Reset": {text}}}},
			}[n/8%9]
			err = []error{
				fmt.Errorf(planted+": %w", err), errors.Join(err, leaf), &loopError{err},
				manyError{[]error{leaf, nil, err}},
				permanentError{err},
				aliasError{err},
				statusAroundError{n * 3, err},
				&url.Error{Op: planted, URL: "https://u:" + planted + "@h/?" + text, Err: err},
			}[n%8]
		}
		c := from(err)
		require.NotContains(t, fmt.Sprint(c), planted)
		require.Equal(t, classify.ClampDelay(c.After), c.After)
	})
}
