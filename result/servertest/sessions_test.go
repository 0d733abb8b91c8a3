package servertest_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A limiter is a server that rejects calls after the first few for some time.
func limiter(free int, wait, real time.Duration) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "limiter"}, nil)
	var mu sync.Mutex
	var until time.Time
	add(server, readOnly("find"), envelope, func(ctx context.Context, in lookup) (*mcp.CallToolResult, error) {
		mu.Lock()
		defer mu.Unlock()
		if free--; free == 0 {
			until = time.Now().Add(real)
		}
		if free <= 0 && time.Now().Before(until) {
			return result.Failure(toolerr.RateLimited("Too many calls.", wait)), nil
		}
		return found(ctx, in)
	})
	return server
}

func TestCheck_Waits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wait, real time.Duration
		want       []string
	}{
		"true":           {time.Second, time.Second, []string{}},
		"too short":      {time.Second, time.Hour, []string{"find false_wait"}},
		"short at first": {time.Second, 2 * time.Second, []string{}},
		"too long":       {time.Hour, time.Hour, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				report, err := servertest.Check(t.Context(), testutil.Connect(t, limiter(2, test.wait, test.real), nil), nil)
				require.NoError(t, err)
				assert.Equal(t, test.want, kinds(report), "%s", report.Findings)
				assert.Less(t, time.Since(start), 5*time.Second, "it waits no longer than it says")
			})
		})
	}
}
