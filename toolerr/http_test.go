package toolerr_test

import (
	"bytes"
	"encoding/json"
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

func TestFromResponse_Statuses(t *testing.T) {
	t.Parallel()
	from := &http.Response{
		StatusCode: http.StatusServiceUnavailable,
		Request:    httptest.NewRequest(http.MethodPut, "https://ann:pw@pay.example/orders/7?token=abc", nil),
	}
	require.EqualError(t, toolerr.FromResponse(from).Unwrap(), "PUT https://pay.example/orders/7: 503 Service Unavailable",
		"the cause, for the log")
	for status := 400; status < 600; status++ {
		resp := respond(status, `{"error":"hunter2 at 10.0.0.7"}`)
		e := toolerr.FromResponse(resp)
		assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2", status)
		_, isOpen := resp.Body.(*closable)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		assert.False(t, isOpen, "the body is closed")
		assert.JSONEq(t, `{"error":"hunter2 at 10.0.0.7"}`, string(body), "and put back")
		require.ErrorContains(t, e.Unwrap(), ": hunter2 at 10.0.0.7", "the log has the service's words")
	}
	for _, status := range []int{200, 204, 302, 304} {
		assert.Nil(t, toolerr.FromResponse(&http.Response{StatusCode: status}), status)
	}
	assert.Equal(t, "transient internal unknown", is(toolerr.FromResponse(nil)))
	require.ErrorContains(t, toolerr.FromResponse(nil).Unwrap(), "return the error of the request")
	assert.Equal(t, "transient internal unknown", is(toolerr.FromResponse(&http.Response{StatusCode: 999})))
	assert.Equal(t, "validation not_found none", is(toolerr.FromResponse(&http.Response{StatusCode: http.StatusNotFound})),
		"no body")
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
	for path, want := range map[string]toolerr.Effect{
		"/pay": toolerr.EffectUnknown, "/page": toolerr.EffectNone, "/receipt": toolerr.EffectNone,
	} {
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
	synctest.Test(t, func(t *testing.T) {
		// in a bubble only sleeping takes time: since 2000, so that seconds since 1970 have ten digits
		time.Sleep(25 * 365 * 24 * time.Hour)
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
