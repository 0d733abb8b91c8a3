package result

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/identifier"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

const (
	// toolsAge is how long a listed tool is cached; middleware is not notified of changes. It is
	// chosen to be short, because a list takes only microseconds.
	toolsAge = 5 * time.Second
	// listTime limits the request for a list. It was chosen short: a failed call waits for it.
	listTime = time.Second
	// maxUsers is the maximum number of users whose lists are remembered. It is chosen so that they take at
	// most 128 KB.
	maxUsers = 1000
)

// knownTools caches a server's tools. It gets their list from the handler that the middleware
// wraps. Other middleware may hide tools from a user, or reject the list request, so each user has
// lists of his own. The zero value is empty. It is safe for concurrent use.
type knownTools struct {
	mu    sync.Mutex
	tools map[string]knownTool
	kept  int // the number of tools after old ones were last removed
	lists map[string]listing
}

type knownTool struct {
	*toolinfo.Tool

	at time.Time
}

// A listing is a user's last request for the list.
type listing struct {
	*sync.Once

	at time.Time
}

func isRecent(at, now time.Time) bool { return now.Sub(at) < toolsAge }

// find returns the tool, or nil. For a tool that is not cached, each user's list is requested once in
// toolsAge. A user's concurrent calls share the request, which their contexts do not cancel.
func (k *knownTools) find(ctx context.Context, next mcp.MethodHandler, req mcp.Request, name string) *toolinfo.Tool {
	now := time.Now()
	tool := k.cached(name, now)
	if tool == nil {
		k.listingOf(userOf(req), now).Do(func() {
			ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), listTime)
			defer cancel()
			tools, _ := toolinfo.List(ctx, lister(next, req)) // of an error, what came before
			k.add(tools)
		})
		tool = k.cached(name, now)
	}
	return tool
}

// listingOf returns a user's recent listing, or a new one.
func (k *knownTools) listingOf(user string, now time.Time) listing {
	k.mu.Lock()
	defer k.mu.Unlock()
	last, ok := k.lists[user]
	if ok && isRecent(last.at, now) {
		return last
	}
	if k.lists == nil || len(k.lists) >= maxUsers {
		k.lists = map[string]listing{}
	}
	last = listing{new(sync.Once), now}
	k.lists[user] = last
	return last
}

// lookup returns the name of the only read-only tool that takes an argument which identifies what a
// call is about, or "". The cache is for all users, so the tool has to be listed to this one too.
func (k *knownTools) lookup(ctx context.Context, next mcp.MethodHandler, req mcp.Request, arguments json.RawMessage) string {
	var readers []*toolinfo.Tool
	now := time.Now()
	k.mu.Lock()
	for _, tool := range k.tools {
		if tool.Annotations != nil && tool.Annotations.ReadOnlyHint && isRecent(tool.at, now) {
			readers = append(readers, tool.Tool)
		}
	}
	k.mu.Unlock()
	if len(readers) == 0 {
		return ""
	}
	sent, _ := jsonvalue.Object(string(arguments))
	const generic = " id ids key name path query type uri url value " // what has one, the name does not say
	maps.DeleteFunc(sent, func(name string, v any) bool {
		id, identifies := identifier.Of(v)
		isProse := bytes.ContainsFunc(id, unicode.IsSpace)
		return !identifies || isProse || strings.Contains(generic, " "+strings.ToLower(name)+" ")
	})
	readers = slices.DeleteFunc(readers, func(tool *toolinfo.Tool) bool {
		properties := tool.Input().Properties()
		for name := range sent {
			if properties[name] != nil {
				return false
			}
		}
		return true
	})
	if len(readers) != 1 {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), listTime)
	defer cancel()
	if tools, _ := toolinfo.List(ctx, lister(next, req)); tools[readers[0].Name] == nil { // of an error, what came before
		return ""
	}
	return readers[0].Name
}

// cached returns a tool that was listed recently, or nil.
func (k *knownTools) cached(name string, now time.Time) *toolinfo.Tool {
	k.mu.Lock()
	defer k.mu.Unlock()
	known, ok := k.tools[name]
	if !ok || !isRecent(known.at, now) {
		return nil
	}
	return known.Tool
}

// add adds listed tools. It removes old ones whenever the cache has doubled, so that the work
// for a list does not grow with the number of users.
func (k *knownTools) add(tools map[string]*mcp.Tool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := time.Now()
	if k.tools == nil {
		k.tools = map[string]knownTool{}
	}
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

// userOf returns the user of the request's token, or "".
func userOf(req mcp.Request) string {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		return extra.TokenInfo.UserID
	}
	return ""
}

var errNoList = errors.New("no list") // the handler returned none, or panicked

// lister returns a function that requests the tool list from the handler, on the session of req.
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
		list := &mcp.ListToolsRequest{Session: session, Params: params, Extra: req.GetExtra()}
		res, err := next(ctx, methodListTools, list)
		page, _ = res.(*mcp.ListToolsResult)
		if err == nil && page == nil {
			err = errNoList
		}
		return page, err
	}
}
