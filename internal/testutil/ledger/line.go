package ledger

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var discard = log.New(io.Discard, "", 0)

// replyDelay is how long [Delay] delays a reply, long enough for other replies to overtake it.
const replyDelay = 3 * time.Millisecond

// A Line is an intermediary between a client and a server that exchange lines through pipes, within
// this process or with a child process.
type Line struct {
	faults *Faults
	kill   func() // kills the server
	end    func() // closes both directions

	toServer io.Writer
	toClient io.Writer
	writing  sync.Mutex // guards toClient

	mu      sync.Mutex
	pending map[string]delivery // by id
}

// NewLine returns the client's end of a line to a server, and starts relaying messages. Closer
// closes the server's end. Kill kills the server; if kill is nil, the line is closed instead.
func NewLine(faults *Faults, fromServer io.Reader, toServer io.WriteCloser, closer, kill func()) mcp.Transport {
	clientReads, toClient := io.Pipe()
	fromClient, clientWrites := io.Pipe()
	l := &Line{faults: faults, kill: kill, toServer: toServer, toClient: toClient, pending: map[string]delivery{}}
	l.end = sync.OnceFunc(func() {
		_ = toClient.Close()
		_ = fromClient.CloseWithError(io.ErrClosedPipe)
		closer()
	})
	if l.kill == nil {
		l.kill = l.end
	}
	go l.relay(fromClient, l.request)
	go l.relay(fromServer, l.reply)
	return &mcp.IOTransport{Reader: clientReads, Writer: clientWrites}
}

var errEnd = errors.New("the connection ended")

// relay calls handle with each line until handle fails or the input ends. Then it closes l.
func (l *Line) relay(from io.Reader, handle func([]byte) error) {
	defer l.end()
	for lines := bufio.NewReader(from); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil || handle(line) != nil {
			return
		}
	}
}

func (l *Line) request(line []byte) error {
	seen := l.faults.of(line)
	switch seen.fault { //nolint:exhaustive // the others are of the reply
	case Lose:
		return nil
	case KillBefore:
		l.kill()
		return errEnd
	case Replay:
		line = slices.Concat(line, line)
	case Pass:
	default:
		l.mu.Lock()
		l.pending[seen.id] = seen
		l.mu.Unlock()
	}
	_, err := l.toServer.Write(line)
	return err
}

func (l *Line) reply(line []byte) error {
	var m message
	_ = json.Unmarshal(line, &m)
	l.mu.Lock()
	seen := l.pending[string(m.ID)]
	if m.Method != "" {
		seen = delivery{} // a request from the server
	} else {
		delete(l.pending, string(m.ID))
	}
	l.mu.Unlock()
	switch seen.fault { //nolint:exhaustive // the others are of the request, or HTTP's
	case DropReply, Hang:
		return nil
	case CutReply:
		_ = l.write(line[:len(line)/2])
		return errEnd
	case KillAfter:
		l.kill()
		return errEnd
	case Garble: // like a server that logs to its stdout
		line = []byte("INFO paid " + string(line))
	case RepeatReply:
		line = slices.Concat(line, line)
	case Delay:
		time.AfterFunc(replyDelay, func() { _ = l.write(line) })
		return nil
	}
	return l.write(line)
}

func (l *Line) write(line []byte) error {
	l.writing.Lock()
	defer l.writing.Unlock()
	_, err := l.toClient.Write(line)
	return err
}

// InMemory connects a server in this process, and returns a transport to it over a [Line].
func InMemory(faults *Faults, server *mcp.Server) (mcp.Transport, error) {
	serverReads, toServer := io.Pipe()
	fromServer, serverWrites := io.Pipe()
	session, err := server.Connect(context.Background(), &mcp.IOTransport{Reader: serverReads, Writer: serverWrites}, nil)
	if err != nil {
		return nil, err
	}
	closer := func() {
		_ = toServer.Close()
		_ = fromServer.Close()
		go func() { _ = session.Close() }() // Close waits for the running calls
	}
	return NewLine(faults, fromServer, toServer, closer, nil), nil
}

// A Child is a server that runs as a child process.
type Child struct {
	Process *os.Process
	Dead    chan struct{} // closed when the process has exited
}

// Kill sends SIGKILL, and waits until the process has exited.
func (c *Child) Kill() {
	_ = c.Process.Kill()
	<-c.Dead
}

// Start starts a command, and returns the child and its standard input and output.
func Start(command *exec.Cmd) (c *Child, stdin io.WriteCloser, stdout io.ReadCloser, err error) {
	if stdin, err = command.StdinPipe(); err != nil {
		return nil, nil, nil, err
	}
	if stdout, err = command.StdoutPipe(); err != nil {
		return nil, nil, nil, err
	}
	if err = command.Start(); err != nil {
		return nil, nil, nil, err
	}
	c = &Child{Process: command.Process, Dead: make(chan struct{})}
	go func() {
		_, _ = command.Process.Wait() // not command.Wait, which closes stdout before all of it is read
		close(c.Dead)
	}()
	return c, stdin, stdout, nil
}

// OverStdio starts a server, and returns a transport to it over a [Line].
func OverStdio(faults *Faults, command *exec.Cmd) (mcp.Transport, *Child, error) {
	c, stdin, stdout, err := Start(command)
	if err != nil {
		return nil, nil, err
	}
	closer := func() {
		_ = stdin.Close()
		go func() { // a server exits when its input ends
			select {
			case <-c.Dead:
			case <-time.After(exitTime):
				c.Kill()
			}
			_ = stdout.Close()
		}()
	}
	return NewLine(faults, stdout, stdin, closer, c.Kill), c, nil
}

// exitTime is how long a process may take to exit by itself. An idle server needs far less.
const exitTime = time.Second
