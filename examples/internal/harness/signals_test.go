//go:build unix

package harness_test

import (
	"bufio"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain_SecondInterrupt interrupts again while the server waits for a request to finish.
func TestMain_SecondInterrupt(t *testing.T) {
	t.Parallel()
	server := exec.Command(os.Args[0], "-http", "127.0.0.1:0")
	log, err := server.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, server.Start())
	defer func() { _ = server.Process.Kill() }()
	line, err := bufio.NewReader(log).ReadString('\n')
	require.NoError(t, err)
	addr := host(strings.TrimSpace(strings.TrimPrefix(line, "small: serving ")))
	conn, err := net.Dial("tcp", addr)
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: "+addr+
		"\r\nExpect: 100-continue\r\nContent-Type: application/json\r\n"+
		"Accept: application/json, text/event-stream\r\nContent-Length: 100\r\n\r\n")
	require.NoError(t, err)
	_, err = bufio.NewReader(conn).ReadString('\n') // 100: it reads the body
	require.NoError(t, err)
	go func() {
		for server.Process.Signal(os.Interrupt) == nil {
			time.Sleep(50 * time.Millisecond) // another process has to get it
		}
	}()
	_ = server.Wait()
	assert.Equal(t, -1, server.ProcessState.ExitCode(), "the time for calls was not waited for")
}
