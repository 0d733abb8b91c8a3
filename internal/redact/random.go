package redact

import (
	"math/bits"
	"strings"
)

// looksRandom reports whether a text may be a generated key: it has at least 15 letters and
// digits, nine different characters, and more changes between digits, upper and lower case
// than a name. Chosen: the shortest keys of services have 15 characters; names have few
// digits, and capitals only at the beginning of words.
func looksRandom(s string) bool {
	const shortest, different = 15, 9
	var seen [4]uint64
	var digits, uppers, lowers, changes int
	last := byte(0)
	for i := range len(s) {
		c := s[i]
		kind := byte(0)
		switch {
		case c >= '0' && c <= '9':
			digits++
			kind = '0'
		case c >= 'a' && c <= 'z':
			lowers++
			kind = 'a'
		case c >= 'A' && c <= 'Z':
			uppers++
			kind = 'A'
		case strings.IndexByte("-_.+/=~:%", c) < 0:
			return false
		}
		if kind != 0 && last != 0 && kind != last && (kind != 'a' || last != 'A') {
			changes++
		}
		last = kind
		seen[c>>6] |= 1 << (c & 63)
	}
	distinct := 0
	for _, word := range seen {
		distinct += bits.OnesCount64(word)
	}
	switch {
	case digits+uppers+lowers < shortest || distinct < different || uppers+lowers == 0:
		return false
	case digits == 0:
		return 3*uppers >= lowers+uppers && lowers > 3 && changes >= 2
	case digits < 3:
		return changes >= 4
	}
	return changes >= 3
}
