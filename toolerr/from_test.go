package toolerr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// is describes an envelope as "category code [retryable] [effect]". Retryable means that the
// failure is, for a tool that is safe to repeat. Without one it is only if nothing was done.
func is(e *toolerr.Error) string {
	s := string(e.Category) + " " + string(e.Code)
	isTemporary := e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable
	if isTemporary {
		s += " retryable"
	}
	if e.Retryable != (isTemporary && (e.Effect == "" || e.Effect == toolerr.EffectNone)) {
		s += " although the effect is"
	}
	if e.Effect != "" {
		s += " " + string(e.Effect)
	}
	return s
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

// TestFrom checks what From makes of an error and what Resolve makes of that, by the tool: its fields but
// the texts, what is guessed, and whether a tool may repeat the call. An error of an author's, which From
// returns, has its author's category and code.
func TestFrom(t *testing.T) {
	t.Parallel()
	unknown, readOnly := toolerr.ToolAnnotations{}, toolerr.ToolAnnotations{ReadOnly: true}
	var none *toolerr.Error
	ours, busy, refused := toolerr.Business("m").WithCode("c"), toolerr.Transient("Busy."), dial(syscall.ECONNREFUSED)
	limited, bare := toolerr.RateLimited("m", 0), errors.New("x")
	guess, timeout := toolerr.From(bare), toolerr.From(context.DeadlineExceeded)
	lost, applied := busy.WithEffect(toolerr.EffectUnknown), busy.WithEffect(toolerr.EffectApplied)
	part := busy.WithPartial(&toolerr.Partial{Processed: 1})
	header := http.Header{"Retry-After": {"20"}}
	retried := func(e *toolerr.Error) error {
		return fmt.Errorf("a: %w", e.WithAttempted(toolerr.Attempt{Attempts: 3}))
	}
	cases := map[string]error{
		"nil": nil, "a nil *Error": none, "a nil *Error inside": fmt.Errorf("a: %w", none),
		"direct": ours, "wrapped": fmt.Errorf("a: %w", ours), "joined": errors.Join(bare, ours),
		"a stand-in": standInError{}, "a stand-in inside": fmt.Errorf("a: %w", standInError{}),
		"unclassified": bare, "a panic": panicky{}, "a name of a type": &ValidationErrors{},
		"nothing was sent": refused, "it may have been done": context.DeadlineExceeded,
		"a file":  &fs.PathError{Op: "open", Err: fs.ErrNotExist},
		"a delay": apiError{StatusCode: 429, Header: header}, "not retryable": apiError{StatusCode: 400, Header: header},
		"an authored one": errors.Join(refused, ours), "the effect of the other": errors.Join(ours, context.DeadlineExceeded),
		"permission after authored": fmt.Errorf("%w: %w", toolerr.NotFound("row", "7"), fs.ErrPermission),
		"before retryable":          errors.Join(busy.WithCode("a"), fs.ErrPermission),
		"a part inside":             errors.Join(part), "in a field": fieldsError{"name": toolerr.Validation("x")},

		"Wrap": toolerr.Wrap(bare, "m"), "Wrap of Wrap": toolerr.Wrap(toolerr.Wrap(bare, "w"), "m"),
		"Wrap of an author's": toolerr.Wrap(ours, "m"), "an author's of Wrap": ours.WithCause(toolerr.Wrap(bare, "w")),
		"words": guess.WithMessage("m").WithHint("h").WithField("f").WithCause(bare), "a code": guess.WithCode("c"),
		"a flag": guess.WithRetryable(false), "no part": guess.WithPartial(nil), "Internal": toolerr.Internal(bare),
		"an effect": guess.WithEffect(toolerr.EffectUnknown),

		"temporary": busy, "a timeout": timeout, "a timeout with a message": timeout.WithMessage("m"), "a part": part,
		"a timeout in words": toolerr.Wrap(context.DeadlineExceeded, "m"), "not classified": &toolerr.Error{Message: "m"},
		"stated after the flag":     busy.WithRetryable(true).WithEffect(toolerr.EffectUnknown),
		"stated before the flag":    lost.WithRetryable(true),
		"joined with one not safe":  errors.Join(busy, context.DeadlineExceeded),
		"nothing processed":         limited.WithPartial(&toolerr.Partial{Total: 5, ContinueFrom: 1}),
		"a part of a tool resolved": part.Resolve(readOnly).WithAttempted(toolerr.Attempt{Attempts: 3}),

		"retried": errors.Unwrap(retried(busy)), "deeper": busy.WithCause(errors.Join(bare, busy.WithCause(retried(busy)))),
		"a cause retried": busy.WithCause(retried(busy)), "retried, nothing done": busy.WithCause(retried(limited)),
		"retried, lost": busy.WithCause(retried(lost)), "refused after lost": limited.WithCause(retried(lost)),
		"applied after nothing": applied.WithCause(retried(limited)), "a cause not retried": busy.WithCause(lost),
		"a refusal's cause": limited.WithCause(errors.Join(lost)), "applied, a cause": applied.WithCause(limited),
		"retried twice": limited.WithCause(retried(limited)).WithCause(retried(applied)),
	}
	require.ErrorIs(t, toolerr.From(cases["the effect of the other"]), context.DeadlineExceeded)
	seen := 0
	testutil.Recorded(t, "testdata/from.txt", func(name string) string {
		err, known := cases[name]
		require.True(t, known, name)
		seen++
		e := toolerr.From(err)
		if e == nil {
			return fmt.Sprint("nil: ", e.Resolve(readOnly) == nil && !e.Is(classify.ErrGuessed))
		}
		var b strings.Builder
		fmt.Fprint(&b, is(e), " ", e.RetryAfter)
		if e.Is(classify.ErrGuessed) {
			b.WriteString(", guessed")
		}
		if e.Is(classify.ErrGuessedEffect) {
			b.WriteString(", guessed effect")
		}
		if category, code := toolerr.CategoryOf(err), toolerr.CodeOf(err); category+toolerr.Category(code) != "" {
			fmt.Fprint(&b, ", an author's ", category, " ", code)
		}
		for tool, resolved := range []*toolerr.Error{
			e.Resolve(unknown), e.Resolve(readOnly), e.Resolve(toolerr.ToolAnnotations{Idempotent: true}),
			e.Resolve(unknown).Resolve(readOnly), e.WithEffect(toolerr.EffectNone),
		} {
			how := []string{"of any tool", "of a read-only one", "of an idempotent one", "read-only after all", "nothing done"}
			fmt.Fprintf(&b, "\n%s: %s, retryable: %t", how[tool], resolved.Effect, resolved.Retryable)
		}
		assert.False(t, e.WithRetryable(false).Resolve(readOnly).Retryable, "%s: its author's word", name)
		assert.Equal(t, e.Retryable, toolerr.IsRetryable(fmt.Errorf("b: %w", e)), name)
		if _, isOurs := err.(*toolerr.Error); !isOurs && e.Is(classify.ErrGuessed) { //nolint:errorlint // From returns it
			assert.Equal(t, err, errors.Unwrap(e), "%s: the cause", name)
		}
		return b.String()
	})
	assert.Len(t, cases, seen)
	assert.Equal(t, toolerr.Effect(""), busy.Effect, "the original")
	near := toolerr.NotFound("file", "s", "sx")
	assert.NotEqual(t, near.Hint, near.WithEffect(toolerr.EffectUnknown).Hint, "to call again may do work twice")
}

// A server without package result resolves the effect and the flag itself.
func ExampleError_Resolve() {
	failed := toolerr.Transient("The gateway did not answer.")
	fmt.Println(failed.Resolve(toolerr.ToolAnnotations{}).Retryable,
		failed.Resolve(toolerr.ToolAnnotations{ReadOnly: true}).Retryable)
	// Output: false true
}

// The words give category, code, delay and flag. They give neither an effect nor a hint. Package texts has more of
// them.
func TestFromText(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/texts.txt", func(sample string) string {
		text, err := strconv.Unquote(`"` + testutil.Repeat(sample) + `"`)
		require.NoError(t, err, sample)
		e := toolerr.FromText(text)
		assert.Equal(t, text, e.Message)
		assert.NotContains(t, string(e.AppendJSON(nil)), `"hint"`, sample)
		e.Message = ""
		return testutil.Fields(e)
	})
}
