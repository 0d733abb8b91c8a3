package jsonvalue

import (
	"encoding/binary"
	"math/bits"
)

// space skips white space.
func (s *Scanner) space() {
	if s.at < len(s.data) && s.data[s.at] > ' ' {
		return
	}
	s.spaces()
}

func (s *Scanner) spaces() {
	from := s.at
	for s.at < len(s.data) && (s.data[s.at] == ' ' || s.data[s.at] == '\n' || s.data[s.at] == '\t' || s.data[s.at] == '\r') {
		s.at++
	}
	if s.at > from {
		s.marks |= isSpaced
	}
}

// skip reads a value and returns its kind.
func (s *Scanner) skip() byte {
	kind := s.Kind()
	switch kind {
	case '"':
		s.text()
	case '{':
		for more := s.Open(); more; more = s.More('}') {
			s.space()
			s.text()
			s.colon()
			s.skip()
		}
	case '[':
		for more := s.Open(); more; more = s.More(']') {
			s.skip()
		}
	case '0':
		s.number()
	case 't':
		s.word("true")
	case 'f':
		s.word("false")
	case 'n':
		s.word("null")
	default:
		s.fail()
	}
	return kind
}

func (s *Scanner) word(w string) {
	if len(s.data)-s.at < len(w) || string(s.data[s.at:s.at+len(w)]) != w {
		s.fail()
		return
	}
	s.at += len(w)
}

// A number of at most maxShort characters with an exponent of at most maxShortExponent
// digits is in the range of a float64. Chosen: 200 + 99 is less than 308, the largest power
// of ten of a float64.
const (
	maxShort         = 200
	maxShortExponent = 2
)

func (s *Scanner) number() {
	from, exponent := s.at, 0
	if s.data[s.at] == '-' {
		s.at++
	}
	if s.at < len(s.data) && s.data[s.at] == '0' {
		s.at++
	} else {
		s.digits()
	}
	if s.at < len(s.data) && s.data[s.at] == '.' {
		s.at++
		s.digits()
	}
	if s.at < len(s.data) && s.data[s.at]|0x20 == 'e' {
		s.at++
		if s.at < len(s.data) && (s.data[s.at] == '+' || s.data[s.at] == '-') {
			s.at++
		}
		exponent = s.at
		s.digits()
		exponent = s.at - exponent
	}
	if (exponent > maxShortExponent || s.at-from > maxShort) && s.stop == 0 && !IsFloat(string(s.data[from:s.at])) {
		s.marks |= isUnreadable
	}
}

// digits reads one or more digits.
func (s *Scanner) digits() {
	from := s.at
	for s.at < len(s.data) && '0' <= s.data[s.at] && s.data[s.at] <= '9' {
		s.at++
	}
	if s.at == from {
		s.fail()
	}
}

// text reads a string.
func (s *Scanner) text() {
	if s.at == len(s.data) || s.data[s.at] != '"' {
		s.fail()
		return
	}
	s.at++
	for {
		s.run()
		if s.at == len(s.data) {
			s.fail()
			return
		}
		switch s.data[s.at] {
		case '"':
			s.at++
			return
		case '\\':
			n := escape(s.data[s.at:])
			if n == 0 {
				s.fail()
				return
			}
			s.marks |= isEscaped
			s.at += n
		default: // a control character
			s.fail()
			return
		}
	}
}

// run reads unescaped characters of a string, eight bytes at a time: see "Determine if a
// word has a byte less than n" in Anderson's Bit Twiddling Hacks. The lowest hit is always
// a true one.
func (s *Scanner) run() {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	data, i := s.data, s.at
	wide := uint64(0)
	for len(data)-i >= 8 {
		w := binary.LittleEndian.Uint64(data[i:])
		quote, backslash := w^(ones*'"'), w^(ones*'\\')
		if end := ((w - ones*' ') | (quote - ones) | (backslash - ones)) &^ w & highs; end != 0 {
			n := bits.TrailingZeros64(end) / 8
			w &= 1<<(8*n) - 1
			del := w ^ (ones * 0x7f)
			wide |= w | (del-ones)&^del
			i += n
			s.passed(i, wide&highs != 0)
			return
		}
		del := w ^ (ones * 0x7f)
		wide |= w | (del-ones)&^del
		i += 8
	}
	for i < len(data) && data[i] >= ' ' && data[i] != '"' && data[i] != '\\' {
		if data[i] >= 0x7f {
			wide |= highs
		}
		i++
	}
	s.passed(i, wide&highs != 0)
}

func (s *Scanner) passed(to int, wide bool) {
	s.at = to
	if wide {
		s.marks |= isWide
	}
}

// escape returns the length of the escape at the beginning of a text, or 0.
func escape(data []byte) int {
	if len(data) < 2 {
		return 0
	}
	switch data[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if hex(data) >= 0 {
			return 6
		}
	}
	return 0
}
