package foreign

import (
	"bytes"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// mayReport reports whether a JSON text has a sign that the call or an item failed, and mayBeEmpty
// whether it may say that nothing was found. Both distinguish most data without decoding it.
func mayReport(raw []byte) bool {
	s := jsonvalue.NewScanner(raw)
	_, _, _, sign := sketch(&s, 0)
	return sign
}

func mayBeEmpty(text string) bool {
	const longest = 4 << 10 // enough for a description of the search and its empty lists
	isIn := func(part string) bool { return strings.Contains(text, part) }
	return len(text) <= longest && slices.ContainsFunc([]string{"[]", "{}", "[ ]", "{ }", `"message"`}, isIn)
}

// sketch reads a value, until a member in it is a sign. It returns the text of a value that is neither
// object nor list, and whether the value is not null, false or empty.
func sketch(s *jsonvalue.Scanner, depth int) (kind byte, raw []byte, full, sign bool) {
	const maxDepth = 4 // enough for an answer, its parts, their lists and their items
	kind = s.Kind()
	if kind != '{' && kind != '[' || depth > maxDepth {
		raw = s.Raw(s.Value())
		return kind, raw, kind == '0' || kind != 'f' && kind != 'n' && len(raw) > len(`""`), false
	}
	for more := s.Open(); more && !sign; more = s.More(kind + 2) {
		var name []byte
		if full = true; kind == '{' {
			name = bytes.Trim(s.Raw(s.Name()), `"`)
		}
		k, text, isFull, inside := sketch(s, depth+1)
		sign = inside || len(name) > 0 && isSign(name, k, text, isFull, depth == 0)
	}
	return kind, nil, full, sign
}

// isSign reports whether a member may say that the call failed, or, inside an answer, an item of it.
// Inside, the state of a record, such as the reason why it failed, is no sign.
func isSign(name []byte, kind byte, raw []byte, full, isOutermost bool) bool {
	switch string(name) {
	case "ok", "Ok", "success", "Success", "succeeded", "Succeeded", "isSuccess", "is_success":
		return kind == 'f' || bytes.EqualFold(raw, []byte(`"partial_success"`))
	case "status", "Status", "statusCode", "StatusCode", "statuscode", "status_code", "code", "Code", "ret", "object",
		"outcome", "retcode", "retCode", "resultCode", "result_code":
		isWord := kind == '"' && len(raw) < 64 && bytes.ContainsAny(raw, "45eEfF")
		value, _, _ := bytes.Cut(bytes.Trim(raw, `"`), []byte(" ")) // of a status line, the number
		isLong := kind == '0' && (len(raw) > 3 || bytes.HasPrefix(raw, []byte("-")))
		isCode := isLong || len(value) == 3 && bytes.ContainsAny(value[:1], "45")
		isEnding := bytes.EqualFold(value, []byte("rejected")) || bytes.EqualFold(value, []byte("error"))
		return isOutermost && isWord || isCode || isEnding
	case "detail", "Detail", "partial", "Partial", "partialSuccess", "partial_success":
		return isOutermost && full
	}
	if kind == 'f' && isOutermost && spelling.Means(string(name), spelling.Flags) {
		return true
	}
	first := name[0] | 0x20 // in lower case
	if !full || !isOutermost && kind == '"' && first != 'e' && first != 'f' {
		return false
	}
	begins := func(sign []byte) bool { return bytes.HasPrefix(name[1:], sign) }
	isIn := func(sign []byte) bool { return bytes.Contains(name, sign) }
	return strings.IndexByte("efrun", first) >= 0 && slices.ContainsFunc(signs, begins) ||
		(isOutermost || kind == '0' || kind == 't') && slices.ContainsFunc(parts, isIn)
}

// Signs follow the first letter, one of efrun, of members that list, count or explain failures: err,
// fail, fault, fehler, reject, unsucc, unproc, not_found, userErrors, reasons. Parts are anywhere in the names of
// others.
var (
	signs = bytes.Fields([]byte("rr ail ault ehler eject nsucc nproc ot_found otFound otfound serErrors sererrors easons"))
	parts = bytes.Fields([]byte("rror fail Fail eject"))
)
