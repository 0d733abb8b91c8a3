package redact

import "slices"

const digits = "0123456789"

// kinds are the kinds of characters in generated keys; others separate them.
var kinds = []*class{&digit, &capital, classOf("a-z"), classOf("-_.+/=~:%")}

// looksRandom reports whether a text may be a generated key: it has at least 15 letters and digits,
// nine different characters, and more changes between digits, upper and lower case than a name.
// Services' shortest keys have 15 characters; names have few digits, and capitals only at the
// beginning of words.
func looksRandom(s string) bool {
	const shortest, different = 15, 9
	const number, upper, lower, mark = 0, 1, 2, 3
	var seen [128]bool
	var count [4]int
	characters, changes, last := 0, 0, mark
	for i := range len(s) {
		c := s[i]
		kind := slices.IndexFunc(kinds, func(is *class) bool { return is[c] })
		if kind < 0 {
			return false
		}
		if kind != mark && last != mark && kind != last && (kind != lower || last != upper) {
			changes++
		}
		if !seen[c] {
			characters++
		}
		seen[c] = true
		count[kind]++
		last = kind
	}
	letters := count[upper] + count[lower]
	switch {
	case letters == 0, count[number]+letters < shortest, characters < different:
		return false
	case count[number] == 0:
		return 3*count[upper] >= letters && count[lower] > 3 && changes >= 2
	case count[number] < 3:
		return changes >= 4
	}
	return changes >= 3
}

// isProse reports whether a text is an ordinary word: small letters and hyphens, perhaps after a
// capital, or only capitals.
func isProse(s string) bool {
	return capital.end(s, 0) == len(s) || small.end(s, capital.end(s[:min(len(s), 1)], 0)) == len(s)
}
