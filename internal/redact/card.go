package redact

import (
	"bytes"
	"strconv"
	"strings"
)

// issuers are the first digits of payment cards, from and to, and how many digits they have (ISO/IEC 7812).
var issuers = []struct{ from, to, lengths string }{
	{"4", "4", "13 16 19"}, {"51", "55", "16"}, {"2221", "2720", "16"}, {"34", "34", "15"}, {"37", "37", "15"},
	{"300", "305", "14"}, {"36", "36", "14"}, {"38", "39", "14"}, {"3528", "3589", "16"},
	{"6011", "6011", "16 19"}, {"62", "62", "16 17 18 19"}, {"644", "659", "16 19"},
}

// card returns the end of the card number that begins at i, or i if there is none. Groups of digits
// are separated by spaces or hyphens. Other numbers are no card numbers even if they pass as one: one
// behind a plus or the name of an identifier, such as order_no, and 13 digits that are a barcode.
func (f *finder) card(i int) int {
	s, to := f.text, i
	var digits []byte
	for at := i; at < len(s) && len(digits) <= 19; at++ {
		switch isEnd := at+1 == len(s) || !alnum[s[at+1]]; {
		case isDigit(s[at]):
			if digits = append(digits, s[at]); isEnd && isCard(string(digits)) {
				to = at + 1
			}
		case s[at] != ' ' && s[at] != '-' || isEnd || len(digits) < 4:
			at = len(s)
		}
	}
	before := strings.TrimRight(s[f.least(i):i], " \"'`=:#>\\")
	name, _, _ := f.name(f.least(i) + len(before))
	if to > i && (i > 0 && (s[i-1] == '+' || s[i-1] == '.' || s[i-1] == '/') || isIdentifier(name)) {
		return i
	}
	return to
}

// isCard reports whether digits have an issuer's form and the check digit of a card (Luhn).
func isCard(digits string) bool {
	luhn, barcode := 0, 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		barcode += d * (1 + 2*(i%2))
		luhn += d*(1+i%2) - 9*(i%2)*(d/5)
	}
	if len(digits) < 13 || luhn%10 != 0 || len(digits) == 13 && barcode%10 == 0 || digits[0] == digits[1] && strings.Count(digits, digits[:1]) == len(digits) {
		return false
	}
	for _, is := range issuers {
		if first := digits[:len(is.from)]; is.from <= first && first <= is.to && strings.Contains(is.lengths, strconv.Itoa(len(digits))) {
			return true
		}
	}
	return false
}

// isIdentifier reports whether a name is that of an identifier, and not of a secret.
func isIdentifier(name string) bool {
	var few [maxName]byte
	words := bytes.Fields(appendWords(few[:0], name))
	return len(words) > 0 && has(rows().words["id"], words[len(words)-1]) && gradeOf(name) == plain
}
