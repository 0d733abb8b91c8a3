package resulttest

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// A Leak is a kind of text that belongs in a log and in no answer.
type Leak struct {
	// Name says what it is, such as "stack trace".
	Name string
	// Pattern matches it. It must be set.
	Pattern *regexp.Regexp

	open bool // may be shown in a finding
}

// Leaks returns a copy of the leaks that are always looked for: stack traces, file
// paths, connection strings, keys and tokens, internal hosts. Each has several
// patterns.
func Leaks() []Leak { return slices.Clone(builtIn) }

var builtIn = []Leak{
	leak("stack trace", `goroutine \d+ \[|\.go:\d+ \+0x[0-9a-f]+|panic: runtime error`, true), // Go
	leak("stack trace", `Traceback \(most recent call last\)|File "[^"\n]+", line \d+`, true), // Python
	leak("stack trace", `(?m)^\s*at (?:async )?(?:new )?[\w.$<>\[\] ]+ ?\([^()\n]*(?::\d+|native|<anonymous>|Unknown Source)\)`, true),
	leak("stack trace", `(?m)^\s*at (?:async )?(?:file://|node:|[A-Za-z]:\\|/)[^\s()]*:\d+:\d+`, true),
	leak("stack trace", `(?m)^\s+at [\w.`+"`"+`<>]+\([^()\n]*\) in \S+:line \d+`, true), // .NET
	leak("stack trace", `\.rb:\d+:in [`+"`"+`']`, true),
	leak("stack trace", `(?m)^#\d+ \S+\.php\(\d+\):`, true),
	leak("stack trace", `thread '[^'\n]*' panicked at|(?m)^stack backtrace:`, true), // Rust

	leak("connection string", `(?i)\b(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|mssql|sqlserver|clickhouse|nats|kafka|ldaps?|jdbc:[a-z0-9]+)://[^\s"'<>]+`, false),
	leak("connection string", `(?i)\b[a-z][a-z0-9+.-]*://[^\s/:@"'<>]+:[^\s/@"'<>]+@[^\s"'<>]+`, false),
	leak("connection string", `(?i)\b(?:server|data source|host|user id|uid|dbname|database)=[^;\s]+[; ].{0,200}?\b(?:password|pwd)=[^;\s]+`, false),

	leak("key or token", `\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`, false),
	leak("key or token", `\b(?:gh[pousr]_[0-9A-Za-z]{20,}|github_pat_\w{20,}|glpat-[\w-]{20,})`, false),
	leak("key or token", `\bxox[abprs]-[0-9A-Za-z-]{10,}`, false),
	leak("key or token", `\b(?:sk|pk|rk)[-_](?:live|test|ant|proj)[-_][\w-]{10,}|\bsk-[0-9A-Za-z]{20,}`, false),
	leak("key or token", `\bAIza[\w-]{35}\b`, false),
	leak("key or token", `\beyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*`, false),
	leak("key or token", `-----BEGIN [A-Z ]*PRIVATE KEY-----`, false),
	leak("key or token", `(?i)\b(?:bearer|basic) [0-9A-Za-z._~+/-]{16,}=*`, false),
	leak("key or token", `(?i)\b[\w-]*(?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key)["']?=["']?[^\s"'&;,]{4,}`, false),
	leak("key or token", `(?i)\b[\w-]*(?:password|passwd|secret|api[_-]?key|access[_-]?key|auth[_-]?token)["']?: ?["']?[^\s"'&;,]*[0-9][^\s"'&;,]{5,}`, false),

	leak("internal host", `\b(?:10\.\d{1,3}|192\.168|172\.(?:1[6-9]|2\d|3[01])|169\.254)\.\d{1,3}\.\d{1,3}\b`, true),
	leak("internal host", `\b127\.\d{1,3}\.\d{1,3}\.\d{1,3}(?::\d+)?\b|\[?::1\]?:\d+|\blocalhost:\d+\b`, true),
	// A name of Java or a code may end alike, so that a host has a port, two dots or
	// a word before it that goes with hosts.
	leak("internal host", `(?i)\b(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan|consul|svc|local):\d+`, true),
	leak("internal host", `(?i)\b(?:[a-z0-9-]+\.){2,}(?:internal|corp|intranet|lan|consul|svc|cluster\.local)(?:[^\w.-]|\.\s|\.?$)`, true),
	leak("internal host", `(?i)(?:://|@|\b(?:lookup|host|hostname|to|at) )(?:[a-z0-9-]+\.)+(?:internal|corp|intranet|lan|consul|svc|local)(?:[^\w.-]|\.\s|\.?$)`, true),

	leak("file path", `(?:file://|[\s"'(=:,\[]|^)/(?:home|root|usr|var|etc|opt|app|srv|tmp|mnt|proc|workspace|Users|Volumes|private|Library)/[^\s"'<>()\[\],;]+`, true),
	leak("file path", `(?:[\s"'(=:,\[]|^)/(?:[\w.-]+/){2,}[\w.-]+\.(?:go|py|m?js|ts|rb|java|php|rs|cs|db|sqlite|log|env|pem)\b`, true),
	leak("file path", `\b[A-Za-z]:\\(?:[\w .$-]+\\)*[\w.$-]+|\\\\[\w.-]+\\[\w.$-]+`, true),
	leak("file path", `\S*/(?:node_modules|site-packages|dist-packages|\.venv)/\S+`, true),
}

