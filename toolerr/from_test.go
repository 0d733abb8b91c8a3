package toolerr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
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

// TestFrom checks what From makes of a classification. Package classify has its own tests.
func TestFrom(t *testing.T) {
	t.Parallel()
	refused, authored := dial(syscall.ECONNREFUSED), toolerr.Business("authored").WithCode("c")
	header := http.Header{"Retry-After": {"20"}}
	for name, test := range map[string]struct {
		err  error
		want string
		wait time.Duration
	}{
		"unclassified":          {errors.New("x"), "transient internal unknown", 0},
		"nothing was sent":      {refused, "transient unavailable retryable none", 0},
		"it may have been done": {context.DeadlineExceeded, "transient timeout retryable unknown", 0},
		"a name of a type":      {&ValidationErrors{}, "validation invalid_argument", 0},
		"a file":                {&fs.PathError{Op: "open", Err: fs.ErrNotExist}, "transient internal unknown", 0},
		"a delay": {
			apiError{StatusCode: 429, Header: header},
			"transient rate_limited retryable none",
			20 * time.Second,
		},
		"not retryable":           {apiError{StatusCode: 400, Header: header}, "validation invalid_argument none", 0},
		"an authored one":         {errors.Join(refused, authored), "business c none", 0},
		"the effect of the other": {errors.Join(authored, context.DeadlineExceeded), "business c unknown", 0},
		"permission after authored": {
			fmt.Errorf("%w: %w", toolerr.NotFound("row", "7"), fs.ErrPermission),
			"permission permission_denied none", 0,
		},
		"before retryable": {
			errors.Join(toolerr.Transient("m").WithCode("a"), fs.ErrPermission),
			"permission permission_denied", 0,
		},
		"a part": {
			errors.Join(toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1})),
			"transient  applied", 0,
		},
		"in a field":   {fieldsError{"name": toolerr.Validation("x")}, is(toolerr.Validation("x")), 0},
		"a stand-in":   {fmt.Errorf("a: %w", standInError{}), "business c none", 0},
		"a nil *Error": {fmt.Errorf("a: %w", (*toolerr.Error)(nil)), "transient internal unknown", 0},
		"a panic":      {panicky{}, "transient internal unknown", 0},
	} {
		e := toolerr.From(test.err)
		assert.Equal(t, test.want, is(e), name)
		assert.Equal(t, test.wait, e.RetryAfter, name)
		if e.Is(classify.ErrGuessed) {
			assert.Equal(t, test.err, errors.Unwrap(e), "%s: the cause", name)
		}
		assert.NotPanics(t, func() { _ = string(toolerr.CategoryOf(test.err)) + string(toolerr.CodeOf(test.err)) }, name)
	}
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

// TestError_Guessed checks which properties are marked as guessed by From. Setting a
// property removes the mark.
func TestError_Guessed(t *testing.T) {
	t.Parallel()
	cause := errors.New("x")
	guess := toolerr.From(cause)
	wrapped, _ := toolerr.Wrap(cause, "words").(*toolerr.Error) //nolint:errorlint // as Wrap returns it
	for name, test := range map[string]struct {
		e            *toolerr.Error
		kind, effect bool
	}{
		"From":             {guess, true, true},
		"Wrap":             {wrapped, true, true},
		"Wrap of Wrap":     {toolerr.From(toolerr.Wrap(wrapped, "m")), true, true},
		"words":            {guess.WithMessage("m").WithHint("h").WithField("f").WithCause(cause), true, true},
		"a code":           {guess.WithCode("c"), false, true},
		"a flag":           {guess.WithRetryable(false), false, true},
		"a part":           {guess.WithPartial(nil), false, true},
		"an effect":        {guess.WithEffect(toolerr.EffectUnknown), true, false},
		"Internal":         {toolerr.Internal(cause), false, false},
		"an author's":      {toolerr.NotFound("a", "b").WithCause(wrapped), false, false},
		"Wrap of author's": {toolerr.From(toolerr.Wrap(toolerr.Business("b"), "m")), false, false},
		"nil":              {nil, false, false},
	} {
		assert.Equal(t, test.kind, test.e.Is(classify.ErrGuessed), name)
		assert.Equal(t, test.effect, test.e.Is(classify.ErrGuessedEffect), name)
	}
}
