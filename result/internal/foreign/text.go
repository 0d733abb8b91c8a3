package foreign

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxRead is how many bytes of a text are looked at. Chosen: a failure is named at
// the beginning of its text, and what follows is a stack or data.
const maxRead = 4 << 10

// Text reads the text of a failure. It names a category and a code if the words
// leave no doubt, and allows a retry only if they are unmistakable.
func Text(text string) *toolerr.Error { return newError(classifyText(text), text) }

func classifyText(text string) classify.Classification {
	text = explained().ReplaceAllString(strings.TrimSpace(unframe(head(text))), "$1: $2")
	bare := quotes().ReplaceAllString(text, ` "…"`)
	c := classifyWords(text, bare)
	if !c.Retryable {
		return c
	}
	if refusals().MatchString(bare) {
		return classify.Classification{} // the one thing or the other
	}
	c.After = delayInText(bare)
	return c
}

// explained is how Docker's client for Python puts a service's own sentence in quotes
// behind the status. It quotes nobody else.
var explained = expression(`(?s)^(\d{3} (?:Client|Server) Error for \S+: [A-Za-z -]+) \("(.*)"\)$`)

// head is as much of a text as is looked at.
func head(text string) string {
	if len(text) <= maxRead {
		return text
	}
	return strings.ToValidUTF8(text[:maxRead], "")
}

// refuses reports whether a text speaks for somebody who will not.
func refuses(text string) bool { return refusals().MatchString(head(text)) }

// quotes are spans that quote what somebody else has said: an argument, a name.
// What they say allows no retry.
var quotes = expression("\"[^\"\n]{1,300}\"|`[^`\n]{1,300}`|(?:^|[\\s(=:])'[^'\n]{1,300}'")

// refusals are words of somebody who will not, whatever else the text says.
var refusals = expression(`(?i)\bcannot be\b|\bwas refused by|refused by|rejected by|\brejected\.?$|\bblocked\b|suspended|not permitted|\barchived\b|\bdeclined\b|do not (?:try|retry)|not allowed|\bforbidden\b|you may not|password is incorrect|cannot be enabled|has to be\b|violates`)

// classifyWords classifies by a code in the text, then by a phrase, then by a
// status. Bare is the text without what it quotes, in which alone a retry is looked
// for.
func classifyWords(text, bare string) classify.Classification {
	if m := sqlStates().FindStringSubmatch(bare); m != nil {
		if c := sqlState(m[1]+m[2], bare); c.Known() {
			return c
		}
	}
	if c := classifyCode(text, bare); c.Known() {
		return c
	}
	var c classify.Classification
	for _, p := range phrases {
		in := text
		if p.bare {
			in = bare
		}
		if p.pattern().MatchString(in) {
			c = codeOrStatus(p.code, p.status)
			break
		}
	}
	if c.Retryable || isSpecific(c) || c.Category == string(toolerr.CategoryPermission) {
		return c
	}
	// The phrase says no more than that something is wrong or missing, if there is
	// any. What it forbids is not allowed by a number.
	byStatus := status(statusInText(text))
	if !byStatus.Known() || c.Known() && byStatus.Retryable {
		return c
	}
	return byStatus
}

// sqlStates is how PostgreSQL's drivers show a SQLSTATE.
var sqlStates = expression(`(?i)(?:\(SQLSTATE[: ]{1,2}([0-9A-Z]{5})\)\s*$|^SQLSTATE[\[: ]{1,2}([0-9A-Z]{5})\b)`)

// codePatterns are how texts show the code of an API that they speak of; some
// quote it.
var codePatterns = []struct {
	bare    bool
	pattern func() *regexp.Regexp
}{
	{unquoted, expression(`^An error occurred \(([A-Za-z.]{3,60})\) when calling`)},
	{unquoted, expression(`^\(([A-Z][A-Za-z]{3,60})\) `)},
	{unquoted, expression(`Error from server \(([A-Za-z]{3,40})\)`)},
	{unquoted, expression(`(?i)\bAPI error occurred: ([a-z_]{3,60})\b`)},
	{anywhere, expression(`'error': '([a-z_]{3,60})'`)},
	{unquoted, expression(`^googleapi: Error \d{3}: .*, ([A-Za-z]{3,60})$`)},
	{unquoted, expression(`\brpc error: code = ([A-Z][A-Za-z]+)\b`)},
	{unquoted, expression(`^\d{3} ([A-Z]{3,40}(?:_[A-Z]+)*)\b[.:]`)},
}

// classifyCode classifies by a code that a text shows as such.
func classifyCode(text, bare string) classify.Classification {
	for _, p := range codePatterns {
		in := text
		if p.bare {
			in = bare
		}
		m := p.pattern().FindStringSubmatch(in)
		if m == nil {
			continue
		}
		c := word(m[1])
		if m[1] == "InternalError" { // of AWS, whose answers with it are 500
			c = status(http.StatusInternalServerError)
		}
		if c.Known() {
			return c
		}
	}
	return classify.Classification{}
}

// delays are the sentences that name a delay.
var delays = expression(`(?i)(?:retry[ -]after|try again in|retry in|wait(?: for)?|available (?:again )?in|reset(?:s)? in|please wait)[: ]{1,2}(?:about |approximately )?((?:\d+(?:\.\d+)?(?:h|ms|m|s))+\b|\d+(?:\.\d+)?)(?: ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h)\b)?`)

// delayInText reads a delay from a sentence: "try again in 42 s", "Retry after
// 12m34s". A bare number is in seconds.
func delayInText(text string) time.Duration {
	m := delays().FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	if d, err := time.ParseDuration(m[1]); err == nil {
		return classify.Seconds(d.Seconds())
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
	return classify.Seconds(n)
}
