package result

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxRead is how much of a text is looked at: a failure is named at its
// beginning.
const maxRead = 4 << 10

// frames are what adapters and SDKs put around an error's text.
var frames = regexp.MustCompile(`^(?:\*\*[A-Za-z ]{1,40}\*\*\s+|###? Error\s+|Error (?:executing|calling) tool '?[\w./-]{1,128}'?: |MCP error -?\d{1,6}: |` +
	`An error occurred during the tool execution: |Tool (?:execution )?(?:error|failed): |ToolError: |Error: |ERROR: )`)

// unframe takes the known frames off a text.
func unframe(text string) string {
	for range 4 {
		loc := frames.FindStringIndex(text)
		if loc == nil {
			return text
		}
		text = text[loc[1]:]
	}
	return text
}

// A textRule says what a text means that matches: a code or a status that From
// knows.
type textRule struct {
	pattern *regexp.Regexp
	code    string
	status  int
}

func rule(pattern, code string, status int) textRule {
	return textRule{regexp.MustCompile(`(?i)` + pattern), code, status}
}

// meanings are tried in order: the first that matches decides. What forbids a
// retry comes before what allows one, unless the latter is unmistakable.
var meanings = []textRule{
	// The SDKs' and schema libraries' own complaints about a call.
	rule(`^(?:input validation error|invalid arguments? for tool|\d+ validation errors? for|validating "arguments"|validation errors?:|unknown tool\b|tool \S+ not found|invalid params)`, "invalid_argument", 0),
	rule(`\bmissing required (?:parameter|argument|field|property)|is a required property|\bfield required\b|\bis required\.?$|required fields? (?:is|are) missing`, "missing_argument", 0),
	// Plans and budgets, before rate limits: waiting does not help.
	rule(`quota[ _]exceeded|exceeds? your (?:quota|plan)|\bplan'?s (?:set )?(?:usage )?limit|usage limit|budget (?:of \S+ )?(?:limit|exceeded)|budget exceeded|payment required|insufficient (?:funds|credits?|balance|quota)|out of credits|upgrade your plan|billing|card (?:was )?declined`, "limit_exceeded", 0),
	// Throttling.
	rule(`\brate[ -]?limit(?:ed|s|ing)?\b|too many (?:requests|concurrent|simultaneous|calls)|\bthrottl(?:ed|ing)|request queue is full|too frequently|slow down|[^a-z]TOO_MANY_`, "rate_limited", 0),
	// Authentication, then authorization.
	rule(`authentication (?:failed|error|required)|\bunauthenticated\b|unable to authenticate|not authenticated|invalid (?:api[ -]?key|api[ -]?token|credentials|token|authentication|session)|(?:api )?(?:key|token) is invalid|bad credentials|incorrect api key|session (?:has )?expired|token (?:has )?expired|authorization expired|re-?authorize|(?:must|need to|please) (?:first )?log ?in|no \S+ ?(?:api )?token provided|login (?:required|failed)|\bINVALID_SESSION_ID\b|check (?:server|your) credentials|wrong password|access denied for user`, "unauthenticated", 0),
	rule(`insufficient[ _]scope|missing (?:the )?\S* ?scope`, "insufficient_scope", 0),
	rule(`permission denied|access (?:is )?denied|access to \S+ is denied|\bforbidden\b|not authorized|\bunauthori[sz]ed\b|not enough privileges|insufficient (?:permissions?|privileges?|access)|(?:do not|don't|does not|doesn't) have (?:sufficient |the |enough )*(?:permissions?|access|privileges?)|lacks? (?:the )?[\w.]* ?(?:permission|entitlement|access)|not accessible by|may not have access|permission to \S+ denied|path not allowed|outside (?:of )?(?:the )?allowed director|operation not permitted|\bEACCES\b|\bEPERM\b|not allowed to access`, "permission_denied", 0),
	// Malformed input that talks about something else.
	rule(`\b(?:must|should) (?:not )?be\b|\bmust (?:have|contain|match|start)\b|\bexpected (?:a|an|string|number|one of|type)\b|\binvalid (?:argument|parameter|value|input|type|format|request|relationship|query|url|uri|date|json|syntax|option|timeout|id|identifier|field|path|name|email|subject|range|arguments)\b|malformed|syntax error|error in your sql syntax|parse error|unrecognized|unsupported (?:value|type|format)|too (?:long|big|large|short|small)\b|less than (?:the )?minimum|greater than (?:the )?maximum|maximum allowed|out of range|not a valid|cannot be (?:empty|blank|null)|\bambiguous\b|multiple \S+ (?:found|match)`, "invalid_argument", 0),
	// State and policy.
	rule(`already (?:exists?|been|in use|taken|registered|closed|merged)|\balready\s*$|duplicate (?:key|entry)|\bE11000\b|unique constraint|read-?only mode|in read-?only|\bconflict\b|not mergeable|transition not allowed|(?:operations?|method|action)[^.]{0,60} (?:is|are) not allowed|did not confirm|declined by|user (?:rejected|cancell?ed|denied)|not supported in|precondition|cannot be fulfilled|still (?:in use|has|managing)|is locked by (?:a )?user`, "failed_precondition", 0),
	// Temporary failures.
	rule(`\btimed[ -]?out\b|\btime[ -]?out(?:error)?\b[^.]{0,40}(?:exceeded|waiting|expired|reached)|\btimeout\b[^a-z]{0,3}\d|(?:statement|lock|request|read|connect|gateway|connection|query|navigation|response) time-?out|\btimeout (?:exceeded|of|waiting)|deadline[ _]exceeded|exceeded (?:\w+ )?(?:time limit|deadline)|\bETIMEDOUT\b|\bESOCKETTIMEDOUT\b`, "timeout", 0),
	rule(`connection refused|connection_refused|\bECONNREFUSED\b|service (?:temporarily )?unavailable|temporarily (?:unavailable|overloaded|out of service)|\bis (?:currently |temporarily )?(?:unavailable|unreachable|overloaded)\b|(?:could not|cannot|can't|unable to|failed to) (?:connect|reach)\b|host is down|database is locked|lock wait timeout|\bdeadlock\b|unable to (?:lock|obtain exclusive)|\bUNABLE_TO_LOCK_ROW\b|is loading the dataset|server is busy|\boverloaded\b|try again (?:later|shortly|in a (?:few|moment|minute))|no responders`, "unavailable", 0),
	rule(`connection (?:was )?(?:reset|closed|aborted|lost|terminated)|connection_reset|\bECONNRESET\b|\bEPIPE\b|socket hang ?up|broken pipe|unexpected eof|bad gateway|fetch failed|network error|network request failed|upstream connect error|internal server error|disconnected before`, "", 502),
	// What is not there.
	rule(`\bnot found\b|does(?:n't| not) exist|\bdo not exist\b|no such\b|\bno \S+(?: \S+)? (?:was |were )?found\b|could not find|cannot find|\bunknown (?:\w+ )?(?:"|'|category|column|table|database|field|option|model|method|argument|parameter)|\bENOENT\b|\bNOT_FOUND\b`, "not_found", 0),
}

