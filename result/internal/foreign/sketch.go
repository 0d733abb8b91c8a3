package foreign

import (
	"slices"
	"strings"
)

// mayReport reports whether a JSON text has a sign that the call or an item failed, and mayBeEmpty
// whether it may say that nothing was found. Both distinguish most data without decoding it.
func mayReport(text string) bool {
	for {
		before, after, ok := strings.Cut(text, ":")
		if !ok {
			return false
		}
		name, isName := strings.CutSuffix(strings.TrimRight(before, " "), `"`)
		name = name[strings.LastIndexByte(name, '"')+1:]
		if text = strings.TrimLeft(after, " "); isName && name != "" && text != "" && isSign(name, text) {
			return true
		}
	}
}

func mayBeEmpty(text string) bool {
	const longest = 4 << 10 // enough for a description of the search and its empty lists
	isIn := func(part string) bool { return strings.Contains(text, part) }
	return len(text) <= longest && slices.ContainsFunc([]string{"[]", "{}", "[ ]", "{ }", `"message"`}, isIn)
}

// isSign reports whether a member, before such a text, may say that the call or an item of it failed. A text is
// one only under an error or a failure: other names are those of a record's state.
func isSign(name, text string) bool {
	isText := text[0] == '"'
	switch name {
	case "ok", "Ok", "success", "Success", "succeeded", "Succeeded", "isSuccess", "is_success", "status", "Status",
		"statusCode", "StatusCode", "statuscode", "status_code", "code", "Code", "object", "outcome", "ret", "retcode",
		"retCode", "resultCode", "result_code":
		word := valueOf(text)
		isNumber := len(word) == 3 && (word[0] == '4' || word[0] == '5') ||
			!isText && word != "true" && (len(word) > 3 || strings.HasPrefix(word, "-"))
		return isNumber || isWord(word, "false", "error", "rejected", "fail", "failure", "partial", "partial_success") ||
			strings.Contains(word, "ERROR") || strings.Contains(word, "FAIL")
	case "detail", "Detail", "partial", "Partial", "partialSuccess", "partial_success":
		return true
	}
	if isText && strings.IndexByte("eEfF", name[0]) < 0 {
		return false
	}
	isIn := func(sign string) bool { return strings.Contains(name, sign) }
	begins := func(sign string) bool { return strings.HasPrefix(name[1:], sign) }
	isNamed := strings.IndexByte("eEfFrRuUnN", name[0]) >= 0 && slices.ContainsFunc(signs, begins)
	return (isNamed || slices.ContainsFunc(parts, isIn)) && !isWord(valueOf(text), "", "[", "{", "0", "null", "false")
}

// valueOf returns the value that a text begins with, or the beginning of a long one or of a list or an object.
func valueOf(text string) string {
	const longest = 20 // more than a word has
	text = text[:min(len(text), longest)]
	if end := strings.IndexAny(text, ",]}"); end >= 0 {
		text = text[:end]
	}
	return strings.Trim(text, "\" \r\n")
}

// Signs follow the first letter of members that list, count or explain failures: err, fail, fehler, reject, unsucc,
// unproc, not_found, reasons. Parts are anywhere in the names of others.
var (
	signs = strings.Fields("rr ail ehler eject nsucc nproc ot_found otFound otfound easons")
	parts = strings.Fields("rror fail Fail eject")
)
