package jsonvalue

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Canonical returns an encoding of v that two values share if, and but for numbers of
// absurd size only if, they are the same JSON value: the members of objects are sorted,
// and 40, 40.0 and 4e1 are one number, with all the digits that a float64 has no room
// for. It changes nothing in v. Of a name that an object has twice the last counts. The
// error is that of [Marshal].
func Canonical(v any) ([]byte, error) { return appendCanonical(make([]byte, 0, 256), v) }

// appendCanonical writes as [Marshal] does. What is not one of the types that [Decode]
// returns is encoded and decoded first.
func appendCanonical(dst []byte, v any) (_ []byte, err error) {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case string:
		return appendText(dst, v)
	case json.Number:
		if n := number(string(v)); isNumber(n) {
			return append(dst, n...), nil
		}
		return appendMarshalled(dst, v) // which fails if it is no number
	case map[string]any:
		return appendObject(dst, v)
	case []any:
		return appendList(dst, v)
	}
	other, err := decoded(v)
	if err != nil {
		return nil, err
	}
	return appendCanonical(dst, other)
}

func appendObject(dst []byte, object map[string]any) (_ []byte, err error) {
	dst = append(dst, '{')
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendText(dst, name); err != nil {
			return nil, err
		}
		if dst, err = appendCanonical(append(dst, ':'), object[name]); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

func appendList(dst []byte, list []any) (_ []byte, err error) {
	dst = append(dst, '[')
	for i, item := range list {
		if i > 0 {
			dst = append(dst, ',')
		}
		if dst, err = appendCanonical(dst, item); err != nil {
			return nil, err
		}
	}
	return append(dst, ']'), nil
}

func appendText(dst []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return appendMarshalled(dst, text)
		}
	}
	dst = append(dst, '"')
	dst = append(dst, text...)
	return append(dst, '"'), nil
}

func appendMarshalled(dst []byte, v any) ([]byte, error) {
	raw, err := Marshal(v)
	return append(dst, raw...), err
}

// isNumber reports whether text is a number without a fraction, as it is spelled in JSON.
func isNumber(text string) bool {
	digits, exponent, hasExponent := strings.Cut(text, "e")
	return isInteger(digits) && (!hasExponent || strings.Trim(strings.TrimPrefix(exponent, "-"), "0123456789") == "" && strings.TrimPrefix(exponent, "-") != "")
}

// number returns the one spelling of a JSON number: its digits without zeros at the
// ends, and an exponent unless that is 0. Every zero is 0. A number whose exponent has
// more than about ten digits keeps its spelling: nothing computes with it.
func number(text string) string {
	mantissa, power, hasPower := strings.Cut(strings.ToLower(text), "e")
	sign := ""
	if rest, negative := strings.CutPrefix(mantissa, "-"); negative {
		sign, mantissa = "-", rest
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	if digits == "" {
		return "0"
	}
	exponent := 0
	if hasPower {
		n, err := strconv.Atoi(power)
		if err != nil || n > math.MaxInt32 || n < math.MinInt32 {
			return text
		}
		exponent = n
	}
	exponent -= len(fraction)
	short := strings.TrimRight(digits, "0")
	exponent += len(digits) - len(short)
	if exponent == 0 {
		return sign + short
	}
	return sign + short + "e" + strconv.Itoa(exponent)
}
