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

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
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
	// askAfter is how long a page of the list is waited for before it is asked for once
	// more, and maxAsks how often it is asked for. Chosen: slow servers were seen to need
	// over a second, and a request that is lost must not hold up everybody for long. When
	// nobody waits any longer, the list is given up after the same time.
	askAfter, maxAsks = time.Second, 10
	// maxChanges is how often a list is read anew for one attempt because the tools have
	// changed meanwhile. Chosen: a server that says so each time must not hold it up.
	maxChanges = 3
	// maxTools bounds the tools that are remembered without anybody having asked for
	// them, and maxPages a list. Chosen: more than servers have.
	maxTools, maxPages = 10_000, 1_000
)

// knownTools are the tools of one server, as far as anybody needed to know them. They
// outlive its sessions. The zero value knows none. It is safe for concurrent use.
type knownTools struct {
	mu      sync.Mutex
	server  serverName
	byName  map[string]*knownTool
	whole   time.Time // when the end of the list was read; zero if it was not
	took    time.Duration
	listing *listing // nil if the list is not being read
	pacer   pacer
}

// A serverName is what a server says it is.
type serverName struct{ name, version string }

// A knownTool is a tool, and what a repeat of it may do, which is found out once.
type knownTool struct {
	*mcp.Tool

	at       time.Time // when it was listed
	safety   Safety
	settle   sync.Once
	keyed    bool
	settleBy sync.Once
}

// A listing is one reading of the list, page by page until nobody wants to know more.
type listing struct {
	policy  Policy
	session any // on which it is read
	cancel  context.CancelFunc
	waiting int
	wanted  map[string]bool
	found   map[string]*knownTool
	page    chan struct{} // closed when there is more to know
	err     error
	over    bool
}

// A toolSource is where a list of tools comes from.
type toolSource struct {
	session any // comparable
	page    func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
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
	return nil, !k.whole.IsZero() && time.Since(k.whole) <= max(relistAfter, relistShare*k.took)
}

// read lets the list be read until the tool of the loop was found.
func (k *knownTools) read(from toolSource, l *loop) *listing {
	if k.listing == nil {
		ctx, cancel := context.WithCancel(context.Background())
		k.listing = &listing{
			policy: l.policy, session: from.session, cancel: cancel,
			wanted: map[string]bool{}, found: map[string]*knownTool{}, page: make(chan struct{}),
		}
		go k.listing.run(ctx, k, from)
	}
	k.listing.wanted[l.tool] = true
	return k.listing
}

// run reads the pages.
func (r *listing) run(ctx context.Context, k *knownTools, from toolSource) {
	begun, asked := time.Now(), map[string]bool{}
	for cursor := ""; len(asked) < maxPages; {
		asked[cursor] = true
		list, err := from.ask(ctx, cursor)
		switch {
		case hasNoList(err):
			list = &mcp.ListToolsResult{}
		case err != nil:
			k.end(r, err)
			return
		}
		if cursor = list.NextCursor; k.add(r, list.Tools, cursor == "" || asked[cursor], time.Since(begun)) {
			return
		}
	}
	k.end(r, errEndless)
}

// ask asks for a page, until one request is answered.
func (from toolSource) ask(ctx context.Context, cursor string) (*mcp.ListToolsResult, error) {
	type answer struct {
		list *mcp.ListToolsResult
		err  error
	}
	answers := make(chan answer, maxAsks) // a request may return long after its context has ended
	for range maxAsks {
		go func() {
			list, err := from.page(ctx, &mcp.ListToolsParams{Cursor: cursor})
			answers <- answer{list, err}
		}()
		timer := time.NewTimer(askAfter)
		select {
		case a := <-answers:
			timer.Stop()
			return a.list, a.err
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-timer.C:
		}
	}
	return nil, context.DeadlineExceeded
}

// leave gives a list up that nobody waits for. It is called with the lock held.
func (k *knownTools) leave(r *listing) {
	if r.waiting > 0 || r.over {
		return
	}
	time.AfterFunc(askAfter, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if r.waiting == 0 && !r.over {
			k.finish(r, errForgotten)
		}
	})
}

// hasNoList reports whether a server answers that it has no list of tools.
func hasNoList(err error) bool {
	var wire *jsonrpc.Error
	return errors.As(err, &wire) && wire.Code == jsonrpc.CodeMethodNotFound
}

// add adds the tools of a page, and reports whether no more pages are needed.
func (k *knownTools) add(r *listing, tools []*mcp.Tool, last bool, took time.Duration) (enough bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.over {
		return true
	}
	now := time.Now()
	for _, tool := range tools {
		if tool != nil && (len(r.found) < maxTools || r.wanted[tool.Name]) {
			r.found[tool.Name] = &knownTool{Tool: tool, at: now}
			delete(r.wanted, tool.Name)
		}
	}
	if last { // what is not there any more is gone
		k.byName, k.whole, k.took = r.found, now, took
	} else {
		if k.byName == nil {
			k.byName = map[string]*knownTool{}
		}
		maps.Copy(k.byName, r.found)
	}
	if last || len(r.wanted) == 0 {
		k.pacer = pacer{}
		k.finish(r, nil)
		return true
	}
	close(r.page)
	r.page = make(chan struct{})
	return false
}

// end ends a listing that has failed. One of a lost session is no reason for a pause: the
// next is read on another.
func (k *knownTools) end(r *listing, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if r.over {
		return
	}
	if !result.Parse(nil, err).SessionLost {
		k.pacer.failed(r.policy, err)
	}
	k.finish(r, err)
}

// finish is called with the lock held.
func (k *knownTools) finish(r *listing, err error) {
	r.over, r.err = true, err
	close(r.page)
	r.cancel()
	if k.listing == r {
		k.listing = nil
	}
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
	k.byName, k.whole, k.pacer = nil, time.Time{}, pacer{}
	if k.listing != nil {
		k.finish(k.listing, errForgotten)
	}
}

// serve is called with what a server says of itself on each new session: another version
// may have other tools. One that does not say who it is may be another.
func (k *knownTools) serve(init *mcp.InitializeResult) {
	var server serverName
	if init != nil && init.ServerInfo != nil {
		server = serverName{init.ServerInfo.Name, init.ServerInfo.Version}
	}
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
	tool.settle.Do(func() { tool.safety = safetyHere(tool.Tool, safetyOf, l.policy.keyArgument()) })
	return tool.safety, nil
}

func (t *knownTool) takesKey(name string) bool {
	t.settleBy.Do(func() { t.keyed = takesKey(t.Tool, name) })
	return t.keyed
}

var (
	// errForgotten ends a listing that nobody needs any more.
	errForgotten = toolerr.Transient("The server's tools are changing.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	errEndless = toolerr.Transient("The server's list of tools has no end.").
			WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone)
)
