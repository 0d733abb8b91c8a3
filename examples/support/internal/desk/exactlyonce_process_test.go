package desk

import (
	"context"
	"errors"
	"net/http"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A process is one life of a server.
type process struct {
	command *exec.Cmd
	killed  sync.Once

	// Over HTTP:
	address string
	front   *http.Transport // to this process alone
	buried  chan struct{}   // closed when it is
}

// kill kills a process, and reports whether it had not done so before.
func (p *process) kill() (first bool) {
	p.killed.Do(func() {
		first = true
		_ = p.command.Process.Kill()
		if p.buried != nil {
			<-p.buried
			p.front.CloseIdleConnections()
		}
	})
	return first
}

// dead reports whether a process has ended and was waited for.
func (p *process) dead() bool {
	return errors.Is(p.command.Process.Signal(syscall.Signal(0)), os.ErrProcessDone)
}

type tripKey struct{}

// A trip is the way of one call: the processes that may have got it.
type trip struct {
	mu   sync.Mutex
	seen []*process
}

// note puts a process on the trip of a call.
func note(ctx context.Context, p *process) {
	if t, ok := ctx.Value(tripKey{}).(*trip); ok {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.seen = append(t.seen, p)
	}
}

// over reports whether all of them are dead. That one is may be known a moment
// later than that it has hung up.
func (t *trip) over() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.seen {
		for waited := time.Duration(0); !p.dead(); waited += moment / 20 {
			if waited >= moment {
				return false
			}
			time.Sleep(moment / 20) // a process dies in real time
		}
	}
	return true
}

// noted is a transport that notes which calls its process gets.
type noted struct {
	mcp.Transport

	process *process
}

// Connect implements [mcp.Transport].
func (n noted) Connect(ctx context.Context) (mcp.Connection, error) {
	connection, err := n.Transport.Connect(ctx)
	return notedConnection{connection, n.process}, err
}

type notedConnection struct {
	mcp.Connection

	process *process
}

// Write implements [mcp.Connection].
func (n notedConnection) Write(ctx context.Context, message jsonrpc.Message) error {
	note(ctx, n.process)
	return n.Connection.Write(ctx, message)
}
