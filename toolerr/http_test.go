package toolerr_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// statuses lists the statuses of RFC 9110 and common extras by classification.
var statuses = map[string][]int{
	"validation invalid_argument none":         {400, 406, 411, 415, 417, 418, 422, 449, 494, 497},
	"validation not_found none":                {404, 410},
	"validation out_of_range none":             {413, 414, 416, 431},
	"permission unauthenticated none":          {401, 407, 440, 495, 496, 511, 525, 526},
	"permission permission_denied none":        {403, 451},
	"business limit_exceeded none":             {402},
	"business conflict none":                   {409},
	"business failed_precondition none":        {405, 412, 423, 424, 426, 428, 508},
	"transient timeout retryable none":         {408},
	"transient timeout retryable unknown":      {504, 522, 524, 598, 599},
	"transient rate_limited retryable none":    {420, 429},
	"transient rate_limited retryable unknown": {529},
	"transient unavailable retryable none":     {421, 425, 503},
	"transient unavailable retryable unknown":  {500, 502, 509, 520, 521, 523, 527, 530},
	"transient unavailable unknown":            {507},
	"transient canceled unknown":               {499},
	"transient internal unknown":               {501, 505, 506, 510},
}

func TestFromResponse_Statuses(t *testing.T) {
	t.Parallel()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var status int
		_, _ = fmt.Sscan(r.URL.Query().Get("status"), &status)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, `{"error":"hunter2 at 10.0.0.7"}`)
	}))
	defer upstream.Close()
	for want, list := range statuses {
		for _, status := range list {
			resp, err := http.Get(fmt.Sprintf("%s/?status=%d", upstream.URL, status)) //nolint:noctx // a test
			require.NoError(t, err)
			e := toolerr.FromResponse(resp)
			assert.Equal(t, want, is(e), status)
			assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2", status)
			_, err = resp.Body.Read(make([]byte, 1))
			require.Error(t, err, "the body is closed")
		}
	}
	for _, status := range []int{200, 204, 302, 304} {
		assert.Nil(t, toolerr.FromResponse(&http.Response{StatusCode: status}), status)
	}
	assert.Equal(t, "transient internal unknown", is(toolerr.FromResponse(nil)))
	assert.Equal(t, "transient internal unknown", is(toolerr.FromResponse(&http.Response{StatusCode: 999})))
	assert.Equal(t, "validation not_found none", is(toolerr.FromResponse(&http.Response{StatusCode: http.StatusNotFound})), "no body")
}

func respond(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}
}

func TestFromResponse_Delays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // in which only sleeping takes time
		year := 365 * 24 * time.Hour
		time.Sleep(25 * year) // since 2000, so that seconds since 1970 have ten digits
		now := time.Now()
		soon := now.Add(90 * time.Second)
		for name, test := range map[string]struct {
			header []string
			want   time.Duration
		}{
			"seconds":                 {[]string{"Retry-After", "120"}, 2 * time.Minute},
			"fractions":               {[]string{"Retry-After", "1.5"}, 1500 * time.Millisecond},
			"date":                    {[]string{"Retry-After", soon.UTC().Format(http.TimeFormat)}, 90 * time.Second},
			"past date":               {[]string{"Retry-After", now.Add(-time.Hour).UTC().Format(http.TimeFormat)}, 0},
			"negative":                {[]string{"Retry-After", "-5"}, 0},
			"garbage":                 {[]string{"Retry-After", "soon"}, 0},
			"NaN":                     {[]string{"Retry-After", "NaN"}, 0},
			"infinite":                {[]string{"Retry-After", "+Inf"}, year},
			"2^63":                    {[]string{"Retry-After", "9223372036854775808"}, year},
			"1e308":                   {[]string{"Retry-After", "1e308"}, year},
			"milliseconds":            {[]string{"Retry-After-Ms", "1500", "Retry-After", "9"}, 1500 * time.Millisecond},
			"draft":                   {[]string{"RateLimit", `"default";r=0;t=30`}, 30 * time.Second},
			"draft, something left":   {[]string{"RateLimit", `"default";r=5;t=30`}, 0},
			"draft, two policies":     {[]string{"RateLimit", `"burst";r=3;t=5, "daily";r=0;t=600`}, 10 * time.Minute},
			"older draft":             {[]string{"RateLimit", "limit=100, remaining=0, reset=50"}, 50 * time.Second},
			"oldest draft":            {[]string{"RateLimit-Remaining", "0", "RateLimit-Reset", "12"}, 12 * time.Second},
			"reset as delta":          {[]string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "42"}, 42 * time.Second},
			"reset as epoch":          {[]string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(soon.Unix())}, 90 * time.Second},
			"reset as epoch in ms":    {[]string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(soon.UnixMilli())}, 90 * time.Second},
			"reset as duration":       {[]string{"X-RateLimit-Reset", "6m0s"}, 6 * time.Minute},
			"another spelling":        {[]string{"X-Rate-Limit-Reset", "7"}, 7 * time.Second},
			"reset long past":         {[]string{"X-RateLimit-Reset", "1000000000"}, 0},
			"not the limit":           {[]string{"X-RateLimit-Remaining", "17", "X-RateLimit-Reset", "42"}, 0},
			"Retry-After comes first": {[]string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "42", "Retry-After", "3"}, 3 * time.Second},
		} {
			e := toolerr.FromResponse(respond(429, "", test.header...))
			assert.Equal(t, test.want, e.RetryAfter, name)
			assert.True(t, e.Retryable, name)
		}
		assert.Zero(t, toolerr.FromResponse(respond(400, "", "Retry-After", "5")).RetryAfter, "not retryable")
	})
}

