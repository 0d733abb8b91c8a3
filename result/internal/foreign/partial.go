package foreign

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// partialError returns the failure for a result that shows only that some of its items failed.
func partialError(p *toolerr.Partial) *toolerr.Error {
	return &toolerr.Error{Message: "Only part of the work was done.", Partial: p}
}

// partialIn returns the Partial of an object that reports partial success, or nil. It reads a
// cursor only from a flagged result, that is, one with isError.
func partialIn(m map[string]any, flagged bool) *toolerr.Partial {
	inner, nested := m["partial"].(map[string]any)
	if nested = nested && flagged; nested {
		m = inner
	}
	done, failed := batchIn(m)
	if failed == 0 {
		if p := partialItems(m); p != nil {
			return p
		}
		if !nested && !saysPartial(m, flagged) {
			return nil
		}
	}
	own := layers{m}
	p := &toolerr.Partial{Processed: done, Total: done + failed}
	if n, ok := number(own.get(spelling.Processed...)); ok && n >= 0 {
		p.Processed = count(n)
	}
	if n, ok := number(own.get(spelling.Total...)); ok && n > 0 {
		p.Total = count(n)
	}
	if flagged {
		p.ContinueFrom = cursor(own.get(spelling.ContinueFrom...))
	}
	for _, name := range spelling.Results {
		if list, ok := m[name].([]any); ok {
			p.Results, _ = jsonvalue.Marshal(list) // it was JSON
			p.Processed = cmp.Or(p.Processed, len(list))
			break
		}
	}
	return p
}

// saysPartial reports whether an object says in one word that part of the work was done. An order
// or a match may be partial too, so a word counts only beside a member such as processed, and
// without a flag only partial_success counts.
func saysPartial(m map[string]any, flagged bool) bool {
	return hasAny(m, "processed", "continueFrom", "continue_from", "failed", "results") &&
		slices.ContainsFunc([]any{m["ok"], m["status"], m["outcome"], m["partial"]}, func(v any) bool {
			return isWord(v, partialSuccess) || flagged && (isWord(v, "partial") || v == true && m["partial"] == true)
		})
}

const partialSuccess = "partial_success"

// batchIn returns how many items of a batch succeeded and failed, from its lists or counts.
func batchIn(m map[string]any) (done, failed int) {
	explained, certain := false, false
	for name, v := range m {
		name = strings.TrimSuffix(strings.ToLower(name), "_count")
		list, isList := v.([]any)
		n, isCount := number(v)
		_, isText := v.(string)
		switch isCount = isCount && !isText && n > 0; {
		case isFailedName(name) && isList:
			failed, explained = max(failed, len(list)), explained || explains(list)
		case isFailedName(name) && isCount:
			failed = max(failed, count(n))
		case doneNames()[name[strings.LastIndexByte(name, '_')+1:]] && (isList || isCount):
			certain = certain || isList || strings.HasPrefix(name, "succe") // another number may be a time
			done = max(done, count(n), len(list))
		}
	}
	if done > 0 && failed > 0 && (explained || certain && !isRecord(m)) {
		return done, failed
	}
	return 0, 0
}

// doneNames lists members that list or count completed items.
var doneNames = set(`
	succeeded successful successes success completed processed uploaded created updated deleted sent imported added removed inserted
	saved moved copied done ok results items data rows records entries downloaded published fetched performed`)

// isFailedName reports whether a member lists or counts failed items.
func isFailedName(name string) bool {
	switch name = strings.TrimSuffix(name, "_count"); name {
	case "failed", "failures", "failure", "errored", "error", "errors", "rejected", "unsuccessful", "not_found", "notfound":
		return true
	}
	return strings.HasSuffix(name, "_errors") || strings.HasSuffix(name, "_failed") || strings.HasPrefix(name, "failed_") || strings.HasSuffix(name, "_failures")
}

// explains reports whether every item of a list states the reason for its failure.
func explains(list []any) bool {
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool {
		m, _ := v.(map[string]any)
		return !hasAny(m, "error", "reason", "message", "errors", "error_message", "error_code")
	})
}

