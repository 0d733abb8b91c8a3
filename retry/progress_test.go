package retry_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestClient_IdleTimeout checks that progress prolongs an attempt, up to a limit.
func TestClient_IdleTimeout(t *testing.T) {
	t.Parallel()
	const each = 3 * time.Second
	for name, test := range map[string]struct {
		policy  retry.Policy
		options bool // the client receives notifications
		steps   int  // number of notifications, one every 3 s
		token   any  // the caller's own token
		took    time.Duration
		answers bool
	}{
		"no IdleTimeout":             {retry.Policy{}, true, 20, nil, 20 * each, true},
		"progress":                   {retry.Policy{IdleTimeout: 5 * time.Second, AttemptTimeout: 2 * time.Minute}, true, 20, nil, 20 * each, true},
		"the caller's own token":     {retry.Policy{IdleTimeout: 5 * time.Second, AttemptTimeout: 2 * time.Minute}, true, 20, 7, 20 * each, true},
		"none":                       {retry.Policy{IdleTimeout: 5 * time.Second, AttemptTimeout: 2 * time.Minute}, true, 0, nil, 5 * time.Second, false},
		"progress stops":             {retry.Policy{IdleTimeout: 5 * time.Second, AttemptTimeout: 2 * time.Minute}, true, 4, nil, 4*each + 5*time.Second, false},
		"endless progress":           {retry.Policy{IdleTimeout: 5 * time.Second, AttemptTimeout: 20 * time.Second}, true, 1000, nil, 20 * time.Second, false},
		"endless, no AttemptTimeout": {retry.Policy{IdleTimeout: 5 * time.Second}, true, 1000, nil, 50 * time.Second, false},
		"no notifications":           {retry.Policy{IdleTimeout: 5 * time.Second}, false, 20, nil, 5 * time.Second, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var asked atomic.Bool
				c := &retry.Client{Policy: test.policy}
				c.Policy.MaxAttempts = -1
				c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
					w := newWorld(nil)
					w.server.AddReceivingMiddleware(slowly(each, test.steps, test.answers, &asked))
					a, b := mcp.NewInMemoryTransports()
					if _, err := w.server.Connect(ctx, a, nil); err != nil {
						return nil, err
					}
					var options *mcp.ClientOptions
					if test.options {
						options = c.Options(nil)
					}
					return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, options).Connect(ctx, b, nil)
				}
				params := tool("read")
				if test.token != nil {
					params.Meta = mcp.Meta{"progressToken": test.token}
				}
				begun := time.Now()
				out, d := c.CallTool(t.Context(), params)
				assert.Equal(t, test.took, time.Since(begun).Round(time.Second))
				assert.Equal(t, test.answers, d.Action == retry.ActionAccept)
				assert.Equal(t, test.policy.IdleTimeout > 0, asked.Load())
				if !test.answers {
					assert.Equal(t, "timeout unknown", fmt.Sprint(out.Err.Code, " ", out.Err.Effect))
				}
				_ = c.Close()
			})
		})
	}
}

// slowly returns a tool that makes progress in steps, and reports each step on request. It
// answers at the end, or never.
func slowly(each time.Duration, steps int, answers bool, asked *atomic.Bool) mcp.Middleware {
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			params, ok := req.GetParams().(*mcp.CallToolParamsRaw)
			session, isServer := req.GetSession().(*mcp.ServerSession)
			if method != "tools/call" || !ok || !isServer {
				return next(ctx, method, req)
			}
			token := params.GetProgressToken()
			asked.Store(token != nil)
			for step := range steps {
				if !sleepFor(ctx, each) {
					return nil, ctx.Err()
				}
				if asked.Load() {
					_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: float64(step)})
				}
			}
			if !answers {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return result.OK("done"), nil
		}
	}
}

func sleepFor(ctx context.Context, d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-ctx.Done():
		return false
	}
}