func TestFromResponse_HeadersAndBodies(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		resp *http.Response
		want string
	}{
		"a rate limit as 403":          {respond(403, "", "X-RateLimit-Remaining", "0"), "transient rate_limited retryable none"},
		"a secondary limit as 403":     {respond(403, "", "Retry-After", "60"), "transient rate_limited retryable none"},
		"a limit with room left":       {respond(403, "", "X-RateLimit-Remaining", "12"), "permission permission_denied none"},
		"problem details":              {respond(400, `{"type":"https://example.com/problems/out-of-range?x=1","title":"hunter2"}`), "validation out_of_range none"},
		"problem details with a code":  {respond(403, `{"type":"about:blank","code":"insufficient_scope"}`), "permission insufficient_scope none"},
		"a code that is a number":      {respond(400, `{"code":42,"type":"urn:problem:missing-parameter"}`), "validation missing_argument none"},
		"a transient type under 404":   {respond(404, `{"type":"timeout"}`), "validation not_found none"},
		"unavailable after a POST":     {respond(503, ""), "transient unavailable retryable unknown"},
		"unavailable with Retry-After": {respond(503, "", "Retry-After", "2"), "transient unavailable retryable none"},
		"unavailable, bad Retry-After": {respond(503, "", "Retry-After", "-5"), "transient unavailable retryable unknown"},
		"no JSON":                      {respond(400, "<html>"), "validation invalid_argument none"},
	} {
		assert.Equal(t, test.want, is(toolerr.FromResponse(test.resp)), name)
	}
}

// endless is an infinite body that counts the bytes read.
type endless struct {
	read   int
	closed bool
}

func (b *endless) Read(p []byte) (int, error) { b.read += len(p); return len(p), nil }
func (b *endless) Close() error               { b.closed = true; return nil }

func TestFromResponse_EndlessBody(t *testing.T) {
	t.Parallel()
	body := new(endless)
	assert.Equal(t, "validation invalid_argument none", is(toolerr.FromResponse(&http.Response{StatusCode: http.StatusBadRequest, Body: body})))
	assert.LessOrEqual(t, body.read, 128<<10)
	assert.True(t, body.closed)
}

func FuzzFromResponse(f *testing.F) {
	f.Add(429, "120", "r=0;t=1", "1e400", `{"code":"x"}`)
	f.Add(403, "Wed, 21 Oct 2015 07:28:00 GMT", ";;=", "-0x1p-2", "{")
	f.Fuzz(func(t *testing.T, status int, after, limit, reset, body string) {
		resp := respond(status, body, "Retry-After", after, "RateLimit", limit, "X-RateLimit-Reset", reset)
		e := toolerr.FromResponse(resp)
		if e == nil {
			require.Less(t, status, 400)
			require.GreaterOrEqual(t, status, 100)
			return
		}
		require.GreaterOrEqual(t, e.RetryAfter, time.Duration(0))
		require.LessOrEqual(t, e.RetryAfter, 365*24*time.Hour)
	})
}
