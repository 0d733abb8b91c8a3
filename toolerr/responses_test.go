package toolerr_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A responseCase is an answer of a public API, as documented, and what it is.
type responseCase struct {
	Name   string
	Status int
	Header map[string]string
	Body   string
	Method string
	Want   struct {
		Category     toolerr.Category
		Also         []toolerr.Category
		Retryable    *bool          // nil: either
		Code         []toolerr.Code // any of them; none: any at all
		RetryAfterMs int64
		Effect       *toolerr.Effect // unknown: not none
	}
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

// dates stand in headers for the time in so many seconds.
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

// The answers of public APIs, over real connections: none may allow a repeat that must
// not be, or prove what nothing proves.
func TestFromResponse_PublicAPIs(t *testing.T) {
	t.Parallel()
	cases := responseCases(t)
	right, unsafe := 0, 0
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { c.serve(w) }))
			defer upstream.Close()
			method := c.Method
			if method == "" {
				method = http.MethodPost
			}
			req, err := http.NewRequestWithContext(t.Context(), method, upstream.URL, http.NoBody)
			require.NoError(t, err)
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			if c.Method == "" {
				resp.Request = nil // not known
			}
			e := toolerr.FromResponse(resp)
			_, err = resp.Body.Read(make([]byte, 1))
			require.Error(t, err, "the body is closed")

			slack := int64(0)
			for _, value := range c.Header {
				if dates.MatchString(value) {
					slack = 2000
				}
			}
			delay := e.RetryAfter.Milliseconds() - c.Want.RetryAfterMs
			ok := (e.Category == c.Want.Category || slices.Contains(c.Want.Also, e.Category)) &&
				(c.Want.Retryable == nil || e.Retryable == *c.Want.Retryable) &&
				(len(c.Want.Code) == 0 || slices.Contains(c.Want.Code, e.Code)) && max(delay, -delay) <= slack
			bad := c.Want.Retryable != nil && !*c.Want.Retryable && e.Retryable ||
				c.Want.Effect != nil && *c.Want.Effect == toolerr.EffectUnknown && e.Effect == toolerr.EffectNone
			assert.False(t, bad, "unsafe: %s", is(e))
			switch {
			case bad:
				unsafe++
			case ok:
				right++
			default:
				t.Logf("wrong: got %s after %v, want %+v", is(e), e.RetryAfter, c.Want)
			}
			assertNothingOfBody(t, c.Body, string(e.AppendJSON(nil)))
		})
	}
	t.Logf("%d of %d right, %d unsafe", right, len(cases), unsafe)
	assert.GreaterOrEqual(t, float64(right), 0.93*float64(len(cases)))
}

// assertNothingOfBody fails for a sentence of the body in the envelope.
func assertNothingOfBody(t *testing.T, body, envelope string) {
	t.Helper()
	for _, m := range regexp.MustCompile(`"(?:message|error_description)":"([^"]{8,})"`).FindAllStringSubmatch(body, -1) {
		assert.False(t, strings.Contains(envelope, m[1]), "%s is in %s", m[1], envelope)
	}
}
