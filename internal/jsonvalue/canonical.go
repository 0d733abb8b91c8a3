package jsonvalue

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// Canonical returns an encoding of v that two values share if, and but for numbers of
// absurd size only if, they are the same JSON value: the members of objects are sorted,
// and 40, 40.0 and 4e1 are one number, with all the digits that a float64 has no room
// for. It changes nothing in v. Of a name that an object has twice the last counts. The
// error is that of [Marshal].
func Canonical(v any) ([]byte, error) {
	c, err := canonical(v)
	if err != nil {
		return nil, err
	}
	return Marshal(c) // sorts the members
}

// canonical returns v with its numbers spelled in one way. What is not one of the
// types that [Decode] returns is encoded and decoded first.
func canonical(v any) (any, error) {
	var err error
	switch v := v.(type) {
	case nil, bool, string:
		return v, nil
	case json.Number:
		return json.Number(number(string(v))), nil
	case map[string]any:
		c := make(map[string]any, len(v))
		for name, item := range v {
			if c[name], err = canonical(item); err != nil {
				return nil, err
			}
		}
		return c, nil
	case []any:
		c := make([]any, len(v))
		for i, item := range v {
			if c[i], err = canonical(item); err != nil {
				return nil, err
			}
		}
		return c, nil
	}
	raw, err := Marshal(v)
	if err != nil {
		return nil, err
	}
	var decoded any
	if err := Unmarshal(raw, &decoded); err != nil {
		return nil, err
	}
	return canonical(decoded)
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
