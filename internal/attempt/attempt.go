// Package attempt writes the ID of an attempt at a tool call to the call's _meta, and reads it from
// there. Package retry numbers the attempts. Package idempotency uses the numbers to distinguish a
// request that was delivered twice from a retry.
package attempt

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"time"
)

const (
	numberKey = "io.github.mcp-toolerr/attempt"
	callKey   = "io.github.mcp-toolerr/call"
	// unknownKey is the key for UnknownFor in milliseconds.
	unknownKey = "io.github.mcp-toolerr/unknownForMs"
)

// maxCall is the maximum length, in bytes, of a call's ID. IDs from package retry have at most 32.
const maxCall = 64

// maxUnknown is the maximum UnknownFor, in milliseconds: a year, longer than any server runs.
const maxUnknown = 365 * 24 * 3600 * 1000

// An ID identifies an attempt. The zero ID means no attempt.
type ID struct {
	// Call is the same for all attempts of one call, and differs between calls. It is empty
	// if the client only numbers its attempts.
	Call string
	// Number is the number of the attempt, starting at 1.
	Number int
	// UnknownFor is the time since the first attempt, or since an earlier identical call, if any of
	// them may have had an effect; otherwise 0. It is sent in whole milliseconds.
	UnknownFor time.Duration
}

// Put writes id to meta, which must not be nil.
func Put(meta map[string]any, id ID) {
	meta[numberKey] = id.Number
	meta[callKey] = id.Call
	delete(meta, unknownKey)
	if ms := id.UnknownFor.Milliseconds(); ms > 0 {
		meta[unknownKey] = ms
	}
}

// In reports whether meta contains the number of an attempt.
func In(meta map[string]any) bool { return meta[numberKey] != nil }

// Of returns the ID in meta, which was decoded from JSON. It returns the zero ID if the number or the
// call's text is invalid; a call that is no text is ignored.
func Of(meta map[string]any) ID {
	n, _ := meta[numberKey].(float64)
	call, _ := meta[callKey].(string)
	isOdd := func(r rune) bool { return r < ' ' || r > '~' }
	if n < 1 || n > math.MaxInt32 || n != math.Trunc(n) || len(call) > maxCall || strings.ContainsFunc(call, isOdd) {
		return ID{}
	}
	ms, _ := meta[unknownKey].(float64)
	return ID{Call: call, Number: int(n), UnknownFor: time.Duration(max(0, min(ms, maxUnknown))) * time.Millisecond}
}

// CallOf derives Call from a key that no earlier call had. It does not disclose the key.
func CallOf(key string) string {
	sum := sha256.Sum256(append(append(make([]byte, 0, 128), callKey+" "...), key...))
	return hex.EncodeToString(sum[:16])
}

// IsFirst reports whether id is the first attempt of a call whose key no earlier call had.
func (id ID) IsFirst(key string) bool {
	return id.Number == 1 && id.UnknownFor == 0 && id.Call == CallOf(key)
}
