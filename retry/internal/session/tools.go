package session

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
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
