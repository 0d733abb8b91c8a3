package resulttest

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

// A Leak is a kind of text that belongs in a log and not in an answer.
type Leak struct {
	// Name describes it, such as "stack trace".
	Name string
	// Pattern matches it. It must be set. The pattern for keys and tokens matches only those
	// with a known prefix; the checks find everything that this module masks in logs.
	Pattern *regexp.Regexp

	open    bool // it may be shown in a finding
	secrets bool // package redact finds it, not the pattern
}

// Leaks returns a copy of the built-in leaks: stack traces, file paths, connection strings,
// keys and tokens, internal hosts. Each has several patterns.
func Leaks() []Leak { return slices.Clone(builtIn()) }

// builtIn compiles the patterns on first use.
var builtIn = sync.OnceValue(func() []Leak {
	var list []Leak
	for _, l := range leakPatterns {
		for _, pattern := range l.patterns {
			list = append(list, Leak{Name: l.name, Pattern: regexp.MustCompile(pattern), open: l.open, secrets: l.name == secretLeak})
		}
	}
	return list
})

// secretLeak is the name of the leak that package redact finds.
const secretLeak = "key or token"

var leakPatterns = []struct {
	name     string
	open     bool // see Leak
	patterns []string
}{
	{"stack trace", true, []string{
		`goroutine \d+ \[|\.go:\d+ \+0x[0-9a-f]+|panic: runtime error`, // Go
		`Traceback \(most recent call last\)|File "[^"\n]+", line \d+`, // Python
		`(?m)^\s*at (?:async )?(?:new )?[\w.$<>\[\] ]+ ?\([^()\n]*(?::\d+|native|<anonymous>|Unknown Source)\)`,
		`(?m)^\s*at (?:async )?(?:file://|node:|[A-Za-z]:\\|/)[^\s()]*:\d+:\d+`,
		`(?m)^\s+at [\w.\x60<>]+\([^()\n]*\) in \S+:line \d+`, // .NET
		`\.rb:\d+:in [\x60']`,
		`(?m)^#\d+ \S+\.php\(\d+\):`,
		`thread '[^'\n]*' panicked at|(?m)^stack backtrace:`, // Rust
	}},
	// The pattern is for callers of Leaks; the checks use redact.Find.
	{secretLeak, false, []string{redact.Pattern()}},
	{"connection string", false, []string{
		`(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|nats|kafka|ldaps?|jdbc:[a-z0-9]+)://[^\s"'<>]+`,
		`(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@"'<>]+:[^\s/@"'<>]+@[^\s"'<>]+`,
		`(?i)\b(?:server|data source|host|user id|uid|dbname|database)=[^;\s]+[; ].{0,200}?\b(?:password|pwd)=[^;\s]+`,
	}},
	{"internal host", true, []string{
		`\b(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.\d{1,3}\.\d{1,3}\b`,
		`\b127\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+)?\b|\[?::1\]?:\d+|\blocalhost:\d+\b`,
		// Java packages and codes may have the same endings. A host therefore needs a port,
		// two dots, or a word before it that indicates a host.
		`(?i)\b(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan|consul|svc|local):\d+`,
		`(?i)\b(?:[a-z0-9-]+\.){2,}(?:internal|corp|intranet|lan|consul|svc|cluster\.local)(?:[^\w.-]|\.\s|\.?$)`,
		`(?i)(?:://|@|\b(?:lookup|host|hostname|to|at) )(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan|consul|svc|local)(?:[^\w.-]|\.\s|\.?$)`,
	}},
	{"file path", true, []string{
		`(?:file://|[\s"'(=:,\[]|^)/(?:home|root|usr|var|etc|opt|app|srv|tmp|mnt|proc|workspace|Users|Volumes|private|Library)/[^\s"'<>()\[\],;]+`,
		`(?:[\s"'(=:,\[]|^)/(?:[\w.-]+/){2,}[\w.-]+\.(?:go|py|m?js|ts|rb|java|php|rs|cs|db|sqlite|log|env|pem)\b`,
		`\b[A-Za-z]:\\(?:[\w .$-]+\\)*[\w.$-]+|\\\\[\w.-]+\\[\w.$-]+`,
		`\S*/(?:node_modules|site-packages|dist-packages|\.venv)/\S+`,
	}},
}

