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
// A server over stdio ends when its stdin does, so that it can clean up: when its session is
// closed, and also if this program is killed. When ctx ends, it is interrupted, and killed if it
// hangs.
func Self(ctx context.Context, stderr io.Writer, args ...string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program to start it again: %w", err)
	}
	command := exec.CommandContext(ctx, self, args...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 2 * time.Second // it tidies up within milliseconds
	command.Stderr = stderr
	return command, nil
}

// ConnectSelf starts this program again, as a server over stdio, and connects to it as [Connect]
// does, with this middleware. It ends with its session, and not with ctx.
func ConnectSelf(ctx context.Context, client string, sending mcp.Middleware, stderr io.Writer, args ...string) (*mcp.ClientSession, error) {
	command, err := Self(context.WithoutCancel(ctx), stderr, args...)
	if err != nil {
		return nil, err
	}
	return Connect(ctx, client, &mcp.CommandTransport{Command: command}, sending)
}

// Connect connects to a server, as a client with this name and this middleware. The SDK's own loop
// for input is off, so that package retry can pace it.
func Connect(ctx context.Context, name string, transport mcp.Transport, sending ...mcp.Middleware) (*mcp.ClientSession, error) {
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