// statusIn finds an HTTP status that a text names as one.
var statusIn = regexp.MustCompile(`(?i)(?:\bhttp(?: error| status)?(?: code)?:? ?|\bstatus(?:[ _]?code)?:? ?|\berror:? |\bapi error \(|\berror \(|\bfailed \(|\(|\[|: |^)([45]\d\d)(?:\b)(?: ?(?:error|bad|unauthori|payment|forbidden|not found|method|request|conflict|gone|too many|internal|server|service|gateway|unprocessable|client|\)|\]|\{|on |$|\n|\[))`)

// plainStatus finds one behind words that can mean nothing else.
var plainStatus = regexp.MustCompile(`(?i)(?:status(?:[ _]?code)?|http(?: error| status)?|with code|error code|responded with|returned)[:=]? ?([45]\d\d)\b`)

var (
	grpcName   = regexp.MustCompile(`\b(?:code = |rpc error: code = )([A-Z][A-Za-z]+)\b`)
	sqlState   = regexp.MustCompile(`(?i)\bsqlstate[: \[(]{1,3}([0-9A-Z]{5})\b`)
	delayWords = regexp.MustCompile(`(?i)(?:retry[ -]after|try again in|retry in|wait(?: for)?|available (?:again )?in|reset(?:s)? in|please wait)[: ]{1,2}(?:about |approximately )?((?:\d+(?:\.\d+)?(?:h|ms|m|s))+\b|\d+(?:\.\d+)?)(?: ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)\b)?`)
)

// readText reads the text of a failure. It names a category and a code where
// the words leave no doubt, and allows a retry only where they are unmistakable.
func readText(text string) *toolerr.Error {
	e := &toolerr.Error{Message: text}
	head := text
	if len(head) > maxRead {
		head = strings.ToValidUTF8(head[:maxRead], "")
	}
	head = strings.TrimSpace(unframe(head))
	found := meaningOf(head)
	if found == nil {
		return e
	}
	e.Category, e.Code, e.Retryable, e.Effect = found.Category, found.Code, found.Retryable, found.Effect
	if e.Retryable {
		e.RetryAfter = delayIn(head)
	}
	return e
}

func meaningOf(text string) *toolerr.Error {
	if m := sqlState.FindStringSubmatch(text); m != nil {
		if e := toolerr.From(&reportError{state: m[1], text: text}); e.Code != toolerr.CodeInternal {
			return e
		}
	}
	if m := grpcName.FindStringSubmatch(text); m != nil {
		if e := judge(m[1], 0); e != nil {
			return e
		}
	}
	for _, r := range meanings {
		if r.pattern.MatchString(text) {
			byText := judge(r.code, r.status)
			return byStatus(text, byText)
		}
	}
	return byStatus(text, nil)
}

// byStatus returns what the status in text says where the words say nothing, or
// no more than that something is wrong or missing.
func byStatus(text string, byText *toolerr.Error) *toolerr.Error {
	m := plainStatus.FindStringSubmatch(text)
	if m == nil {
		m = statusIn.FindStringSubmatch(text)
	}
	if m == nil || byText != nil && (specific(byText) || byText.Category == toolerr.CategoryPermission || byText.Retryable) {
		return byText
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		return byText
	}
	if e := judge("", n); e != nil {
		// What forbids a retry in words is not allowed by a number.
		if byText != nil && e.Retryable {
			return byText
		}
		return e
	}
	return byText
}

// delayIn reads a delay from a sentence: "try again in 42 s", "Retry after
// 12m34s". Only a number with a unit, or the seconds of "Retry after 30", count.
func delayIn(text string) time.Duration {
	m := delayWords.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	if d, err := time.ParseDuration(m[1]); err == nil {
		return wait(d.Seconds())
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return 0
	}
	switch unit := strings.ToLower(m[2]); {
	case strings.HasPrefix(unit, "ms"), strings.HasPrefix(unit, "milli"):
		n /= 1000
	case strings.HasPrefix(unit, "m"):
		n *= 60
	case strings.HasPrefix(unit, "h"):
		n *= 3600
	}
	return wait(n)
}
