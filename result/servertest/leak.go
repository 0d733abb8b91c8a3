package servertest

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// Leaks returns a description of each kind of internal information in an answer, such as "a
// file path: /home/ada/orders.db": stack traces, paths, internal hosts, connection strings,
// keys and tokens, and what one of the expressions matches. Secrets are not in it.
func Leaks(out result.Outcome, more ...*regexp.Regexp) (list []string) {
	var all []string
	if out.Result != nil {
		all = texts(out.Result)
	} else if out.Err != nil {
		all = []string{out.Err.Message}
	}
	return findLeaks(all, "", "", more)
}

// A leakForm is a form of text that belongs in a log and not in an answer.
type leakForm struct {
	name string
	open bool                     // it may be shown in a finding
	find func(text string) []span // in ascending order
}

// A span is the position of a text in a longer one, in bytes.
type span struct{ from, to int }

// leakForms returns the forms of leaks. They are compiled on first use.
var leakForms = sync.OnceValue(func() []leakForm {
	list := []leakForm{{"a key or token", false, findSecrets}}
	for _, l := range leakPatterns {
		for _, pattern := range l.patterns {
			list = append(list, leakForm{l.name, l.open, finder(regexp.MustCompile(pattern))})
		}
	}
	return list
})

// withOwn returns the forms of leaks and those of an author.
func withOwn(more []*regexp.Regexp) []leakForm {
	list := slices.Clone(leakForms())
	for _, re := range more {
		list = append(list, leakForm{"text that matches " + re.String(), false, finder(re)})
	}
	return list
}

func finder(re *regexp.Regexp) func(string) []span {
	return func(text string) (spans []span) {
		for _, at := range re.FindAllStringIndex(text, -1) {
			spans = append(spans, span{at[0], at[1]})
		}
		return spans
	}
}

// findSecrets finds everything that this module masks in logs.
func findSecrets(text string) (spans []span) {
	for _, at := range redact.Find(text) {
		spans = append(spans, span{at.From, at.To})
	}
	return spans
}

var leakPatterns = []struct {
	name     string
	open     bool // see leakForm
	patterns []string
}{
	{"a stack trace", true, []string{
		`goroutine \d+ \[|\.go:\d+ \+0x[0-9a-f]+|panic: runtime error`, // Go
		`Traceback \(most recent call last\)|File "[^"\n]+", line \d+`, // Python
		`(?m)^\s*at (?:async )?(?:new )?[\w.$<>\[\] ]+ ?\([^()\n]*(?::\d+|native|<anonymous>|Unknown Source)\)`,
		`(?m)^\s*at (?:async )?(?:file://|node:|[A-Za-z]:\\|/)[^\s()]*:\d+:\d+`,
		`(?m)^\s+at [\w.\x60<>]+\([^()\n]*\) in \S+:line \d+`, // .NET
		`\.rb:\d+:in [\x60']`,
		`(?m)^#\d+ \S+\.php\(\d+\):`,
		`thread '[^'\n]*' panicked at|(?m)^stack backtrace:`, // Rust
	}},
	{"a connection string", false, []string{
		`(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|nats|kafka|ldaps?|jdbc:[a-z0-9]+)://[^\s"'<>]+`,
		`(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@"'<>]+:[^\s/@"'<>]+@[^\s"'<>]+`,
		`(?i)\b(?:server|data source|host|user id|uid|dbname|database)=[^;\s]+[; ].{0,200}?\b(?:password|pwd)=[^;\s]+`,
	}},
	{"an internal host", true, []string{
		`\b(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.\d{1,3}\.\d{1,3}\b`,
		`\b127\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+)?\b|\[?::1\]?:\d+|\blocalhost:\d+\b`,
		// Java packages and codes may have the same endings. A host therefore needs a port,
		// two dots, or a word before it that indicates a host.
		`(?i)\b(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan|consul|svc|local):\d+`,
		`(?i)\b(?:[a-z0-9-]+\.){2,}(?:internal|corp|intranet|lan|consul|svc|cluster\.local)(?:[^\w.-]|\.\s|\.?$)`,
		`(?i)(?:://|@|\b(?:lookup|host|hostname|to|at) )(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan|consul|svc|local)(?:[^\w.-]|\.\s|\.?$)`,
	}},
	{"a file path", true, []string{
		`(?:file://|[\s"'(=:,\[]|^)/(?:home|root|usr|var|etc|opt|app|srv|tmp|mnt|proc|workspace|Users|Volumes|private|Library)/[^\s"'<>()\[\],;]+`,
		`(?:[\s"'(=:,\[]|^)/(?:[\w.-]+/){2,}[\w.-]+\.(?:go|py|m?js|ts|rb|java|php|rs|cs|db|sqlite|log|env|pem)\b`,
		`\b[A-Za-z]:\\(?:[\w .$-]+\\)*[\w.$-]+|\\\\[\w.-]+\\[\w.$-]+`,
		`\S*/(?:node_modules|site-packages|dist-packages|\.venv)/\S+`,
	}},
}

const (
	// maxSearched is how many bytes of a text are searched for leaks. Chosen: failures are
	// short, and a server may send megabytes.
	maxSearched = 64 << 10
	// maxPublic is the maximum size of a server's public text in bytes. Chosen: lists of
	// folders and hosts are short.
	maxPublic = 1 << 20
)

