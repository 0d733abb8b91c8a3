package servertest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
)

// A lookup is a call to a read-only tool whose answer may show the effects of another tool.
type lookup struct {
	tool   string
	call   probe
	shared int // number of arguments that it has in common with the other tool's call
	last   *answer
}

// maxLookups is the maximum number of lookups for a call, chosen because servers have only one or
// two tools that show the same data.
const maxLookups = 3

// lookups returns lookups that may show the effects of calling the turn's tool with these
// arguments. Each has succeeded twice, with the same answer.
func (t *turn) lookups(ctx context.Context, sent map[string]any) (list []*lookup) {
	for _, l := range t.candidates(sent) {
		if len(list) == maxLookups {
			break
		}
		first := t.call(ctx, l.tool, l.call)
		if !first.succeeded() {
			continue
		}
		if l.last = t.call(ctx, l.tool, l.call); isSame(first, l.last) {
			list = append(list, l)
		}
	}
	return list
}

// candidates returns the possible lookups. Each has sample arguments, except that it uses the call's
// arguments of the same names if they are valid. Tools that share the most arguments come first.
func (t *turn) candidates(sent map[string]any) (list []*lookup) {
	for _, tool := range t.tools {
		if tool.Name == t.Name || !tool.hints.ReadOnlyHint || t.opts.forbids(tool) != "" ||
			t.turns[tool.Name].isAbandoned() || isJournal(tool.Name, t.Name) {
			continue
		}
		arguments, shared := tool.arguments(), 0
		for name, value := range sent {
			if tool.input.Properties()[name] != nil {
				arguments[name] = value
				shared++
			}
		}
		if v, _ := tool.input.Validate(json.RawMessage(jsonOf(arguments))); v != nil {
			arguments, shared = tool.arguments(), 0 // the call's arguments have another type, or are invalid
		}
		list = append(list, &lookup{
			tool.Name, probe{name: "lookup of the effects", arguments: arguments, compared: true}, shared, nil,
		})
	}
	slices.SortStableFunc(list, func(a, b *lookup) int { return b.shared - a.shared })
	return list
}

// journalWords lists words in the names of tools whose answers change without a call's effects.
var journalWords = []string{
	"log", "audit", "history", "journal", "trace", "event", "activity", "activitie", "stat", "statistic", "usage",
	"metric", "recent", "call",
	"quota", "limit", "health", "process", "processe", "session", "time", "uptime", "clock", "version", "error",
	"diagnostic", "monitor",
}

// isJournal reports whether a tool may show calls or their costs: its name has a journal word that
// the called tool's name lacks.
func isJournal(name, called string) bool {
	return slices.ContainsFunc(wordsOf(name), func(word string) bool {
		word = strings.TrimSuffix(word, "s")
		return slices.Contains(journalWords, word) && !strings.Contains(strings.ToLower(called), word)
	})
}

// isSame reports whether two lookups have succeeded with the same answer.
func isSame(a, b *answer) bool {
	return a.succeeded() && b.succeeded() && timeless(a) == timeless(b)
}

// changes repeats the lookups until an answer has changed and another lookup confirms it. It
// returns the answers before and after, or nil.
func (t *turn) changes(ctx context.Context, list []*lookup) (shown []*answer) {
	for _, l := range list {
		after := t.call(ctx, l.tool, l.call)
		if after.succeeded() && !isSame(l.last, after) && isSame(after, t.call(ctx, l.tool, l.call)) {
			return []*answer{l.last, after}
		}
	}
	return nil
}

var times = lazy(`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z| ?[+-]\d\d:?\d\d)?)?|` +
	`\b\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?\b|\b1[5-9]\d{8,17}\b|` +
	`\b\d+(?:\.\d+)? ?(?:[nµum]?s|secs?|seconds?|minutes?|milliseconds?)\b`)

// timeless returns the texts of an answer without times and durations.
func timeless(a *answer) string {
	text := strings.Join(texts(a.result), "\n")
	return times().ReplaceAllLiteralString(text[:min(len(text), maxDecoded)], "#")
}

// extent estimates the number of values in an answer: each adds a comma or a line.
func extent(a *answer) int {
	text := timeless(a)
	return strings.Count(text, ",") + strings.Count(text, "\n")
}
