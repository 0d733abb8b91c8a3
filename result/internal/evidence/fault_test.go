package evidence_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A faultServer has two tools, "read" and "write", which fail with err.
type faultServer struct {
	err     error
	log     bytes.Buffer
	counts  result.Counts
	session *mcp.ClientSession
}

func newFaultServer(t *testing.T) *faultServer {
	t.Helper()
	s := new(faultServer)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(&s.log, nil)), Counts: &s.counts}))
	for name, hints := range map[string]*mcp.ToolAnnotations{"read": {ReadOnlyHint: true}, "write": nil} {
		result.AddTool(server, &mcp.Tool{Name: name, Annotations: hints}, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			return nil, nil, s.err
		})
	}
	s.session = testutil.Connect(t, server, nil)
	return s
}

// call returns the failure of a call, and its log.
func (s *faultServer) call(t *testing.T, tool, arguments string, err error) (e *toolerr.Error, log string) {
	t.Helper()
	s.err = err
	s.log.Reset()
	out := result.Parse(s.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}))
	require.Equal(t, result.KindFailure, out.Kind)
	return out.Err, s.log.String()
}

// counted returns how many failures of a category and code were counted.
func (s *faultServer) counted(category toolerr.Category, code toolerr.Code) (n int64) {
	for _, f := range s.counts.Snapshot().Failures {
		if f.Category == category && f.Code == code {
			n += f.Count
		}
	}
	return n
}

// wrappings are the ways in which handlers return an error. Their text may quote an
// argument, which is no evidence of whose fault the error is.
var wrappings = map[string]struct {
	words string
	wrap  func(error) error
}{
	"bare":         {"", func(err error) error { return err }},
	"with %w":      {"", func(err error) error { return fmt.Errorf(`weather for "Berlin": %w`, err) }},
	"Wrap":         {"No weather for Berlin.", func(err error) error { return toolerr.Wrap(err, "No weather for Berlin.") }},
	"Wrap of %w":   {"No weather.", func(err error) error { return toolerr.Wrap(fmt.Errorf("get: %w", err), "No weather.") }},
	"From":         {"", func(err error) error { return toolerr.From(err) }},
	"From, words":  {"No weather.", func(err error) error { return toolerr.From(err).WithMessage("No weather.") }},
	"%w of Wrap":   {"No weather.", func(err error) error { return fmt.Errorf("get: %w", toolerr.Wrap(err, "No weather.")) }},
	"Wrap of Wrap": {"No weather.", func(err error) error { return toolerr.Wrap(toolerr.Wrap(err, "inside"), "No weather.") }},
}

// The error of a tool that fails by itself is logged, and does not blame the caller.
func TestMiddleware_BrokenTool(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(faultCases), 30)
	for name, c := range faultCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newFaultServer(t)
			err := c.fails(t, c.own)
			require.Error(t, err)
			for how, w := range wrappings {
				e, log := s.call(t, "read", `{"city":"Berlin","days":3,"units":["metric"],"note":"It's for ann"}`, w.wrap(err))
				assert.Equal(t, "transient internal false none", fmt.Sprint(e.Category, " ", e.Code, " ", e.Retryable, " ", e.Effect), how)
				assert.Empty(t, e.Field, how)
				assert.Contains(t, e.Hint, "tell the user that the tool failed", how)
				assert.Contains(t, log, "level=ERROR", how)
				if w.words != "" {
					assert.Equal(t, w.words, e.Message, how)
				}
			}
			assert.Equal(t, int64(len(wrappings)), s.counted("transient", "internal"))
			assert.Equal(t, s.counts.Snapshot().Failed, s.counted("transient", "internal"))
			e, _ := s.call(t, "write", `{"city":"Berlin"}`, err)
			assert.NotEqual(t, toolerr.EffectApplied, e.Effect)
			assert.False(t, e.Retryable)
		})
	}
}

