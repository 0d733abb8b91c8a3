package main

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// startTime is how long a server may take to start. It is long enough for npx or uvx to install the
// server first.
const startTime = time.Minute

// A server is the server to check. It may be started several times, because the check continues
// after a call that crashes it.
type server struct {
	opts options
	log  tail

	mu      sync.Mutex
	session *mcp.ClientSession
	child   *exec.Cmd
}

// connect stops the previous session, and starts the server or connects to it.
func (s *server) connect(ctx context.Context) (*mcp.ClientSession, error) {
	s.stop()
	s.mu.Lock()
	defer s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	// The client offers no capabilities: it cannot answer a server's requests.
	client := mcp.NewClient(&mcp.Implementation{Name: "grade", Version: "v1.0.0"}, &mcp.ClientOptions{
		Capabilities:   &mcp.ClientCapabilities{},
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
	var err error
	s.session, err = client.Connect(ctx, s.transport(), nil)
	return s.session, err
}

func (s *server) transport() mcp.Transport {
	if s.opts.url != "" {
		return &mcp.StreamableClientTransport{
			Endpoint: s.opts.url, MaxRetries: -1, DisableStandaloneSSE: true,
			HTTPClient: &http.Client{Transport: withHeader{s.opts.header}},
		}
	}
	s.child = exec.Command(s.opts.command[0], s.opts.command[1:]...)
	s.child.Stderr = &s.log
	s.child.WaitDelay = time.Second // for grandchildren that hold stderr open
	ownGroup(s.child)
	return &mcp.CommandTransport{Command: s.child, TerminateDuration: time.Second}
}

// stop ends the session, the child process, and its children.
func (s *server) stop() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		closed := make(chan struct{})
		go func(session *mcp.ClientSession) {
			_ = session.Close()
			close(closed)
		}(s.session)
		select {
		case <-closed:
		case <-time.After(4 * time.Second): // longer than the transport's own steps
		}
	}
	if s.child != nil && s.child.Process != nil {
		killGroup(s.child)
	}
	s.session, s.child = nil, nil
}

// explain returns err with the end of the server's log added, or ErrInterrupted if ctx has ended.
func (s *server) explain(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return harness.ErrInterrupted
	}
	if said := s.log.last(); said != "" {
		return fmt.Errorf("%w\n%s", err, said)
	}
	return err
}

// withHeader adds header to every request.
type withHeader struct{ header http.Header }

// RoundTrip implements [http.RoundTripper].
func (w withHeader) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	maps.Copy(req.Header, w.header)
	return http.DefaultTransport.RoundTrip(req)
}

// A tail keeps the last 2,000 bytes of a log.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements [io.Writer].
func (t *tail) Write(p []byte) (int, error) {
	const most = 2000
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = append([]byte(nil), t.text[max(len(t.text)-most, 0):]...)
	return len(p), nil
}

// last returns the last lines, at most eight, indented.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := strings.Split(strings.TrimSpace(string(t.text)), "\n")
	lines = lines[max(len(lines)-8, 0):]
	for i, line := range lines {
		lines[i] = "    " + printable(line)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), " \n")
}
