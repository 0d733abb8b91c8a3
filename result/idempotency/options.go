package idempotency

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The defaults of [Options], chosen as its documentation explains.
const (
	defaultArgument = "idempotency_key"
	defaultWait     = 5 * time.Second
	defaultLease    = 10 * time.Second
	defaultGrace    = 10 * time.Second
)

// Options configures [Handler] and [AddTool]. The zero value, like nil, is ready to use in one
// process, also if each session or request has its own. Do not change or copy it after its first
// use; it is then safe for concurrent use.
type Options struct {
	// Store remembers the calls. If nil, one [MemoryStore] is used for the whole process, in which
	// tools are equal if their names and the types of their handlers are. Servers that do different
	// work need a Scope, and tests with fixed keys need a store of their own. A store must outlive the
	// server and its sessions: make it once, not where a server is made for each connection.
	Store Store
	// Principal returns the principal of a call, whose keys are its own. If nil, it is the UserID of the
	// request's token; a call whose token has none fails, and all callers without a token are one
	// principal. Do not return the session: a repeat may use another.
	Principal func(*mcp.CallToolRequest) string
	// Scope separates the keys of servers that share a store but do different work, as in two regions.
	// Use the server's name, which the SDK does not tell a handler. Default: none.
	Scope string
	// Argument names the argument with the key. Default: idempotency_key, as in retry.SafetyOf.
	Argument string
	// Wait is how long a repeat waits for a running call before it fails as retryable. Default: 5
	// s, far below the 60 s timeout of MCP's TypeScript SDK. A negative value means no wait.
	Wait time.Duration
	// Lease is how long a claim lasts without a renewal, which the server makes three times per lease
	// while the handler runs. After it, a repeat fails with an unknown effect or, with UpstreamDedupes,
	// is run; a server that was only paused may still save its answer, within another lease. Default:
	// 10 s, longer than a database restart. A negative value panics.
	Lease time.Duration
	// Grace is how long a handler may continue after its caller has canceled the call or timed out,
	// so that a repeat gets the answer. Then its context ends. Grace does not extend a time limit
	// of the server. Default: 10 s, twice Wait's default. A negative value means no grace.
	Grace time.Duration
	// UpstreamDedupes states that every handler passes the key on (and the principal, if there are
	// several) to a service that never acts twice on the same key, or stores it in its own database,
	// in a unique column and in the same transaction as its work. A handler is then run again if
	// the effect of an earlier run is unknown; if the statement is false, the work is done twice.
	UpstreamDedupes bool

	open atomic.Int64 // number of running calls and withdrawals of claims
}

// Drain waits until the calls of the tools with these Options have ended and their answers are
// stored. If the context ends first, Drain returns its error. Call it after [http.Server.Shutdown],
// which in some protocol versions does not wait for calls whose callers have left.
func (o *Options) Drain(ctx context.Context) error {
	for o.open.Load() > 0 {
		select {
		case <-time.After(firstLook):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// check panics if a duration seems to lack its unit.
func (o *Options) check() {
	limits := map[string]time.Duration{"Options.Wait": o.Wait, "Options.Lease": o.Lease, "Options.Grace": o.Grace}
	if store, ok := o.Store.(*MemoryStore); ok {
		limits["MemoryStore.MaxAge"] = store.MaxAge
		store.mu.Lock()
		store.began = cmp.Or(store.began, time.Now())
		store.mu.Unlock()
	}
	if o.Lease < 0 {
		panic("idempotency.Options.Lease is negative: leave it out for the default of 10 s")
	}
	for name, d := range limits {
		if 0 < d && d < time.Millisecond {
			panic(fmt.Sprintf("idempotency.%s is %v: give it a unit, as in 10*time.Second", name, d))
		}
	}
}

func (o *Options) argument() string { return cmp.Or(o.Argument, defaultArgument) }

// processStore is the store of all Options without one.
var processStore MemoryStore

func (o *Options) store() Store { return cmp.Or(o.Store, Store(&processStore)) }
