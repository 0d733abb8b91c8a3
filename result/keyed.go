package result

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strconv"
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

// Keyed wraps the typed handler of a tool that takes an idempotency key, in
// place of [Handler], which it includes. In has a field for the key:
//
//	type Refund struct {
//		OrderID        string  `json:"order_id"`
//		Amount         float64 `json:"amount"`
//		IdempotencyKey string  `json:"idempotency_key,omitempty"`
//	}
//	mcp.AddTool(server, &mcp.Tool{Name: "process_refund"}, result.Keyed(keys, processRefund))
//
// A repeat with the same key and arguments gets the first answer, a failure
// included, without a run of the handler. What has failed without effect is not
// an answer, and a repeat runs again; but that there was none has to be said by an
// author, in a [toolerr.Error] or by a rule: of a bare error it is not believed, and
// neither where something could not be parsed, which may have been an answer.
// While the first call is running, a repeat waits for it as long as [Keys.Wait], and
// is then told to come again in a second. The same key with other arguments is a
// failure with code conflict, unless the call had no effect; a key that is not at most 255 visible ASCII characters
// (Stripe's limit) is one with code invalid_argument.
//
// A call without a key gets one in its field, where In is a struct or a map, and a
// failure that may have had an effect returns it, so that a model can pass it
// back. Without omitempty the schema asks every call for a key. A key that came
// with the call every failure of the handler returns.
//
// A panic counts as a failure whose effect is unknown. A protocol error passes, and
// is no answer. Out has to survive encoding and decoding as JSON: where it does
// not, a repeat is told that the call was made.
//
// Keyed panics where In is a struct or a map that cannot hold the key, as
// [mcp.AddTool] does where it can make no schema of In.
//
// If keys is nil, the tool has a Keys of its own, the zero value. It is as safe for
// concurrent use as h.
func Keyed[In, Out any](keys *Keys, h mcp.ToolHandlerFor[In, Out]) mcp.ToolHandlerFor[In, Out] {
	if keys == nil {
		keys = new(Keys)
	}
	if takesMembers[In]() && !holdsMember[In](keys.argument()) {
		panic(fmt.Sprintf("result.Keyed: %v has no string for the idempotency key: give it a field with the tag `json:\"%s,omitempty\"`",
			reflect.TypeFor[In](), keys.argument()))
	}
	h = Handler(h)
	return func(ctx context.Context, req *mcp.CallToolRequest, in In) (res *mcp.CallToolResult, out Out, err error) {
		key, err := keys.keyOf(req)
		if err != nil {
			return nil, out, err
		}
		made := key == ""
		if made {
			if key = rand.Text(); !takesMembers[In]() || setMember(&in, keys.argument(), key) != nil {
				return h(ctx, req, in)
			}
		}
		c := keyedCall{keys: keys, ctx: ctx, key: key, made: made}
		first, err := c.begin(req)
		if first != nil {
			res, err = first.replay(&out)
		}
		if err != nil {
			return nil, out, c.failure(err)
		}
		if first != nil {
			return res, out, nil
		}
		defer func() {
			if c.settled {
				return
			}
			if p := recover(); p != nil { // of the handler, or of a rule, which is not asked again
				cause := &panicError{value: p, stack: debug.Stack()}
				err = c.failureOf(c.settle(toolerr.Internal(cause)), cause)
			} else { // runtime.Goexit: nobody will be answered
				_ = c.settle(toolerr.Internal(nil))
			}
		}()
		res, out, err = h(ctx, req, in)
		switch {
		case err != nil:
			return nil, out, c.failed(err)
		case res != nil && res.InputRequests != nil:
			c.release() // the call comes again, with the input
		default:
			c.succeed(res, out, func(raw json.RawMessage) bool {
				again := new(Out)
				_, err := (&answer{Out: raw}).replay(again)
				return err == nil && sameJSON(raw, *again)
			})
		}
		return res, out, nil
	}
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

// takesMembers reports whether In is a struct or a map that decodes as one.
func takesMembers[In any]() bool {
	t := reflect.TypeFor[In]()
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return (t.Kind() == reflect.Struct || t.Kind() == reflect.Map) && !reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]())
}

// setMember sets a member of the arguments, where in has a place for it.
func setMember[In any](in *In, name, value string) error {
	raw, err := json.Marshal(map[string]string{name: value})
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode(in)
}

// holdsMember reports whether In has a place for a key under exactly this name,
// which decoding alone does not tell.
func holdsMember[In any](name string) bool {
	in, key := new(In), rand.Text()
	if setMember(in, name, key) != nil {
		return false
	}
	raw, err := json.Marshal(in)
	var members map[string]json.RawMessage
	if err != nil || json.Unmarshal(raw, &members) != nil {
		return true // it encodes itself, and its schema is the author's
	}
	return string(members[name]) == strconv.Quote(key)
}

// digest is a hash of parts that tells where each of them ends.
func digest(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		_, _ = h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil))
}
