package retry

import "bytes"

// A rawList holds the raw items of the first list of a part, without its brackets. If the
// next part repeats them, its list begins with the same bytes. Comparing bytes is a hundred
// times as fast as decoding the items again.
type rawList []byte

// listIn returns the items of raw if it is a list, or of the first list in it if it is an
// object.
func listIn(raw []byte) rawList {
	start := scanJSON(raw, 0, opensList)
	if start < 0 {
		return nil
	}
	end := scanJSON(raw, start+1, closesList)
	if end < 0 {
		return nil
	}
	return raw[start+1 : end]
}

// split splits a part whose list begins with the items of l and has further items. It
// returns raw without the known items, and all items of the list.
func (l rawList) split(raw []byte) (rest []byte, list rawList, ok bool) {
	at := bytes.Index(raw, l)
	if len(l) == 0 || at < 1 || raw[at-1] != '[' || at+len(l) >= len(raw) || raw[at+len(l)] != ',' {
		return nil, nil, false
	}
	if first := scanJSON(raw[:at], 0, opensList); first != at-1 {
		return nil, nil, false // in another list, or in a string
	}
	further := at + len(l) + 1
	end := scanJSON(raw, further, closesList)
	if end < 0 {
		return nil, nil, false
	}
	rest = append(make([]byte, 0, at+len(raw)-further), raw[:at]...)
	return append(rest, raw[further:]...), raw[at:end], true
}

func opensList(depth int, c byte) bool { return c == '[' && depth <= 1 }

func closesList(depth int, c byte) bool { return c == ']' && depth == 0 }

// scanJSON returns the index of the first byte outside of strings for which matches returns
// true, or -1. Depth is the number of open lists and objects since start.
func scanJSON(raw []byte, start int, matches func(depth int, c byte) bool) int {
	depth, inString := 0, false
	for i := start; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case matches(depth, c):
			return i
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return -1
}
