package session

import (
	"context"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// pageTime is how long a page of the list may take. Chosen: slow servers need over a
// second, and a lost request must not block all callers for long.
const pageTime = 10 * time.Second

// A source is a session that the tool list can be read on.
type source struct {
	page  toolinfo.Lister
	ended <-chan struct{} // closed when the session has ended
}

// A listing reads the tool list. Concurrent callers share it.
type listing struct {
	source

	cancel context.CancelFunc
	done   chan struct{} // closed at the end
	err    error
}

// read returns the running listing, or starts one. It is called with the lock held.
func (t *Tools) read(from source) *listing {
	if t.listing != nil {
		return t.listing
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &listing{source: from, cancel: cancel, done: make(chan struct{})}
	t.listing = r
	begun := time.Now()
	go func() {
		tools, err := toolinfo.List(ctx, r.ask)
		if errors.Is(err, toolinfo.ErrEndless) {
			err = errEndless
		}
		t.end(r, tools, beforeCall(err, noList), time.Since(begun))
	}()
	return r
}

// ask requests a page. The request may return long after its context ended.
func (from source) ask(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	var list *mcp.ListToolsResult
	answered := make(chan error, 1)
	go func() {
		page, err := Await(func() (*mcp.ListToolsResult, error) { return from.page(ctx, params) })
		list = page
		answered <- err
	}()
	select {
	case err := <-answered:
		var wire *jsonrpc.Error
		if params.Cursor == "" && errors.As(err, &wire) && wire.Code == jsonrpc.CodeMethodNotFound {
			return &mcp.ListToolsResult{}, nil // the server has no list
		}
		return list, err
	case <-from.ended:
		return nil, mcp.ErrConnectionClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// end takes over what a listing has found. A lost session changes nothing, because the next
// listing uses another session.
func (t *Tools) end(r *listing, tools map[string]*mcp.Tool, err error, took time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listing != r {
		return
	}
	defer t.finish(err)
	if err != nil && result.Parse(nil, err).SessionLost {
		return
	}
	if t.byName == nil || err == nil { // tools that are no longer listed are removed
		t.byName = map[string]*Tool{}
	}
	for name, tool := range tools {
		t.byName[name] = &Tool{tool: tool}
	}
	t.at, t.whole, t.took = time.Now(), err == nil, took
	if err != nil {
		t.pacer.failed(t.delay, err)
	} else {
		t.pacer = pacer{}
	}
}

// finish ends the running listing. It is called with the lock held.
func (t *Tools) finish(err error) {
	if r := t.listing; r != nil {
		r.err, t.listing = err, nil
		close(r.done)
		r.cancel()
	}
}

var (
	// errChanged ends a listing during which the tools have changed.
	errChanged = toolerr.Transient("The server's tools are changing.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	errEndless = toolerr.Transient("The server's list of tools has no end.").
			WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone)
)

// page requests a page of the tool list.
func (s *Session) page(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	list, err := s.conn.ListTools(ctx, params)
	if err == nil && list == nil {
		err = errNoPage
	}
	switch {
	case err == nil:
		s.server.hasAnswered(s)
	case result.Parse(nil, err).SessionLost:
		s.server.discard(s)
	}
	return list, err
}

var errNoPage = errors.New("retry: ListTools returned nothing")