// maxSearched is how many bytes of a text are searched for leaks. Chosen: failures are
// short, and a server may send megabytes.
const maxSearched = 64 << 10

// A leakMatch is a leak and its text.
type leakMatch struct {
	Leak
	text string
}

// findLeaks returns the leaks in texts, at most one for each name. Text from the arguments,
// which is the caller's own, and text that the server publishes anyway are not leaks.
func findLeaks(texts []string, arguments, public string, more []Leak) []leakMatch {
	var parts []string
	for _, text := range texts {
		parts = append(parts, readable(text)...)
	}
	var found []leakMatch
	for _, l := range append(Leaks(), more...) {
		if l.Pattern == nil || slices.ContainsFunc(found, func(m leakMatch) bool { return m.Name == l.Name }) {
			continue
		}
		for _, text := range parts {
			if match := l.find(text, arguments, public); match != "" {
				found = append(found, leakMatch{l, match})
				break
			}
		}
	}
	return found
}

// find returns the first match in text that is a leak, or "".
func (l Leak) find(text, arguments, public string) string {
	for _, at := range l.spans(text[:min(len(text), maxSearched)]) {
		match := strings.Trim(text[at.From:at.To], " \t\r\n\"'(=:,[.")
		switch {
		case match == "", strings.Contains(arguments, strings.Trim(jsonOf(match), `"`)):
		case l.open && (isPublic(match, public) || isSent(match, arguments)):
		default:
			return match
		}
	}
	return ""
}

// spans returns the positions of the leak in a text, at most 50.
func (l Leak) spans(text string) (spans []redact.Span) {
	if l.secrets {
		spans = redact.Find(text)
		return spans[:min(len(spans), 50)]
	}
	for _, at := range l.Pattern.FindAllStringIndex(text, 50) {
		spans = append(spans, redact.Span{From: at[0], To: at[1]})
	}
	return spans
}

// shown returns the text for a finding, masked unless it may be shown.
func (m leakMatch) shown() string {
	if m.open {
		return clip(m.text, 120)
	}
	return mask(m.text)
}

func mask(secret string) string {
	letters := []rune(secret)
	return string(letters[:min(len(letters)/2, 6)]) + "..."
}

// withoutSecrets masks every leak in text that must not be shown.
func withoutSecrets(text string, more []Leak) string {
	text = text[:min(len(text), maxSearched)]
	for _, l := range append(Leaks(), more...) {
		if l.open || l.Pattern == nil {
			continue
		}
		if !l.secrets {
			text = l.Pattern.ReplaceAllStringFunc(text, mask)
			continue
		}
		for _, at := range slices.Backward(redact.Find(text)) {
			text = text[:at.From] + mask(text[at.From:at.To]) + text[at.To:]
		}
	}
	return text
}

// readable returns the parts of a text that are searched: a plain text itself, and the named
// strings of a JSON value without its random ids.
func readable(text string) []string {
	v, ok := jsonvalue.Decode([]byte(text))
	if !ok {
		return []string{text}
	}
	parts := appendStrings(nil, "", v)
	slices.Sort(parts) // the order of a map is random
	return parts
}

// appendStrings appends the strings in a JSON value, each with its member name, which may
// identify it as a password.
func appendStrings(parts []string, name string, v any) []string {
	switch v := v.(type) {
	case string:
		if name != "" {
			v = name + ": " + v
		}
		return append(parts, v)
	case []any:
		for _, item := range v {
			parts = appendStrings(parts, "", item)
		}
	case map[string]any:
		for name, member := range v {
			if name != "idempotencyKey" && name != "correlationId" {
				parts = appendStrings(parts, name, member)
			}
		}
	}
	return parts
}
