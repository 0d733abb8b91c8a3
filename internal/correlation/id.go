// Package correlation makes the identifiers by which a failure on the wire is found in
// the server's log.
package correlation

import (
	"crypto/rand"
	"encoding/binary"
	"strconv"
)

const (
	// length is how many digits an identifier has. Chosen: 60 bits, of which a million a
	// day for a year hold two that are the same with a chance of 7 %; a model
	// reads three digits as one token, where random letters take nearly as many tokens
	// as they are.
	length = 18
	// below is the first number with a digit more.
	below = 1_000_000_000_000_000_000
)

// ID returns 18 random decimal digits, which nobody can guess. It is safe for concurrent
// use.
func ID() string {
	var random [8]byte
	for {
		_, _ = rand.Read(random[:]) // never fails: see its documentation
		// The highest multiple of below, so that each identifier is as likely as the others.
		if n := binary.LittleEndian.Uint64(random[:]); n < 18*below {
			var digits [1 + length]byte
			// The leading 1 keeps the zeros, and is left out.
			return string(strconv.AppendUint(digits[:0], below+n%below, 10)[1:])
		}
	}
}
