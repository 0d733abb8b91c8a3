package resulttest

import (
	"context"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// A lookup is a call of a read-only tool whose answer may show the effects of another tool.
// Two lookups in a row have the same answer.
type lookup struct {
	tool string
	call probe
	last *answer
}

// maxLookups is how many lookups are used for a call. Chosen: servers have one or two tools
// that show the same data.
const maxLookups = 3

// lookups returns lookups that may show the effects of a call of the turn's tool with these
// arguments. They succeed, and return the same answer twice.
func (t *turn) lookups(ctx context.Context, arguments any) (list []*lookup) {
	sent, _ := plain(arguments).(map[string]any)
	for _, l := range t.candidates(sent) {
		if len(list) == maxLookups {
			break
		}
		if l.last = t.call(ctx, l.tool, l.call); l.last == nil || !l.last.succeeded() {
			continue
		}
		before := l.last
		if changed := t.lookAgain(ctx, l); !changed && l.last != before && l.last.succeeded() {
			list = append(list, l)
		}
	}
	return list
}

// candidates returns the possible lookups. Their arguments are those of the call as far as
// the tool has them, and otherwise samples from its schema. Tools that share most arguments
// come first.
func (t *turn) candidates(sent map[string]any) []*lookup {
	var list []*lookup
	shared := map[*lookup]int{}
	for _, tool := range t.tools {
		if tool.Name == t.tool.Name || tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || t.opts.forbids(tool) != "" || isJournal(tool.Name, t.tool.Name) {
			continue
		}
		input := toolinfo.New(tool).Input()
		base, _ := schema{input}.sample().(map[string]any)
		arguments, taken := maps.Clone(base), 0
		for name, value := range sent {
			if input.Properties()[name] != nil && arguments != nil {
				arguments[name] = value
				taken++
			}
		}
		l := &lookup{tool: tool.Name}
		if v, _ := input.Validate(json.RawMessage(jsonOf(arguments))); v != nil {
			arguments = base // the call's arguments have another type, or are invalid
		} else {
			shared[l] = taken
		}
		l.call = probe{name: "lookup of the effects", arguments: arguments, compared: true}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b *lookup) int { return shared[b] - shared[a] })
	return list
}

// isJournal reports whether a tool may show the calls themselves or their costs instead of
// their effects: a word of its name, which the called tool's name lacks, indicates it.
func isJournal(name, called string) bool {
	called = strings.ToLower(called)
	return slices.ContainsFunc(nameWords().FindAllString(name, -1), func(word string) bool {
		word = strings.TrimSuffix(strings.ToLower(word), "s")
		return slices.Contains(journalWords, word) && !strings.Contains(called, word)
	})
}

// journalWords are words in the names of such tools, without a plural s.
var journalWords = []string{
	"log", "audit", "history", "journal", "trace", "event", "activity", "activitie", "stat", "statistic", "usage", "metric", "recent", "call",
	"quota", "limit", "health", "process", "processe", "session", "time", "uptime", "clock", "version", "error", "diagnostic", "monitor",
}

// lookAgain repeats a lookup and reports whether the answer has changed.
func (t *turn) lookAgain(ctx context.Context, l *lookup) (changed bool) {
	now := t.call(ctx, l.tool, l.call)
	if now == nil {
		return false
	}
	before := l.last
	l.last = now
	return now.result != nil && before.result != nil && timeless(now.result) != timeless(before.result)
}

// changes repeats all lookups. If an answer has changed, and a further lookup confirms it,
// changes returns the answers before and after.
func (t *turn) changes(ctx context.Context, list []*lookup) (shown []*answer) {
	for _, l := range list {
		before := l.last
		if !t.lookAgain(ctx, l) || !l.last.succeeded() || !before.succeeded() {
			continue
		}
		after := l.last
		if !t.lookAgain(ctx, l) {
			return []*answer{before, after}
		}
	}
	return nil
}

var times = lazy(`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?)?|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b|\b1[5-9]\d{8,17}\b|` +
	`\b\d+(?:\.\d+)? ?(?:[nµum]?s|secs?|seconds?|minutes?|milliseconds?)\b`)

// timeless returns the texts of a result without times and durations.
func timeless(res *mcp.CallToolResult) string {
	text := strings.Join(texts(res), "\n")
	return replaceAll(times(), text[:min(len(text), maxDecoded)], "#")
}

func replaceAll(re *regexp.Regexp, text, by string) string {
	return re.ReplaceAllLiteralString(text, by)
}

// extent returns the number of values in a result, or of lines if it is not JSON.
func extent(res *mcp.CallToolResult) int {
	if res == nil {
		return 0
	}
	n := 0
	for _, text := range texts(res) {
		if v, ok := jsonvalue.Decode([]byte(text)); ok {
			n += countValues(v)
		} else {
			n += strings.Count(strings.TrimSpace(text), "\n") + 1
		}
	}
	return n
}

func countValues(v any) (n int) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			n += countValues(item)
		}
	case map[string]any:
		for _, member := range v {
			n += countValues(member)
		}
	default:
		n = 1
	}
	return n
}
