package foreign

import (
	"slices"
	"strings"
	"unicode"
)

// A claim is how an object says that it reports a failure.
type claim int

const (
	noClaim  claim = iota
	mayClaim       // with a text under error, which records of jobs and checks have too
	claims         // in a form that is of reports alone
)

// saysFailure reports whether an object says of itself that it reports a failure, in a
// result that is not flagged as one: it has the form of a report, and holds nothing
// else.
func saysFailure(m map[string]any) bool {
	c := claimOf(m)
	return c != noClaim && !holdsData(m, c)
}

// claimOf returns how an object says that it reports a failure.
func claimOf(m map[string]any) claim {
	success, isFlag := m["success"].(bool)
	if !isFlag {
		success, isFlag = m["ok"].(bool)
	}
	failed := isFlag && !success || m["error"] == true
	if c := claimOfError(m, failed); c != noClaim {
		return c
	}
	switch {
	case isFlag && !failed:
		return noClaim
	case listsErrors(m["errors"]) && (failed || m["data"] == nil):
		return claims
	case m["isError"] == true:
		return claimIf(m["errorCategory"] != nil && m["isRetryable"] != nil && m["message"] != nil)
	case isProblem(m), hasText(m, "errorMessage", "error_message"):
		return claims
	case hasItems(m["errors"]) && m["message"] == nil: // what a compiler or a linter has found
		return noClaim
	case failed, isWord(m["status"], "failed"), isWord(m["status"], "failure"), len(m) == 1 && hasText(m, "detail"):
		return claimIf(failed && len(m) == 1 || isUnderstood(m))
	}
	return noClaim
}

// claimOfError is [claimOf] for what stands under error.
func claimOfError(m map[string]any, failed bool) claim {
	switch e := m["error"].(type) {
	case map[string]any:
		return claimIf(hasAny(e, "message", "code", "type", "msg"))
	case string:
		if !strings.ContainsFunc(e, unicode.IsLetter) || m["ok"] == true || m["success"] == true || deniesError()[strings.ToLower(e)] {
			return noClaim
		}
		if failed || isWord(m["status"], "error") || isFailureStatus(m) || m["isError"] == true {
			return claims
		}
		return mayClaim
	}
	return noClaim
}

// deniesError has what stands under error if there was none.
var deniesError = set("none null nil false no ok success n/a")

// isProblem reports whether an object has the form of problem details, or of the error
// objects that APIs are known for.
func isProblem(m map[string]any) bool {
	switch {
	case m["object"] == "error":
		return true
	case isWord(m["status"], "error"):
		return hasAny(m, names.message...)
	}
	return isFailureStatus(m) && (hasAny(m, "title", "detail", "documentation_url") || m["message"] != nil && m["code"] != nil)
}

func claimIf(ok bool) claim {
	if ok {
		return claims
	}
	return noClaim
}

// isUnderstood reports whether what an object says of a failure is one of the known
// ones, and not the outcome of a check that did its work: a build, a test, a monitor.
func isUnderstood(m map[string]any) bool {
	own, all := layersOf(m)
	message := messageIn(m, own, all, false)
	if isOutcome(message) {
		return false
	}
	c := classifyReport(codesIn(m, own), statusIn(own), message, all)
	return c.Known()
}

// isOutcome reports whether a message begins with the name of something that has ended
// in a failure of its own.
func isOutcome(message string) bool {
	words := strings.Fields(strings.ToLower(message[:min(len(message), 60)]))
	return slices.ContainsFunc(words[:min(len(words), 3)], func(word string) bool { return outcomes()[strings.Trim(word, ":.,'\"")] })
}

var outcomes = set(`
	build builds test tests lint check checks health validation scan deploy deployment job pipeline workflow run step monitor probe ping
	suite spec audit backup assertion compilation compile import export migration review inspection diagnostic diagnostics healthcheck`)

