package toolerr_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os/exec"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type (
	ParseError              struct{}
	ConfigFileNotFoundError struct{}
	LimitError              struct{ Response *http.Response }
	RateLimitedError        struct {
		Response *http.Response
		Rate     struct{ Reset stamp }
		Inner    error
	}
	stamp struct{ time.Time }
)

func (*ParseError) Error() string             { return "parse" }
func (ConfigFileNotFoundError) Error() string { return "config" }
func (*LimitError) Error() string             { return "limit" }
func (*RateLimitedError) Error() string       { return "rate" }
func (e *RateLimitedError) Unwrap() error     { return e.Inner }

// TestFrom_InternalCauses checks that From does not blame the caller without evidence.
func TestFrom_InternalCauses(t *testing.T) {
	t.Parallel()
	_, zoneErr := time.LoadLocation("Mars/Phobos")
	for name, test := range map[string]struct {
		err  error
		want string
	}{
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
	} {
		assert.Equal(t, test.want, is(toolerr.From(test.err)), name)
	}
}

func TestFrom_RateLimitReset(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // in which no time passes
		limited := func(at time.Time) error {
			return &RateLimitedError{Response: &http.Response{StatusCode: http.StatusForbidden}, Rate: struct{ Reset stamp }{stamp{at}}}
		}
		assert.Equal(t, 365*24*time.Hour, toolerr.From(limited(time.Now().Add(24*time.Hour*1000))).RetryAfter)
		assert.Equal(t, time.Hour, toolerr.From(limited(time.Now().Add(time.Hour))).RetryAfter)
		assert.Zero(t, toolerr.From(limited(time.Unix(1, 0))).RetryAfter)
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