// The twin's error has the field of the argument.
func TestMiddleware_CallerFault(t *testing.T) {
	t.Parallel()
	for name, c := range faultCases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newFaultServer(t)
			err := c.fails(t, c.given)
			require.Error(t, err)
			category := toolerr.CategoryValidation
			if c.code == noAccess || c.code == noProof {
				category = toolerr.CategoryPermission
			}
			for how, w := range wrappings {
				e, log := s.call(t, "read", c.arguments, w.wrap(err))
				assert.Equal(t, fmt.Sprint(category, " ", c.code, " false ", c.field), fmt.Sprint(e.Category, " ", e.Code, " ", e.Retryable, " ", e.Field), "%s: %v", how, err)
				assert.NotContains(t, e.Hint, "tool failed", how)
				assert.Contains(t, log, "level=WARN", how)
				if w.words != "" {
					assert.Equal(t, w.words, e.Message, how)
				} else {
					assert.Contains(t, e.Message, c.field, how)
				}
			}
			assert.Equal(t, int64(len(wrappings)), s.counted(category, c.code))
			assert.Zero(t, s.counted("transient", "internal"))
		})
	}
}

// A service's response to the request is always the caller's fault, whatever the arguments.
func TestMiddleware_ServiceResponse(t *testing.T) {
	t.Parallel()
	s := newFaultServer(t)
	for code, err := range map[toolerr.Code]error{
		notFound: fmt.Errorf("get: %w", &statusError{http.StatusNotFound}),
		badInput: &statusError{http.StatusUnprocessableEntity},
		noAccess: &statusError{http.StatusForbidden},
	} {
		e, log := s.call(t, "write", `{"city":"Berlin"}`, err)
		assert.Equal(t, code, e.Code)
		assert.Contains(t, log, "level=WARN")
	}
	e, _ := s.call(t, "write", `{"city":"Berlin"}`, fmt.Errorf("note: %w", fs.ErrNotExist))
	assert.Equal(t, notFound, e.Code, "author's sentinel")
}

type statusError struct{ status int }

func (e *statusError) Error() string   { return fmt.Sprint("status ", e.status) }
func (e *statusError) StatusCode() int { return e.status }

// An author's properties are kept, whatever the arguments.
func TestMiddleware_AuthorProperties(t *testing.T) {
	t.Parallel()
	s := newFaultServer(t)
	missing := &fs.PathError{Op: "open", Path: "/home/ann/x", Err: syscall.ENOENT}
	for name, test := range map[string]struct {
		err       error
		arguments string
		want      string
	}{
		"NotFound without evidence": {toolerr.NotFound("file", "x").WithCause(missing), `{}`, "validation not_found none "},
		"Internal with evidence":    {toolerr.Internal(missing), `{"path":"/home/ann/x"}`, "transient internal unknown "},
		"a code":                    {toolerr.From(missing).WithCode("lost_disk"), `{"path":"/home/ann/x"}`, "transient lost_disk unknown "},
		"an effect":                 {toolerr.From(missing).WithEffect(toolerr.EffectUnknown), `{"path":"/home/ann/x"}`, "validation not_found unknown path"},
		"an effect, without":        {toolerr.From(missing).WithEffect(toolerr.EffectNone), `{}`, "transient internal none "},
		"a field":                   {toolerr.From(missing).WithField("file.path"), `{"path":"/home/ann/x"}`, "validation not_found none file.path"},
		"a field, without":          {toolerr.From(missing).WithField("path"), `{"path":"."}`, "validation not_found none path"},
		"a template around a guess": {toolerr.Business("Closed.").WithCause(toolerr.Wrap(missing, "x")), `{"path":"/home/ann/x"}`, "business  none "},
		"a field of the struct":     {changed(toolerr.From(missing)), `{"path":"/home/ann/x"}`, "business internal unknown "},
		"another branch":            {errors.Join(missing, toolerr.Permission("No.")), `{"path":"/home/ann/x"}`, "permission  unknown "},
	} {
		e, _ := s.call(t, "write", test.arguments, test.err)
		assert.Equal(t, test.want, fmt.Sprint(e.Category, " ", e.Code, " ", e.Effect, " ", e.Field), name)
	}
}

func changed(e *toolerr.Error) *toolerr.Error {
	e.Category = toolerr.CategoryBusiness
	return e
}

