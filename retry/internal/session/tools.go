package session

import (
	"cmp"
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
	// listedFor is how long a tool's listing counts as current. Changes are rare, but may not be notified.
	listedFor = 5 * time.Minute
	// absentFor is the same for its absence: a model that invents names must not cause a listing each time.
	absentFor = time.Minute
	// listTime limits a listing. Slow servers need seconds, but a lost request must not block all callers.
	listTime = 30 * time.Second
)

// Tools is one server's tool list, kept across sessions. It is safe for concurrent use.
type Tools struct {
	mu      sync.Mutex
	server  [2]string            // its name and version
	byName  map[string]*mcp.Tool // replaced, never changed
	at      time.Time            // when the list was read
	listing chan struct{}        // closed at the end of the running listing; nil if there is none
	err     error                // why byName is not the whole list, or nil
}

// serverOf returns the name and version that a server reports.
func serverOf(init *mcp.InitializeResult) (server [2]string) {
	if init != nil && init.ServerInfo != nil {
		server = [2]string{init.ServerInfo.Name, init.ServerInfo.Version}
	}
	return server
}

// find returns the tool as [Session.Tool] does. If necessary it reads the list page by page in the life of a session:
// callers share a listing, and wait for it until their own contexts end. An outdated tool is used in the meantime.
func (t *Tools) find(ctx, life context.Context, page toolinfo.Lister, name string) (*mcp.Tool, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	tool, age := t.byName[name], time.Since(t.at)
	known := tool != nil || t.err == nil && age <= absentFor
	if (!known || age > listedFor) && t.listing == nil {
		t.listing = make(chan struct{})
		go t.read(life, page, t.listing)
	}
	if known {
		return tool, nil
	}
	if err := await(ctx, &t.mu, t.listing); err != nil {
		return nil, err
	}
	if tool = t.byName[name]; tool != nil {
		return tool, nil
	}
	return nil, t.err
}

// Forget clears the list because the tools have changed.
func (t *Tools) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byName = nil
	t.finish(toolerr.Unavailable("The server's tools are changing.", 0))
}

// serve is called for each new session. A restart may have changed the list, so it is outdated. Another
// version of the server, or one without an identity, may have other tools.
func (t *Tools) serve(init *mcp.InitializeResult) {
	server := serverOf(init)
	t.mu.Lock()
	same := server == t.server && server != [2]string{}
	t.server, t.at = server, time.Time{}
	t.mu.Unlock()
	if !same {
		t.Forget()
	}
}

// Tool returns the named tool, nil if the server does not list it, or an error if that is unknown.
func (s *Session) Tool(ctx context.Context, name string) (*mcp.Tool, error) {
	page := func(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		list, _, err := ask(ctx, s, false, func(on Conn) (*mcp.ListToolsResult, error) { return on.ListTools(ctx, params) })
		return list, err
	}
	tool, err := s.server.Tools.find(ctx, s.over, page, name)
	if errors.Is(err, context.DeadlineExceeded) {
		s.survives(ctx)
	}
	return tool, err
}

// read makes a listing. A server that lacks the method, or answers nil, has no tools. A failed listing removes no
// tools. A listing on a lost session changes nothing, because the next one uses another session.
func (t *Tools) read(life context.Context, page toolinfo.Lister, listing chan struct{}) {
	ctx, cancel := context.WithTimeout(life, listTime)
	defer cancel()
	tools, err := toolinfo.List(ctx, func(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		list, err := page(ctx, params)
		var wire *jsonrpc.Error
		isUnknown := errors.As(err, &wire) && wire.Code == jsonrpc.CodeMethodNotFound
		if list == nil && err == nil || params.Cursor == "" && isUnknown {
			return &mcp.ListToolsResult{}, nil
		}
		return list, err
	})
	if err != nil && life.Err() != nil {
		err = mcp.ErrConnectionClosed
	}
	err = beforeCall(err, "The server's list of tools could not be read.")
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.listing != listing {
		return
	}
	defer t.finish(err)
	if err != nil {
		if result.Parse(nil, err).SessionLost {
			return
		}
		for name, tool := range t.byName {
			tools[name] = cmp.Or(tools[name], tool)
		}
	}
	t.byName, t.at = tools, time.Now()
}

// finish ends the running listing, if any. It is called with the lock held.
func (t *Tools) finish(err error) {
	t.err = err
	if t.listing != nil {
		close(t.listing)
		t.listing = nil
	}
}
