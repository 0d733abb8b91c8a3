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
	// Chosen: a model that makes names up must not cost a list each time.
	relistAfter = 5 * time.Second
	// listedFor is how long a list is believed. Chosen: a server may change its
	// tools, and does so rarely.
	listedFor = 5 * time.Minute
	// listTimeout is how long a list may take. Chosen: the call waits for it.
	listTimeout = time.Second
)

// A session is one with a server, and what is learned of its tools.
type session struct {
	*mcp.ClientSession

	cancel context.CancelFunc // of the context that it was connected with; nil in a middleware

	mu      sync.Mutex
	tools   map[string]*mcp.Tool
	listed  time.Time
	broken  bool          // not all of the last list came
	failed  error         // why not, if nothing gets through to the server
	listing chan struct{} // closed when the list has come; nil if none is asked for
}

// safety returns the safety of a tool: what the policy says of every tool, else what
// safetyFunc says of this one. It is unknown if safetyFunc is nil, the tool is not
// listed, or the server refuses to list its tools. It returns an error if there is no
// list because nothing gets through to the server: as an unknown tool it would be
// called without its key.
func (s *session) safety(ctx context.Context, safetyFunc func(*mcp.Tool) Safety, l *loop) (Safety, error) {
	p := &l.policy
	switch {
	case p.Safety == SafetyKeyed:
		if tool, _ := s.tool(ctx, l.tool); tool != nil && !takesKey(tool, p.keyArgument()) {
			return SafetyUnknown, nil
		}
		return SafetyKeyed, nil
	case p.Safety != SafetyUnknown || safetyFunc == nil:
		return p.Safety, nil
	}
	tool, err := s.tool(ctx, l.tool)
	if tool == nil {
		return SafetyUnknown, err
	}
	return safetyHere(tool, safetyFunc, p.keyArgument()), nil
}

// tool returns the tool of that name, or nil. Callers at the same time share one
// list, and each waits for it as long as its own context allows.
func (s *session) tool(ctx context.Context, name string) (*mcp.Tool, error) {
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
		s.listed = time.Time{} // another caller's list did not come: ask once more
		s.mu.Unlock()
	}
}

// list asks the server for its tools. What was known stays if not all of them come.
func (s *session) list() {
	ctx, cancel := context.WithTimeout(context.Background(), listTimeout)
	defer cancel()
	tools, err := toolinfo.List(ctx, s.ListTools)
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

// sessions are those that a middleware serves. A session that is over is forgotten.
type sessions struct {
	mu    sync.Mutex
	known map[*mcp.ClientSession]*session
}

func (all *sessions) of(inner *mcp.ClientSession) *session {
	all.mu.Lock()
	defer all.mu.Unlock()
	if s, ok := all.known[inner]; ok {
		return s
	}
	if all.known == nil {
		all.known = map[*mcp.ClientSession]*session{}
	}
	s := &session{ClientSession: inner}
	all.known[inner] = s
	go func() {
		_ = inner.Wait()
		all.mu.Lock()
		defer all.mu.Unlock()
		delete(all.known, inner)
	}()
	return s
}
