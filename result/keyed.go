package result

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"runtime/debug"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

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
