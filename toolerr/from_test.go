package toolerr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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

// isTemporary reports whether an envelope is retryable for a tool that is safe to repeat.
func isTemporary(e *toolerr.Error) bool {
	return e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable
}

// An apiError is an error of a library that keeps the answer of a service.
type apiError struct {
	StatusCode int
	Code       string
	Header     http.Header
}

func (apiError) Error() string { return "hunter2" }

func dial(err error) error {
	return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", err)}
}

type (
	ValidationErrors []string
	fieldsError      map[string]error
)

func (ValidationErrors) Error() string { return "fields" }
func (fieldsError) Error() string      { return "fields" }

func TestFrom_AuthoredErrors(t *testing.T) {
	t.Parallel()
	var none *toolerr.Error
	ours := toolerr.Business("ours")
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

// FuzzFrom checks that no text of an error is sent.
func FuzzFrom(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4}, "hunter2")
	f.Add([]byte("\x04\x03\x04\x02\x00"), "nats: timeout hunter2")
	f.Fuzz(func(t *testing.T, program []byte, text string) {
		const planted = "hunter2-planted"
		err := errors.New(planted + text)
		for _, op := range program[:min(len(program), 200)] {
			err = []error{
				fmt.Errorf(planted+": %w", err), errors.Join(err, syscall.Errno(op)), errors.Join(panicky{}, err),
				&url.Error{Op: planted, URL: "https://u:" + planted + "@h/?" + text, Err: err},
				errors.Join(err, apiError{int(op) * 3, text, http.Header{"Retry-After": {text}}}, apiError{Code: planted + text}),
			}[int(op)%5]
		}
		e := toolerr.From(err)
		wire := string(e.AppendJSON(nil))
		require.True(t, json.Valid([]byte(wire)))
		require.NotContains(t, wire, planted)
		require.GreaterOrEqual(t, e.RetryAfter, time.Duration(0))
		require.LessOrEqual(t, e.RetryAfter, 365*24*time.Hour)
	})
}
