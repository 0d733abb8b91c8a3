package retry_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestDo_FailedResult checks a failed result that a function returns without an error.
func TestDo_FailedResult(t *testing.T) {
	t.Parallel()
	busy, refused := toolerr.Unavailable("down", 0), toolerr.Business("no")
	for name, test := range map[string]struct {
		answers []*mcp.CallToolResult
		calls   int
		err     string
	}{
		"retryable":     {[]*mcp.CallToolResult{sent(busy), result.OK("done")}, 2, ""},
		"not retryable": {[]*mcp.CallToolResult{sent(refused), result.OK("done")}, 1, "no"},
		"a success":     {[]*mcp.CallToolResult{result.OK("done")}, 1, ""},
		"nothing":       {[]*mcp.CallToolResult{nil}, 1, ""},
	} {
		calls, want, p := 0, [2]any{test.calls, test.err != "" || name == "nothing"}, retry.Policy{BaseDelay: -1, Logger: slog.New(slog.DiscardHandler)}
		next := func() *mcp.CallToolResult { calls++; return test.answers[calls-1] }
		_, read := retry.Do(t.Context(), p, func(context.Context) (result.Outcome, error) { return result.Parse(next(), nil), (*toolerr.Error)(nil) })
		assert.Equal(t, want, [2]any{calls, read != nil}, name)
		calls = 0
		_, read = retry.Do(t.Context(), p, func(context.Context) (*result.Outcome, error) {
			return &[]result.Outcome{result.Parse(next(), nil)}[0], nil
		})
		assert.Equal(t, want, [2]any{calls, read != nil}, name)
		calls = 0
		res, err := retry.Do(t.Context(), p, func(context.Context) (*mcp.CallToolResult, error) { return next(), nil })
		assert.Equal(t, test.calls, calls, name)
		assert.Same(t, test.answers[calls-1], res, name)
		if test.err == "" {
			require.NoError(t, err, name)
			continue
		}
		var e *retry.Error
		require.ErrorAs(t, err, &e, name)
		assert.Contains(t, e.Err.Error(), test.err, name)
	}
}

// TestPolicy_DelayWithoutUnit checks that the log says what to write.
func TestPolicy_DelayWithoutUnit(t *testing.T) {
	t.Parallel()
	for name, p := range map[string]retry.Policy{"BaseDelay": {BaseDelay: 2}, "MaxDelay": {MaxDelay: 30}, "ThrottledDelay": {ThrottledDelay: 1}, "MaxWait": {MaxWait: 60}, "MaxRetryAfter": {MaxRetryAfter: 30}} {
		var log bytes.Buffer
		p.Logger = slog.New(slog.NewTextHandler(&log, nil))
		_, err := retry.Do(t.Context(), p, func(context.Context) (int, error) { return 0, errors.New("x") })
		require.Error(t, err)
		assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte(`advice="retry.Policy.`+name+" is ")), log.String())
		log.Reset()
		p = retry.Policy{BaseDelay: time.Millisecond, Logger: p.Logger}
		_, err = retry.Do(t.Context(), p, func(context.Context) (int, error) { return 0, errors.New("x") })
		require.Error(t, err)
		assert.NotContains(t, log.String(), "give it a unit")
	}
}

// TestCallTool_SafetyLogged checks that the log says what decides whether a repeat is safe.
func TestCallTool_SafetyLogged(t *testing.T) {
	t.Parallel()
	for _, safety := range []retry.Safety{retry.SafetyUnknown, retry.SafetyReadOnly} {
		for e, may := range map[*toolerr.Error]bool{toolerr.Timeout("late"): true, toolerr.Timeout("late").WithAttempted(toolerr.Attempt{}): false, toolerr.Business("no").WithEffect(toolerr.EffectUnknown): false} {
			var log bytes.Buffer
			p := retry.Policy{Safety: safety, BaseDelay: -1, Logger: slog.New(slog.NewTextHandler(&log, nil))}
			_, _ = retry.CallTool(t.Context(), p, fake(func(*mcp.CallToolParams) (*mcp.CallToolResult, error) { return sent(e), nil }), tool("t"))
			assert.Equal(t, may && safety == retry.SafetyUnknown, bytes.Contains(log.Bytes(), []byte(`advice="Client.Safety decides`)), log.String())
		}
	}
}

// TestClient_ClosedByConnect checks that the error names a session that Connect has closed.
func TestClient_ClosedByConnect(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	c := &retry.Client{Policy: retry.Policy{MaxAttempts: 1, Logger: slog.New(slog.DiscardHandler)}}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		inside, outside := mcp.NewInMemoryTransports()
		if _, err := server.Connect(ctx, inside, nil); err != nil {
			return nil, err
		}
		session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, c.Options(nil)).Connect(ctx, outside, nil)
		if err == nil {
			defer func() { _ = session.Close() }()
		}
		return session, err
	}
	defer func() { _ = c.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	out, _ := c.CallTool(ctx, tool("t"))
	require.NotNil(t, out.Err)
	assert.Contains(t, out.Err.Message, "without defer session.Close()")
}
