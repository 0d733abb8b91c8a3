// Package harnesstest runs the example programs' servers in tests.
package harnesstest

import (
	"bufio"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// Serve runs a program in this process. The arguments have to make it serve over HTTP. It returns
// the URL that the program prints, the rest of its log, and a function that interrupts the program
// and returns its exit status, or -1 if it does not end.
func Serve(
	t *testing.T, run func(ctx context.Context, args []string, stdout, stderr io.Writer) int, args ...string,
) (url string, log *bufio.Reader, interrupt func() int) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	t.Cleanup(cancel)
	r, w, err := os.Pipe() // buffers what the test does not read
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	status := make(chan int, 1)
	go func() {
		status <- run(ctx, args, io.Discard, w)
		_ = w.Close()
	}()
	log = bufio.NewReader(r)
	line, err := log.ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), ": serving ")
	if err != nil || !ok {
		t.Fatalf("the program does not say where it serves: %q, %v", line, err)
	}
	return url, log, func() int {
		cancel()
		go func() { _, _ = io.Copy(io.Discard, log) }()
		select {
		case s := <-status:
			return s
		case <-time.After(testutil.Patience): // the program is stuck
			return -1
		}
	}
}

// Connect connects to a server over HTTP until the test ends. If version is empty, it requests the
// newest protocol version.
func Connect(t *testing.T, url, version string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v0"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return session
}