// isRecord reports whether an object describes something other than the call, such as a test run:
// it has a text that is data, or a member named in runNames.
func isRecord(m map[string]any) bool {
	for name, v := range m {
		if s, ok := v.(string); ok && s != "" && isData(name, s, false) && name != "summary" && name != "operation" || runNames()[strings.ToLower(name)] {
			return true
		}
	}
	return false
}

// runNames lists names of lists whose records have an outcome or an error of their own, and names
// of members of such records.
var runNames = set(`
	tests test suite suites checks builds lint coverage report specs passed logs log events history jobs runs pipelines stages steps tasks
	deployments monitors incidents errors failures traces spans alerts examples attempts executions workflows
	level severity ts timestamp time created_at createdat started_at startedat finished_at duration occurrences line stack`)

// itemErrors lists the members of an item that contain its error instead of its data.
var itemErrors = []string{"error", "erro", "errore", "erreur", "fehler"}

// partialItems returns the Partial of a result some of whose items have an error instead of their
// data, or nil. A failed item has, beside its error, fewer members than each item with data: a
// record with a column for errors has its other columns too.
func partialItems(v any) *toolerr.Partial {
	t := itemTally{least: maxBeside + 1}
	t.count(v, 0)
	if t.isLog || t.done == 0 || t.failed == 0 || t.most >= t.least {
		return nil
	}
	p := &toolerr.Partial{Processed: t.done, Total: t.done + t.failed}
	if list, ok := v.([]any); ok {
		p.Results, _ = jsonvalue.Marshal(list) // it was JSON
	}
	return p
}

// maxBeside is the maximum number of members of a failed item beside its error: an id and a name.
const maxBeside = 2

// An itemTally counts the items of a result with data, and those with an error.
type itemTally struct {
	done, failed int
	least, most  int  // fewest members of an item with data, most beside the error of a failed one
	isLog        bool // the items are records of other work, or only errors
}

func (t *itemTally) count(v any, depth int) {
	const maxDepth = 4 // enough for an answer, its parts and their lists
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if depth < maxDepth && !runNames()[strings.ToLower(name)] {
				t.count(inner, depth+1)
			}
		}
	case []any:
		before, least := t.done, 2
		isErrorAlone := func(item any) bool { m, _ := item.(map[string]any); return len(m) == 1 && hasAny(m, itemErrors...) }
		if slices.ContainsFunc(v, isErrorAlone) { // then the other items need no second member
			least = 1
		}
		for _, item := range v {
			if m, ok := item.(map[string]any); ok {
				t.add(m, least)
			}
		}
		t.isLog = t.isLog || least == 1 && t.done == before // a list of errors
	}
}

// add counts an item of a list. Least is the minimum number of members of an item with data.
func (t *itemTally) add(m map[string]any, least int) {
	beside, failed := 0, false
	for name, v := range m {
		_, isText := v.(string)
		inner, _ := v.(map[string]any)
		switch {
		case isZero(v):
		case slices.Contains(itemErrors, name) && (isText || inner["message"] != nil):
			failed = true
		default:
			beside++
		}
		t.isLog = t.isLog || runNames()[strings.ToLower(name)]
	}
	switch {
	case !failed && beside >= least:
		t.done++
		t.least = min(t.least, beside)
	case failed && (beside > 0 || least == 1) && beside <= maxBeside:
		t.failed++
		t.most = max(t.most, beside)
	case failed:
		t.isLog = true
	}
}

// maxShort is the maximum length, in bytes, of an identifier or a label; a longer text is data. It
// is enough for a name, a URL or a command line.
const maxShort = 200

// cursor returns v if it is a number or a text that an envelope may hold, or nil.
func cursor(v any) any {
	switch v.(type) {
	case string, json.Number, float64:
		if text := fmt.Sprint(v); text != "" && sanitize.Identifier(text) == text {
			return v
		}
	}
	return nil
}

func count(n float64) int { return int(min(max(n, 0), 1<<31-1)) }
