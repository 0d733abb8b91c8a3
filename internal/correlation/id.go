// Package correlation makes the identifiers that connect a failure on the wire with its
// entry in the server's log.
package correlation

import (
	"crypto/rand"
	"encoding/binary"
	"strconv"
	"strings"
)

const (
	// length is the number of digits of an identifier. Eighteen digits hold 60 bits. Among a
	// million identifiers a day for a year, the probability that two are equal is 6 %. A model
	// reads three digits as one token, but random letters as nearly one token each.
	length = 18
	// below is the first number with more than length digits.
	below = 1_000_000_000_000_000_000
)

// ID returns 18 random decimal digits, which cannot be guessed. It is safe for concurrent use.
func ID() string {
	var random [8]byte
	_, _ = rand.Read(random[:]) // never fails: see its documentation
	// The leading 1 keeps leading zeros. Low numbers are 6 % likelier, less than a tenth of a bit.
	return strconv.FormatUint(below+binary.LittleEndian.Uint64(random[:])%below, 10)[1:]
}

// IsID reports whether a text has the form of an identifier from [ID]: 18 decimal digits.
func IsID(s string) bool { return len(s) == length && strings.Trim(s, "0123456789") == "" }
