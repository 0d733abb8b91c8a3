package foreign

import (
	"bytes"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A sketcher scans a JSON text for what only reports of failures, of parts and of nothing
// have. It tells data apart from them without decoding it.
type sketcher struct {
	s        jsonvalue.Scanner
	claim    bool // a member that a report of a failure has
	data     bool // a member that it does not have
	failed   bool // an item or a list of items that failed, or a mark of a part
	hollow   bool // an empty list or object
	whole    bool // all of it was read
	maxDepth int
}

// mayReport reports whether a text may report a failure or a part.
func (k *sketcher) mayReport() bool { return k.whole && (k.failed || k.claim && !k.data) }

// mayBeEmpty reports whether a text of a length may say that nothing was found.
func (k *sketcher) mayBeEmpty(length int) bool {
	const longest = 4 << 10 // chosen: a description of the search, and its empty lists
	return k.whole && k.hollow && length <= longest
}

func sketch(raw []byte) *sketcher {
	k := &sketcher{s: jsonvalue.NewScanner(raw), maxDepth: 4} // chosen: an answer, its parts, their lists, their items
	if k.s.Kind() == '{' {
		k.members(0)
	} else {
		k.value(0)
	}
	k.whole = k.s.Done()
	return k
}

// members reads the members of an object.
func (k *sketcher) members(depth int) {
	more := k.s.Open()
	k.hollow = k.hollow || !more
	for ; more; more = k.s.More('}') {
		name := k.s.Raw(k.s.Name())
		kind, from := k.s.Kind(), k.s.Offset()
		k.value(depth + 1)
		full := kind == 't' || kind == '0' || kind != 'f' && kind != 'n' && k.s.Offset()-from > len(`""`)
		if len(name) < len(`""`) || !full && (kind != 'f' || depth > 0) {
			continue
		}
		name = name[1 : len(name)-1]
		switch isContainer := kind == '{' || kind == '['; {
		case depth > 0:
			k.failed = k.failed || (isContainer || kind == '"') && isItemError(name)
		default:
			known := string(name)
			k.claim = k.claim || claimNames()[known]
			k.data = k.data || isContainer && !isReportName(known)
			k.failed = k.failed || full && isFailedName(known) || kind == '"' && k.s.Offset()-from == len(partialSuccess)+2
		}
	}
}

// value reads a value and the items of lists in it.
func (k *sketcher) value(depth int) {
	switch kind := k.s.Kind(); {
	case depth > k.maxDepth:
		k.s.Value()
	case kind == '{':
		k.members(depth)
	case kind == '[':
		more := k.s.Open()
		k.hollow = k.hollow || !more
		for ; more; more = k.s.More(']') {
			k.value(depth + 1)
		}
	default:
		k.s.Value()
	}
}

// isItemError reports whether a member has the error of an item, in any of five languages.
func isItemError(name []byte) bool {
	return len(name) > 3 && len(name) < 8 && (name[0] == 'e' || name[0] == 'f') &&
		(bytes.HasPrefix(name, []byte("err")) || string(name) == "fehler")
}

// claimNames are the members with which an object may claim that the call failed.
var claimNames = set("error errors success ok isError object status statusCode status_code code errorMessage error_message detail title")
