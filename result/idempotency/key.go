package idempotency

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxKey is the maximum length of a key in bytes: Stripe's limit.
const maxKey = 255

// keyOf returns the key of a call, or "".
func (o *Options) keyOf(req *mcp.CallToolRequest) (string, error) {
	var arguments map[string]json.RawMessage
	if req.Params == nil || len(req.Params.Arguments) == 0 {
		return "", nil
	}
	if err := json.Unmarshal(req.Params.Arguments, &arguments); err != nil {
		return "", toolerr.Wrap(err, "The arguments are no JSON object.")
	}
	var key *string
	if raw, ok := arguments[o.argument()]; ok && (json.Unmarshal(raw, &key) != nil || key != nil && !isKey(*key)) {
		return "", toolerr.Validation(o.argument() + " must be a string of at most 255 visible ASCII characters.").
			WithCode(toolerr.CodeInvalidArgument).WithField(o.argument()).WithEffect(toolerr.EffectNone).
			WithHint("Leave " + o.argument() + " out, or pass back the idempotencyKey of the failure that this call repeats.")
	}
	if key == nil {
		return "", nil
	}
	return *key, nil
}

// isKey reports whether envelopes, logs and headers preserve a key.
func isKey(key string) bool {
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return len(key) <= maxKey
}

var errNoPrincipal = errors.New("the request's token has no UserID; set Options.Principal, or have the token's verifier set it")

// request returns the store's request for a key. Its id differs between principals and
// tools, and does not disclose the key.
func (o *Options) request(req *mcp.CallToolRequest, key string) (r Request, err error) {
	principal := ""
	switch {
	case o.Principal != nil:
		principal = o.Principal(req)
	case req.Extra != nil && req.Extra.TokenInfo != nil:
		if principal = req.Extra.TokenInfo.UserID; principal == "" {
			return r, toolerr.Internal(errNoPrincipal).WithEffect(toolerr.EffectNone)
		}
	}
	made := attempt.Of(req.Params.Meta)
	return Request{
		ID: digest(principal, req.Params.Name, key), Principal: digest(principal), Fingerprint: o.fingerprint(req),
		Owner: rand.Text(), Lease: o.lease(), Rerun: o.Rerun, Call: made.Call, Attempt: made.Number, UnknownFor: made.UnknownFor,
	}, nil
}

// fingerprint returns a hash of the arguments without the key. Equal JSON values have equal
// fingerprints, because they are the same call for an agent.
func (o *Options) fingerprint(req *mcp.CallToolRequest) string {
	raw := []byte(req.Params.Arguments)
	var object map[string]any
	if len(raw) == 0 || jsonvalue.Unmarshal(raw, &object) == nil {
		delete(object, o.argument())
		if same, err := jsonvalue.Canonical(object); err == nil && len(object) > 0 {
			raw = same
		} else {
			raw = nil
		}
	}
	return digest(string(raw))
}

// digest returns 128 bits of a hash of the parts, with their boundaries.
func digest(parts ...string) string {
	h := sha256.New()
	for _, part := range parts {
		_, _ = h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		_, _ = h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
