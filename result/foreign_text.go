package result

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxRead is how many bytes of a text are looked at. Chosen: a failure is named at
// the beginning of its text, and what follows is a stack or data.
const maxRead = 4 << 10

// frames are what adapters and SDKs put around an error's text.
var frames = regexp.MustCompile(`^(?:###? Error\s+|Error (?:executing|calling) tool '?[\w./-]{1,128}'?: |MCP error -?\d{1,6}: |` +
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

// quotes are spans that quote what somebody else has said: an argument, a name.
// What they say allows no retry.
var quotes = regexp.MustCompile("\"[^\"\n]{1,300}\"|`[^`\n]{1,300}`|(?:^|[\\s(=:])'[^'\n]{1,300}'")

// refusal are words of somebody who will not, whatever else the text says.
var refusal = regexp.MustCompile(`(?i)\bcannot be\b|\bwas refused by|refused by|rejected by|\brejected\.?$|\bblocked\b|suspended|not permitted|\barchived\b|\bdeclined\b|do not (?:try|retry)|not allowed|\bforbidden\b|you may not|password is incorrect|cannot be enabled|has to be\b|violates`)

// codesIn are the places where a text shows the code of an API it speaks of.
var codesIn = []*regexp.Regexp{
	regexp.MustCompile(`^An error occurred \(([A-Za-z.]{3,60})\) when calling`),
	regexp.MustCompile(`^\(([A-Z][A-Za-z]{3,60})\) `),
	regexp.MustCompile(`Error from server \(([A-Za-z]{3,40})\)`),
	regexp.MustCompile(`(?i)\bAPI error occurred: ([a-z_]{3,60})\b`),
	regexp.MustCompile(`'error': '([a-z_]{3,60})'`),
	regexp.MustCompile(`^googleapi: Error \d{3}: .*, ([A-Za-z]{3,60})$`),
	regexp.MustCompile(`\brpc error: code = ([A-Z][A-Za-z]+)\b`),
	regexp.MustCompile(`^\d{3} ([A-Z]{3,40}(?:_[A-Z]+)*)\b[.:]`),
}

// sqlState is where PostgreSQL's drivers put a SQLSTATE.
var sqlState = regexp.MustCompile(`(?i)(?:\(SQLSTATE[: ]{1,2}([0-9A-Z]{5})\)\s*$|^SQLSTATE[\[: ]{1,2}([0-9A-Z]{5})\b)`)

// readText reads the text of a failure. It names a category and a code where
// the words leave no doubt, and allows a retry only where they are unmistakable.
func readText(text string) *toolerr.Error {
	e := &toolerr.Error{Message: text}
	head := text
	if len(head) > maxRead {
		head = strings.ToValidUTF8(head[:maxRead], "")
	}
	head = strings.TrimSpace(unframe(head))
	bare := quotes.ReplaceAllString(head, ` "…"`)
	found := meaningOf(head, bare)
	if found == nil {
		return e
	}
	e.Category, e.Code, e.Retryable, e.Effect = found.Category, found.Code, found.Retryable, found.Effect
	if !e.Retryable {
		return e
	}
	if refusal.MatchString(bare) {
		return &toolerr.Error{Message: text} // the one thing or the other
	}
	e.RetryAfter = delayIn(bare)
	if e.Effect == toolerr.EffectNone && doubtful.MatchString(bare) {
		e.Effect = toolerr.EffectUnknown
	}
	return e
}

// doubtful are texts that speak of more than one thing, or of something that was
// done before.
var doubtful = regexp.MustCompile(`(?i);|, but\b|\bwhile\b|\bwere sent\b|\b(?:was|were|is) sent\b|\b(?:created|captured|submitted|booked|charged|posted|saved|transferred)\b|\b50[024]\b|internal server error|bad gateway|connection reset|unexpected error`)

// meaningOf judges a text by the code in it, then by its words, then by a status.
// Bare is the text without what it quotes, in which alone a retry is looked for.
func meaningOf(text, bare string) *toolerr.Error {
	if m := sqlState.FindStringSubmatch(bare); m != nil {
		if e := toolerr.From(&reportError{state: m[1] + m[2], text: bare}); e.Code != toolerr.CodeInternal {
			return e
		}
	}
	for i, re := range codesIn {
		in := bare
		if i == 4 { // the code itself is quoted
			in = text
		}
		if m := re.FindStringSubmatch(in); m != nil {
			status := 0
			if m[1] == "InternalError" {
				status = http.StatusInternalServerError
			}
			if e := judge(m[1], status); e != nil {
				if e.Code == toolerr.CodeUnavailable && strings.Contains(in, "rpc error") && !strings.Contains(in, "rror while dialing") {
					e.Effect = toolerr.EffectUnknown // gRPC warns of repeating it
				}
				return e
			}
		}
	}
	var byText *toolerr.Error
	for _, r := range meanings {
		in := text
		if r.allows {
			in = bare
		}
		if r.pattern.MatchString(in) {
			byText = judge(r.code, r.status)
			break
		}
	}
	return byStatus(text, byText)
}

// byStatus returns what the status in text says where the words say nothing, or
// no more than that something is wrong or missing. What forbids a retry in words
// is not allowed by a number.
func byStatus(text string, byText *toolerr.Error) *toolerr.Error {
	if byText != nil && (specific(byText) || byText.Category == toolerr.CategoryPermission || byText.Retryable) {
		return byText
	}
	status := statusIn(text)
	if status == 0 {
		return byText
	}
	e := judge("", status)
	if e == nil || byText != nil && e.Retryable {
		return byText
	}
	return e
}

// namedStatus is a number that the text itself calls a status; what follows must
// not be a thing that is counted.
var namedStatus = regexp.MustCompile(`(?i)(?:\bhttp(?: error| status)?(?: code)?|\bstatus(?:[ _]?code)?|\bwith (?:status )?code|\berror code|\bresponded with|\bapi error|\berror|\bfailed|\bstatus=)[:=]? ?[(\['"]?([45]\d\d)([\])'"]?)(\b.?.?)`)

// httpx is how Python's httpx words every status.
var httpx = regexp.MustCompile(`\b(?:Client|Server) error '([45]\d\d) `)

// spelled is a number before its own reason phrase, at the beginning or behind
// punctuation.
var spelled = regexp.MustCompile(`(?:^|[:\[(] ?|https?://\S+ )([45]\d\d) ([A-Z][A-Za-z'-]*(?: [A-Za-z'-]+){0,3})?`)

// statusIn returns the HTTP status that a text names as one, or 0.
func statusIn(text string) int {
	if m := httpx.FindStringSubmatch(text); m != nil {
		return atoi(m[1])
	}
	for _, m := range namedStatus.FindAllStringSubmatch(text, 4) {
		next := m[3]
		if m[2] == "" && len(next) == 2 && next[0] == ' ' && 'a' <= next[1] && next[1] <= 'z' && next[1] != 'o' && next[1] != 'f' && next[1] != 'e' {
			continue // 500 lines
		}
		return atoi(m[1])
	}
	for _, m := range spelled.FindAllStringSubmatch(text, 4) {
		status, phrase := atoi(m[1]), m[2]
		if known := http.StatusText(status); phrase != "" && (strings.HasPrefix(known, strings.Fields(phrase)[0]) || strings.HasPrefix(phrase, "Server Error") || strings.HasPrefix(phrase, "Client Error")) {
			return status
		}
		if strings.Contains(text, "://") && strings.Contains(text, ": "+m[1]+" ") || strings.HasPrefix(text, m[1]+" {") {
			return status
		}
	}
	if m := leading.FindStringSubmatch(text); m != nil {
		return atoi(m[1])
	}
	if m := withBody.FindStringSubmatch(text); m != nil {
		return atoi(m[1])
	}
	return 0
}

// leading is a status that a text begins with, before a sentence of its own.
var leading = regexp.MustCompile(`^([45]\d\d) [A-Z]`)

// withBody is a status before the body that came with it.
var withBody = regexp.MustCompile(`: ([45]\d\d) ?[\[{]`)

// delayWords are the sentences that name a delay.
var delayWords = regexp.MustCompile(`(?i)(?:retry[ -]after|try again in|retry in|wait(?: for)?|available (?:again )?in|reset(?:s)? in|please wait)[: ]{1,2}(?:about |approximately )?((?:\d+(?:\.\d+)?(?:h|ms|m|s))+\b|\d+(?:\.\d+)?)(?: ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)\b)?`)

// delayIn reads a delay from a sentence: "try again in 42 s", "Retry after
// 12m34s". A bare number is in seconds.
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
