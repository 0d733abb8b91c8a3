package toolerr_test

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A responseCase is a documented response of a public API with its classification.
type responseCase struct {
	Name   string            `json:"name"`
	Status int               `json:"status"`
	Header map[string]string `json:"header"`
	Body   string            `json:"body"`
	Method string            `json:"method"` // empty if unknown
	Want   wantedResponse    `json:"want"`
}

type wantedResponse struct {
	Category     toolerr.Category   `json:"category"`
	Also         []toolerr.Category `json:"also"`
	Retryable    *bool              `json:"retryable"` // nil allows both
	Code         []toolerr.Code     `json:"code"`      // the allowed codes; empty allows any
	RetryAfterMs int64              `json:"retryAfterMs"`
	Effect       *toolerr.Effect    `json:"effect"` // unknown forbids none
}

// isRight reports whether an envelope is as wanted. A delay that was sent as a date may be
// shorter by slack.
func (w *wantedResponse) isRight(e *toolerr.Error, slack time.Duration) bool {
	delay := e.RetryAfter - time.Duration(w.RetryAfterMs)*time.Millisecond
	return (e.Category == w.Category || slices.Contains(w.Also, e.Category)) &&
		(w.Retryable == nil || isTemporary(e) == *w.Retryable) &&
		(len(w.Code) == 0 || slices.Contains(w.Code, e.Code)) && delay.Abs() <= slack
}

// isUnsafe reports whether an envelope allows a forbidden retry, or has effect none without
// proof.
func (w *wantedResponse) isUnsafe(e *toolerr.Error) bool {
	return w.Retryable != nil && !*w.Retryable && isTemporary(e) ||
		w.Effect != nil && *w.Effect == toolerr.EffectUnknown && e.Effect == toolerr.EffectNone
}

// isTemporary reports whether an envelope is retryable for a tool that is safe to repeat.
func isTemporary(e *toolerr.Error) bool {
	return e.Resolve(toolerr.ToolHints{Idempotent: true}).Retryable
}

// answer returns the case's response over a real connection.
func (c *responseCase) answer(t *testing.T) *http.Response {
	t.Helper()
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.serve(w) }))
	t.Cleanup(upstream.Close)
	req, err := http.NewRequestWithContext(t.Context(), cmp.Or(c.Method, http.MethodPost), upstream.URL, http.NoBody)
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	if c.Method == "" {
		resp.Request = nil
	}
	return resp
}

// slack returns by how much a delay may differ from the one that was sent, took ago. A date
// is sent in whole seconds.
func (c *responseCase) slack(took time.Duration) time.Duration {
	for _, value := range c.Header {
		if dates.MatchString(value) {
			return took + time.Second
		}
	}
	return 0
}

func responseCases(t *testing.T) (cases []responseCase) {
	t.Helper()
	text, err := os.ReadFile("testdata/responses.jsonl")
	require.NoError(t, err)
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		var c responseCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		cases = append(cases, c)
	}
	return cases
}

// dates matches placeholders in headers for a time in the given number of seconds.
var dates = regexp.MustCompile(`\{\{(unix|date)\+(\d+)\}\}`)

func (c *responseCase) serve(w http.ResponseWriter) {
	for name, value := range c.Header {
		w.Header().Set(name, dates.ReplaceAllStringFunc(value, func(text string) string {
			m := dates.FindStringSubmatch(text)
			seconds, _ := strconv.Atoi(m[2])
			at := time.Now().Add(time.Duration(seconds) * time.Second)
			if m[1] == "unix" {
				return strconv.FormatInt(at.Unix(), 10)
			}
			return at.UTC().Format(http.TimeFormat)
		}))
	}
	w.WriteHeader(c.Status)
	_, _ = io.WriteString(w, c.Body)
}

// TestFromResponse_PublicAPIs classifies responses of public APIs. None may be unsafe.
func TestFromResponse_PublicAPIs(t *testing.T) { //nolint:paralleltest // subtests share counters
	cases := responseCases(t)
	right, unsafe := 0, 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			begin := time.Now()
			resp := c.answer(t)
			e := toolerr.FromResponse(resp)
			took := time.Since(begin)
			_, err := resp.Body.Read(make([]byte, 1))
			require.Error(t, err, "closed body")
			switch {
			case c.Want.isUnsafe(e):
				unsafe++
				assert.Fail(t, "unsafe: "+is(e))
			case c.Want.isRight(e, c.slack(took)):
				right++
			default:
				t.Logf("wrong: got %s after %v, want %+v", is(e), e.RetryAfter, c.Want)
			}
			assertNoBodyText(t, c.Body, string(e.AppendJSON(nil)))
		})
	}
	t.Logf("%d of %d right, %d unsafe", right, len(cases), unsafe)
	assert.GreaterOrEqual(t, float64(right), 0.93*float64(len(cases)))
}

// assertNoBodyText fails if the envelope contains a sentence of the body.
func assertNoBodyText(t *testing.T, body, envelope string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`"(?:message|error_description)":"([^"]{8,})"`).FindAllStringSubmatch(body, -1) {
		assert.NotContains(t, envelope, m[1])
	}
}
