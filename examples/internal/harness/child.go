package harness

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Self returns a command that runs this program again, with these arguments and its log on stderr.
// When ctx ends, the child is interrupted, and killed if it does not end within two seconds. A
// server over stdio also cleans up and ends when its session is closed or this program is killed.
func Self(ctx context.Context, stderr io.Writer, args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program to start it again: %w", err)
	}
	command := exec.CommandContext(ctx, self, args...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 2 * time.Second // cleaning up takes milliseconds
	command.Stderr = stderr
	return command, nil
}

// ConnectSelf starts this program again as a server over stdio, and connects to it with [Connect].
// The child ends with its session, not with ctx.
func ConnectSelf(
	ctx context.Context, client string, sending mcp.Middleware, stderr io.Writer, args ...string,
) (*mcp.ClientSession, error) {
	command, err := Self(context.WithoutCancel(ctx), stderr, args...)
	if err != nil {
		return nil, err
	}
	return Connect(ctx, client, &mcp.CommandTransport{Command: command}, sending)
}

// Connect connects to a server, as a client with this name and sending middleware. It disables the
// SDK's loop that answers requests for input, so that package retry can pace these calls.
func Connect(
	ctx context.Context, name string, transport mcp.Transport, sending ...mcp.Middleware,
) (*mcp.ClientSession, error) {
	opts := &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}}
	client := mcp.NewClient(&mcp.Implementation{Name: name, Version: "v1.0.0"}, opts)
	client.AddSendingMiddleware(sending...)
	session, err := client.Connect(ctx, transport, nil)
	if err != nil {
		return nil, fmt.Errorf("cannot connect to the server: %w", err)
	}
	return session, nil
}

// Locked returns a writer to w that is safe for concurrent use, such as for the logs
// of several children.
func Locked(w io.Writer) io.Writer { return &locked{w: w} }

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
