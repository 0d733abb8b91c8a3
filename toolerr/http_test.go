package toolerr_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
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
	from := &http.Response{StatusCode: http.StatusServiceUnavailable, Request: httptest.NewRequest(http.MethodPut, "https://ann:pw@pay.example/orders/7?token=abc", nil)}
	require.EqualError(t, toolerr.FromResponse(from).Unwrap(), "PUT https://pay.example/orders/7: 503 Service Unavailable", "the cause, for the log")
	for want, list := range statuses {
		for _, status := range list {
			resp := respond(status, `{"error":"hunter2 at 10.0.0.7"}`)
			resp.Request = &http.Request{Method: http.MethodGet}
			e := toolerr.FromResponse(resp)
			assert.Equal(t, want, is(e), status)
			assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2", status)
			body, ok := resp.Body.(*closable)
			assert.True(t, ok && body.Reader == nil, "the body is closed")
		}
	}
	for _, status := range []int{200, 204, 302, 304} {
		assert.Nil(t, toolerr.FromResponse(&http.Response{StatusCode: status}), status)
	}
	assert.Equal(t, "transient internal unknown", is(toolerr.FromResponse(nil)))
	assert.ErrorContains(t, toolerr.FromResponse(nil).Unwrap(), "return the error of the request")
	assert.Equal(t, "transient internal unknown", is(toolerr.FromResponse(&http.Response{StatusCode: 999})))
	assert.Equal(t, "validation not_found none", is(toolerr.FromResponse(&http.Response{StatusCode: http.StatusNotFound})), "no body")
}

// A closable is a body that cannot be read after it was closed.
type closable struct{ io.Reader }

func (c *closable) Close() error {
	c.Reader = nil
	return nil
}

func respond(status int, body string, header ...string) *http.Response {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return &http.Response{StatusCode: status, Header: h, Body: &closable{strings.NewReader(body)}}
}

// inBubble runs a test in a bubble, where only sleeping takes time, in the year 2025, so that
// seconds since 1970 have ten digits.
func inBubble(t *testing.T, test func()) {
	t.Helper()
	synctest.Test(t, func(*testing.T) {
		time.Sleep(25 * 365 * 24 * time.Hour) // since 2000
		test()
	})
}

