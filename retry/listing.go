package retry

import (
	"context"
	"errors"
	"hash/maphash"
	"maps"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// askAfter is the time after which a page is requested again, and maxAsks the maximum
	// number of requests. Chosen: slow servers need over a second, and a lost request must
	// not block all callers for long. A listing without waiting callers ends after the same
	// time.
	askAfter, maxAsks = time.Second, 10
	// maxTools bounds the tools that are stored without having been requested, maxPages the
	// pages of a list, and maxDropped the tools of which only a hash is stored, so that they
	// can be looked up again. Chosen: more than servers have.
	maxTools, maxPages, maxDropped = 10_000, 1_000, 1_000_000
)

// A listing reads the tool list page by page until no caller needs more.
type listing struct {
	policy  Policy
	session any // the session that it is read on
	cancel  context.CancelFunc
	waiting int
	wanted  map[string]bool
	found   map[string]*knownTool
	dropped map[uint64]bool // hashes of the names of tools that are not stored
	page    chan struct{}   // closed when another page was read
	err     error
	over    bool
}

// A toolSource is the source of a tool list.
type toolSource struct {
	session any // comparable
	page    func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
}

// read continues the listing until the tool of the loop is found.
func (k *knownTools) read(from toolSource, l *loop) *listing {
	if k.listing == nil {
		ctx, cancel := context.WithCancel(context.Background())
		k.listing = &listing{
			policy: l.policy, session: from.session, cancel: cancel,
			wanted: map[string]bool{}, found: map[string]*knownTool{}, dropped: map[uint64]bool{}, page: make(chan struct{}),
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
		case hasNoList(err) && cursor == "":
			list = &mcp.ListToolsResult{}
		case err != nil:
			k.end(r, beforeCall(err, noList))
			return
		}
		if cursor = list.NextCursor; k.add(r, list.Tools, cursor == "", time.Since(begun)) {
			return
		}
		if asked[cursor] || r.isTooLong(k) {
			break
		}
	}
	k.end(r, errEndless)
}

// isTooLong reports whether the list has more tools than can be stored.
func (r *listing) isTooLong(k *knownTools) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(r.dropped) > maxDropped
}

var hashSeed = maphash.MakeSeed()

func hashOf(name string) uint64 { return maphash.String(hashSeed, name) }

// ask requests a page until one request is answered.
func (from toolSource) ask(ctx context.Context, cursor string) (*mcp.ListToolsResult, error) {
	type answer struct {
		list *mcp.ListToolsResult
		err  error
	}
	answers := make(chan answer, maxAsks) // a request may return long after its context ended
	for range maxAsks {
		go func() {
			list, err := awaited(func() (*mcp.ListToolsResult, error) {
				return from.page(ctx, &mcp.ListToolsParams{Cursor: cursor})
			})
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

// leave ends a listing without waiting callers. It is called with the lock held.
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

// hasNoList reports whether a server answers that it has no tool list.
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
		switch {
		case tool == nil:
		case len(r.found) < maxTools || r.wanted[tool.Name]:
			r.found[tool.Name] = &knownTool{Tool: tool, at: now}
			delete(r.wanted, tool.Name)
		default:
			r.dropped[hashOf(tool.Name)] = true
		}
	}
	if last { // tools that are no longer listed are removed
		k.byName, k.dropped, k.whole, k.took = r.found, r.dropped, now, took
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

// end ends a failed listing. A lost session causes no pause, because the next listing uses
// another session.
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

var (
	// errForgotten ends a listing that is no longer needed.
	errForgotten = toolerr.Transient("The server's tools are changing.").
			WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	errEndless = toolerr.Transient("The server's list of tools has no end.").
			WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone)
)
