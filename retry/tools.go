package retry

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// listedFor is how long a listed tool is considered current. Chosen: not every server
	// notifies of changes, and changes are rare.
	listedFor = 5 * time.Minute
	// relistAfter is how long the absence of a tool is considered current, as a multiple of
	// the time that the listing took, but at least minRelist. Chosen: a model that invents
	// names must not cause a listing each time.
	relistAfter, minRelist = 20, 5 * time.Second
	// pageTime is how long a page of the list may take. Chosen: slow servers need over a
	// second, and a lost request must not block all callers for long.
	pageTime = 10 * time.Second
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
	at      time.Time // when the list was read
	whole   bool      // it was read to its end
	took    time.Duration
	listing *listing // nil if no listing is running
	pacer   pacer
	ended   chan struct{} // closed when the session of a [Middleware] has ended
}

// A serverName identifies a server by its own account.
type serverName struct{ name, version string }

// A knownTool is a tool and its safety, which is determined once.
type knownTool struct {
	*mcp.Tool

	once   sync.Once
	safety Safety // according to the Client's or the Middleware's function
	keyed  bool
}

// A listing reads the tool list. Concurrent callers share it.
type listing struct {
	session any // the session that it is read on
	cancel  context.CancelFunc
	done    chan struct{} // closed at the end
	err     error
}

// A toolSource is the source of a tool list.
type toolSource struct {
	session any // comparable
	page    toolinfo.Lister
}

// tool returns the tool of that name, or nil if the server does not list it. It returns an
// error if that is not known. Each caller waits as long as its context allows; the listing
// continues for later callers.
func (k *knownTools) tool(ctx context.Context, from toolSource, l *loop) (*knownTool, error) {
	for changes := 0; ; changes++ {
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
		r := k.read(from, l)
		k.mu.Unlock()
		select {
		case <-r.done:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		k.mu.Lock()
		tool, listed := k.byName[l.tool]
		if r.err != nil && !listed {
			l.state.pause = k.pacer.pause()
		}
		k.mu.Unlock()
		switch {
		case listed:
			return tool, nil
		case r.err != nil && (!errors.Is(r.err, errChanged) || changes == maxChanges):
			return nil, r.err
		}
	}
}

// known returns the cached tool, and reports whether that is sufficient. An outdated entry
// is used while it is refreshed.
func (k *knownTools) known(from toolSource, l *loop) (*knownTool, bool) {
	age := time.Since(k.at)
	tool, ok := k.byName[l.tool]
	if ok && age > listedFor && k.pacer.pause() <= 0 {
		k.read(from, l)
	}
	return tool, ok || k.whole && age <= max(minRelist, relistAfter*k.took)
}

// read returns the running listing, or starts one. It is called with the lock held.
func (k *knownTools) read(from toolSource, l *loop) *listing {
	if k.listing == nil {
		ctx, cancel := context.WithCancel(context.Background())
		r := &listing{session: from.session, cancel: cancel, done: make(chan struct{})}
		k.listing = r
		policy, begun := l.policy, time.Now()
		go func() {
			tools, err := toolinfo.List(ctx, from.ask)
			k.end(r, tools, beforeCall(err, noList), policy, begun)
		}()
	}
	return k.listing
}

// ask requests a page. The request may return long after its context ended.
func (from toolSource) ask(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	var list *mcp.ListToolsResult
	answered := make(chan error, 1)
	go func() {
		page, err := awaited(func() (*mcp.ListToolsResult, error) { return from.page(ctx, params) })
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
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// end takes over what a listing has found. A lost session causes no pause, because the next
// listing uses another session.
func (k *knownTools) end(r *listing, tools map[string]*mcp.Tool, err error, policy Policy, begun time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.listing != r {
		return
	}
	if k.byName == nil || err == nil { // tools that are no longer listed are removed
		k.byName = map[string]*knownTool{}
	}
	for name, tool := range tools {
		k.byName[name] = &knownTool{Tool: tool}
	}
	k.at, k.whole, k.took = time.Now(), err == nil, time.Since(begun)
	switch {
	case err == nil:
		k.pacer = pacer{}
	case errors.Is(err, toolinfo.ErrEndless):
		err = errEndless
		k.pacer.failed(policy, err)
	case !result.Parse(nil, err).SessionLost:
		k.pacer.failed(policy, err)
	}
	k.finish(err)
}

// finish ends the running listing. It is called with the lock held.
func (k *knownTools) finish(err error) {
	if r := k.listing; r != nil {
		r.err, k.listing = err, nil
		close(r.done)
		r.cancel()
	}
}

// abandon ends the listing on a session that has ended.
func (k *knownTools) abandon(session any) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.listing != nil && k.listing.session == session {
		k.finish(mcp.ErrConnectionClosed)
	}
}

// forget clears the cache when the tools have changed.
func (k *knownTools) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.byName, k.whole, k.pacer = nil, false, pacer{}
	k.finish(errChanged)
}

var (
	// errChanged ends a listing during which the tools have changed.
	errChanged = toolerr.Transient("The server's tools are changing.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	errEndless = toolerr.Transient("The server's list of tools has no end.").
			WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone)
)

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
	if _, listed := k.byName[name]; listed || !k.whole {
		return nil
	}
	return slices.Sorted(maps.Keys(k.byName))
}

// safety returns the safety of the loop's tool: the policy's, or else that of safetyOf. It
// is unknown if safetyOf is nil, the tool is not listed, or the server has no list. It
// returns an error if the tool is not known yet, because it would be called without its
// key.
func (k *knownTools) safety(ctx context.Context, from toolSource, safetyOf func(*mcp.Tool) Safety, l *loop) (Safety, error) {
	given, argument := l.policy.Safety, l.policy.keyArgument()
	if given != SafetyKeyed && (given != SafetyUnknown || safetyOf == nil) {
		return given, nil
	}
	tool, err := k.tool(ctx, from, l)
	if err != nil || tool == nil {
		return given, err
	}
	tool.once.Do(func() {
		if tool.keyed = takesKey(tool.Tool, argument); safetyOf != nil {
			tool.safety = safetyHere(tool.Tool, safetyOf, argument)
		}
	})
	switch {
	case given == SafetyUnknown:
		return tool.safety, nil
	case tool.keyed:
		return SafetyKeyed, nil
	}
	return SafetyUnknown, nil
}