func TestFromResponse_Delays(t *testing.T) {
	t.Parallel()
	inBubble(t, func() {
		const year = 365 * 24 * time.Hour
		now := time.Now()
		soon := now.Add(90 * time.Second)
		for name, test := range map[string]struct {
			resp *http.Response
			want time.Duration
		}{
			"seconds":                 {respond(429, "", "Retry-After", "120"), 2 * time.Minute},
			"fractions":               {respond(429, "", "Retry-After", "1.5"), 1500 * time.Millisecond},
			"date":                    {respond(429, "", "Retry-After", soon.UTC().Format(http.TimeFormat)), 90 * time.Second},
			"past date":               {respond(429, "", "Retry-After", now.Add(-time.Hour).UTC().Format(http.TimeFormat)), 0},
			"negative":                {respond(429, "", "Retry-After", "-5"), 0},
			"garbage":                 {respond(429, "", "Retry-After", "soon"), 0},
			"NaN":                     {respond(429, "", "Retry-After", "NaN"), 0},
			"infinite":                {respond(429, "", "Retry-After", "+Inf"), year},
			"2^63":                    {respond(429, "", "Retry-After", "9223372036854775808"), year},
			"1e308":                   {respond(429, "", "Retry-After", "1e308"), year},
			"Retry-After-Ms":          {respond(429, "", "Retry-After-Ms", "1500", "Retry-After", "9"), 1500 * time.Millisecond},
			"draft":                   {respond(429, "", "RateLimit", `"default";r=0;t=30`), 30 * time.Second},
			"draft, something left":   {respond(429, "", "RateLimit", `"default";r=5;t=30`), 0},
			"draft, two policies":     {respond(429, "", "RateLimit", `"burst";r=3;t=5, "daily";r=0;t=600`), 10 * time.Minute},
			"older draft":             {respond(429, "", "RateLimit", "limit=100, remaining=0, reset=50"), 50 * time.Second},
			"oldest draft":            {respond(429, "", "RateLimit-Remaining", "0", "RateLimit-Reset", "12"), 12 * time.Second},
			"reset as delta":          {respond(429, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "42"), 42 * time.Second},
			"reset as epoch":          {respond(429, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(soon.Unix())), 90 * time.Second},
			"reset as epoch in ms":    {respond(429, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(soon.UnixMilli())), 90 * time.Second},
			"reset as duration":       {respond(429, "", "X-RateLimit-Reset", "6m0s"), 6 * time.Minute},
			"another spelling":        {respond(429, "", "X-Rate-Limit-Reset", "7"), 7 * time.Second},
			"reset long past":         {respond(429, "", "X-RateLimit-Reset", "1000000000"), 0},
			"not the limit":           {respond(429, "", "X-RateLimit-Remaining", "17", "X-RateLimit-Reset", "42"), 0},
			"Retry-After comes first": {respond(429, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "42", "Retry-After", "3"), 3 * time.Second},
			"x-ms-retry-after-ms":     {respond(429, "", "X-Ms-Retry-After-Ms", "1500"), 1500 * time.Millisecond},
			"X-RateLimit-Reset-After": {respond(429, "", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset-After", "1.25", "X-RateLimit-Reset", "99"), 1250 * time.Millisecond},
			"RetryInfo":               {respond(429, `{"error":{"details":[{"@type":"x"},{"retryDelay":"34.5s"}]}}`), 34500 * time.Millisecond},
			"retry_after":             {respond(429, `{"message":"x","retry_after":0.65,"global":false}`), 650 * time.Millisecond},
			"parameters":              {respond(429, `{"ok":false,"parameters":{"retry_after":14}}`), 14 * time.Second},
			"retryAfterMs":            {respond(429, `{"retryAfterMs":250}`), 250 * time.Millisecond},
			"a header comes first":    {respond(429, `{"retry_after":9}`, "Retry-After", "3"), 3 * time.Second},
			"negative in a body":      {respond(429, `{"retry_after":-9}`), 0},
			"no number":               {respond(429, `{"retry_after":"soon"}`), 0},
			"absurd":                  {respond(429, `{"retry_after":1e300}`), 365 * 24 * time.Hour},
			"not retryable":           {respond(404, `{"retry_after":9}`), 0},
		} {
			e := toolerr.FromResponse(test.resp)
			assert.Equal(t, test.want, e.RetryAfter, name)
			assert.Equal(t, test.resp.StatusCode == http.StatusTooManyRequests, e.Retryable, name)
		}
		assert.Zero(t, toolerr.FromResponse(respond(400, "", "Retry-After", "5")).RetryAfter, "not retryable")
	})
}

// TestFromResponse_Redirect checks that an answer to the last of several redirected requests
// does not prove that the first one did nothing.
func TestFromResponse_Redirect(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch req.URL.Path {
		case "/pay":
			http.Redirect(w, req, "/receipt", http.StatusSeeOther) // it is paid
		case "/page":
			http.Redirect(w, req, "/receipt", http.StatusFound)
		default:
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	t.Cleanup(server.Close)
	for path, want := range map[string]toolerr.Effect{"/pay": toolerr.EffectUnknown, "/page": toolerr.EffectNone, "/receipt": toolerr.EffectNone} {
		method := map[bool]string{true: http.MethodPost, false: http.MethodGet}[path == "/pay"]
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, http.NoBody)
		require.NoError(t, err)
		resp, err := server.Client().Do(req)
		require.NoError(t, err)
		e := toolerr.FromResponse(resp)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, want, e.Effect, path)
		assert.Equal(t, want == toolerr.EffectNone, e.Retryable, path)
	}
}

// A responseCase is a documented response of a public API with its classification. One that is
// wrong cannot be told from its status, its headers and the codes in its body.
type responseCase struct {
	Name         string            `json:"name"`
	Status       int               `json:"status"`
	Header       map[string]string `json:"header"` // {{date+60}} and {{unix+60}} are a time in 60 seconds
	Body         string            `json:"body"`
	Method       string            `json:"method"` // empty if unknown
	Want         string            `json:"want"`
	RetryAfterMs int64             `json:"retryAfterMs"`
	Wrong        string            `json:"wrong"`
}

var dates = regexp.MustCompile(`\{\{(unix|date)\+(\d+)\}\}`)

// response returns the case's response with times from now.
func (c *responseCase) response() *http.Response {
	resp := respond(c.Status, c.Body)
	for name, value := range c.Header {
		resp.Header.Set(name, dates.ReplaceAllStringFunc(value, func(text string) string {
			m := dates.FindStringSubmatch(text)
			seconds, _ := strconv.Atoi(m[2])
			at := time.Now().Add(time.Duration(seconds) * time.Second)
			if m[1] == "unix" {
				return strconv.FormatInt(at.Unix(), 10)
			}
			return at.UTC().Format(http.TimeFormat)
		}))
	}
	if c.Method != "" {
		resp.Request = &http.Request{Method: c.Method}
	}
	return resp
}

// TestFromResponse_Bodies classifies responses of public APIs, and others. No sentence of a body
// is in the envelope.
func TestFromResponse_Bodies(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/responses.jsonl")
	require.NoError(t, err)
	others, err := os.ReadFile("testdata/bodies.jsonl")
	require.NoError(t, err)
	apis := bytes.Count(text, []byte("\n"))
	sentence := regexp.MustCompile(`"(?:message|error_description)":"([^"]{8,})"`)
	inBubble(t, func() {
		wrong := 0
		for line := range bytes.Lines(append(text, others...)) {
			var c responseCase
			require.NoError(t, json.Unmarshal(line, &c))
			e := toolerr.FromResponse(c.response())
			assert.Equal(t, c.Want, is(e), c.Name)
			assert.Equal(t, c.RetryAfterMs, e.RetryAfter.Milliseconds(), c.Name)
			for _, m := range sentence.FindAllStringSubmatch(c.Body, -1) {
				assert.NotContains(t, string(e.AppendJSON(nil)), m[1], c.Name)
			}
			if c.Wrong != "" {
				wrong++
			}
		}
		assert.Less(t, 20*wrong, apis)
	})
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

func TestFromResponse_Challenges(t *testing.T) {
	t.Parallel()
	const header = "WWW-Authenticate"
	for name, test := range map[string]struct {
		status       int
		value, body  string
		want, scopes string
	}{
		"a scope":            {403, `Bearer realm="x", error="insufficient_scope", error_description="hunter2", scope="files:read files:write"`, "", "permission insufficient_scope none", "files:read files:write"},
		"without one":        {403, `Bearer error="insufficient_scope"`, "", "permission insufficient_scope none", ""},
		"under 401":          {401, `Bearer error="insufficient_scope", scope="a"`, "", "permission insufficient_scope none", "a"},
		"a bare token":       {403, `bearer ERROR=insufficient_scope,scope=a`, "", "permission insufficient_scope none", "a"},
		"a second challenge": {403, `Basic realm="a \", error=\"invalid_token", Bearer error="insufficient_scope", scope="b"`, "", "permission insufficient_scope none", "b"},
		"a token":            {401, `Bearer error="invalid_token", scope="a"`, "", "permission unauthenticated none", ""},
		"a token under 400":  {400, `Bearer error="invalid_token"`, "", "permission unauthenticated none", ""},
		"with a body":        {403, `Bearer error="insufficient_scope", scope="a"`, `{"error":"insufficient_scope"}`, "permission insufficient_scope none", "a"},
		"under 404":          {404, `Bearer error="insufficient_scope", scope="a"`, "", "validation not_found none", ""},
		"no scope":           {403, "Bearer error=\"insufficient_scope\", scope=\"a\x00b\"", "", "permission insufficient_scope none", ""},
		"a long scope":       {403, `Bearer error="insufficient_scope", scope="` + strings.Repeat("a", 513) + `"`, "", "permission insufficient_scope none", ""},
		"an open quote":      {403, `Bearer error="insufficient_scope`, "", "permission insufficient_scope none", ""},
		"nothing":            {403, `Bearer`, "", "permission permission_denied none", ""},
	} {
		e := toolerr.FromResponse(respond(test.status, test.body, header, test.value))
		assert.Equal(t, test.want, is(e), name)
		assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2", name)
		if test.scopes == "" {
			assert.Empty(t, e.Details, name)
			continue
		}
		assert.Equal(t, map[string]any{"scope": test.scopes}, e.Details, name)
	}
}
