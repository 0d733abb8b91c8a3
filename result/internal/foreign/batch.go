package foreign

import (
	"strings"
	"unicode"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// batchIn returns how many items of a batch succeeded and failed, or zeros unless it has
// some of both. It reads two lists, two counts, or one list in which some items carry an
// error.
func batchIn(m map[string]any) (done, failed int) {
	var good, bad any
	explained := false
	for name, v := range m {
		name = strings.ToLower(name)
		switch n, isList := listSize(v); {
		case isList && n > 0 && isFailedName(name):
			bad, explained = v, explained || explains(v) || strings.Contains(name, "operation")
		case isList && n > 0 && (doneWords()[name] || strings.HasSuffix(name, "_performed")):
			good = v
		}
	}
	done, _ = listSize(good)
	failed, _ = listSize(bad)
	if done > 0 && failed > 0 && (explained || !isRecord(m)) {
		return done, failed
	}
	if done, failed = countsIn(m); done > 0 && failed > 0 && !isRecord(m) {
		return done, failed
	}
	if done, failed = graphQL(m); done > 0 && failed > 0 {
		return done, failed
	}
	for _, name := range dataLists {
		if done, failed = mixed(m[name]); done > 0 && failed > 0 {
			return done, failed
		}
	}
	return 0, 0
}

// doneWords are members that list completed or requested items.
var doneWords = set(`
	succeeded successful successes success completed processed uploaded created updated deleted sent imported added removed inserted
	saved moved copied done ok results items data rows records entries downloaded published fetched`)

// isFailedName reports whether a member lists failed items.
func isFailedName(name string) bool {
	switch name {
	case "failed", "failures", "failure", "errored", "errors", "rejected", "unsuccessful", "not_found", "notfound":
		return true
	}
	return strings.HasSuffix(name, "_errors") || strings.HasSuffix(name, "_failed") || strings.HasPrefix(name, "failed_") || strings.HasSuffix(name, "_failures")
}

// explains reports whether all items of a list contain the reason for their failure.
func explains(v any) bool {
	list, _ := v.([]any)
	for _, v := range list {
		m, _ := v.(map[string]any)
		if !hasAny(m, "error", "reason", "message", "errors", "error_message", "error_code") {
			return false
		}
	}
	return len(list) > 0
}

// isRecord reports whether an object is about something other than the call: it has a text
// that is neither a message nor a member of a batch.
func isRecord(m map[string]any) bool {
	for name, v := range m {
		name = strings.ToLower(name)
		if s, ok := v.(string); ok && s != "" && !batchTexts()[name] && !strings.HasSuffix(name, "id") {
			return true
		}
		if recordWords()[name] {
			return true
		}
	}
	return false
}

var (
	batchTexts  = set(`message msg summary status note notes operation action error detail details title result outcome`)
	recordWords = set(`tests test suite suites passed duration checks build builds lint coverage run report specs`)
)

// countsIn returns the counts of successes and failures.
func countsIn(m map[string]any) (done, failed int) {
	for name, v := range m {
		n, ok := v.(interface{ Int64() (int64, error) })
		f, isFloat := v.(float64)
		if ok {
			i, _ := n.Int64()
			f, isFloat = float64(i), true
		}
		if !isFloat || f <= 0 {
			continue
		}
		switch strings.ToLower(strings.TrimSuffix(strings.ReplaceAll(strings.ToLower(name), "_", ""), "count")) {
		case "succeeded", "success", "successful", "successes":
			done = count(f)
		case "failed", "failure", "failures", "error", "errors", "errored":
			failed = count(f)
		case "created", "updated", "deleted", "imported", "sent", "inserted", "saved", "uploaded", "added":
			if explains(m["errors"]) { // without reasons it may be a time
				done = count(f)
			}
		}
	}
	return done, failed
}

// graphQL returns how many members of a GraphQL response have data, and how many errors it
// has.
func graphQL(m map[string]any) (done, failed int) {
	data, _ := m["data"].(map[string]any)
	list, _ := m["errors"].([]any)
	for _, v := range list {
		if e, _ := v.(map[string]any); e["message"] == nil || e["path"] == nil {
			return 0, 0
		}
	}
	for _, v := range data {
		if !isZero(v) {
			done++
		}
	}
	return done, len(list)
}

// mixed returns how many items of a list carry data, and how many carry an error instead.
// The latter lack a member that the others have. A record with a column for errors has the
// other columns too.
func mixed(v any) (done, failed int) {
	list, _ := v.([]any)
	var whole map[string]any // an item with data
	for _, v := range list {
		m, ok := v.(map[string]any)
		if !ok {
			return 0, 0
		}
		if !carriesError(m) {
			whole = m
		}
	}
	for _, v := range list {
		m, _ := v.(map[string]any)
		switch {
		case !carriesError(m):
			done++
		case lacks(m, whole):
			failed++
		default:
			return 0, 0
		}
	}
	return done, failed
}

// carriesError reports whether an item states that it failed.
func carriesError(m map[string]any) bool {
	switch e := m["error"].(type) {
	case string:
		return e != ""
	case map[string]any:
		return len(e) > 0
	}
	return m["success"] == false || m["ok"] == false || isWord(m["status"], "error")
}

// lacks reports whether a member that another item has is missing or empty in an item.
func lacks(m, other map[string]any) bool {
	for name, v := range other {
		if name != "error" && !isZero(v) && v != true && (m[name] == nil || isZero(m[name])) {
			return true
		}
	}
	return false
}

// partialInText reads the counts of a batch that was done in part, or returns nil.
func partialInText(text string) *toolerr.Partial {
	const longest = 4 << 10 // as much text as is classified
	if len(text) > longest || !strings.Contains(text, "ucce") || !strings.Contains(text, "ail") {
		return nil
	}
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ':' })
	done, failed, isBatch := 0, 0, false
	for i, w := range words {
		switch w = strings.TrimSuffix(w, ":"); {
		case recordWords()[w]:
			return nil // the findings of a run
		case batchWords()[w]:
			isBatch = true
		case strings.HasPrefix(w, "success") || w == "succeeded":
			done = max(done, countBeside(words, i))
		case w == "failed", w == "failures", w == "failure":
			failed = max(failed, countBeside(words, i))
		}
	}
	if !isBatch || done == 0 || failed == 0 {
		return nil
	}
	return &toolerr.Partial{Processed: done, Total: done + failed}
}

// batchWords are the subjects of a sentence with two counts.
var batchWords = set(`
	processed processing uploaded uploading upload imported importing import inserted inserting insert batch operation records created
	updated deleted sent added files items rows messages copied moved`)

// countBeside returns the number that belongs to a word: the number after it if a colon is
// in between, otherwise the number before it, if any.
func countBeside(words []string, i int) int {
	places := []int{i - 1, i + 1, i - 2}
	if strings.HasSuffix(words[i], ":") || i > 0 && strings.HasSuffix(words[i-1], ":") {
		places = []int{i + 1, i - 1, i - 2}
	}
	for _, at := range places {
		if at < 0 || at >= len(words) {
			continue
		}
		if n, ok := number(words[at]); ok && len(words[at]) < 10 {
			return count(n)
		}
	}
	return 0
}
