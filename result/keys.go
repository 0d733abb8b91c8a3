package result

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	defaultKeyArgument = "idempotency_key"
	// maxKey is the longest key that is taken, in bytes. It is Stripe's limit.
	maxKey = 255
	// defaultWait is [Keys.Wait]. Chosen: long enough for most calls to end, and far
	// from the 60 s after which the TypeScript SDK of MCP gives up a request.
	defaultWait = 5 * time.Second
)

// Keys lets tools take an idempotency key, so that a call that is repeated with
// the same key and the same arguments is carried out once: see [Keyed]. One Keys
// serves all the tools of a server. Its zero value is ready to use, in one
// process. It must not be changed or copied after its first use, and is then
// safe for concurrent use.
type Keys struct {
	// Store remembers the calls. If nil, it is a [MemoryStore] of its own, which
	// other processes do not see, and which does not survive this one.
	Store KeyStore
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
	// Rerun says that the handlers may run again where it is unknown what their
	// first run has done, because they hand the key on to a service that does
	// nothing twice under it: with the principal, where there are several, whose keys
	// may be the same. Without it, such a failure is final, and not
	// retryable: somebody has to look.
	Rerun bool
	// Options are those that the server's [Middleware] has, so that failures are
	// judged in the same way when they are kept. Their logger is told too what goes
	// wrong with the store after a call was carried out. If nil, they are the zero
	// value.
	Options *MiddlewareOptions

	memory MemoryStore
}

func (k *Keys) argument() string {
	if k.Argument == "" {
		return defaultKeyArgument
	}
	return k.Argument
}

func (k *Keys) options() *MiddlewareOptions {
	if k.Options == nil {
		return new(MiddlewareOptions)
	}
	return k.Options
}

func (k *Keys) store() KeyStore {
	if k.Store == nil {
		return &k.memory
	}
	return k.Store
}

// keyOf returns the key that a call holds, or "".
func (k *Keys) keyOf(req *mcp.CallToolRequest) (string, error) {
	var arguments map[string]json.RawMessage
	if req.Params == nil || len(req.Params.Arguments) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(req.Params.Arguments, &arguments); err != nil {
		return "", toolerr.Wrap(err, "The arguments are no JSON object.")
	}
	var key *string
	if raw, ok := arguments[k.argument()]; ok && (json.Unmarshal(raw, &key) != nil || key != nil && !validKey(*key)) {
		return "", toolerr.Validation(k.argument() + " must be a string of at most 255 visible ASCII characters.").
			WithCode(toolerr.CodeInvalidArgument).WithField(k.argument()).WithEffect(toolerr.EffectNone).
			WithHint("Leave " + k.argument() + " out, or pass back the idempotencyKey of the failure that this call repeats.")
	}
	if key == nil {
		return "", nil
	}
	return *key, nil
}

// validKey reports whether a key is one that envelopes, logs and headers leave as
// it is.
func validKey(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return len(key) <= maxKey
}

var errNoPrincipal = errors.New("the request's token has no UserID; set Keys.Principal, or have the token's verifier set it")

// id is what the store knows a key by: it tells principals and tools apart, and
// does not give the key away.
func (k *Keys) id(req *mcp.CallToolRequest, key string) (string, error) {
	principal := ""
	switch {
	case k.Principal != nil:
		principal = k.Principal(req)
	case req.Extra != nil && req.Extra.TokenInfo != nil:
		if principal = req.Extra.TokenInfo.UserID; principal == "" {
			return "", toolerr.Internal(errNoPrincipal).WithEffect(toolerr.EffectNone)
		}
	}
	return digest(principal, req.Params.Name, key), nil
}

// fingerprint tells the arguments of calls apart. The key does not count, and
// neither do the order of members and the space between them.
func (k *Keys) fingerprint(req *mcp.CallToolRequest) string {
	raw := []byte(req.Params.Arguments)
	var object map[string]any
	if len(raw) == 0 || decode(raw, &object) == nil {
		delete(object, k.argument())
		if sorted, err := json.Marshal(object); err == nil && len(object) > 0 {
			raw = sorted
		} else {
			raw = nil
		}
	}
	return digest(string(raw))
}
