package codes

import "strings"

// MaxCode is the maximum number of bytes of a code or a name that are read. Chosen: codes
// have about thirty.
const MaxCode = 128

// maxStems is the maximum number of words that are kept. Chosen: codes have two to five,
// clauses about ten.
const maxStems = 24

// Stems holds the words of a code, a Go name or a clause, in lower case, in the singular,
// and without words that mean error: QuotasExceededError has the words quota and exceeded.
// The words are stored joined, so that a sequence of them is a substring.
type Stems struct {
	joined [maxStems * 12]byte
	ends   [maxStems + 1]int // the end offset of each word, after a leading 0
	n      int
}

// run returns the words from i to j, joined.
func (s *Stems) run(i, j int) []byte { return s.joined[s.ends[i]:s.ends[j]] }

// Has reports whether one of the words is in a list of words separated by spaces. The list
// begins and ends with a space.
func (s *Stems) Has(list string) bool {
	var word [16]byte
	for i := range s.n {
		w := append(append(append(word[:0], ' '), s.run(i, i+1)...), ' ')
		if strings.Contains(list, string(w)) {
			return true
		}
	}
	return false
}

// add adds a word. Words that do not fit are dropped.
func (s *Stems) add(word string) {
	at := s.ends[s.n]
	if s.n == maxStems || at+len(word) > len(s.joined) {
		return
	}
	end := at
	for i := range len(word) {
		c := word[i]
		if IsUpper(c) {
			c += 'a' - 'A'
		}
		s.joined[end] = c
		end++
	}
	w := s.joined[at:end]
	end = at + len(singular(w))
	switch string(s.joined[at:end]) {
	case "error", "err", "exception", "fault":
		return
	}
	s.n++
	s.ends[s.n] = end
}

// Split sets the words to those of a code or a Go name.
func (s *Stems) Split(code string) {
	code = code[:min(len(code), MaxCode)]
	for start := 0; start < len(code); {
		if !IsAlnum(code[start]) {
			start++
			continue
		}
		end := start + 1
		for end < len(code) && IsAlnum(code[end]) && !StartsWord(code, end) {
			end++
		}
		s.add(code[start:end])
		start = end
	}
}

// Words returns the words of a Go name in lower case.
func Words(name string) (words []string) {
	start := 0
	for i := 1; i <= len(name); i++ {
		if i == len(name) || StartsWord(name, i) {
			words = append(words, strings.ToLower(name[start:i]))
			start = i
		}
	}
	return words
}

// StartsWord reports whether a word of a camel-case name starts at i: an upper-case letter
// after a lower-case one, or the last letter of an abbreviation before a lower-case one.
func StartsWord(name string, i int) bool {
	if !IsUpper(name[i]) {
		return false
	}
	return !IsUpper(name[i-1]) || i+1 < len(name) && 'a' <= name[i+1] && name[i+1] <= 'z'
}

// singular removes the plural ending of a word.
func singular(word []byte) []byte {
	if n := len(word); n > 3 && word[n-1] == 's' && word[n-2] != 's' && word[n-2] != 'u' && word[n-2] != 'i' {
		return word[:n-1]
	}
	return word
}

// IsUpper reports whether c is an ASCII upper-case letter.
func IsUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

// IsAlnum reports whether c is an ASCII letter or digit.
func IsAlnum(c byte) bool {
	return IsUpper(c) || 'a' <= c && c <= 'z' || '0' <= c && c <= '9'
}
