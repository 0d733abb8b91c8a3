package retry_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An answeredError is an error of another library with the status of an answer.
type answeredError struct {
	StatusCode int
	RetryAfter time.Duration
	Message    string
}

func (e *answeredError) Error() string { return e.Message }

// TestDo_Unobserved checks that Do decides the same whether somebody observes the
// decisions, and needs whole tool errors, or not.
func TestDo_Unobserved(t *testing.T) {
	t.Parallel()
	tried := toolerr.Transient("tried").WithEffect(toolerr.EffectNone).WithAttempted(toolerr.Attempt{Tool: "inner", Attempts: 2})
	_, gaveUp := retry.Do(t.Context(), retry.Policy{BaseDelay: -1, MaxAttempts: 2}, func(context.Context) (int, error) {
		return 0, toolerr.Transient("busy").WithEffect(toolerr.EffectNone)
	})
	kinds := map[string]error{
		"own":       toolerr.Transient("busy").WithEffect(toolerr.EffectNone),
		"tried":     tried,
		"gave up":   gaveUp,
		"partial":   toolerr.Transient("half").WithPartial(&toolerr.Partial{Processed: 1, Total: 2}),
		"business":  toolerr.Business("no"),
		"unknown":   errors.New("what"),
		"sentinel":  fs.ErrPermission,
		"no rows":   sql.ErrNoRows,
		"cut":       io.ErrUnexpectedEOF,
		"deadline":  context.DeadlineExceeded,
		"dial":      &net.OpError{Op: "dial", Err: &net.DNSError{IsTimeout: true}},
		"read":      &net.OpError{Op: "read", Err: &net.DNSError{IsTimeout: true}},
		"429":       &answeredError{StatusCode: 429},
		"429 waits": &answeredError{StatusCode: 429, RetryAfter: 1},
		"429 plan":  &answeredError{StatusCode: 429, Message: "You exceeded your daily quota"},
		"503":       &answeredError{StatusCode: 503},
		"404":       &answeredError{StatusCode: 404},
	}
	errs := map[string]error{}
	for name, a := range kinds {
		errs[name] = a
		errs[name+", wrapped"] = fmt.Errorf("orders: %w", a)
		for other, b := range kinds {
			errs[name+" and "+other] = errors.Join(a, b)
		}
	}
	for _, safety := range []retry.Safety{retry.SafetyUnknown, retry.SafetyReadOnly} {
		for name, err := range errs {
			quiet := retry.Policy{BaseDelay: -1, ThrottledDelay: -1, Safety: safety, Logger: slog.New(slog.DiscardHandler)}
			seen := quiet
			seen.OnDecision = func(out result.Outcome, d retry.Decision) {
				if out.Err != nil {
					assert.Equal(t, is(toolerr.From(err)), is(out.Err), name)
					assert.NotEmpty(t, out.Err.Message, name)
				}
			}
			assert.Equal(t, ending(t, seen, err), ending(t, quiet, err), name)
		}
	}
}

// is returns the members on which decisions depend.
func is(e *toolerr.Error) string {
	return fmt.Sprint(e.Category, e.Code, e.Retryable, e.Effect, e.RetryAfter)
}

// ending returns the decision and the tool error with which Do gives up on err.
func ending(t *testing.T, p retry.Policy, err error) string {
	t.Helper()
	_, failed := retry.Do(t.Context(), p, func(context.Context) (int, error) { return 0, err })
	var gaveUp *retry.Error
	require.ErrorAs(t, failed, &gaveUp)
	var e *toolerr.Error
	require.ErrorAs(t, failed, &e)
	tries := ""
	for _, a := range e.Attempted {
		tries += fmt.Sprint(a.Tool, a.Attempts, a.Category, a.Code, ";")
	}
	return fmt.Sprint(gaveUp.Decision, is(e), tries, e.Message, e.Hint, failed.Error())
}