// findLeaks describes the leaks in texts, at most one of each name. Text from the arguments,
// which is the caller's own, and text that the server publishes anyway are not leaks.
func findLeaks(texts []string, arguments, public string, more []*regexp.Regexp) (list []string) {
	var parts []string
	for _, text := range texts {
		parts = append(parts, readable(text)...)
	}
	known := map[string]bool{}
	for _, form := range withOwn(more) {
		for _, part := range parts {
			match := form.first(part[:min(len(part), maxSearched)], arguments, public)
			switch {
			case match == "" || known[form.name]:
				continue
			case form.open:
				list = append(list, form.name+": "+clip(match, 120))
			default:
				list = append(list, fmt.Sprintf("%s, %d characters", form.name, len([]rune(match))))
			}
			known[form.name] = true
		}
	}
	return list
}

// first returns the first match in text that is a leak, or "".
func (l leakForm) first(text, arguments, public string) string {
	for _, at := range l.find(text) {
		match := strings.Trim(text[at.from:at.to], " \t\r\n\"'(=:,[.")
		switch {
		case match == "", strings.Contains(arguments, strings.Trim(jsonOf(match), `"`)):
		case l.open && (isPublic(match, public) || isSent(match, arguments)):
		default:
			return match
		}
	}
	return ""
}

// withoutSecrets masks every leak in text that must not be shown.
func withoutSecrets(text string, more []*regexp.Regexp) string {
	text = text[:min(len(text), maxSearched)]
	for _, form := range withOwn(more) {
		if form.open {
			continue
		}
		var b strings.Builder
		from := 0
		for _, at := range form.find(text) {
			_, _ = b.WriteString(text[from:at.from] + "[masked]")
			from = at.to
		}
		text = b.String() + text[from:]
	}
	return text
}

// readable returns the parts of a text that are searched: a plain text itself, and the
// strings of a JSON value, without its random ids, each with its member name, which may
// identify it as a password.
func readable(text string) (parts []string) {
	v, ok := jsonvalue.Decode([]byte(text))
	if !ok {
		return []string{text}
	}
	leaves(v, "", func(path string, leaf any) {
		name := path[strings.LastIndexByte(path, '.')+1:]
		switch part, isText := leaf.(string); {
		case !isText, name == "idempotencyKey", name == "correlationId":
		case name == "", strings.HasSuffix(name, "[]"):
			parts = append(parts, part)
		default:
			parts = append(parts, name+": "+part)
		}
	})
	return parts
}

// checkLeaks looks for leaks in failures. Text that the server publishes anyway is not a
// leak.
func (c *checker) checkLeaks() {
	public := c.publicText()
	for _, a := range c.answers {
		var wire *jsonrpc.Error
		var list []string
		switch {
		case !a.failed:
		case errors.As(a.err, &wire):
			list = []string{wire.Message, string(wire.Data)}
		case a.result != nil:
			list = texts(a.result)
		}
		for _, leak := range findLeaks(list, jsonOf(a.probe.arguments), public, c.opts.Leaks) {
			a.add(KindLeak, "the failure shows %s", leak)
		}
	}
}

// publicText returns what the server publishes anyway: its instructions, the descriptions of
// its tools, and its successes.
func (c *checker) publicText() string {
	var b strings.Builder
	if c.session != nil && c.session.InitializeResult() != nil {
		_, _ = b.WriteString(c.session.InitializeResult().Instructions)
	}
	for _, tool := range c.tools {
		_, _ = b.WriteString("\n" + tool.Description)
	}
	for _, a := range c.answers {
		if text := a.text(); !a.failed && a.result != nil && !a.result.IsError && b.Len() < maxPublic {
			_, _ = b.WriteString("\n" + text[:min(len(text), maxSearched)])
		}
	}
	return b.String()
}

// isPublic reports whether a text is in what a server publishes. For a path, one of its
// parent folders is enough, except a top-level one.
func isPublic(match, public string) bool {
	for {
		if containsName(public, match) {
			return true
		}
		end := strings.LastIndexByte(match, '/')
		if !strings.HasPrefix(match, "/") || strings.Count(match[:max(end, 0)], "/") < 2 {
			return false
		}
		match = match[:end]
	}
}

// containsName reports whether a text contains a name that is not the beginning of a longer
// one.
func containsName(text, name string) bool {
	for i := strings.Index(text, name); i >= 0; i = strings.Index(text, name) {
		text = text[i+len(name):]
		if r, _ := utf8.DecodeRuneInString(text); r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return true
		}
	}
	return false
}

// sentPath finds the paths among the arguments of a call, in JSON.
var sentPath = lazy(`(?i)"[^"]*(?:paths?|files?|filename|filepath|dir|directory|folder|uri)":\s*\[?"([^"]{3,})"`)

// isSent reports whether a path is from the call's arguments, as the server resolves it:
// relative to its working directory, or as a URI.
func isSent(match, arguments string) bool {
	return slices.ContainsFunc(sentPath().FindAllStringSubmatch(arguments, 10), func(sent []string) bool {
		return strings.HasSuffix(match, "/"+strings.TrimLeft(sent[1], "./"))
	})
}
