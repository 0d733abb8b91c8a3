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

// listTime is how long a listing may take. Slow servers need more than a second for a page, but a
// lost request must not block all callers for long.
const listTime = 30 * time.Second

// A source is a session from which the tool list can be read.
type source struct {
	page toolinfo.Lister
	life context.Context //nolint:containedctx // as long as the session
}

// A listing reads the tool list. Concurrent callers share it.
type listing struct {
	done  chan struct{} // closed at the end
	tools map[string]*mcp.Tool
	err   error
}

// read returns the running listing, or starts one. It is called with the lock held.
func (t *Tools) read(from source) *listing {
	if t.listing != nil {
		return t.listing
	}
	r := &listing{done: make(chan struct{})}
	t.listing = r
	go func() {
		ctx, cancel := context.WithTimeout(from.life, listTime)
		defer cancel()
		tools, err := toolinfo.List(ctx, from.ask)
		switch {
		case err != nil && from.life.Err() != nil:
			err = mcp.ErrConnectionClosed
		case errors.Is(err, toolinfo.ErrEndless):
			err = errEndless
		}
		t.end(r, tools, beforeCall(err, noList))
	}()
	return r
}

// ask requests a page. If the server lacks the method, or answers nil, it has no tools.
func (from source) ask(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	list, err := within(ctx, func() (*mcp.ListToolsResult, error) { return from.page(ctx, params) })
	var wire *jsonrpc.Error
	if list == nil && err == nil || params.Cursor == "" && errors.As(err, &wire) && wire.Code == jsonrpc.CodeMethodNotFound {
		return &mcp.ListToolsResult{}, nil
	}
	return list, err
}

// end stores the result of a listing. A failed listing removes no tools. A listing on a lost
// session changes nothing, because the next one uses another session.
func (t *Tools) end(r *listing, tools map[string]*mcp.Tool, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listing != r {
		return
	}
	defer t.finish(err)
	switch {
	case err == nil:
		t.pacer = pacer{}
	case result.Parse(nil, err).SessionLost:
		return
	default:
		t.pacer.failed(t.delay, err)
		for name, tool := range t.byName {
			if tools[name] == nil {
				tools[name] = tool
			}
		}
	}
	r.tools, t.byName, t.at, t.whole = tools, tools, time.Now(), err == nil
}

// finish ends the running listing. It is called with the lock held.
func (t *Tools) finish(err error) {
	if r := t.listing; r != nil {
		r.err, t.listing = err, nil
		close(r.done)
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
	list, _, err := ask(ctx, s, false, func(conn Conn) (*mcp.ListToolsResult, error) { return conn.ListTools(ctx, params) })
	return list, err
}
