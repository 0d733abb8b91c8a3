package desk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

var silent = slog.New(slog.DiscardHandler)

// A process is one life of a server.
type process struct {
	command *exec.Cmd
	killed  sync.Once

	// Over HTTP:
	url    string
	front  *http.Transport // to this process alone
	buried chan struct{}   // closed when it is
}

// startHTTP starts the program with -http, and waits for the URL that it prints.
func startHTTP(ctx context.Context, flags ...string) (*process, error) {
	command := exec.CommandContext(ctx, os.Args[0], append([]string{"-http", "127.0.0.1:0"}, flags...)...)
	stderr, err := command.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	log := bufio.NewReader(stderr)
	line, err := log.ReadString('\n')
	_, address, ok := strings.Cut(strings.TrimSpace(line), "support: serving ")
	if err != nil || !ok {
		return nil, fmt.Errorf("%q, %w", line, err)
	}
	p := &process{command: command, url: address, front: &http.Transport{MaxIdleConnsPerHost: agentCount}, buried: make(chan struct{})}
	go func() {
		_, _ = io.Copy(io.Discard, log)
		_ = command.Wait()
		close(p.buried)
	}()
	return p, nil
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

// starts are the ways to start a server, and its client with it.
var starts = map[string]func(*testing.T, *server){
	"stdio": func(_ *testing.T, s *server) {
		s.client = &retry.Client{Connect: s.connectStdio}
	},
	"http":               overHTTP("2026-07-28"),
	"http with sessions": overHTTP("2025-11-25"),
}

func overHTTP(version string) func(*testing.T, *server) {
	return func(t *testing.T, s *server) {
		t.Helper()
		require.NoError(t, s.start())
		s.client = &retry.Client{Connect: func(ctx context.Context) (retry.ClientSession, error) {
			transport := &mcp.StreamableClientTransport{Endpoint: "http://127.0.0.1/mcp", HTTPClient: &http.Client{Transport: s}} // to where the server is now
			return newClient().Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
		}}
	}
}

// A server is killed and comes back: over stdio because its client starts it
// again, over HTTP because the test does.
type server struct {
	client *retry.Client
	flags  []string
	ctx    context.Context //nolint:containedctx // that of the test

	mu      sync.Mutex
	process *process
	closed  bool
	coming  sync.WaitGroup // back
}

func (s *server) now() *process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.process
}

func (s *server) becomes(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.process = p
}

func newClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v0"}, &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
}

func (s *server) connectStdio(ctx context.Context) (retry.ClientSession, error) {
	p := &process{command: exec.CommandContext(s.ctx, os.Args[0], append([]string{"-serve"}, s.flags...)...)}
	client := newClient()
	client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			note(ctx, p)
			return next(ctx, method, req)
		}
	})
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: p.command}, nil)
	if err == nil {
		s.becomes(p)
	}
	return session, err
}

// start starts the next process over HTTP.
func (s *server) start() error {
	p, err := startHTTP(s.ctx, s.flags...)
	if err == nil {
		s.becomes(p)
	}
	return err
}

// kill kills the process in the middle of its work, and reports whether it did.
// Over HTTP the next one starts.
func (s *server) kill() bool {
	p := s.now()
	if !p.kill() {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.buried != nil && !s.closed {
		s.coming.Go(func() {
			if err := s.start(); err != nil && s.ctx.Err() == nil {
				panic(fmt.Sprint("a server does not come back: ", err))
			}
		})
	}
	return true
}

func (s *server) close() {
	_ = s.client.Close()
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.coming.Wait()
	if p := s.now(); p != nil {
		p.kill()
	}
}

// RoundTrip implements [http.RoundTripper]: it takes a request to the process of
// now, as a load balancer does.
func (s *server) RoundTrip(r *http.Request) (*http.Response, error) {
	p := s.now()
	if r.Method == http.MethodPost { // else a session's own, which may live on a call's context
		note(r.Context(), p)
	}
	to, err := url.Parse(p.url)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.URL.Host, r.Host = to.Host, ""
	return p.front.RoundTrip(r)
}
