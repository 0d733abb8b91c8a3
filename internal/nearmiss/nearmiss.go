// Package nearmiss finds the names that are similar to a misspelled name.
package nearmiss

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

const (
	// maxNear is the maximum number of near misses. A later one is hardly ever intended.
	maxNear = 5
	// maxName is the maximum number of letters of a misspelled name. Nobody types longer ones.
	maxName = 64
	// maxBytes is the maximum length of a name in bytes, with its separators.
	maxBytes = 4 * maxName
)

// Find returns at most five names that are similar to name, best first. The distance is that of
// optimal string alignment: the number of letters inserted, deleted or replaced, and of neighbors
// swapped. Case and separators are ignored. A name that differs only in these comes first. Names at
// the same distance keep the order of known.
func Find(name string, known []string) []string {
	want := fold(nil, name)
	if len(want) == 0 || len(want) > maxName {
		return nil
	}
	// One letter may differ in a name of up to three letters, two up to eleven, then a quarter, and never more than
	// four. A larger number finds unrelated names.
	limit := min(max(len(want)/4, min(1+len(want)/4, 2)), 4)
	var near [5][]string // by distance
	var letters []rune
	for _, k := range known {
		if k == name {
			continue
		}
		letters = fold(letters[:0], k)
		if d := distance(want, letters, limit); d <= limit {
			near[d] = append(near[d], k)
		}
	}
	var names []string
	for _, n := range slices.Concat(near[:]...) {
		if len(names) < maxNear && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// distance returns the optimal string alignment distance of two names, or a number over limit.
func distance(a, b []rune, limit int) int {
	if len(b) == 0 || max(len(a)-len(b), len(b)-len(a)) > limit {
		return math.MaxInt
	}
	var rows [3][maxName + 5]int // b has at most four letters more than a
	before, last, row := &rows[0], &rows[1], &rows[2]
	for j := range last {
		last[j] = j
	}
	for i, r := range a {
		row[0] = i + 1
		for j, s := range b {
			d := last[j] + 1
			if r == s {
				d = last[j]
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && r == b[j-1] && a[i-1] == s {
				d = min(d, before[j-1]+1)
			}
			row[j+1] = d
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// fold appends a name without separators, in lower case, or nothing if it is too long.
func fold(letters []rune, name string) []rune {
	if len(name) > maxBytes {
		return letters
	}
	for _, r := range name {
		if !strings.ContainsRune(`_- ./\:`, r) {
			letters = append(letters, unicode.ToLower(r))
		}
	}
	return letters
}
