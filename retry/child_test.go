//go:build unix

package retry_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
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

const beChild = "RETRY_TEST_BE_A_CHILD"

// play runs the server that this process was started as, and reports whether there was one.
func play() bool {
	for name, serve := range map[string]func(string){beChild: serveChild, beEndured: serveEndured} {
		if role := os.Getenv(name); role != "" {
			serve(role)
			return true
		}
	}
	return false
}

// serveChild runs a server over stdio that reports each call on stderr, and answers when a
// file exists.
func serveChild(file string) {
	server := mcp.NewServer(&mcp.Implementation{Name: "child", Version: "v0"}, nil)
	handle := func(ctx context.Context, _ *mcp.CallToolRequest, _ map[string]any) (*mcp.CallToolResult, any, error) {
		fmt.Fprintln(os.Stderr, "called")
		for ctx.Err() == nil {
			if _, err := os.Stat(file); err == nil {
				return result.OK("done"), nil, nil
			}
			time.Sleep(5 * time.Millisecond) // another process creates the file
		}
		return nil, nil, ctx.Err()
	}
	schema := map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": map[string]any{"type": "string"}}}
	mcp.AddTool(server, &mcp.Tool{Name: "charge", InputSchema: schema}, handle)
	mcp.AddTool(server, &mcp.Tool{Name: "read", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, handle)
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

// children are the processes of a client, in order.
type children struct {
	file   string
	called chan struct{}

	mu  sync.Mutex
	all []*exec.Cmd
}

func newChildren(t *testing.T) *children {
	t.Helper()
	return &children{file: filepath.Join(t.TempDir(), "answer"), called: make(chan struct{}, 5000)}
}

// answer lets the children answer.
func (c *children) answer(t *testing.T) {
	t.Helper()
	require.NoError(t, os.WriteFile(c.file, nil, 0o600))
}

// start starts a child and connects to it, as in the documentation.
func (c *children) start(ctx context.Context, client *retry.Client) (retry.ClientSession, error) {
	command := exec.CommandContext(ctx, os.Args[0]) //nolint:gosec // the test itself
	command.Env = append(os.Environ(), beChild+"="+c.file)
	log, w := io.Pipe()
	command.Stderr = w
	go func() {
		for lines := bufio.NewScanner(log); lines.Scan(); {
			if lines.Text() == "called" {
				c.called <- struct{}{}
			}
		}
	}()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, client.Options(nil)).
		Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, command)
	context.AfterFunc(ctx, func() { _ = w.Close() })
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

// TestClient_CrashUnderCalls checks that a crash during calls with a key makes none of them
// fail.
func TestClient_CrashUnderCalls(t *testing.T) {
	t.Parallel()
	for _, calls := range []int{20, 50, 200} {
		t.Run(fmt.Sprint(calls), func(t *testing.T) {
			t.Parallel()
			kids := newChildren(t)
			c := kids.client(retry.Policy{BaseDelay: 50 * time.Millisecond})
			defer func() { _ = c.Close() }()
			var callers sync.WaitGroup
			var succeeded atomic.Int64
			for i := range calls {
				callers.Go(func() {
					_, d := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "charge", Arguments: map[string]any{"order": i}})
					if d.Action == retry.ActionAccept {
						succeeded.Add(1)
						assert.Equal(t, 2, d.Attempt)
					}
				})
			}
			for range calls { // all are running
				<-kids.called
			}
			require.NoError(t, syscall.Kill(kids.pids()[0], syscall.SIGKILL))
			kids.answer(t)
			callers.Wait()
			assert.GreaterOrEqual(t, succeeded.Load(), int64(calls*95/100), "of %d", calls)
			assert.Len(t, kids.pids(), 2)
		})
	}
}

// TestClient_HungServer checks that a hung server is killed and replaced, and that nothing
// leaks.
func TestClient_HungServer(t *testing.T) { //nolint:paralleltest // it counts goroutines
	before := runtime.NumGoroutine()
	kids := newChildren(t)
	const callers = 100 // more than the pipe holds
	c := hang(t, kids, callers)
	readInParallel(t, c, callers, true)
	require.NoError(t, c.Close())
	kids.assertGone(t)
	assert.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+2 }, testutil.Patience, 10*time.Millisecond, "goroutines")
}

// TestClient_HungServerIdle is the same with room left in the pipe.
func TestClient_HungServerIdle(t *testing.T) {
	t.Parallel()
	kids := newChildren(t)
	c := hang(t, kids, 1)
	readInParallel(t, c, 1, true)
	require.NoError(t, c.Close())
	kids.assertGone(t)
}

// readInParallel makes a number of calls, and asserts that all are answered, after an attempt
// on the session of a hung server if one hangs.
func readInParallel(t *testing.T, c *retry.Client, callers int, hung bool) {
	t.Helper()
	var wait sync.WaitGroup
	for range callers {
		wait.Go(func() {
			_, d := c.CallTool(t.Context(), tool("read", map[string]any{"text": strings.Repeat("x", 10_000)}))
			assert.Equal(t, retry.ActionAccept, d.Action, d.Reason)
			assert.Equal(t, hung, d.Attempt > 1)
		})
	}
	wait.Wait()
}

// hang returns the client of a server that hangs after one answer. An attempt may take many times as long as a number of parallel calls of a server
// that does not hang. Such a server may be replaced too when the machine slows down, so that
// nothing limits the attempts.
func hang(t *testing.T, kids *children, callers int) *retry.Client {
	t.Helper()
	others := newChildren(t)
	others.answer(t)
	calm := others.client(retry.Policy{})
	readInParallel(t, calm, 1, false)
	begun := time.Now()
	readInParallel(t, calm, callers, false)
	limit := time.Second + 10*time.Since(begun)
	require.NoError(t, calm.Close())
	kids.answer(t)
	c := kids.client(retry.Policy{
		BaseDelay: 50 * time.Millisecond, MaxAttempts: 1000, MaxWait: time.Hour, MaxDelay: time.Second, AttemptTimeout: limit, Budget: &retry.Budget{Size: -1},
	})
	_, d := call(t, c, "read")
	require.Equal(t, retry.ActionAccept, d.Action, d.Reason)
	pids := kids.pids()
	pid := pids[len(pids)-1]
	require.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	_, err := syscall.Wait4(pid, nil, syscall.WUNTRACED, nil) // until it has stopped
	require.NoError(t, err)
	return c
}

// assertGone asserts that several processes were started and that none is left.
func (c *children) assertGone(t *testing.T) {
	t.Helper()
	assert.Greater(t, len(c.pids()), 1)
	for _, pid := range c.pids() {
		assert.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH, "process %d of %v", pid, c.pids())
	}
}
