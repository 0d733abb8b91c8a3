// Package attempt takes the identity of an attempt at a tool call and puts it in the
// call's _meta, and reads it there again: package retry numbers the attempts, and package
// idempotency tells by it a request that was sent twice from a call that is repeated.
package attempt

import (
	"math"
	"time"
)

const (
	numberKey = "io.github.mcp-toolerr/attempt"
	callKey   = "io.github.mcp-toolerr/call"
	// unknownKey holds milliseconds.
	unknownKey = "io.github.mcp-toolerr/unknownForMs"
)

// maxCall is the longest call that is read, in bytes. Chosen: ours have 26.
const maxCall = 64

// maxUnknown is the longest UnknownFor that is read, in milliseconds. Chosen: a year, more
// than a server runs.
const maxUnknown = 365 * 24 * 3600 * 1000

// An ID tells one attempt from all others. The zero ID is that of no attempt.
type ID struct {
	// Call is the same for the attempts of one call, and of no other. It is empty if the
	// client numbers its attempts and says no more.
	Call string
	// Number counts the attempts of a call, from 1.
	Number int
	// UnknownFor is how long ago an attempt was made of which the client does not know what
	// it has done. It is 0 if there is none, and goes out in whole milliseconds.
	UnknownFor time.Duration
}

// Put writes id to meta, which is not nil.
func Put(meta map[string]any, id ID) {
	meta[numberKey] = id.Number
	meta[callKey] = id.Call
	if id.UnknownFor > 0 {
		meta[unknownKey] = id.UnknownFor.Milliseconds()
	}
}

// In reports whether meta holds the number of an attempt.
func In(meta map[string]any) bool { return meta[numberKey] != nil }

// Of reads the ID in meta. What is no number from 1 is that of no attempt.
func Of(meta map[string]any) (id ID) {
	switch n := meta[numberKey].(type) {
	case int:
		id.Number = n
	case float64: // as JSON is decoded
		if n == math.Trunc(n) && n <= math.MaxInt32 {
			id.Number = int(n)
		}
	}
	call, _ := meta[callKey].(string)
	if id.Number < 1 || len(call) > maxCall {
		return ID{}
	}
	id.Call = call
	if ms, ok := meta[unknownKey].(float64); ok && ms > 0 {
		id.UnknownFor = time.Duration(min(ms, maxUnknown)) * time.Millisecond
	}
	return id
}
