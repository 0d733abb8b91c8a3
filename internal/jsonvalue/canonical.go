package jsonvalue

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Canonical returns an encoding that identifies a JSON value: two values with the same
// encoding are the same value, and the same value has one encoding unless it contains a
// number with an exponent of more than 32 bits. Members of objects are sorted, and 40, 40.0
// and 4e1 are one number, with all digits beyond those of a float64. Of two members with the
// same name the last counts. Canonical does not change v. The error is that of [Marshal].
func Canonical(v any) ([]byte, error) { return appendCanonical(make([]byte, 0, 256), v) }

// appendCanonical appends v with sorted members and numbers in one spelling. A value of a
// type that [Decode] does not return is encoded and decoded first.
func appendCanonical(dst []byte, v any) (_ []byte, err error) {
	switch v := v.(type) {
	case json.Number:
		text := number(string(v))
		if !IsNumber(text) {
			_, err = Marshal(json.Number(text)) // which is none
			return nil, err
		}
		return append(dst, text...), nil
	case string:
		return appendText(dst, v)
	case map[string]any:
		names := slices.AppendSeq(make([]string, 0, len(v)), maps.Keys(v))
		slices.Sort(names)
		for i, name := range names {
			dst, _ = appendText(append(dst, "{,"[min(i, 1)]), name)
			if dst, err = appendCanonical(append(dst, ':'), v[name]); err != nil {
				return nil, err
			}
		}
		return append(dst, "{}"[min(len(v), 1):]...), nil
	case []any:
		for i, item := range v {
			if dst, err = appendCanonical(append(dst, "[,"[min(i, 1)]), item); err != nil {
				return nil, err
			}
		}
		return append(dst, "[]"[min(len(v), 1):]...), nil
	}
	raw, err := Marshal(v)
	switch v.(type) {
	case nil, bool:
		return append(dst, raw...), nil
	}
	if err != nil {
		return nil, err
	}
	decoded, _ := Decode(raw)
	return appendCanonical(dst, decoded)
}

// appendText appends a text as [Marshal] encodes it.
func appendText(dst []byte, text string) ([]byte, error) {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			raw, err := Marshal(text)
			return append(dst, raw...), err
		}
	}
	return append(append(append(dst, '"'), text...), '"'), nil
}

// number returns the canonical spelling of a JSON number: its digits without leading and
// trailing zeros, and an exponent unless that is 0. Every zero is 0. A number whose
// exponent has more than 32 bits keeps its spelling.
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
