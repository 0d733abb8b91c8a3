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

// A look is a call of a tool that only reads, whose answer shows what another tool has
// done. Two of them in a row have had the same answer.
type look struct {
	tool string
	call probe
	last *answer
}

// maxLooks is how many tools are asked what a call has done. Chosen: servers have one or
// two that show the same things.
const maxLooks = 3

// looks returns the tools that show what a call of the turn's tool with these arguments
// may have done: they are annotated as read-only, and answer twice alike.
func (t *turn) looks(ctx context.Context, arguments any) (list []*look) {
	sent, _ := plain(arguments).(map[string]any)
	for _, l := range t.lookups(sent) {
		if len(list) == maxLooks {
			break
		}
		if l.last = t.call(ctx, l.tool, l.call); l.last == nil || !l.last.succeeded() {
			continue
		}
		before := l.last
		if changed := t.look(ctx, l); !changed && l.last != before && l.last.succeeded() {
			list = append(list, l)
		}
	}
	return list
}

// lookups are the looks that could be tried, those first that take what was sent. Other
// arguments are those that fit the tool's schema.
func (t *turn) lookups(sent map[string]any) []*look {
	var list []*look
	shared := map[*look]int{}
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
		l := &look{tool: tool.Name}
		if v, _ := input.Validate(json.RawMessage(jsonOf(arguments))); v != nil {
			arguments = base // what was sent is of another type, or wrong in itself
		} else {
			shared[l] = taken
		}
		l.call = probe{name: "lookup of the effects", arguments: arguments, compared: true}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b *look) int { return shared[b] - shared[a] })
	return list
}

// isJournal reports whether a tool may show the calls themselves, or what they cost, and
// not what they do: by a word of its name that the called tool's has not.
func isJournal(name, called string) bool {
	called = strings.ToLower(called)
	return slices.ContainsFunc(nameWords().FindAllString(name, -1), func(word string) bool {
		word = strings.TrimSuffix(strings.ToLower(word), "s")
		return slices.Contains(journalWords, word) && !strings.Contains(called, word)
	})
}

// journalWords are words of the names of tools that show calls, without the s of a plural.
var journalWords = []string{
	"log", "audit", "history", "journal", "trace", "event", "activity", "activitie", "stat", "statistic", "usage", "metric", "recent", "call",
	"quota", "limit", "health", "process", "processe", "session", "time", "uptime", "clock", "version", "error", "diagnostic", "monitor",
}

// look asks again, and reports whether the answer is another.
func (t *turn) look(ctx context.Context, l *look) (changed bool) {
	now := t.call(ctx, l.tool, l.call)
	if now == nil {
		return false
	}
	before := l.last
	l.last = now
	return now.result != nil && before.result != nil && timeless(now.result) != timeless(before.result)
}

// changes asks all again, and returns what shows that a call has done something: the
// look before and the one after it, if a further one is as that is.
func (t *turn) changes(ctx context.Context, list []*look) (shown []*answer) {
	for _, l := range list {
		before := l.last
		if !t.look(ctx, l) || !l.last.succeeded() || !before.succeeded() {
			continue
		}
		after := l.last
		if !t.look(ctx, l) {
			return []*answer{before, after}
		}
	}
	return nil
}

var times = lazy(`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?)?|\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b|\b1[5-9]\d{8,17}\b|` +
	`\b\d+(?:\.\d+)? ?(?:[nµum]?s|secs?|seconds?|minutes?|milliseconds?)\b`)

// timeless is what a result says, without its times and durations.
func timeless(res *mcp.CallToolResult) string {
	text := strings.Join(texts(res), "\n")
	return replaceAll(times(), text[:min(len(text), maxDecoded)], "#")
}

func replaceAll(re *regexp.Regexp, text, by string) string {
	return re.ReplaceAllLiteralString(text, by)
}

// extent is how many values a result has, or lines if it is no JSON.
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
