package retry

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
)

const (
	// relistAfter is how long the absence of a tool from the list is believed.
	// Chosen: a model that makes names up is not to cost a list each time.
	relistAfter = 5 * time.Second
	// listedFor is how long a list is believed. Chosen: a server may change its
	// tools, and does so rarely.
	listedFor = 5 * time.Minute
	// listTime is how long a list may take. Chosen: the call waits for it.
	listTime = time.Second
)

// live is a session, and what is learned of its tools.
type live struct {
	session *mcp.ClientSession
	end     context.CancelFunc // of the context that it was connected with; may be nil

	mu      sync.Mutex
	tools   map[string]*mcp.Tool
	listed  time.Time
	broken  bool          // not all of the last list came
	failed  error         // why it did not, where nothing gets through
	listing chan struct{} // closed when the list is there; nil where none is asked for
}

// safety is that of a tool, as judge sees it; where judge is nil, what the policy
// says of every tool. A tool that is not listed, or a list that the server
// refuses, is unknown. Where there is no list because nothing gets through to the
// server, the tool must not be called as unknown, which would be without its key.
func (s *live) safety(ctx context.Context, judge func(*mcp.Tool) Safety, l *loop) (Safety, error) {
	p := &l.policy
	switch {
	case p.Safety == SafetyKeyed:
		if tool, _ := s.tool(ctx, l.tool); tool != nil && !takesKey(tool, p.keyArgument()) {
			return SafetyUnknown, nil
		}
		return SafetyKeyed, nil
	case p.Safety != SafetyUnknown || judge == nil:
		return p.Safety, nil
	}
	tool, err := s.tool(ctx, l.tool)
	if tool == nil {
		return SafetyUnknown, err
	}
	return learned(tool, judge, p.keyArgument()), nil
}

// tool returns the tool of that name, or nil. Callers at the same time ask once,
// and each waits as long as its own context lets it.
func (s *live) tool(ctx context.Context, name string) (*mcp.Tool, error) {
	for {
		s.mu.Lock()
		tool, age := s.tools[name], time.Since(s.listed) // long, before the first list
		if age <= listedFor && (tool != nil || age <= relistAfter) {
			s.mu.Unlock()
			return tool, nil
		}
		joined := s.listing != nil
		if !joined {
			s.listing = make(chan struct{})
			go s.list()
		}
		listing := s.listing
		s.mu.Unlock()
		select {
		case <-listing:
		case <-ctx.Done():
			return nil, nil
		}
		s.mu.Lock()
		tool, broken, failed := s.tools[name], s.broken, s.failed
		if !broken || !joined {
			s.mu.Unlock()
			return tool, failed
		}
		s.listed = time.Time{} // another's list did not come: ask once more
		s.mu.Unlock()
	}
}

// list asks the server for its tools. What was known stays where not all of them
// come.
func (s *live) list() {
	ctx, cancel := context.WithTimeout(context.Background(), listTime)
	defer cancel()
	tools, err := toolinfo.List(ctx, s.session.ListTools)
	var failed error
	if out := result.Parse(nil, err); err != nil && (out.SessionLost || out.Err.Retryable && ctx.Err() == nil) {
		failed = err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil || s.tools == nil {
		s.tools = tools
	}
	s.listed, s.broken, s.failed = time.Now(), err != nil, failed
	if failed != nil {
		s.listed = time.Time{} // the next call asks again
	}
	close(s.listing)
	s.listing = nil
}

// sessionTools are the tools of the sessions that a middleware serves. A session
// that is over is forgotten.
type sessionTools struct {
	mu    sync.Mutex
	known map[*mcp.ClientSession]*live
}

func (t *sessionTools) of(session *mcp.ClientSession) *live {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s, ok := t.known[session]; ok {
		return s
	}
	if t.known == nil {
		t.known = map[*mcp.ClientSession]*live{}
	}
	s := &live{session: session}
	t.known[session] = s
	go func() {
		_ = session.Wait()
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.known, session)
	}()
	return s
}
