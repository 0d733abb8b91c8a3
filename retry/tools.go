package retry

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
	// listedFor is how long a tool is believed to be as it was listed. Chosen: not every
	// server says when its tools change, and they do so rarely.
	listedFor = 5 * time.Minute
	// relistAfter is how long the absence of a tool from the list is believed. Chosen: a
	// model that makes names up must not cost a list each time.
	relistAfter = 5 * time.Second
	// relistShare is the same in times of what it took to read the list. Chosen: a list
	// takes at most a twentieth of the time.
	relistShare = 20
	// maxChanges is how often a list is read anew for one attempt because the tools have
	// changed meanwhile. Chosen: a server that says so each time must not hold it up.
	maxChanges = 3
)

// knownTools are the tools of one server, as far as anybody needed to know them. They
// outlive its sessions. The zero value knows none. It is safe for concurrent use.
type knownTools struct {
	mu      sync.Mutex
	server  serverName
	byName  map[string]*knownTool
	dropped map[uint64]bool // hashes of the names of further tools
	whole   time.Time       // when the end of the list was read; zero if it was not
	took    time.Duration
	listing *listing // nil if the list is not being read
	pacer   pacer
}

// A serverName is what a server says it is.
type serverName struct{ name, version string }

// A knownTool is a tool, and what a repeat of it may do, which is found out once.
type knownTool struct {
	*mcp.Tool

	at         time.Time // when it was listed
	safety     Safety
	safetyOnce sync.Once
	keyed      bool
	keyedOnce  sync.Once
}

// tool returns the tool of that name, or nil if the server does not list it. An error
// says that nobody knows. Callers at the same time share a list, and each waits for it as
// long as its own context allows; the list is read on meanwhile, for those who come later.
func (k *knownTools) tool(ctx context.Context, from toolSource, l *loop) (*knownTool, error) {
	for changes := 0; ; {
		k.mu.Lock()
		if tool, ok := k.known(from, l); ok {
			k.mu.Unlock()
			return tool, nil
		}
		if pause := k.pacer.pause(); pause > 0 && k.listing == nil {
			l.pause = pause
			err := k.pacer.tooEarly()
			k.mu.Unlock()
			return nil, err
		}
		reading := k.read(from, l)
		page := reading.page
		reading.waiting++
		k.mu.Unlock()
		select {
		case <-page:
		case <-ctx.Done():
		}
		k.mu.Lock()
		reading.waiting--
		if ctx.Err() != nil {
			k.leave(reading)
			k.mu.Unlock()
			return nil, ctx.Err()
		}
		err := reading.err
		if err != nil {
			l.pause = k.pacer.pause()
		}
		k.mu.Unlock()
		if errors.Is(err, errForgotten) && changes < maxChanges {
			changes++
			continue
		}
		if err != nil {
			return nil, err
		}
	}
}

// known returns what is known of a tool, and whether that is enough. What is old is
// believed while it is read anew.
func (k *knownTools) known(from toolSource, l *loop) (*knownTool, bool) {
	tool, ok := k.byName[l.tool]
	if ok {
		if time.Since(tool.at) > listedFor && k.pacer.pause() <= 0 {
			k.read(from, l)
		}
		return tool, true
	}
	if k.dropped[hashOf(l.tool)] {
		return nil, false
	}
	return nil, !k.whole.IsZero() && time.Since(k.whole) <= max(relistAfter, relistShare*k.took)
}

// abandon ends what is being read on a session that has ended.
func (k *knownTools) abandon(session any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.listing != nil && k.listing.session == session {
		k.finish(k.listing, mcp.ErrConnectionClosed)
	}
}

// forget is called when the tools have changed.
func (k *knownTools) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.byName, k.dropped, k.whole, k.pacer = nil, nil, time.Time{}, pacer{}
	if k.listing != nil {
		k.finish(k.listing, errForgotten)
	}
}

func serverOf(init *mcp.InitializeResult) serverName {
	if init == nil || init.ServerInfo == nil {
		return serverName{}
	}
	return serverName{init.ServerInfo.Name, init.ServerInfo.Version}
}

// serve is called with what a server says of itself on each new session: another version
// may have other tools. One that does not say who it is may be another.
func (k *knownTools) serve(init *mcp.InitializeResult) {
	server := serverOf(init)
	k.mu.Lock()
	same := server == k.server && server != serverName{}
	k.server = server
	k.mu.Unlock()
	if !same {
		k.forget()
	}
}

// absent returns the names of all tools, if the list was read to its end and does not
// have this one.
func (k *knownTools) absent(name string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, listed := k.byName[name]; listed || k.whole.IsZero() {
		return nil
	}
	return slices.Sorted(maps.Keys(k.byName))
}

// safety returns the safety of the tool of a loop: what the policy says of every tool,
// else what safetyOf says of this one. It is unknown if safetyOf is nil, the tool is not
// listed, or the server has no list. It returns an error if nobody knows yet: as an
// unknown tool it would be called without its key.
func (k *knownTools) safety(ctx context.Context, from toolSource, safetyOf func(*mcp.Tool) Safety, l *loop) (Safety, error) {
	if l.given != SafetyKeyed && (l.given != SafetyUnknown || safetyOf == nil) {
		return l.given, nil
	}
	tool, err := k.tool(ctx, from, l)
	switch {
	case err != nil:
		return SafetyUnknown, err
	case tool == nil:
		return l.given, nil
	case l.given == SafetyKeyed && tool.takesKey(l.policy.keyArgument()):
		return SafetyKeyed, nil
	case l.given == SafetyKeyed:
		return SafetyUnknown, nil
	}
	tool.safetyOnce.Do(func() { tool.safety = safetyHere(tool.Tool, safetyOf, l.policy.keyArgument()) })
	return tool.safety, nil
}

func (t *knownTool) takesKey(name string) bool {
	t.keyedOnce.Do(func() { t.keyed = takesKey(t.Tool, name) })
	return t.keyed
}
