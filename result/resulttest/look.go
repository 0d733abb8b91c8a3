package resulttest

import (
	"context"
	"encoding/json"
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
// may have done: they are annotated as read-only, need no arguments but those of the
// call, and answer twice alike.
func (t *turn) looks(ctx context.Context, arguments any) (list []*look) {
	sent, _ := plain(arguments).(map[string]any)
	for _, tool := range t.lookups(sent) {
		if len(list) == maxLooks {
			break
		}
		input := map[string]any{}
		for name := range toolinfo.New(tool).Input().Properties() {
			if value, shared := sent[name]; shared {
				input[name] = value
			}
		}
		l := &look{tool: tool.Name, call: probe{name: "a look at what was done", arguments: input, compared: true}}
		if l.last = t.call(ctx, l.tool, l.call); l.last == nil || !l.last.succeeded() {
			continue
		}
		before := l.last
		if changed := t.look(ctx, l); !changed && l.last != nil && l.last.succeeded() && l.last != before {
			list = append(list, l)
		}
	}
	return list
}

// lookups are the tools that could be asked, those first that take what was sent.
func (t *turn) lookups(sent map[string]any) []*mcp.Tool {
	rank := map[string]int{}
	for _, tool := range t.tools {
		input := toolinfo.New(tool).Input()
		raw, _ := json.Marshal(sent)
		switch {
		case tool.Name == t.tool.Name || tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || t.opts.forbids(tool) != "", isJournal(tool.Name):
			continue
		case !slices.ContainsFunc(jsonRequired(tool), func(name string) bool { _, there := sent[name]; return !there }):
			for name := range input.Properties() {
				if _, shared := sent[name]; shared {
					rank[tool.Name]++
				}
			}
			if v, _ := input.Validate(raw); v != nil && rank[tool.Name] > 0 && !input.Closed() {
				continue // what it shares is of another type
			}
			rank[tool.Name]++
		}
	}
	list := slices.DeleteFunc(slices.Clone(t.tools), func(tool *mcp.Tool) bool { return rank[tool.Name] == 0 })
	slices.SortStableFunc(list, func(a, b *mcp.Tool) int { return rank[b.Name] - rank[a.Name] })
	return list
}

// jsonRequired returns the arguments that a tool requires.
func jsonRequired(tool *mcp.Tool) []string { return schemaOf(tool.InputSchema).required() }

// isJournal reports whether a tool may show the calls themselves, and not what they do.
func isJournal(name string) bool {
	return slices.ContainsFunc(nameWords().FindAllString(name, -1), func(word string) bool {
		return slices.ContainsFunc(journalWords, func(j string) bool { return strings.HasPrefix(strings.ToLower(word), j) })
	})
}

// journalWords begin words of the names of tools that show calls, or what they cost.
var journalWords = []string{
	"log", "audit", "histor", "journal", "trace", "event", "activit", "stat", "usage", "metric", "recent", "call", "quota", "limit",
	"health", "process", "session", "time", "clock", "version", "error", "diagnos", "monitor",
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