// isFailureStatus reports whether an object has the HTTP status of a failure.
func isFailureStatus(m map[string]any) bool {
	for _, name := range []string{"status", "statusCode", "status_code", "code"} {
		if n, ok := number(m[name]); ok && n >= 400 && n < 600 {
			return true
		}
	}
	return false
}

// listsErrors reports whether a value is a list of errors as APIs have them, and not of
// what a compiler or a linter has found.
func listsErrors(v any) bool {
	list, _ := v.([]any)
	return len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool {
		e, _ := v.(map[string]any)
		return e["message"] == nil || !hasAny(e, "code", "extensions", "locations", "status", "type", "reason", "domain")
	})
}

func hasItems(v any) bool {
	n, ok := size(v)
	return ok && n > 0
}

func isWord(v any, word string) bool {
	s, _ := v.(string)
	return strings.EqualFold(s, word)
}

func hasText(m map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { s, _ := m[name].(string); return s != "" })
}

func hasAny(m map[string]any, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return m[name] != nil })
}

// maxShort is how many bytes a text may have that is an identifier or a label, and no
// data. Chosen: a name, a URL, a command line.
const maxShort = 200

// holdsData reports whether an object has a member that is more than a report of a
// failure holds: a list or an object that has none of its names, a long text, and
// beside what only may be a report the members of a record.
func holdsData(m map[string]any, c claim) bool {
	strangers := 0
	for name, v := range m {
		if reportMembers()[name] {
			continue
		}
		if n, ok := size(v); ok {
			if n > 0 && (c != claims || !isReport(v)) {
				return true
			}
			continue
		}
		s, isText := v.(string)
		switch {
		case isZero(v), proseMembers()[name] && strings.Count(s, "\n") < maxLines:
		case isText && (len(s) > maxShort || strings.Contains(s, "\n")), c == mayClaim && recordMembers()[strings.ToLower(name)]:
			return true
		case !isText || !strings.HasSuffix(strings.ToLower(name), "id"):
			strangers++
		}
	}
	return c == mayClaim && strangers > maxStrangers
}

// isReport reports whether an object has the members of a report alone, as what stands
// under data or details of one.
func isReport(v any) bool {
	m, _ := v.(map[string]any)
	for name := range m {
		if !reportMembers()[name] {
			return false
		}
	}
	return len(m) > 0
}

const (
	// maxLines is how many lines what a program has printed may have beside a failure.
	// Chosen: more is a listing.
	maxLines = 8
	// maxStrangers is how many members of other names a text under error may have
	// beside it. Chosen: a service, a path and a place; a record has more.
	maxStrangers = 4
)

// size returns how many values a list or an object holds, and whether v is one.
func size(v any) (n int, ok bool) {
	switch v := v.(type) {
	case []any:
		return len(v), true
	case map[string]any:
		return len(v), true
	case long:
		return v.size, true
	}
	return 0, false
}

// reportMembers are members that a report of a failure has beside its error, whatever
// they hold.
var reportMembers = set(`
	error errors message msg code status statusCode status_code detail details hint success ok type title instance
	requested available request_id requestId object reason suggestions suggestion messages retryable isRetryable
	isError candidates options context meta documentation_url help field timestamp path errorCategory category errorCode
	error_code error_description error_message errorMessage errorType error_type effect customerMessage retryAfterMs retry_after
	retry_after_seconds retry_after_ms correlationId idempotencyKey alternatives attempted partial user_identifier trace_id request
	extensions metadata links _links params parameters arguments recovery cause causes stack trace`)

// proseMembers are members that hold what a program has said.
var proseMembers = set(`output stdout stderr stack stacktrace stack_trace traceback trace explanation description log`)

// recordMembers are members of a record, of which an error may be one.
var recordMembers = set(`
	id _id name state count created_at createdat created updated_at updatedat started_at startedat finished_at finishedat ended_at
	content body text value line severity level rate frequency occurrences since first_seen last_seen version author date title score
	duration progress attempts runs exit_code exitcode stdout`)
