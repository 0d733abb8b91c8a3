package foreign

import (
	"bytes"
	"slices"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// A sketcher scans a JSON text for signs that it reports a failure, a partial success or an empty
// result. It distinguishes most data from reports without decoding the text.
type sketcher struct {
	s       jsonvalue.Scanner
	sign    bool // has a member that may say that the call or an item failed
	message bool
	hollow  bool // has an empty list or object
	full    bool // has a list with data
	whole   bool // all of it was read
}

// mayReport reports whether a text may report a failure or a partial result.
func (k *sketcher) mayReport() bool { return k.whole && k.sign }

// mayBeEmpty reports whether a text of this length may say that nothing was found.
func (k *sketcher) mayBeEmpty(length int) bool {
	const longest = 4 << 10 // enough for a description of the search and its empty lists
	return k.whole && !k.full && (k.message || k.hollow) && length <= longest
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
		k.full = !spelling.Means(string(name), spelling.Further)
	}
	k.message = k.message || depth == 0 && string(name) == "message"
	k.sign = k.sign || isSign(name, kind, raw, full, depth == 0)
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

// isSign reports whether a member may say that the call failed, or, inside an answer, an item of it.
// Inside, the state of a record, such as the reason why it failed, is no sign.
func isSign(name []byte, kind byte, raw []byte, full, isOutermost bool) bool {
	switch string(name) {
	case "ok", "Ok", "success", "Success", "succeeded", "Succeeded":
		return kind == 'f' || bytes.EqualFold(raw, []byte(`"partial_success"`))
	case "status", "Status", "statusCode", "StatusCode", "status_code", "code", "Code", "object", "outcome": // 404, "error"
		isWord := kind == '"' && bytes.ContainsAny(raw, "45eE")
		return isOutermost && isWord || kind == '0' && (len(raw) == 3 && raw[0] > '3' || len(raw) > 3)
	case "detail", "Detail", "partial", "Partial":
		return isOutermost && full
	}
	if !full || len(name) == 0 || !isOutermost && kind == '"' && name[0]|0x20 != 'e' && name[0]|0x20 != 'f' {
		return false
	}
	return name[0]|0x20 == 'e' && bytes.HasPrefix(name[1:], []byte("rr")) ||
		slices.ContainsFunc(signs, func(part []byte) bool { return bytes.Contains(name, part) })
}

// signs are in names of members that list, count or explain failures.
var signs = bytes.Fields([]byte("rror fail Fail ehler eject nsucc nproc not_found notFound"))
