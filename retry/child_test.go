//go:build unix

package retry_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

func init() { servers["child"], servers["failing"] = serveChild, serveFailing }

// serveChild runs a server over stdio that records each call, and answers when a file exists.
func serveChild(file string) {
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		calls, err := os.OpenFile(file+".calls", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		_, _ = calls.WriteString(".")
		_ = calls.Close()
		for {
			if _, err := os.Stat(file); err == nil {
				return result.OK("done"), nil
			}
			time.Sleep(5 * time.Millisecond) // another process creates the file
		}
	})
	_ = w.server.Run(context.Background(), &mcp.StdioTransport{})
}

// serveFailing runs a server over stdio that fails during a call as a file says: it dies or stops, perhaps in the middle
// of a message. It removes the file, so that it does so once, unless it is to fail during all calls.
func serveFailing(file string) {
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		how, _ := os.ReadFile(file)
		if !strings.HasSuffix(string(how), "all") {
			_ = os.Remove(file)
		}
		if strings.HasPrefix(string(how), "half") {
			_, _ = os.Stdout.WriteString(`{"jsonrpc":"2.0","id":`)
		}
		switch {
		case strings.Contains(string(how), "dies"):
			os.Exit(3)
		case strings.Contains(string(how), "hangs"):
			_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			<-make(chan bool) // other threads may run a moment longer
		}
		return result.OK("done"), nil
	})
	_ = w.server.Run(context.Background(), &mcp.StdioTransport{})
}

// children are the processes of a client, in order.
type children struct {
	kind string
	file string
	mu   sync.Mutex
	all  []*exec.Cmd
}

func newChildren(t *testing.T) *children {
	t.Helper()
	return &children{kind: "child", file: filepath.Join(t.TempDir(), "answer")}
}

// answer lets the children answer.
func (c *children) answer(t *testing.T) {
	t.Helper()
	require.NoError(t, os.WriteFile(c.file, nil, 0o600))
}

// start starts a child and connects to it, as in the documentation.
func (c *children) start(ctx context.Context, client *retry.Client) (retry.ClientSession, error) {
	command := startAs(ctx, c.kind, c.file)
	transport := &mcp.CommandTransport{Command: command, TerminateDuration: time.Second / 2}
	session, err := newClient(client.Options(nil)).Connect(ctx, transport, nil)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, command)
	return session, nil
}

func (c *children) client(p retry.Policy) *retry.Client {
	client := &retry.Client{Safety: retry.SafetyOf, Policy: p}
	client.Connect = func(ctx context.Context) (retry.ClientSession, error) { return c.start(ctx, client) }
	return client
}

// pids returns the processes that were started.
func (c *children) pids() (pids []int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, command := range c.all {
		pids = append(pids, command.Process.Pid)
	}
	return pids
}

// TestClient_CrashUnderCalls checks that a crash during calls with a key makes none of them fail.
func TestClient_CrashUnderCalls(t *testing.T) {
	t.Parallel()
	for _, calls := range []int{20, 200} {
		kids := newChildren(t)
		c := kids.client(retry.Policy{BaseDelay: 50 * time.Millisecond})
		var callers sync.WaitGroup
		var succeeded atomic.Int64
		for i := range calls {
			callers.Go(func() {
				_, d := c.CallTool(t.Context(), tool("charge", map[string]any{"order": i}))
				if d.Action == retry.ActionAccept {
					succeeded.Add(1)
					assert.Equal(t, 2, d.Attempt)
				}
			})
		}
		require.Eventually(t, func() bool { // all are running
			running, _ := os.ReadFile(kids.file + ".calls")
			return len(running) == calls
		}, testutil.Patience, 5*time.Millisecond)
		require.NoError(t, syscall.Kill(kids.pids()[0], syscall.SIGKILL))
		kids.answer(t)
		callers.Wait()
		assert.GreaterOrEqual(t, succeeded.Load(), int64(calls*95/100), "of %d", calls)
		assert.Len(t, kids.pids(), 2)
		require.NoError(t, c.Close())
	}
}

// TestClient_Stdio records what becomes of a call whose server, a child process, dies, stops, or writes half a message
// and then does so, during one call or all, and checks that the next read succeeds and no child is left. The rows run at
// the same time, because a ping of a stopped child takes two seconds. Nothing limits the attempts of the others, and
// of a stopped child a slow machine makes more attempts, which change no ending.
func TestClient_Stdio(t *testing.T) {
	t.Parallel()
	var rows sync.Map
	var all sync.WaitGroup
	for _, how := range []string{"dies one", "dies all", "half-dies one", "half-dies all", "hangs one", "half-hangs one"} {
		for _, name := range []string{"read", "write", "charge"} {
			all.Go(func() { rows.Store(how+" "+name, endWithChild(t, how, name)) })
		}
	}
	all.Wait()
	testutil.Recorded(t, "testdata/stdio.txt", func(sample string) string {
		got, ok := rows.Load(sample)
		require.True(t, ok, sample)
		return got.(string) //nolint:errcheck,forcetypeassert // as stored
	})
}

// endWithChild says how a call ends whose server fails, and whether others do.
func endWithChild(t *testing.T, how, name string) string {
	t.Helper()
	kids := newChildren(t)
	kids.kind = "failing"
	p := retry.Policy{BaseDelay: 10 * time.Millisecond}
	if strings.Contains(how, "hangs") {
		p = retry.Policy{BaseDelay: 10 * time.Millisecond, MaxAttempts: 1000, AttemptTimeout: time.Second / 2, Budget: &retry.Budget{Size: -1}}
	}
	c := kids.client(p)
	_, d := call(t, c, "read")
	assert.Equal(t, retry.ActionAccept, d.Action, how)
	assert.NoError(t, os.WriteFile(kids.file, []byte(how), 0o600)) //nolint:testifylint // also in another goroutine
	out, d := call(t, c, name)
	got := ending(out, d)
	_ = os.Remove(kids.file)
	assert.Eventually(t, func() bool { // after the pause that follows a child that answered nothing
		_, d = call(t, c, "read")
		return d.Action == retry.ActionAccept
	}, testutil.Patience, 10*time.Millisecond, how)
	assert.NoError(t, c.Close()) //nolint:testifylint // also in another goroutine
	assert.Greater(t, len(kids.pids()), 1, how)
	for _, pid := range kids.pids() {
		assert.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH, how)
	}
	return got
}
