// Package nearmiss finds the names that are similar to a misspelled name.
package nearmiss

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

const (
	// maxNear is how many near misses are returned. Chosen: a later one is hardly ever
	// intended.
	maxNear = 5
	// maxName is how many letters a name may have to be compared. Chosen: longer ones are
	// not typed by hand.
	maxName = 64
	// maxBytes is how many bytes a name may have, with its separators.
	maxBytes = 4 * maxName
)

// Find returns at most five names that are similar to name, best first. The distance is
// Damerau's in its restricted form, the optimal string alignment: a letter is inserted,
// deleted, replaced, or two are swapped. Case and separators are ignored. A name that only
// differs in these comes first. Names of the same distance stay in the order of known.
func Find(name string, known []string) []string {
	type near struct {
		name string
		rank int
	}
	var best []near
	var m matcher
	if m.want = fold(nil, name); len(m.want) == 0 || len(m.want) > maxName {
		return nil
	}
	limit := allowed(len(m.want))
	for _, k := range known {
		if k == name || len(k) > maxBytes {
			continue
		}
		d := m.distance(k, limit)
		if d > limit || slices.ContainsFunc(best, func(n near) bool { return n.name == k }) {
			continue
		}
		i, _ := slices.BinarySearchFunc(best, d+1, func(n near, d int) int { return cmp.Compare(n.rank, d) }) // after its equals
		best = slices.Insert(best, i, near{k, d})
		if len(best) >= maxNear {
			best = best[:maxNear]
			if limit = best[maxNear-1].rank - 1; limit < 0 {
				break
			}
		}
	}
	out := make([]string, 0, len(best))
	for _, n := range best {
		out = append(out, n.name)
	}
	return out
}

// allowed returns how many letters may differ: one of up to three, two of up to eleven,
// then a quarter, and never more than four. Chosen: a larger number finds unrelated names.
func allowed(length int) int {
	switch {
	case length <= 3:
		return 1
	case length < 12:
		return 2
	}
	return min(length/4, 4)
}

// A matcher compares names with one name, and reuses its memory.
type matcher struct {
	want, have []rune
	rows       [3][maxName + 1]int
}

// distance returns the optimal string alignment distance of name, or a number over limit.
func (m *matcher) distance(name string, limit int) int {
	m.have = fold(m.have[:0], name)
	a, b := m.want, m.have
	if len(b) == 0 || len(b) > maxName || max(len(a)-len(b), len(b)-len(a)) > limit {
		return limit + 1
	}
	before, last, row := &m.rows[0], &m.rows[1], &m.rows[2]
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i, r := range a {
		row[0] = i + 1
		smallest := row[0]
		for j, s := range b {
			d := min(last[j+1], row[j]) + 1
			if r == s {
				d = min(d, last[j])
			}
			d = min(d, last[j]+1)
			if i > 0 && j > 0 && r == b[j-1] && a[i-1] == s {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
			smallest = min(smallest, d)
		}
		if smallest > limit {
			return smallest
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// fold appends the letters and digits of name in lower case.
func fold(dst []rune, name string) []rune {
	for _, r := range name[:min(len(name), maxBytes+1)] {
		if !strings.ContainsRune(`_- ./\:`, r) {
			dst = append(dst, unicode.ToLower(r))
		}
	}
	return dst
}
