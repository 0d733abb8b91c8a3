package result

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

const (
	// toolsAge is how long a listed tool is cached; middleware is not notified of changes. It is
	// chosen to be short, because a list takes only microseconds.
	toolsAge = 5 * time.Second
	// listTime limits the request for a list. It was chosen short: a failed call waits for it.
	listTime = time.Second
	// maxFruitless is the maximum number of cached lookups without a result: a client may send any
	// number of names. It is chosen so that the names take at most 128 KB.
	maxFruitless = 1000
)

// knownTools caches a server's tools. Other middleware may hide tools from a user, or reject the list request,
// so fruitless lookups and pending requests are tracked per user. It is safe for concurrent use.
type knownTools struct {
	mu        sync.Mutex
	tools     map[string]knownTool
	kept      int // the number of tools after old ones were last removed
	fruitless map[lookup]time.Time
	lists     map[string]func() // by user; requests the list if nothing has, and returns when it has come
}

type knownTool struct {
	*toolinfo.Tool

	at time.Time
}

// A lookup is a user's search for a name. If the list failed, the name is anyName.
type lookup struct{ user, name string }

// anyName cannot be a tool's name, which has no control characters.
const anyName = "\x00"

func isRecent(at, now time.Time) bool { return now.Sub(at) < toolsAge }

// find returns the call's tool, or nil. An unknown tool may be new, so the list is requested again after
// toolsAge. A user's concurrent calls share one request, which their contexts do not cancel.
func (c *call) find() *toolinfo.Tool {
	k, user, now := &c.tools, "", time.Now()
	if extra := c.req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		user = extra.TokenInfo.UserID
	}
	this := lookup{user, strings.Clone(c.name[:min(len(c.name), maxName)])} // a client may send any length
	k.mu.Lock()
	defer k.mu.Unlock()
	tool := k.cached(c.name, now)
	if tool != nil || isRecent(k.fruitless[lookup{user, anyName}], now) || isRecent(k.fruitless[this], now) {
		return tool
	}
	if k.lists == nil {
		k.tools, k.fruitless, k.lists = map[string]knownTool{}, map[lookup]time.Time{}, map[string]func(){}
	}
	list := k.lists[user]
	if list == nil {
		own := *c // c itself is not on the heap
		list = sync.OnceFunc(func() {
			tools, err := own.listTools() // which does not panic
			k.mu.Lock()
			defer k.mu.Unlock()
			delete(k.lists, user)
			if k.add(tools); err != nil {
				k.miss(lookup{user, anyName})
			}
		})
		k.lists[user] = list
	}
	k.mu.Unlock()
	list()
	k.mu.Lock()
	if tool = k.cached(c.name, now); tool == nil {
		k.miss(this)
	}
	return tool
}

func (k *knownTools) cached(name string, now time.Time) *toolinfo.Tool {
	if known := k.tools[name]; isRecent(known.at, now) {
		return known.Tool
	}
	return nil
}

// add adds listed tools. It removes old ones whenever the cache has doubled, so that the work
// for a list does not grow with the number of users.
func (k *knownTools) add(tools map[string]*mcp.Tool) {
	now := time.Now()
	for name, tool := range tools {
		known := k.tools[name].Tool
		if known == nil || known.Tool != tool { // otherwise it keeps its decoded schema
			known = toolinfo.New(tool)
		}
		k.tools[name] = knownTool{known, now}
	}
	if len(k.tools) > 2*k.kept {
		maps.DeleteFunc(k.tools, func(_ string, known knownTool) bool { return !isRecent(known.at, now) })
		k.kept = len(k.tools)
	}
}

func (k *knownTools) miss(l lookup) {
	if len(k.fruitless) >= maxFruitless {
		clear(k.fruitless)
	}
	k.fruitless[l] = time.Now()
}

var errNoList = errors.New("no list") // the handler returned none, or panicked

// listTools requests the tools from the handler, on the call's session, in a context that does not end with the
// call. On an error, it returns those that came before.
func (c *call) listTools() (map[string]*mcp.Tool, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.ctx), listTime)
	defer cancel()
	session, _ := c.req.GetSession().(*mcp.ServerSession) // misplacement has refused a client's
	return toolinfo.List(ctx, func(ctx context.Context, p *mcp.ListToolsParams) (page *mcp.ListToolsResult, err error) {
		err = errNoList
		defer func() { _ = recover() }() // in other middleware, which may not expect this request
		list := &mcp.ListToolsRequest{Session: session, Params: p, Extra: c.req.GetExtra()}
		res, failed := c.next(ctx, "tools/list", list)
		if page, _ = res.(*mcp.ListToolsResult); page != nil || failed != nil {
			err = failed
		}
		return page, err
	})
}
