package answers

import (
	"cmp"
	"maps"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// Items is what a sender says about the items of a batch of which some failed.
type Items struct {
	Done, Failed int
	Total        int   // 0 if it is not known
	From         any   // where to continue: a number, a text or nil
	Results      []any // the items, or nil
}

// ReadItems returns the items of a batch, or nil if v is no batch or nothing in it failed. Flagged
// means that the result says that its call failed: only then a word other than partial_success is enough.
func ReadItems(v any, flagged bool) *Items {
	m, _ := v.(map[string]any)
	o := Folded(m)
	part, nested := o["partial"].(map[string]any)
	if nested = nested && flagged; nested {
		o = Folded(part)
	}
	i, isRecord := o.batch(flagged), o.isRecord()
	for _, name := range sorted(o) { // a summary, or the answer to one of several operations
		inner, _ := o[name].(map[string]any)
		errors, _ := inner["errors"].([]any)
		if i == nil && !isRecord && (spelling.Means(name, spelling.Summary) || explains(errors)) {
			i = Folded(inner).batch(flagged)
		}
	}
	if i == nil {
		t := tally{least: math.MaxInt}
		t.count("", v, 0)
		isTold := t.said && (t.failed > 1 || t.isBulk) || t.done > 0 && t.most < t.least
		if !t.isLog && t.failed > 0 && isTold {
			i = &Items{Done: t.done, Failed: t.failed}
		}
	}
	if i == nil && !nested && !o.saysPartial(flagged) {
		return nil
	}
	i = cmp.Or(i, new(Items))
	i.Done = cmp.Or(o.count(spelling.Processed), i.Done)
	if i.Failed > 0 {
		i.Total = i.Done + i.Failed
	}
	i.Total = cmp.Or(o.count(spelling.Total), i.Total)
	i.From = o.get(spelling.ContinueFrom)
	if i.Results, _ = v.([]any); i.Results == nil {
		i.Results, _ = o.get(spelling.Results).([]any)
	}
	if i.Failed == 0 {
		i.Done = cmp.Or(i.Done, len(i.Results))
	}
	return i
}

// An Object has folded names.
type Object map[string]any

// Folded returns an object with folded names. If several names are folded to one, the one that is the
// folded name counts, or else the first in alphabetical order.
func Folded(members map[string]any) Object {
	o := make(Object, len(members))
	for _, name := range sorted(members) {
		if key := spelling.Fold(name); key == name || o[key] == nil {
			o[key] = members[name]
		}
	}
	return o
}

// get returns the first member with this meaning that is not null.
func (o Object) get(m spelling.Meaning) any {
	for _, name := range spelling.Names(m) {
		if v := o[name]; v != nil {
			return v
		}
	}
	return nil
}

// count returns the number with this meaning, or 0.
func (o Object) count(m spelling.Meaning) int {
	n, _ := Number(o.get(m))
	return count(n)
}

// saysPartial reports whether an object says that part of the work was done: by its state, or by a member
// for what failed or was left. Without a flag, only one state says so: an order or a match may be partial too.
func (o Object) saysPartial(flagged bool) bool {
	const success = "partialsuccess"
	hasParts := ContainsFunc(o, func(name string, v any) bool {
		_, isList := v.([]any)
		return isList || name == "message" || name == "continuefrom" || batchMeaning(name) != spelling.None
	})
	return ContainsFunc(o, func(name string, v any) bool {
		text, _ := v.(string)
		isWord := name == "ok" || name == "status" || name == "outcome" || name == "partial"
		isPartial := spelling.Fold(text) == "partial" || name == "partial" && v == true
		isLeft := strings.HasPrefix(name, "partialfailure") || strings.HasPrefix(name, "unprocessed") || name == success
		return isLeft && !jsonvalue.IsZero(v) ||
			isWord && hasParts && (spelling.Fold(text) == success || flagged && isPartial)
	})
}

// batch returns how many items of a batch succeeded and failed, from its lists and counts. It
// returns nil if it is none, or if none failed. Beside failures that are explained, any other list of an
// unflagged result is what was done; an empty one only if its name says so: synced, skipped.
func (o Object) batch(flagged bool) *Items {
	i, neutral, others := new(Items), -1, -1
	var explained, certain, states bool
	for name, v := range o {
		list, isList := v.([]any)
		table, _ := v.(map[string]any) // by name
		n, isCount := Number(v)
		_, isText := v.(string)
		meaning := batchMeaning(name)
		isCount = isCount && !isText && n >= 0 && n < aTime
		if !isList && !isCount && (table == nil || meaning != spelling.Failed) {
			continue
		}
		switch {
		case meaning == spelling.Failed:
			i.Failed, explained = max(i.Failed, len(list)+len(table), count(n)), explained || explains(list)
		case meaning == spelling.Results && isList:
			certain, neutral = true, max(neutral, len(slices.DeleteFunc(slices.Clone(list), isUndone)))
		case meaning == spelling.None && (len(list) > 0 || isList && strings.HasSuffix(name, "ed")) && !flagged &&
			!spelling.Means(name, spelling.Further, spelling.Beside, spelling.Suggestions, spelling.Options):
			others = max(others, len(slices.DeleteFunc(slices.Clone(list), isUndone)))
		case meaning != spelling.None:
			states, certain = true, certain || isList || meaning == spelling.Certain
			i.Done = max(i.Done, count(n), len(list))
		}
	}
	if i.Done == 0 && neutral >= 0 {
		states, i.Done = true, neutral
	} else if i.Done == 0 && others >= 0 && explained && !Has(o, spelling.Runs) {
		states, i.Done = true, others
	}
	if i.Failed == 0 || !states || !explained && (!certain || o.isRecord()) {
		return nil
	}
	return i
}

// IsDenied reports whether an object with folded names says in a flag that the work failed.
func IsDenied(m map[string]any) bool {
	return slices.ContainsFunc(spelling.Names(spelling.Flags), func(name string) bool { return m[name] == false })
}

// aTime is a number from which on a count may be a time, in seconds since 1970.
const aTime = 1e9

// batchMeaning returns what a member of a batch counts or lists: [spelling.Failed], items that are
// done, of which [spelling.Certain] can mean nothing else, or [spelling.Results], all items.
func batchMeaning(name string) spelling.Meaning {
	for _, m := range []spelling.Meaning{spelling.Failed, spelling.Certain, spelling.Results, spelling.Done} {
		for _, word := range spelling.Names(m) {
			before, after, ok := strings.Cut(name, word)
			plural := strings.HasSuffix(word, "s") || strings.HasSuffix(word, "ed") || word == "sent"   // rows_failed
			isIDs := (m == spelling.Failed || m == spelling.Certain) && strings.HasSuffix(after, "ids") // updatedTaskIds
			isLast := m != spelling.Results && (IsCounted(before) || plural && after == "")
			if ok && (IsCounted(after) || isIDs) && (before == "" || isLast) {
				return m
			}
		}
	}
	return spelling.None
}

// IsCounted reports whether a part of a folded name has only words that stand beside a count.
func IsCounted(rest string) bool {
	return rest == "" || slices.ContainsFunc(spelling.Names(spelling.Counted), func(word string) bool {
		after, ok := strings.CutPrefix(rest, word)
		return ok && IsCounted(after)
	})
}

// explains reports whether an item of a list states the reason for its failure, and none is an entry of
// a log or a report.
func explains(list []any) (ok bool) {
	for _, v := range list {
		m, _ := v.(map[string]any)
		for name, v := range m {
			ok = ok || v != nil && ends(name, spelling.Explanation)
			if spelling.Means(name, spelling.Runs) {
				return false
			}
		}
	}
	return ok
}

// isRecord reports whether an object describes something other than the call, such as a test run:
// it has a text that is data, or a member that such records have.
func (o Object) isRecord() bool {
	return ContainsFunc(o, func(name string, v any) bool {
		s, _ := v.(string)
		isText := s != "" && !IsReportName(name) && name != "summary" && name != "operation"
		return isText || spelling.Means(name, spelling.Runs)
	})
}

// IsReportName reports whether a member's name occurs in reports of failures.
func IsReportName(name string) bool {
	folded := spelling.Fold(name)
	return spelling.Means(folded, spelling.Beside) || spelling.Means(folded, reports...) ||
		strings.HasSuffix(folded, "id") || strings.Contains(folded, "error")
}

// IsKnown reports whether an envelope has a member for what a name means.
func IsKnown(name string) bool {
	return name == "object" || name == "outcome" || spelling.Means(name, reports...) ||
		spelling.Means(name, spelling.Processed, spelling.Total, spelling.ContinueFrom, spelling.Results)
}

var reports = []spelling.Meaning{
	spelling.Category, spelling.Message, spelling.Code, spelling.Status, spelling.Retryable, spelling.Hint,
	spelling.CustomerMessage, spelling.Field, spelling.Effect, spelling.Suggestions, spelling.Options,
	spelling.CorrelationID, spelling.IdempotencyKey, spelling.Milliseconds, spelling.Seconds,
}

func count(n float64) int { return int(min(max(n, 0), math.MaxInt32)) }

// maxBeside is the maximum number of members of a failed item beside its error: an id and a name.
const maxBeside = 2

// A tally counts the items of a result with data, and those with an error. A failed item says so,
// or has, beside its error, fewer members than each item with data: a record with a column for
// errors has its other columns too.
type tally struct {
	done, failed int
	least, most  int  // fewest members of an item with data, most beside the error of a failed one
	isLog        bool // the items are records of other work, or only errors
	alone        int  // how many are only an error
	said         bool // an item says how it ended
	isBulk       bool // the items are named after their operations, or flagged beside an error
}

func (t *tally) count(name string, v any, depth int) {
	const maxDepth = 4 // enough for an answer, its parts and their lists
	isBatch := name == "" || ends(name, spelling.Batch)
	list, _ := v.([]any)
	m, _ := v.(map[string]any)
	isRefused := func(_ string, item any) bool {
		m, _ := item.(map[string]any)
		return len(m) == 1 && ContainsFunc(m, isFault) && m["errors"] != nil
	}
	if name == "responses" && ContainsFunc(m, isRefused) { // by their ids
		list, m = slices.Collect(maps.Values(m)), nil
	}
	for name, inner := range m {
		if depth < maxDepth && !spelling.Means(name, spelling.Runs, spelling.Failed) {
			t.count(name, inner, depth+1)
		}
	}
	before := *t
	for _, item := range list {
		t.add(item, isBatch)
	}
	t.isLog = t.isLog || t.alone > before.alone && t.done == before.done // a list of errors
}

// ends reports whether a name ends with one that has the meaning.
func ends(name string, m spelling.Meaning) bool {
	name = spelling.Fold(name)
	return slices.ContainsFunc(spelling.Names(m), func(word string) bool { return strings.HasSuffix(name, word) })
}

// ContainsFunc reports whether f is true of a member of an object.
func ContainsFunc(members map[string]any, f func(name string, v any) bool) bool {
	for name, v := range members {
		if f(name, v) {
			return true
		}
	}
	return false
}

// Has reports whether an object has a member with one of the meanings that is not null.
func Has(members map[string]any, meanings ...spelling.Meaning) bool {
	return ContainsFunc(members, func(name string, v any) bool { return v != nil && spelling.Means(name, meanings...) })
}

// isUndone reports whether an item of a list only holds the place of one that failed, or says that it failed.
func isUndone(item any) bool {
	m, _ := item.(map[string]any)
	return item == nil || item == false || IsDenied(m) || ContainsFunc(m, isFault)
}

// isFault reports whether a member of an item says why it failed: an error, or the answer with one.
func isFault(name string, v any) bool {
	text, _ := v.(string)
	list, _ := v.([]any)
	m, _ := v.(map[string]any)
	folded := spelling.Fold(name)
	if folded == "result" || folded == "response" || folded == "body" {
		return m["detail"] != nil && m["status"] != nil || ContainsFunc(m, isFault)
	}
	isError := spelling.Means(name, spelling.ItemError) || strings.Contains(folded, "error") || folded == "reasons"
	return isError && (text != "" || Has(m, spelling.Explanation) || explains(list))
}

// add counts an item of a list. An item of a batch may say how it ended.
func (t *tally) add(item any, isBatch bool) {
	beside, failed, isOperation := 0, false, false
	m, _ := item.(map[string]any)
	for _, v := range m {
		if inner, _ := v.(map[string]any); len(m) == 1 && inner["status"] != nil { // named after its operation
			m, isOperation, t.isBulk = inner, true, true
		}
	}
	for name, v := range m {
		_, isNumber := Number(v) // the first item may have the number 0
		if isFault(name, v) {
			failed = true
		} else if isNumber || !jsonvalue.IsZero(v) {
			beside++
		}
		t.isLog = t.isLog || spelling.Means(name, spelling.Runs)
	}
	ok, says := ending(m, isOperation, failed)
	switch {
	case says:
		t.isBulk = t.isBulk || failed && IsDenied(Folded(m)) && m["name"] == nil && !Has(m, spelling.Checked)
		t.said, t.isLog = true, t.isLog || !isBatch // checks of something else
		if ok {
			t.done++
		} else {
			t.failed++
		}
	case !failed && beside > 0:
		t.done++
		t.least = min(t.least, beside)
	case failed && beside <= maxBeside:
		t.failed++
		t.most = max(t.most, beside)
		if beside == 0 {
			t.alone++
		}
	case failed:
		t.isLog = true
	}
}

// ending reports how an item of a batch says that it ended, if it does: by a flag, by a word, or by the
// status of the answer to a part of the request.
func ending(m map[string]any, isOperation, failed bool) (ok, says bool) {
	for _, name := range []string{"ok", "success", "succeeded", "failure", "Success", "Succeeded"} {
		is, isFlag := m[name].(bool)
		_, isObject := m[name].(map[string]any)
		isDone := name != "failure"
		if isFlag && isDone || isObject && len(m) == 1 { // {"failure": {...}}
			return isDone && (is || isObject), true
		}
	}
	word, _ := m["status"].(string)
	switch isOther := m["name"] != nil || Has(m, spelling.Checked); strings.ToLower(word) {
	case "ok", "success", "fulfilled":
		return true, !isOther
	case "error", "rejected":
		return false, !isOther && Has(m, spelling.Explanation)
	}
	n, isStatus := Number(cmp.Or(m["status"], m["statusCode"], m["statuscode"], m["httpStatusCode"], m["code"]))
	if number, reason, _ := strings.Cut(word, " "); reason != "" { // 422 Unprocessable Entity
		n, isStatus = Number(number)
		isStatus = isStatus && reason == http.StatusText(int(n))
	}
	_, hasResult := m["result"]
	hasAnswer := m["body"] != nil || m["response"] != nil || hasResult || n >= 400 && failed
	isAnswer := hasAnswer && n >= 100 && n < 600 && m["url"] == nil && m["path"] == nil && !Has(m, spelling.Checked)
	isGone := n == 404 && isOperation && m["error"] == nil // what was to be deleted was not there
	return n < 400 || isGone, isStatus && (isOperation || isAnswer)
}
