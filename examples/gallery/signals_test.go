//go:build unix

package main

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// A process runs this program.
type process struct {
	*exec.Cmd

	stdin  io.WriteCloser
	stdout *os.File
	stderr *os.File
	temp   string
	done   chan struct{}
}

func begin(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...), temp: t.TempDir(), done: make(chan struct{})}
	p.Env = append(os.Environ(), "TMPDIR="+p.temp)
	var err error
	p.stdin, err = p.StdinPipe()
	require.NoError(t, err)
	stdout, out, err := os.Pipe() // and not StdoutPipe, which Wait closes
	require.NoError(t, err)
	stderr, log, err := os.Pipe()
	require.NoError(t, err)
	p.stdout, p.stderr, p.Stdout, p.Stderr = stdout, stderr, out, log
	require.NoError(t, p.Start())
	_, _ = out.Close(), log.Close()
	go func() {
		defer close(p.done)
		_ = p.Wait()
	}()
	t.Cleanup(func() {
		_ = p.Process.Kill()
		<-p.done
		_, _ = stdout.Close(), stderr.Close()
	})
	return p
}

// workspaces are those in the program's folder for temporary files.
func (p *process) workspaces() []string {
	left, _ := filepath.Glob(filepath.Join(p.temp, "gallery-*"))
	return left
}

// works waits until it has one.
func (p *process) works(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool { return len(p.workspaces()) == 1 }, testutil.Patience, time.Millisecond)
}

// status waits for the end, and returns the exit status, or -1 after a signal that
// the program did not take.
func (p *process) status(t *testing.T) int {
	t.Helper()
	select {
	case <-p.done:
	case <-time.After(testutil.Patience):
		require.Fail(t, "the program does not end")
	}
	return p.ProcessState.ExitCode()
}

func TestServe_Signals(t *testing.T) {
	t.Parallel()
	// A process that ignores a signal, as under nohup, passes that on to its children; one
	// that handles it does not.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, os.Interrupt, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(caught) })
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		for _, args := range [][]string{{"-serve"}, {"-http", "127.0.0.1:0"}} {
			p := begin(t, os.Args[0], args...)
			p.works(t)
			require.NoError(t, p.Process.Signal(sig))
			assert.Zero(t, p.status(t), "%v %v", sig, args)
			assert.Empty(t, p.workspaces(), "%v %v", sig, args)
		}
	}
}

func TestServe_Nohup(t *testing.T) {
	t.Parallel()
	p := begin(t, "/bin/sh", "-c", `trap "" HUP; exec "$0" -http 127.0.0.1:0`, os.Args[0])
	line, err := bufio.NewReader(p.stderr).ReadString('\n')
	require.NoError(t, err)
	_, url, ok := strings.Cut(strings.TrimSpace(line), ": serving ")
	require.True(t, ok, line)
	require.NoError(t, p.Process.Signal(syscall.SIGHUP))
	for range 50 { // a process that answers has received its signals
		resp, err := http.Get(url)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	require.NoError(t, p.Process.Signal(os.Interrupt))
	assert.Zero(t, p.status(t))
}

// TestRun_ClosedStdout is the test of "gallery | head -3".
func TestRun_ClosedStdout(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-today", "2025-07-25"}, {"-json"}} {
		p := begin(t, os.Args[0], args...)
		_, err := bufio.NewReaderSize(p.stdout, 16).ReadString('\n')
		require.NoError(t, err)
		require.NoError(t, p.stdout.Close())
		assert.Equal(t, 1, p.status(t))
		log, err := io.ReadAll(p.stderr)
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(log), "gallery: cannot print: "), "%s", log)
		assert.Empty(t, p.workspaces())
	}
}

// TestServe_ClosedStdout sends a request whose answer it does not read.
func TestServe_ClosedStdout(t *testing.T) {
	t.Parallel()
	p := begin(t, os.Args[0], "-serve")
	require.NoError(t, p.stdout.Close())
	_, err := io.WriteString(p.stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18",`+
		`"capabilities":{},"clientInfo":{"name":"test","version":"v0"}}}`+"\n")
	require.NoError(t, err)
	assert.GreaterOrEqual(t, p.status(t), 0)
	assert.Empty(t, p.workspaces())
}
