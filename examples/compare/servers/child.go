package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// patience is how long a call may take. Even on a busy machine, no call takes nearly as long.
const patience = 20 * time.Second

// A child is this program, run as a server, with a session to it.
type child struct {
	command *exec.Cmd
	session *mcp.ClientSession
	wire    *wire
}

// startChild starts the server that is built in the named way. If version is not empty, the client
// requests that protocol version.
func startChild(ctx context.Context, name, version string) (*child, error) {
	command, err := harness.Self(context.WithoutCancel(ctx), nil, "-serve", name)
	if err != nil {
		return nil, err
	}
	c := &child{command: command, wire: new(wire)}
	stdin, err := c.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	stdout, err := c.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.command.Start(); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", name, err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "compare", Version: "v1.0.0"}, nil)
	c.session, err = client.Connect(ctx, &mcp.IOTransport{
		Reader: struct {
			io.Reader
			io.Closer
		}{io.TeeReader(stdout, c.wire), stdout},
		Writer: stdin,
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		_ = stdin.Close()
		_ = c.command.Wait()
		return nil, fmt.Errorf("cannot connect to %s: %w", name, err)
	}
	return c, nil
}

// call makes a call and returns the response as the server wrote it, or nil if it wrote none. It
// ignores what the client makes of the response.
func (c *child) call(ctx context.Context, call call) []byte {
	return c.watch(ctx, func(ctx context.Context) {
		_, _ = c.session.CallTool(ctx, &mcp.CallToolParams{Name: call.tool, Arguments: call.arguments})
	})
}

// list requests the tools.
func (c *child) list(ctx context.Context) []byte {
	return c.watch(ctx, func(ctx context.Context) { _, _ = c.session.ListTools(ctx, nil) })
}

func (c *child) watch(ctx context.Context, do func(context.Context)) []byte {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c.wire.reset()
	do(ctx)
	return c.wire.response()
}

func (c *child) close() {
	_ = c.session.Close()
	_ = c.command.Wait()
}

// A wire keeps the bytes that a server writes.
type wire struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

// Write keeps p.
func (w *wire) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.buf.Write(p)
}

func (w *wire) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.buf.Reset()
}

// response returns the last response exactly as written, skipping requests and notifications.
func (w *wire) response() (last []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for decoder := json.NewDecoder(bytes.NewReader(w.buf.Bytes())); ; {
		var message json.RawMessage
		if decoder.Decode(&message) != nil {
			return last
		}
		var m struct {
			Method string `json:"method"`
		}
		if json.Unmarshal(message, &m) == nil && m.Method == "" {
			last = message
		}
	}
}
