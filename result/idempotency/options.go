package idempotency

import (
	"cmp"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	defaultArgument = "idempotency_key"
	// defaultWait is [Options.Wait]. Chosen: long enough for most calls to end, and far
	// from the 60 s after which the TypeScript SDK of MCP gives up a request.
	defaultWait = 5 * time.Second
	// defaultLease is [Options.Lease]. Chosen: a database restarts in less, and a repeat
	// waits no more than two of its waits for a server that has died.
	defaultLease = 10 * time.Second
	// defaultGrace is [Options.Grace]. Chosen: as long as two waits of a repeat.
	defaultGrace = 10 * time.Second
)

// Options configures [Handler] and [AddTool]. One Options serves all the tools of a
// server. Its zero value is ready to use, in one process. It must not be changed or
// copied after its first use, and is then safe for concurrent use.
type Options struct {
	// Store remembers the calls. If nil, it is a [MemoryStore] of its own, which
	// other processes do not see, and which does not survive this one.
	Store Store
	// Principal names on whose behalf a call is made; the same key of another
	// principal is another key. If nil, it is the UserID of the request's token, and
	// a token without one is refused. Callers without a token are one principal.
	Principal func(*mcp.CallToolRequest) string
	// Argument is the argument that holds the key. Default: idempotency_key, for
	// which retry.SafetyOf looks.
	Argument string
	// Wait is how long a repeat waits for a call that is still running, before it
	// is told so. Default: 5 s, chosen to be far from the 60 s after which the
	// TypeScript SDK of MCP gives up a request. A negative value means not at all.
	Wait time.Duration
	// Lease is how long a call is taken to be running if its server gives no sign of life,
	// which it does three times in that time as long as the handler runs. A repeat that
	// comes after it is told that the effect is unknown, or with Rerun is carried out.
	// Default: 10 s, chosen because a database restarts in less. Zero and negative values
	// mean the default too: there is always an end.
	Lease time.Duration
	// Grace is how long a handler may go on if its caller has gone (it has cancelled the
	// call, or has waited for as long as it would): the caller's repeat then gets the
	// answer, in place of a failure whose effect is unknown. After that, or at once when a
	// time limit of the server ends, the handler's context ends. Default: 10 s, chosen as
	// long as two repeats wait. A negative value means that the handler's context ends with
	// the call's.
	Grace time.Duration
	// Rerun says that the handlers may run again if it is unknown what their
	// first run has done, because they pass the key on to a service that does
	// nothing twice under it: with the principal, if there are several, whose keys
	// may be the same. Without it, such a failure is final, and not
	// retryable: somebody has to look.
	Rerun bool

	memory MemoryStore
}

func (o *Options) argument() string {
	if o.Argument == "" {
		return defaultArgument
	}
	return o.Argument
}

func (o *Options) store() Store {
	if o.Store == nil {
		return &o.memory
	}
	return o.Store
}

func (o *Options) wait() time.Duration { return cmp.Or(o.Wait, defaultWait) }

func (o *Options) grace() time.Duration { return cmp.Or(o.Grace, defaultGrace) }

func (o *Options) lease() time.Duration {
	if o.Lease <= 0 {
		return defaultLease
	}
	return o.Lease
}
