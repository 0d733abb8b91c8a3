package idempotency

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxKey is the maximum length of a key in bytes: Stripe's limit.
const maxKey = 255

// read returns a call's arguments, with numbers as [json.Number], and the key in them, or "" if there is none.
func (o *Options) read(req *mcp.CallToolRequest) (arguments map[string]any, key string, err error) {
	if req.Params != nil && len(req.Params.Arguments) > 0 {
		if err := jsonvalue.Unmarshal(req.Params.Arguments, &arguments); err != nil {
			return nil, "", toolerr.Validation("The arguments are no JSON object.").WithCause(err)
		}
	}
	v := arguments[o.argument()]
	key, ok := v.(string)
	isOther := func(r rune) bool { return r <= ' ' || r > '~' } // which envelopes, logs and headers may not preserve
	if v != nil && (!ok || len(key) > maxKey || strings.ContainsFunc(key, isOther)) {
		return nil, "", toolerr.Validation(o.argument() + " must be a string of at most 255 visible ASCII characters.").
			WithCode(toolerr.CodeInvalidArgument).WithField(o.argument()).WithEffect(toolerr.EffectNone).
			WithHint("Leave " + o.argument() + " out, or pass back the idempotencyKey of the failure that this call repeats.")
	}
	return arguments, key, nil
}

// inTransit is the longest that a request is on its way: after a minute, the TypeScript SDK's client gives up.
const inTransit = time.Minute

// newRequest returns the call's request to the store. It changes the arguments.
func (c *call) newRequest(req *mcp.CallToolRequest, arguments map[string]any) (r Request, e *toolerr.Error) {
	o, principal := c.opts, ""
	switch {
	case o.Principal != nil:
		principal = o.Principal(req)
	case req.Extra != nil && req.Extra.TokenInfo != nil:
		if principal = req.Extra.TokenInfo.UserID; principal == "" {
			return r, toolerr.Internal(failure.FaultError("the request's token has no UserID; set Options.Principal, or " +
				"have the token's verifier set it")).WithEffect(toolerr.EffectNone)
		}
	}
	made, id := attempt.Of(req.Params.Meta), o.ID(principal, req.Params.Name, c.key)
	if made.UnknownFor > 0 { // as counted before this attempt was sent
		made.UnknownFor += inTransit
	}
	if o.Store == nil {
		id = digest(id, c.tool.types)
	}
	delete(arguments, o.argument())
	return Request{
		ID: id, Principal: digest(o.Scope, principal), Fingerprint: c.tool.fingerprint(arguments),
		Owner: rand.Text(), Lease: cmp.Or(o.Lease, defaultLease), Rerun: o.UpstreamDedupes,
		Call: made.Call, Attempt: made.Number, UnknownFor: made.UnknownFor,
	}, nil
}

// ID returns the [Request.ID] of calls, for operators who look up a key in Options.Store. Principal is
// the result of Options.Principal, if set, otherwise the token's UserID, if any.
func (o *Options) ID(principal, tool, key string) string {
	return digest(o.Scope, principal, tool, key)
}

// digest returns 128 bits, in hexadecimal, of a hash of the parts and their boundaries.
func digest(parts ...string) string {
	var short [512]byte // not on the heap
	text := short[:0]
	for _, part := range parts {
		text = append(binary.BigEndian.AppendUint64(text, uint64(len(part))), part...)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
