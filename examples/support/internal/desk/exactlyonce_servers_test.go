package desk

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

var silent = slog.New(slog.DiscardHandler)

// starts are the ways to start a server, and its client with it.
var starts = map[string]func(*testing.T, *server){
	"stdio": func(_ *testing.T, s *server) {
		s.client = &retry.Client{Connect: s.connectStdio}
	},
	"http": func(t *testing.T, s *server) {
		t.Helper()
		require.NoError(t, s.startHTTP())
		s.client = &retry.Client{Connect: s.connectHTTP("2026-07-28")}
	},
	"http with sessions": func(t *testing.T, s *server) {
		t.Helper()
		require.NoError(t, s.startHTTP())
		s.client = &retry.Client{Connect: s.connectHTTP("2025-11-25")}
	},
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

func (s *server) command(flags ...string) *exec.Cmd {
	return exec.CommandContext(s.ctx, os.Args[0], append(flags, s.flags...)...)
}

func (s *server) connectStdio(ctx context.Context) (retry.ClientSession, error) {
	command := s.command("-serve")
	p := &process{command: command}
	session, err := newSession(ctx, noted{&mcp.CommandTransport{Command: command}, p}, "")
	if err == nil {
		s.becomes(p)
	}
	return session, err
}

func (s *server) connectHTTP(version string) func(context.Context) (retry.ClientSession, error) {
	return func(ctx context.Context) (retry.ClientSession, error) {
		return newSession(ctx, &mcp.StreamableClientTransport{
			Endpoint:   "http://127.0.0.1/mcp", // and then to where the server is now
			HTTPClient: &http.Client{Transport: s},
		}, version)
	}
}

func newSession(ctx context.Context, transport mcp.Transport, version string) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v0"}, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	return client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
}

// startHTTP starts a process, and waits for its address.
func (s *server) startHTTP() error {
	command := s.command("-http", "127.0.0.1:0")
	stderr, err := command.StderrPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	log := bufio.NewReader(stderr)
	line, err := log.ReadString('\n')
	if err != nil {
		return err
	}
	address, err := url.Parse(strings.TrimSpace(strings.TrimPrefix(line, "support: serving ")))
	if err != nil {
		return err
	}
	p := &process{command: command, address: address.Host, front: &http.Transport{MaxIdleConnsPerHost: agentCount}, buried: make(chan struct{})}
	go func() {
		_, _ = io.Copy(io.Discard, log)
		_ = command.Wait()
		close(p.buried)
	}()
	s.becomes(p)
	return nil
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
			if err := s.startHTTP(); err != nil && s.ctx.Err() == nil {
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
	r = r.Clone(r.Context())
	r.URL.Host, r.Host = p.address, ""
	return p.front.RoundTrip(r)
}
