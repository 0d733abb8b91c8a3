package retry_test

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A fakeSession is a session without a connection.
type fakeSession struct {
	list    func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
	answer  func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) // nil means success
	ping    func(context.Context) error                                             // nil means a response
	version string
	exits   bool          // ends at the next call
	over    chan struct{} // closed at the end; may be nil

	calls    atomic.Int64
	connects atomic.Int64
	end      sync.Once
	mu       sync.Mutex
	last     *mcp.CallToolParams
}

// client returns a client of this session.
func (s *fakeSession) client() *retry.Client {
	s.over = make(chan struct{})
	return &retry.Client{Safety: retry.SafetyOf, Policy: quick, Connect: func(context.Context) (retry.ClientSession, error) {
		s.connects.Add(1)
		return s, nil
	}}
}

func (s *fakeSession) CallTool(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.calls.Add(1)
	s.mu.Lock()
	s.last = params
	s.mu.Unlock()
	switch {
	case s.exits:
		return nil, io.EOF
	case s.answer != nil:
		return s.answer(ctx, params)
	}
	return result.OK("done"), nil
}

// key returns the key of the last call.
func (s *fakeSession) key() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	arguments, _ := s.last.Arguments.(map[string]any)
	return arguments["idempotency_key"]
}

func (s *fakeSession) ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	return s.list(ctx, params)
}

func (s *fakeSession) InitializeResult() *mcp.InitializeResult {
	if s.version == "" {
		return nil
	}
	return &mcp.InitializeResult{ServerInfo: &mcp.Implementation{Name: "fake", Version: s.version}}
}

func (s *fakeSession) Ping(ctx context.Context, _ *mcp.PingParams) error {
	if s.ping != nil {
		return s.ping(ctx)
	}
	return nil
}

func (s *fakeSession) Wait() error { <-s.over; return nil }

func (s *fakeSession) Close() error {
	s.end.Do(func() { close(s.over) })
	return nil
}
