package result

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

const (
	// toolsAge is how long a listed tool is cached, because middleware is not notified of
	// changes. Chosen: a list costs microseconds.
	toolsAge = 5 * time.Second
	// listTime is the timeout of a list. Chosen: the answer waits for it.
	listTime = time.Second
	// maxFruitless is the maximum number of cached lookups without a result. Chosen: a client
	// may send any number of names.
	maxFruitless = 1000
)

// knownTools caches a server's tools. It gets their list from the handler that the middleware
// wraps. Other middleware may hide tools from a user, or refuse the list: what one user does
// not get is not missing for another. The zero value is empty. It is safe for concurrent use.
type knownTools struct {
	tools     atomic.Pointer[map[string]knownTool]
	mu        sync.Mutex // held while listing
	ended     time.Time  // of the last list
	fruitless map[lookup]time.Time
}

type knownTool struct {
	*toolinfo.Tool

	at time.Time
}

// A lookup is a user's search for a name. An empty name means that the list failed.
type lookup struct{ user, name string }

// lookupOf returns the lookup of the beginning of a name, of which a client sends any length.
func lookupOf(user, name string) lookup {
	return lookup{user, strings.Clone(name[:min(len(name), maxToolName)])}
}

func isRecent(at, now time.Time) bool { return now.Sub(at) < toolsAge }

// find returns the tool, or nil. An unknown tool may be new, so that the list is requested
// again. Concurrent callers share one request, which therefore does not end with the call.
func (k *knownTools) find(ctx context.Context, next mcp.MethodHandler, req mcp.Request, name string) *toolinfo.Tool {
	now := time.Now()
	if tool, ok := k.cached(name, now); ok {
		return tool
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if tool, ok := k.cached(name, now); ok {
		return tool
	}
	user := userOf(req)
	all, this := lookup{user, ""}, lookupOf(user, name)
	if k.ended.After(now) || isRecent(k.fruitless[all], now) || isRecent(k.fruitless[this], now) {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), listTime)
	defer cancel()
	tools, err := toolinfo.List(ctx, lister(next, req))
	k.add(tools)
	k.ended = time.Now()
	if err != nil {
		k.miss(all)
	} else if tools[name] == nil {
		k.miss(this)
	}
	tool, _ := k.cached(name, now)
	return tool
}

// cached returns a tool that was listed recently.
func (k *knownTools) cached(name string, now time.Time) (*toolinfo.Tool, bool) {
	known, ok := k.listed()[name]
	return known.Tool, ok && isRecent(known.at, now)
}

// listed returns the tools of the last lists. Do not change them.
func (k *knownTools) listed() map[string]knownTool {
	if tools := k.tools.Load(); tools != nil {
		return *tools
	}
	return nil
}

// add adds listed tools to the recent ones.
func (k *knownTools) add(tools map[string]*mcp.Tool) {
	now, old, fresh := time.Now(), k.listed(), make(map[string]knownTool, len(tools))
	for name, known := range old {
		if isRecent(known.at, now) {
			fresh[name] = known
		}
	}
	for name, tool := range tools {
		known := old[name].Tool
		if known == nil || known.Tool != tool { // otherwise it keeps its decoded schema
			known = toolinfo.New(tool)
		}
		fresh[name] = knownTool{known, now}
	}
	k.tools.Store(&fresh)
}

// miss remembers a lookup without a result.
func (k *knownTools) miss(l lookup) {
	now := time.Now()
	maps.DeleteFunc(k.fruitless, func(_ lookup, at time.Time) bool { return !isRecent(at, now) || len(k.fruitless) >= maxFruitless })
	if k.fruitless == nil {
		k.fruitless = map[lookup]time.Time{}
	}
	k.fruitless[l] = now
}

// userOf returns the user of the request's token, or "".
func userOf(req mcp.Request) string {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		return extra.TokenInfo.UserID
	}
	return ""
}

// errNoList means that the handler returned no list, or panicked.
var errNoList = errors.New("no list of tools")

// lister returns a function that requests the tool list from the handler, on the session of
// req.
func lister(next mcp.MethodHandler, req mcp.Request) toolinfo.Lister {
	return func(ctx context.Context, params *mcp.ListToolsParams) (page *mcp.ListToolsResult, err error) {
		defer func() {
			if recover() != nil { // in other middleware, which may not expect this request
				err = errNoList
			}
		}()
		session, ok := req.GetSession().(*mcp.ServerSession)
		if !ok {
			return nil, errNoList
		}
		res, err := next(ctx, methodListTools, &mcp.ListToolsRequest{Session: session, Params: params, Extra: req.GetExtra()})
		if page, ok = res.(*mcp.ListToolsResult); err == nil && (!ok || page == nil) {
			err = errNoList
		}
		return page, err
	}
}
