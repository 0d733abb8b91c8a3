// Package nearmiss finds the names that a misspelt name was probably meant to be.
package nearmiss

import (
	"cmp"
	"math/bits"
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	// maxNear is how many near misses are given. Chosen: what lies further down is
	// hardly ever meant.
	maxNear = 5
	// maxName is how long a name may be, in letters, to be compared. Chosen: longer
	// ones are not typed by hand.
	maxName = 256
)

// Find returns the names that name was probably meant to be, best first, at
// most five. The distance is Damerau's in its restricted form (a letter added,
// left out, replaced, or two swapped; "optimal string alignment"), case and
// separators folded. A name that only differs in what is folded comes first, of
// equals the one listed first.
func Find(name string, known []string) []string {
	var wantBuf [maxName]rune
	want, bag := foldName(wantBuf[:0], name)
	if len(want) == 0 || len(want) == maxName {
		return nil
	}
	m := matcher{want: want, bag: bag}
	var best []near
	for i, k := range known {
		// A letter is at least one byte.
		limit := allowed(len(want))
		if len(best) == maxNear {
			limit = min(limit, best[maxNear-1].rank-1)
		}
		if limit < 0 {
			break // five that are the same, folded
		}
		if len(k) < len(want)-limit || len(k) > utf8.UTFMax*maxName {
			continue
		}
		d, ok := m.rank(k, limit)
		if !ok || k == name {
			continue
		}
		best = insert(best, near{rank: d, index: i})
	}
	out := make([]string, 0, len(best))
	for _, n := range best {
		if !slices.Contains(out, known[n.index]) {
			out = append(out, known[n.index])
		}
	}
	return out
}

// allowed is how many letters may differ: one of up to three, two of up to
// eleven, then a quarter, and never more than four. Chosen: with more, names that
// merely look alike come in.
func allowed(length int) int {
	switch {
	case length <= 3:
		return 1
	case length < 12:
		return 2
	}
	return min(length/4, 4)
}

type near struct{ rank, index int }

// insert keeps the best few, in order; of equals the earlier name.
func insert(best []near, n near) []near {
	i, _ := slices.BinarySearchFunc(best, n, func(a, b near) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.index, b.index))
	})
	if i == maxNear {
		return best
	}
	best = slices.Insert(best, i, n)
	return best[:min(len(best), maxNear)]
}

// A matcher compares names with one, and keeps its memory between them.
type matcher struct {
	want []rune
	bag  uint64
	have [maxName]rune
	rows [3][maxName + 1]int
}

// rank returns how far name is from what is wanted, within limit.
func (m *matcher) rank(name string, limit int) (int, bool) {
	if !m.mayBeNear(name, limit) {
		return 0, false
	}
	have, _ := foldName(m.have[:0], name)
	if len(have) == 0 || len(have) == maxName {
		return 0, false
	}
	if gap := len(have) - len(m.want); gap > limit || -gap > limit {
		return 0, false
	}
	return m.distance(have, limit)
}

// mayBeNear is a cheap look at the length and the set of letters. Every letter
// that one has and the other lacks takes an operation, and one operation changes
// at most one on either side.
func (m *matcher) mayBeNear(name string, limit int) bool {
	var bag uint64
	for i := range len(name) {
		c := name[i]
		if c >= utf8.RuneSelf {
			return true
		}
		bag |= boxASCII[c]
	}
	return max(bits.OnesCount64(m.bag&^bag), bits.OnesCount64(bag&^m.bag)) <= limit
}

// distance is the optimal string alignment distance, given up once it is over
// limit. Only the diagonal band of that width is worked out.
func (m *matcher) distance(have []rune, limit int) (int, bool) {
	a, b := trim(m.want, have)
	before, last, row := &m.rows[0], &m.rows[1], &m.rows[2]
	far := limit + 1
	for j := range min(len(b), limit) + 1 {
		last[j] = j
	}
	if limit < len(b) {
		last[limit+1] = far
	}
	for i := 1; i <= len(a); i++ {
		from, to := max(1, i-limit), min(len(b), i+limit)
		row[0] = i
		if from > 1 {
			row[from-1] = far
		}
		smallest := row[from-1]
		for j := from; j <= to; j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			d := last[j-1] + cost
			d = min(d, row[j-1]+1)
			if j < i+limit {
				d = min(d, last[j]+1)
			}
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = min(d, far)
			smallest = min(smallest, row[j])
		}
		if smallest > limit {
			return 0, false
		}
		if to < len(b) {
			row[to+1] = far
		}
		before, last, row = last, row, before
	}
	return last[len(b)], last[len(b)] <= limit
}

// trim takes off what both begin and end with, which costs nothing.
func trim(a, b []rune) ([]rune, []rune) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
}

// foldName appends the letters and digits of name, in lower case, and returns
// them with the set of them, in 64 boxes.
func foldName(dst []rune, name string) (folded []rune, bag uint64) {
	for i := 0; i < len(name); {
		var r rune
		if c := name[i]; c < utf8.RuneSelf {
			i++
			if r = foldASCII[c]; r < 0 {
				continue
			}
		} else {
			var size int
			r, size = utf8.DecodeRuneInString(name[i:])
			r = unicode.ToLower(r)
			i += size
		}
		if len(dst) == maxName {
			break
		}
		dst = append(dst, r)
		bag |= 1 << (uint(r) % 64) //nolint:gosec // no rune is negative here
	}
	return dst, bag
}

// foldASCII has -1 for separators.
var foldASCII = func() (table [utf8.RuneSelf]rune) {
	for c := range table {
		table[c] = unicode.ToLower(rune(c)) //nolint:gosec // less than 128
	}
	for _, c := range "_- ./\\:" {
		table[c] = -1
	}
	return table
}()

// boxASCII has the box of each letter, and none for separators.
var boxASCII = func() (table [utf8.RuneSelf]uint64) {
	for c, r := range foldASCII {
		if r >= 0 {
			table[c] = 1 << (uint(r) % 64) //nolint:gosec // not negative
		}
	}
	return table
}()
