//go:build unix

package main

import (
	"bufio"
	"errors"
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

	stdin          io.WriteCloser
	stdout, stderr io.ReadCloser
	temp           string
}

func begin(t *testing.T, name string, args ...string) *process {
	t.Helper()
	p := &process{Cmd: exec.Command(name, args...), temp: t.TempDir()}
	p.Env = append(os.Environ(), "TMPDIR="+p.temp)
	var errs [3]error
	p.stdin, errs[0] = p.StdinPipe()
	p.stdout, errs[1] = p.StdoutPipe()
	p.stderr, errs[2] = p.StderrPipe()
	require.NoError(t, errors.Join(errs[:]...))
	require.NoError(t, p.Start())
	t.Cleanup(func() {
		_ = p.Process.Kill()
		_ = p.Wait()
	})
	return p
}

// workspaces are those in the program's folder for temporary files.
func (p *process) workspaces() []string {
	left, _ := filepath.Glob(filepath.Join(p.temp, "gallery-*"))
	return left
}

// status waits for the end, and returns the exit status, or -1 after a signal that
// the program did not take.
func (p *process) status() int {
	_ = p.Wait()
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
			require.Eventually(t, func() bool { return len(p.workspaces()) == 1 }, testutil.Patience, time.Millisecond,
				"it works")
			require.NoError(t, p.Process.Signal(sig))
			assert.Zero(t, p.status(), "%v %v", sig, args)
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
	assert.Zero(t, p.status())
}

// TestRun_ClosedStdout is the test of "gallery | head -3".
func TestRun_ClosedStdout(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-today", "2025-07-25"}, {"-json"}} {
		p := begin(t, os.Args[0], args...)
		_, err := bufio.NewReaderSize(p.stdout, 16).ReadString('\n')
		require.NoError(t, err)
		require.NoError(t, p.stdout.Close())
		log, err := io.ReadAll(p.stderr)
		require.NoError(t, err)
		assert.Equal(t, 1, p.status())
		assert.Equal(t, 1, strings.Count(string(log), "gallery: cannot print: "), "%s", log)
		assert.Empty(t, p.workspaces())
	}
}

// TestServe_ClosedStdout sends a request whose answer it does not read.
func TestServe_ClosedStdout(t *testing.T) {
	t.Parallel()
	p := begin(t, os.Args[0], "-serve")
	require.NoError(t, p.stdout.Close())
	_, err := io.WriteString(p.stdin, `{"jsonrpc":"2.0","id":1,"method":"initialize",`+
		`"params":{"protocolVersion":"2025-06-18",`+
		`"capabilities":{},"clientInfo":{"name":"test","version":"v0"}}}`+"\n")
	require.NoError(t, err)
	assert.GreaterOrEqual(t, p.status(), 0)
	assert.Empty(t, p.workspaces())
}
