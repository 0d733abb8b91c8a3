package redact

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

var (
	// cards matches a number of 13 to 19 digits, or its usual groups.
	cards = compiled(`^(?:\d{13,19}|\d{4}(?:[ -]\d{4}){3}(?:[ -]\d{3})?|\d{4}[ -]\d{6}[ -]\d{4,5})\b`)
	// issuers matches the first digits and the lengths of payment cards (ISO/IEC 7812).
	issuers = compiled(`^(?:4(?:\d{12}|\d{15}|\d{18})|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}|` +
		`3[47]\d{13}|3(?:0[0-5]|[689]\d)\d{11}|35(?:2[89]|[3-8]\d)\d{12}|6(?:011|5\d\d|4[4-9]\d)\d{12}(?:\d{3})?|62\d{14,17})$`)
)

// compiled returns an expression that is compiled on first use.
func compiled(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}

// card returns the end of the card number that begins at i, or i if there is none. A number behind a
// plus, a dot, a slash or the name of an identifier, such as order_no, is none.
func (f *finder) card(i int) int {
	if !isDigit(f.text[i]) || i > 0 && strings.IndexByte("+./", f.text[i-1]) >= 0 {
		return i
	}
	end := i + len(cards().FindString(f.text[i:min(len(f.text), i+32)]))
	before := strings.TrimRight(f.text[f.least(i):i], " \"'`=:#>\\")
	if name, _, _ := f.name(f.least(i) + len(before)); end > i && isCard(f.text[i:end]) && !isIdentifier(name) {
		return end
	}
	return i
}

// isCard reports whether digits have an issuer's form and the check digit of a card (Luhn). 13
// digits that have the check digit of a barcode (GS1) are none.
func isCard(digits string) bool {
	digits = groups.Replace(digits)
	luhn, barcode := 0, 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		barcode += d * (1 + 2*(i%2))
		luhn += d*(1+i%2) - 9*(i%2)*(d/5)
	}
	return luhn%10 == 0 && (len(digits) != 13 || barcode%10 != 0) && issuers().MatchString(digits)
}

// isIdentifier reports whether a name is that of an identifier, and not of a secret.
func isIdentifier(name string) bool {
	var few [maxName]byte
	words := bytes.Fields(appendWords(few[:0], name))
	return len(words) > 0 && has(rows().words["id"], words[len(words)-1]) && gradeOf(name) == plain
}

// groups removes what separates the groups of a number.
var groups = strings.NewReplacer(" ", "", "-", "")