func leak(name, pattern string, open bool) Leak {
	return Leak{Name: name, Pattern: regexp.MustCompile(pattern), open: open}
}

// maxSearched is how many bytes of a text are looked through for leaks. Chosen:
// failures are short, and a server may send megabytes.
const maxSearched = 64 << 10

// A sight is a leak that was seen, and the text of it.
type sight struct {
	Leak
	text string
}

// look looks for leaks in texts, one for each name. What the arguments hold was
// the caller's own, and is only handed back.
func look(texts []string, arguments string, more []Leak) []sight {
	var seen []sight
	for _, l := range append(Leaks(), more...) {
		if l.Pattern == nil || slices.ContainsFunc(seen, func(s sight) bool { return s.Name == l.Name }) {
			continue
		}
		for _, text := range texts {
			if match := l.find(text, arguments); match != "" {
				seen = append(seen, sight{l, match})
				break
			}
		}
	}
	return seen
}

func (l Leak) find(text, arguments string) string {
	for _, match := range l.Pattern.FindAllString(text[:min(len(text), maxSearched)], 50) {
		match = strings.Trim(match, " \t\r\n\"'(=:,[.")
		if quoted, err := json.Marshal(match); match != "" && (err != nil || !strings.Contains(arguments, strings.Trim(string(quoted), `"`))) {
			return match
		}
	}
	return ""
}

// shown is the text as a finding may show it: enough to find it by.
func (s sight) shown() string {
	if s.open {
		return clip(s.text, 120)
	}
	return mask(s.text)
}

func mask(secret string) string {
	letters := []rune(secret)
	return string(letters[:min(len(letters)/2, 6)]) + "..."
}

// withoutSecrets masks in text what was seen in it and must not be shown.
func withoutSecrets(text string, seen []sight) string {
	for _, s := range seen {
		if !s.open {
			text = s.Pattern.ReplaceAllStringFunc(text, mask)
		}
	}
	return text
}

// wordsOf returns the texts of an answer that somebody reads: of JSON its keys
// and strings, without the ids that are made to be random.
func wordsOf(text string) []string {
	var v any
	if json.Unmarshal([]byte(text), &v) != nil {
		return []string{text}
	}
	var words []string
	var walk func(any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			words = append(words, v)
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			for name, member := range v {
				if name != "idempotencyKey" && name != "correlationId" {
					// Together, so that a password under its name is seen as one.
					if s, ok := member.(string); ok {
						words = append(words, name+": "+s)
						continue
					}
					walk(member)
				}
			}
		}
	}
	walk(v)
	slices.Sort(words) // the order of a map is random
	return words
}
