package jsonvalue

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
)

// Canonical returns an encoding that is the same for two JSON values exactly if they are equal,
// unless they contain a number whose exponent exceeds 32 bits. Members of objects are sorted.
// Numbers keep all digits, and 40, 40.0 and 4e1 are the same number. Of two members with the same
// name, the last counts. Canonical does not change v. It returns [Marshal]'s errors.
func Canonical(v any) ([]byte, error) {
	raw, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	v, _ = DecodeNumbers(raw, func(n json.Number) any { return json.Number(number(string(n))) })
	return Marshal(v)
}

// Same reports whether two values have the same [Canonical] encoding. Without one, they are not.
func Same(a, b any) bool {
	first, err := Marshal(a)
	second, otherErr := Marshal(b)
	if areJSON := err == nil && otherErr == nil; !areJSON || bytes.Equal(first, second) {
		return areJSON
	}
	first, _ = Canonical(json.RawMessage(first)) // it is JSON
	second, _ = Canonical(json.RawMessage(second))
	return bytes.Equal(first, second)
}

// SameNumber reports whether two texts are JSON numbers with the same value.
func SameNumber(a, b string) bool { return IsNumber(a) && IsNumber(b) && number(a) == number(b) }

// number returns the canonical spelling of a JSON number: its digits without leading and trailing
// zeros, and an exponent unless that is 0. Every zero is 0. A number whose exponent exceeds 32 bits
// keeps its spelling.
func number(text string) string {
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	unsigned := strings.TrimPrefix(mantissa, "-")
	sign := strings.TrimSuffix(mantissa, unsigned)
	whole, fraction, _ := strings.Cut(unsigned, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	exponent, err := strconv.ParseInt(cmp.Or(power, "0"), 10, 32)
	if err != nil {
		return text
	}
	short := strings.TrimRight(digits, "0")
	exponent += int64(len(digits) - len(short) - len(fraction)) // may exceed 32 bits
	if exponent == 0 {
		return sign + short
	}
	return sign + short + "e" + strconv.FormatInt(exponent, 10)
}
