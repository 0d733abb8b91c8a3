package retry

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// listedFor is how long a listed tool is considered current. Chosen: not every server
	// notifies of changes, and changes are rare.
	listedFor = 5 * time.Minute
	// relistAfter is how long the absence of a tool is considered current. Chosen: a model
	// that invents names must not cause a listing each time.
	relistAfter = 5 * time.Second
	// relistShare is the same as a multiple of the time that the listing took. Chosen:
	// listings take at most a twentieth of the time.
	relistShare = 20
	// maxChanges is how often the list is read again for one attempt because the tools
	// changed. Chosen: a server that always reports changes must not block the attempt.
	maxChanges = 3
)

// knownTools caches the tools of one server across sessions. The zero value is empty. It is
// safe for concurrent use.
type knownTools struct {
	mu      sync.Mutex
	server  serverName
	byName  map[string]*knownTool
	dropped map[uint64]bool // hashes of the names of other listed tools
	whole   time.Time       // when the list was read completely; zero if never
	took    time.Duration
	listing *listing // nil if no listing is running
	pacer   pacer
	ended   atomic.Bool // the session of a [Middleware] has ended
}

// A serverName identifies a server by its own account.
type serverName struct{ name, version string }

// A knownTool is a tool and its safety, which is determined once.
type knownTool struct {
	*mcp.Tool

	at         time.Time // when it was listed
	safety     Safety
	safetyOnce sync.Once
	keyed      bool
	keyedOnce  sync.Once
}

// tool returns the tool of that name, or nil if the server does not list it. It returns an
// error if that is not known. Concurrent callers share a listing, and each waits as long as
// its context allows; the listing continues for later callers.
func (k *knownTools) tool(ctx context.Context, from toolSource, l *loop) (*knownTool, error) {
	for changes := 0; ; {
		k.mu.Lock()
		if tool, ok := k.known(from, l); ok {
			k.mu.Unlock()
			return tool, nil
		}
		if pause := k.pacer.pause(); pause > 0 && k.listing == nil {
			l.state.pause = pause
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
			l.state.pause = k.pacer.pause()
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

// known returns the cached tool, and reports whether that is sufficient. An outdated entry
// is used while it is refreshed.
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

// abandon ends the listing on a session that has ended.
func (k *knownTools) abandon(session any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.listing != nil && k.listing.session == session {
		k.finish(k.listing, mcp.ErrConnectionClosed)
	}
}

// forget clears the cache when the tools have changed.
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

// serve is called with the server's identity on each new session. Another version may have
// other tools. A server without an identity may be another one.
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

// absent returns the names of all tools if the list is complete and does not have this
// tool.
func (k *knownTools) absent(name string) []string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, listed := k.byName[name]; listed || k.whole.IsZero() {
		return nil
	}
	return slices.Sorted(maps.Keys(k.byName))
}

// safety returns the safety of the loop's tool: the policy's, or else that of safetyOf. It
// is unknown if safetyOf is nil, the tool is not listed, or the server has no list. It
// returns an error if the tool is not known yet, because it would be called without its
// key.
func (k *knownTools) safety(ctx context.Context, from toolSource, safetyOf func(*mcp.Tool) Safety, l *loop) (Safety, error) {
	if l.policy.Safety != SafetyKeyed && (l.policy.Safety != SafetyUnknown || safetyOf == nil) {
		return l.policy.Safety, nil
	}
	tool, err := k.tool(ctx, from, l)
	switch {
	case err != nil:
		return SafetyUnknown, err
	case tool == nil:
		return l.policy.Safety, nil
	case l.policy.Safety == SafetyKeyed && tool.takesKey(l.policy.keyArgument()):
		return SafetyKeyed, nil
	case l.policy.Safety == SafetyKeyed:
		return SafetyUnknown, nil
	}
	tool.safetyOnce.Do(func() { tool.safety = safetyHere(tool.Tool, safetyOf, l.policy.keyArgument()) })
	return tool.safety, nil
}

func (t *knownTool) takesKey(name string) bool {
	t.keyedOnce.Do(func() { t.keyed = takesKey(t.Tool, name) })
	return t.keyed
}