func TestMiddleware_NoEvidence(t *testing.T) {
	t.Parallel()
	s := newFaultServer(t)
	for name, test := range map[string]struct {
		err       error
		arguments string
	}{
		"a directory of all":       {readFile(t, "/etc/weather/none.yaml"), `{"a":"/","b":".","c":"/etc","d":"","e":"..","f":"etc"}`},
		"a part of a name":         {readFile(t, "/etc/weather/none.yaml"), `{"a":"none.yam","b":"eather","c":"one"}`},
		"a word":                   {program(t, "weatherctl-none"), `{"note":"I like weatherctl"}`},
		"another host":             {resolve("Get")(t, "api.weather.invalid"), `{"a":"weather.invalid","b":"xapi.weather.invalid","c":"api.weather.invalid.example","d":"api"}`},
		"a host of one word":       {resolve("Get")(t, "db"), `{"source":"db"}`},
		"an empty text":            {numError(""), `{"a":"","b":" ","c":null}`},
		"another number":           {numError("99999999999999999999"), `{"n":99999999999999999998,"m":9e99,"o":"9999"}`},
		"a tail of a bad URL":      {parseURL(t, "://bad/Berlin"), `{"city":"Berlin"}`},
		"a position in a text":     {json.Unmarshal([]byte(`{"a":`), new(any)), `{"body":"{\"a\":"}`},
		"a position in a code":     {base64.CorruptInputError(3), `{"body":"aGk*"}`},
		"a value of an answer":     {decode(t, `{"days":"seven"}`), `{"city":"Berlin","days":"two"}`},
		"a value in a text":        {decode(t, `{"days":"two"}`), `{"query":"{\"days\":\"two\"}"}`},
		"words around a number":    {fmt.Errorf("load the profile of %q: %w", "ann", syscall.ENOENT), `{"user":"ann"}`},
		"a sentence about another": {fmt.Errorf("render %q: %w", "/home/ann/x.md", readFile(t, "/etc/weather/none.css")), `{"file":"/home/ann/x.md"}`},
	} {
		require.Error(t, test.err, name)
		e, _ := s.call(t, "read", test.arguments, test.err)
		assert.Equal(t, "internal ", fmt.Sprint(e.Code, " ", e.Field), name)
	}
}

// Time and memory are limited, whatever the error and the arguments.
func TestMiddleware_HostileEvidence(t *testing.T) {
	t.Parallel()
	s := newFaultServer(t)
	deep := strings.Repeat(`{"a":`, 900) + `1` + strings.Repeat(`}`, 900)
	var many []error
	for i := range 5000 {
		many = append(many, numError(fmt.Sprint("x", i)))
	}
	long := strings.Repeat("a", 1<<20)
	for name, test := range map[string]struct {
		err       error
		arguments string
		want      string
	}{
		"deep":        {numError("x"), `{"deep":` + deep + `,"n":"x"}`, "n"},
		"many errors": {errors.Join(many...), `{"n":[` + strings.Repeat(`"y",`, 3000) + `"x"]}`, ""},
		"long texts":  {numError(strings.Repeat("a", 1<<20) + "b"), `{"n":["` + long + `","` + long + `"]}`, ""},
		"half a word": {numError(strings.Repeat("a", 500)), `{"n":"` + long + `"}`, ""},
	} {
		e, _ := s.call(t, "read", test.arguments, test.err)
		assert.Equal(t, test.want, e.Field, name)
	}
	e, _ := s.call(t, "read", `{"content":"`+strings.Repeat("a", 4<<20)+`","path":"/home/ann/x"}`, errors.Join(slices.Repeat([]error{numError("x")}, 16)...))
	assert.Equal(t, toolerr.CodeInternal, e.Code)
	e, _ = s.call(t, "read", `{"password":"hunter2hunter2"}`, numError("hunter2hunter2"))
	assert.Equal(t, "password", e.Field)
	assert.NotContains(t, e.Message+e.Hint, "hunter2")
}

// BenchmarkBlame measures the search of the names in a join of 16 errors beside 4 MB of
// arguments.
func BenchmarkBlame(b *testing.B) {
	arguments := json.RawMessage(`{"content":"` + strings.Repeat("a line of text, ", 4<<20/16) + `","path":"/home/ann/x"}`)
	for name, err := range map[string]error{
		"numbers": numError("x"), "syntax": json.Unmarshal([]byte("{"), new(any)), "files": &fs.PathError{Op: "open", Path: "/etc/x.yaml", Err: fs.ErrNotExist},
	} {
		joined := errors.Join(slices.Repeat([]error{err}, 16)...)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				k := failure.Classifier{Arguments: evidence.New(arguments)}
				_, _, _ = k.Describe(b.Context(), nil, joined)
			}
		})
	}
}
