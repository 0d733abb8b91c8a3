package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// listedFor is how long a tool's listing counts as current. Not every server notifies of
	// changes, but changes are rare.
	listedFor = 5 * time.Minute
	// absentFor is how long a tool's absence counts as current. A model that invents names must not
	// cause a listing each time.
	absentFor = time.Minute
)

// Tools is one server's tool list, kept across sessions. It is safe for concurrent use.
type Tools struct {
	delay Delay

	mu      sync.Mutex
	server  serverName
	byName  map[string]*mcp.Tool // replaced, never changed
	at      time.Time            // when the list was read
	whole   bool                 // the list was read to its end
	listing *listing             // nil if no listing is running
	pacer   pacer
}

// A serverName is the name and version that a server reports.
type serverName struct{ name, version string }

func serverOf(init *mcp.InitializeResult) serverName {
	if init == nil || init.ServerInfo == nil {
		return serverName{}
	}
	return serverName{init.ServerInfo.Name, init.ServerInfo.Version}
}

// Pause returns the remaining pause before the next listing.
func (t *Tools) Pause() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.pacer.pause()
}

// find returns the tool with that name, or nil if the server does not list it. It returns an error
// if that is unknown. Each caller waits until its context ends; the listing continues.
func (t *Tools) find(ctx context.Context, from source, name string) (*mcp.Tool, error) {
	tool, r, err := t.look(from, name)
	if r == nil {
		return tool, err
	}
	if err := waitFor(ctx, r.done); err != nil {
		return nil, err
	}
	if tool := r.tools[name]; tool != nil {
		return tool, nil
	}
	return nil, r.err
}

// look returns the tool if it is listed, nil if a current list lacks it, an error during a pause, or
// otherwise a listing to wait for. A listed tool that is outdated is used while the list is read again.
func (t *Tools) look(from source, name string) (*mcp.Tool, *listing, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	age, pause := time.Since(t.at), t.pacer.pause()
	tool := t.byName[name]
	switch {
	case tool != nil:
		if age > listedFor && pause == 0 {
			t.read(from)
		}
		return tool, nil, nil
	case t.whole && age <= absentFor:
		return nil, nil, nil
	case pause > 0 && t.listing == nil:
		return nil, nil, t.pacer.tooEarly()
	}
	return nil, t.read(from), nil
}

// Forget clears the list because the tools have changed.
func (t *Tools) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byName, t.whole, t.pacer = nil, false, pacer{}
	t.finish(errChanged)
}

// serve is called with the server's identity for each new session. The list may have changed with a
// restart, so it is outdated. Another version may have other tools. A server without an identity
// may be a new one.
func (t *Tools) serve(init *mcp.InitializeResult) {
	server := serverOf(init)
	t.mu.Lock()
	same := server == t.server && server != serverName{}
	t.server, t.at = server, time.Time{}
	t.mu.Unlock()
	if !same {
		t.Forget()
	}
}

// Tool returns the named tool, nil if the server does not list it, or an error if that is unknown.
func (s *Session) Tool(ctx context.Context, name string) (*mcp.Tool, error) {
	tool, err := s.server.Tools.find(ctx, source{page: s.page, life: s.over}, name)
	if errors.Is(err, context.DeadlineExceeded) {
		s.survives(ctx)
	}
	return tool, err
}

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
	list, err := from.page(ctx, params)
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
