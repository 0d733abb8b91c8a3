package session

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// Observed holds what is known about the sessions that a program manages itself, until the program
// drops them. It is safe for concurrent use.
type Observed struct {
	known sync.Map // of *Observation, by weak.Pointer[mcp.ClientSession]
}

// An Observation is what is known about a session. It does not keep the session alive.
type Observation struct {
	Tools

	// Life ends with the session.
	Life context.Context //nolint:containedctx // as long as the session

	refused atomic.Bool // since the last answer
}

// Ended returns the outcome of a request. The first of several refusals in a row means that the
// session may be gone. A 503 does not, because a new session is not this package's to make.
func (o *Observation) Ended(out result.Outcome, init *mcp.InitializeResult) result.Outcome {
	switch {
	case precedesCall(out.Status) && IsRefusal(out, init) && !o.refused.Swap(true):
		return goneWith(out, out.Err.Effect)
	case out.Status == 0 && IsAnswer(out):
		o.refused.Store(false)
	}
	return out
}

// Of returns what is known about a session.
func (all *Observed) Of(session *mcp.ClientSession) *Observation {
	at := weak.Make(session)
	known, ok := all.known.Load(at)
	if !ok {
		life, end := context.WithCancel(context.Background())
		if known, ok = all.known.LoadOrStore(at, &Observation{Life: life}); !ok {
			runtime.AddCleanup(session, all.known.Delete, any(at))
		}
		go func() {
			_ = session.Wait()
			end()
		}()
	}
	return known.(*Observation) //nolint:errcheck,forcetypeassert // the only type
}

// Tool returns the named tool, nil if the server does not list it, or an error if that is unknown.
func (o *Observation) Tool(ctx context.Context, session *mcp.ClientSession, name string) (*mcp.Tool, error) {
	page := func(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		return do(ctx, new(Session), func() (*mcp.ListToolsResult, error) { return session.ListTools(ctx, params) })
	}
	return o.find(ctx, o.Life, page, name)
}
