package foreign

import (
	"slices"
	"strings"
	"unicode"
)

// A claim is how strongly an object indicates that it reports a failure.
type claim int

const (
	noClaim  claim = iota
	mayClaim       // has a text under error, as records of jobs and checks also have
	claims         // has a form that only reports have
)

// reportsFailure reports whether an object in an unflagged result reports a failure: it has
// the form of a report, and contains nothing else.
func reportsFailure(m map[string]any) bool {
	c := claimOf(m)
	return c != noClaim && !holdsData(m, c)
}

// claimOf returns how strongly an object indicates that it reports a failure.
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
	case hasItems(m["errors"]) && m["message"] == nil: // the findings of a compiler or a linter
		return noClaim
	case failed, isWord(m["status"], "failed"), isWord(m["status"], "failure"), len(m) == 1 && hasText(m, "detail"):
		return claimIf(failed && len(m) == 1 || isUnderstood(m))
	}
	return noClaim
}

// claimOfError is [claimOf] for the member error.
func claimOfError(m map[string]any, failed bool) claim {
	switch e := m["error"].(type) {
	case map[string]any:
		return claimIf(hasAny(e, "message", "code", "type", "msg"))
	case string:
		if !strings.ContainsFunc(e, unicode.IsLetter) || m["ok"] == true || m["success"] == true || noErrorValues()[strings.ToLower(e)] {
			return noClaim
		}
		if failed || isWord(m["status"], "error") || isFailureStatus(m) || m["isError"] == true {
			return claims
		}
		return mayClaim
	}
	return noClaim
}

// noErrorValues are values of error that mean that there was none.
var noErrorValues = set("none null nil false no ok success n/a")

// isProblem reports whether an object has the form of problem details, or of the error
// objects of well-known APIs.
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

// isUnderstood reports whether the failure in an object can be classified, and is not the
// outcome of a completed check such as a build, a test or a monitor.
func isUnderstood(m map[string]any) bool {
	own, all := layersOf(m)
	message := messageIn(m, own, all, false)
	if isOutcome(message) {
		return false
	}
	c := classifyReport(codesIn(m, own), statusIn(own), message, all)
	return c.Known()
}

// isOutcome reports whether a message begins with the name of a process that failed by
// itself.
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

// listsErrors reports whether a value is a list of an API's errors, and not of a compiler's
// or linter's findings.
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

// maxShort is how many bytes an identifier or a label may have; a longer text is data.
// Chosen: a name, a URL, a command line.
const maxShort = 200

// holdsData reports whether an object has a member that a report of a failure does not
// have: a list or an object of another name, or a long text. If the object only may be a
// report, the members of a record are data too.
func holdsData(m map[string]any, c claim) bool {
	others := 0
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
			others++
		}
	}
	return c == mayClaim && others > maxOtherMembers
}

// isReport reports whether an object has only members of a report, as the objects under
// data or details of one do.
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
	// maxLines is how many lines a program's output next to a failure may have. Chosen:
	// more is a listing.
	maxLines = 8
	// maxOtherMembers is how many members of other names may be next to a text under error.
	// Chosen: a service, a path and a place; a record has more.
	maxOtherMembers = 4
)

// size returns how many values a list or an object contains, and reports whether v is one.
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

// reportMembers are members that a report of a failure has in addition to its error,
// whatever they contain.
var reportMembers = set(`
	error errors message msg code status statusCode status_code detail details hint success ok type title instance
	requested available request_id requestId object reason suggestions suggestion messages retryable isRetryable
	isError candidates options context meta documentation_url help field timestamp path errorCategory category errorCode
	error_code error_description error_message errorMessage errorType error_type effect customerMessage retryAfterMs retry_after
	retry_after_seconds retry_after_ms correlationId idempotencyKey alternatives attempted partial user_identifier trace_id request
	extensions metadata links _links params parameters arguments recovery cause causes stack trace`)

// proseMembers are members that contain a program's output.
var proseMembers = set(`output stdout stderr stack stacktrace stack_trace traceback trace explanation description log`)

// recordMembers are members of a record, which may have an error among them.
var recordMembers = set(`
	id _id name state count created_at createdat created updated_at updatedat started_at startedat finished_at finishedat ended_at
	content body text value line severity level rate frequency occurrences since first_seen last_seen version author date title score
	duration progress attempts runs exit_code exitcode stdout`)
