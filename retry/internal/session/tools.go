package session

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// listedFor is how long a listed tool is considered current. Chosen: not every server
	// notifies of changes, and changes are rare.
	listedFor = 5 * time.Minute
	// relistAfter is how long the absence of a tool is considered current, as a multiple of
	// the time that the listing took, but at least minRelist. Chosen: a model that invents
	// names must not cause a listing each time.
	relistAfter, minRelist = 20, 5 * time.Second
	// maxChanges is how often the list is read again for one attempt because the tools
	// changed. Chosen: a server that always reports changes must not block the attempt.
	maxChanges = 3
)

// Tools is the tool list of one server, which is kept across sessions. It is safe for
// concurrent use.
type Tools struct {
	delay Delay

	mu      sync.Mutex
	server  serverName
	byName  map[string]*Tool
	at      time.Time // when the list was read
	whole   bool      // it was read to its end
	took    time.Duration
	listing *listing // nil if no listing is running
	pacer   pacer
}

// A Tool is a listed tool.
type Tool struct {
	tool  *mcp.Tool
	once  sync.Once
	trait int
}

// Trait returns what read returns for the tool. Read is called once for each time that the
// tool was listed.
func (t *Tool) Trait(read func(*mcp.Tool) int) int {
	t.once.Do(func() { t.trait = read(t.tool) })
	return t.trait
}

// A serverName identifies a server by its own account.
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

// find returns the tool of that name, or nil if the server does not list it. It returns an
// error if that is not known. Each caller waits as long as its context allows; the listing
// continues for later callers.
func (t *Tools) find(ctx context.Context, from source, name string) (*Tool, error) {
	for changes := 0; ; changes++ {
		tool, r, err := t.look(from, name)
		if r == nil {
			return tool, err
		}
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		t.mu.Lock()
		tool, listed := t.byName[name]
		t.mu.Unlock()
		switch {
		case listed:
			return tool, nil
		case r.err == nil || changes < maxChanges && (errors.Is(r.err, errChanged) || r.ended != from.ended):
			continue // without the tool, with other tools, or on a session that has been replaced
		}
		return nil, r.err
	}
}

// look returns the tool if the list is current, an error during a pause, or else a listing
// to wait for. An outdated tool is used while the list is read again.
func (t *Tools) look(from source, name string) (*Tool, *listing, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	age, pause := time.Since(t.at), t.pacer.pause()
	tool, listed := t.byName[name]
	switch {
	case listed && (age <= listedFor || pause > 0):
		return tool, nil, nil
	case listed:
		t.read(from)
		return tool, nil, nil
	case t.whole && age <= max(minRelist, relistAfter*t.took):
		return nil, nil, nil
	case pause > 0 && t.listing == nil:
		return nil, nil, t.pacer.tooEarly()
	}
	return nil, t.read(from), nil
}

// Forget clears the list when the tools have changed.
func (t *Tools) Forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.byName, t.whole, t.pacer = nil, false, pacer{}
	t.finish(errChanged)
}

// serve is called with the server's identity on each new session. Another version may have
// other tools. A server without an identity may be another one.
func (t *Tools) serve(init *mcp.InitializeResult) {
	server := serverOf(init)
	t.mu.Lock()
	same := server == t.server && server != serverName{}
	t.server = server
	t.mu.Unlock()
	if !same {
		t.Forget()
	}
}

// absent returns the names of all tools if the list is complete and does not have this
// tool.
func (t *Tools) absent(name string) []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, listed := t.byName[name]; listed || !t.whole {
		return nil
	}
	return slices.Sorted(maps.Keys(t.byName))
}

// Tool returns the tool of that name, or nil if the server does not list it, or an error if
// that is not known.
func (s *Session) Tool(ctx context.Context, name string) (*Tool, error) {
	tool, err := s.server.Tools.find(ctx, source{page: s.page, ended: s.over.Done()}, name)
	if errors.Is(err, context.DeadlineExceeded) {
		s.startPing()
	}
	return tool, err
}
