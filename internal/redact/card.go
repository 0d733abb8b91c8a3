package redact

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// groups are the lengths of the groups in which card numbers are written, two digits each.
var groups = []int{13, 14, 15, 16, 17, 18, 19, 4_06_04, 4_06_05, 4_04_04_04, 4_04_04_04_03}

var separators = strings.NewReplacer(" ", "", "-", "")

// card returns the end of the card number that begins with the digit at i, or i if there is none. A number behind a
// plus, a dot, a slash or the name of an identifier, such as order_no, is none.
func (f *finder) card(i int) int {
	if i > 0 && sign[f.text[i-1]] {
		return i
	}
	end := i + numberLength(f.text[i:])
	if end > i && isCard(f.text[i:end]) {
		before := strings.TrimRight(f.text[f.least(i):i], " \"'`=:#>\\")
		if name, _, _ := f.name(f.least(i) + len(before)); !isIdentifier(name) {
			return end
		}
	}
	return i
}

// isCard reports whether digits, and nothing else but separators, have an issuer's form and the check
// digit of a card (Luhn). 13 digits that have the check digit of a barcode (GS1) are none.
func isCard(digits string) bool {
	digits = separators.Replace(digits)
	if _, err := strconv.ParseUint(digits, 10, 64); err != nil || len(digits) < 13 {
		return false
	}
	luhn, barcode := 0, 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		barcode += d * (1 + 2*(i%2))
		luhn += d*(1+i%2) - 9*(i%2)*(d/5)
	}
	isIssued := func(n int) bool { return rows().words["card"][digits[:n]+" "+strconv.Itoa(len(digits))] }
	return luhn%10 == 0 && (len(digits) != 13 || barcode%10 != 0) && slices.ContainsFunc([]int{1, 2, 3, 4}, isIssued)
}

// numberLength returns the length of the number that text begins with, if its groups are those of
// cards and no further letter or digit follows, else 0.
func numberLength(text string) (end int) {
	for i, lengths := 0, 0; lengths <= groups[len(groups)-1]; i++ {
		from := i
		i = digit.end(text, from)
		lengths = lengths*100 + i - from
		if slices.Contains(groups, lengths) && (i == len(text) || !alnum[text[i]]) {
			end = i
		}
		if i == len(text) || text[i] != ' ' && text[i] != '-' {
			break
		}
	}
	return end
}

// isIdentifier reports whether a name is that of an identifier, and not of a secret.
func isIdentifier(name string) bool {
	var few [maxName]byte
	words := bytes.Fields(appendWords(few[:0], name))
	return len(words) > 0 && has(rows().words["id"], words[len(words)-1]) && gradeOf(name) == plain
}
