package foreign

import (
	"bytes"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// A sketcher scans a JSON text for signs that it reports a failure, a partial success or an empty
// result. It distinguishes most data from reports without decoding the text.
type sketcher struct {
	s      jsonvalue.Scanner
	claim  bool // has a member that failure reports have
	data   bool // has a member that they never have
	denied bool // has a member that may say that the call failed
	failed bool // has a failed item, a list or count of failed items, or the word partial_success
	hollow bool // has an empty list or object
	full   bool // has a list with data
	whole  bool // all of it was read
}

// mayReport reports whether a text may report a failure or a partial result.
func (k *sketcher) mayReport() bool {
	return k.whole && (k.failed || k.denied && !k.data && (k.claim || k.hollow))
}

// mayBeEmpty reports whether a text of this length may say that nothing was found.
func (k *sketcher) mayBeEmpty(length int) bool {
	const longest = 4 << 10 // enough for a description of the search and its empty lists
	return k.whole && !k.full && (k.claim && !k.data || k.hollow && length <= longest)
}

func sketch(raw []byte) *sketcher {
	k := &sketcher{s: jsonvalue.NewScanner(raw)}
	k.value(0)
	k.whole = k.s.Done()
	return k
}

// member reads a member of an object.
func (k *sketcher) member(depth int) {
	name, wasFull := k.s.Raw(k.s.Name()), k.full
	kind, raw, full := k.value(depth + 1)
	if len(name) < len(`""`) {
		return
	}
	name = name[1 : len(name)-1]
	if k.full && !wasFull {
		k.full = !supplements()[strings.ToLower(string(name))]
	}
	isContainer := kind == '{' || kind == '['
	if depth > 0 {
		k.failed = k.failed || full && (isContainer || kind == '"') && isItemError(name)
		return
	}
	known := string(name)
	k.data = k.data || full && isContainer && !isReportName(known)
	k.failed = k.failed || full && isFailedName(known) || bytes.EqualFold(raw, []byte(`"`+partialSuccess+`"`))
	if claimNames()[known] {
		k.claim = k.claim || full || kind == 'f'
		k.denied = k.denied || kind == 'f' || full && (isContainer || known == "detail") || kind != 'n' && strings.Contains(known, "rror") ||
			bytes.ContainsAny(raw, "45") || bytes.EqualFold(raw, []byte(`"error"`)) // 404, 500
	}
}

// value reads a value and its contents. It returns the text of a value that is neither object nor
// list, and reports whether the value is not null, false or empty.
func (k *sketcher) value(depth int) (kind byte, raw []byte, full bool) {
	const maxDepth = 4 // enough for an answer, its parts, their lists and their items
	kind = k.s.Kind()
	if isContainer := kind == '{' || kind == '['; !isContainer || depth > maxDepth {
		raw = k.s.Raw(k.s.Value())
		return kind, raw, kind == 't' || kind == '0' || kind != 'f' && kind != 'n' && len(raw) > len(`""`)
	}
	n := 0
	for more := k.s.Open(); more; more = k.s.More(kind + 2) {
		if n++; kind == '{' {
			k.member(depth)
		} else if item, _, _ := k.value(depth + 1); item != '{' && item != '[' || n > maxEmpty {
			k.full = true
		}
	}
	k.hollow = k.hollow || n == 0
	return kind, nil, n > 0
}

// isItemError reports whether a member may hold the error of an item, in any of five languages.
func isItemError(name []byte) bool {
	return len(name) > 3 && len(name) < 8 && (name[0] == 'e' || name[0] == 'f') &&
		(bytes.HasPrefix(name, []byte("err")) || string(name) == "fehler")
}

const maxEmpty = 8 // the maximum number of items in a list without data

// claimNames lists the members with which an object may claim that the call failed.
var claimNames = set("error errors success ok isError object status statusCode status_code code errorMessage error_message detail title")
