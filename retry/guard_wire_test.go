package retry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A ledger is a world that records the bookings of write and, by its key, charge.
type ledger struct {
	*world
	ends func(n int) error // the result of the nth booking; nil means success

	mu     sync.Mutex
	booked int
	byKey  map[string]bool
	atOnce int // running bookings
	most   int // maximum of running bookings
}

// newLedger returns a server with the middleware, or a foreign server.
func newLedger(ours bool, ends func(n int) error) *ledger {
	l := &ledger{ends: ends, byKey: map[string]bool{}}
	l.world = newWorldOf("v0", ours, func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var arguments map[string]any
		if err := json.Unmarshal(req.Params.Arguments, &arguments); err != nil {
			return nil, err
		}
		if name := req.Params.Name; name != "write" && name != "charge" {
			return result.OK("done"), nil
		}
		err := l.book(arguments)
		if e, ok := err.(*toolerr.Error); ok { //nolint:errorlint // the test's own value
			return result.Failure(e), nil
		}
		if err != nil {
			return textFailure(err.Error()), nil
		}
		return result.OK("done"), nil
	})
	return l
}

func (l *ledger) book(arguments map[string]any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	key, _ := arguments["idempotency_key"].(string)
	l.byKey[key] = true
	l.booked++
	n := l.booked
	l.atOnce++
	l.most = max(l.most, l.atOnce)
	l.mu.Unlock()
	time.Sleep(time.Millisecond) // so that concurrent bookings overlap
	l.mu.Lock()
	l.atOnce--
	return l.ends(n)
}

func (l *ledger) books() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.booked
}

type dialer = func(context.Context, *mcp.Client) (*mcp.ClientSession, error)

// A modelCall makes the calls of a model with a Guard through one entry point of this package.
type modelCall func(context.Context, string, any) result.Outcome

// eachCaller runs a test with every entry point.
func eachCaller(t *testing.T, ours bool, ends func(int) error, test func(*testing.T, *ledger, modelCall)) {
	t.Helper()
	for way, newCaller := range map[string]func(*testing.T, dialer) modelCall{"client": byClient, "call tool": byCallTool, "middleware": byMiddleware} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			l := newLedger(ours, ends)
			test(t, l, newCaller(t, func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) { return l.dial(ctx, c, "") }))
		})
	}
}

func byClient(t *testing.T, dial dialer) modelCall {
	t.Helper()
	c := &retry.Client{Safety: retry.SafetyOf, Connect: func(ctx context.Context) (retry.ClientSession, error) {
		return dial(ctx, newSDKClient())
	}}
	t.Cleanup(func() { _ = c.Close() })
	p := guarded()
	return func(ctx context.Context, name string, arguments any) result.Outcome {
		return first(retry.CallTool(ctx, p, c.AsSession(), tool(name, arguments)))
	}
}

func byCallTool(t *testing.T, dial dialer) modelCall {
	t.Helper()
	session := dialed(t, dial, newSDKClient())
	p := guarded()
	return func(ctx context.Context, name string, arguments any) result.Outcome {
		p := p
		p.Safety = map[string]retry.Safety{"read": retry.SafetyReadOnly, "charge": retry.SafetyKeyed}[name]
		return first(retry.CallTool(ctx, p, session, tool(name, arguments)))
	}
}

func byMiddleware(t *testing.T, dial dialer) modelCall {
	t.Helper()
	client := newSDKClient()
	client.AddSendingMiddleware(retry.Middleware(guarded(), retry.SafetyOf))
	session := dialed(t, dial, client)
	return func(ctx context.Context, name string, arguments any) result.Outcome {
		return result.Parse(session.CallTool(ctx, tool(name, arguments)))
	}
}

func dialed(t *testing.T, dial dialer, client *mcp.Client) *mcp.ClientSession {
	t.Helper()
	session, err := dial(t.Context(), client)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

func always(err error) func(int) error { return func(int) error { return err } }

func lostThenConflict(n int) error {
	if n <= 3 {
		return errLost
	}
	return toolerr.Validation("Other arguments.").WithCode(toolerr.CodeConflict)
}

// TestGuard_ParallelCalls makes ten identical calls concurrently. If the reply is lost, one is
// sent, or all have one key.
func TestGuard_ParallelCalls(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		ours bool
		tool string
		ends func(int) error
		want func(*testing.T, *ledger, []result.Outcome)
	}{
		"the reply is lost":   {true, "write", always(errLost), oneBooked},
		"not stated":          {true, "write", always(toolerr.Transient("The mail was not sent.")), oneBooked},
		"foreign text":        {false, "write", always(errors.New("Refund issued. Could not send mail: 503 Service Unavailable")), oneBooked},
		"a bug":               {false, "write", always(errors.New("TypeError: x is undefined")), oneBooked},
		"applied":             {true, "write", always(toolerr.Business("No receipt.").WithEffect(toolerr.EffectApplied)), oneBooked},
		"keyed, lost":         {true, "charge", always(errLost), oneKey},
		"keyed, then refused": {true, "charge", lostThenConflict, oneKey},
		"success": {true, "write", always(nil), func(t *testing.T, l *ledger, outs []result.Outcome) {
			t.Helper()
			assert.Equal(t, "10 1", fmt.Sprint(l.books(), " ", l.most), "bookings, and concurrent ones")
			for _, out := range outs {
				assert.NoError(t, out.AsError())
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachCaller(t, test.ours, test.ends, func(t *testing.T, l *ledger, call modelCall) {
				t.Helper()
				outs := make([]result.Outcome, 10)
				var wg sync.WaitGroup
				for i := range outs {
					wg.Go(func() { outs[i] = call(t.Context(), test.tool, order) })
				}
				wg.Wait()
				test.want(t, l, outs)
			})
		})
	}
}

func oneBooked(t *testing.T, l *ledger, outs []result.Outcome) {
	t.Helper()
	assert.Equal(t, 1, l.books())
	stopped := 0
	for _, out := range outs {
		require.Error(t, out.AsError())
		assert.NotEqual(t, toolerr.EffectNone, out.Err.Effect, "after a booking")
		assert.NotContains(t, out.Text(), `"isRetryable":true`)
		if strings.Contains(out.Err.Message, "was not sent again") {
			stopped++
		}
	}
	assert.Equal(t, 9, stopped)
}

func oneKey(t *testing.T, l *ledger, outs []result.Outcome) {
	t.Helper()
	assert.Len(t, l.byKey, 1, "keys")
	for _, out := range outs {
		require.Error(t, out.AsError())
		assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)
	}
}
