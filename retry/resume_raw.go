package retry

import "bytes"

// A rawList is the raw items of the first list of a part, without its brackets: what the next
// part begins its list with if it holds all that came before. They are compared byte by
// byte, which is a hundred times as fast as to decode them again.
type rawList []byte

// listIn returns the items of the list that raw is, or of the first one in the object
// that raw is.
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

// split returns what of raw is new, if its list begins with these items and goes on: raw
// without them, and the items of its whole list.
func (l rawList) split(raw []byte) (rest []byte, list rawList, ok bool) {
	at := bytes.Index(raw, l)
	if len(l) == 0 || at < 1 || raw[at-1] != '[' || at+len(l) >= len(raw) || raw[at+len(l)] != ',' {
		return nil, nil, false
	}
	if first := scanJSON(raw[:at], 0, opensList); first != at-1 {
		return nil, nil, false // in another list, or in a text
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

// scanJSON returns where the first byte is, outside of texts, that fits, or -1. Depth counts
// the lists and objects around it that were opened since the start.
func scanJSON(raw []byte, start int, fits func(depth int, c byte) bool) int {
	depth, inText := 0, false
	for i := start; i < len(raw); i++ {
		c := raw[i]
		switch {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case fits(depth, c):
			return i
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
	}
	return -1
}
