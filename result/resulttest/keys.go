package resulttest

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
)

// testKey makes a call twice with the same idempotency key. The second call must not be
// executed again, nor return another id.
func (t *turn) testKey(ctx context.Context) {
	name := toolinfo.New(t.tool).KeyArgument()
	if name == "" || t.isReadOnly() || len(t.answers) == 0 {
		return
	}
	arguments, _ := plain(t.answers[0].probe.arguments).(map[string]any)
	if arguments == nil {
		return
	}
	arguments = maps.Clone(arguments)
	arguments[name] = "key-" + rand.Text()
	first := t.call(ctx, t.tool.Name, probe{name: "with a new key", arguments: arguments, compared: true})
	if first == nil || !first.succeeded() {
		return
	}
	t.repeat(ctx, first, first.again("repeated with the same key"), KindKeyIgnored, "a repeat with the same key was executed: %s returned more than before")
	if first.has(KindKeyIgnored) {
		return
	}
	second := t.call(ctx, t.tool.Name, first.again("repeated with the same key"))
	if second == nil || !second.succeeded() {
		return
	}
	first.promised = true
	was, is := identities(first), identities(second)
	for _, path := range slices.Sorted(maps.Keys(was)) {
		if is[path] != "" && is[path] != was[path] {
			first.breaks(KindKeyIgnored, []*answer{second}, "a repeat with the same key returned another %s: %s instead of %s", path, clip(is[path], 60), clip(was[path], 60))
			return
		}
	}
}

// requestWords are words in the names of ids that belong to the call and not to its result.
var requestWords = []string{"request", "correlation", "trace", "span", "log", "session", "event", "attempt", "call"}

// identities returns the ids in the first JSON text of an answer by path.
func identities(a *answer) map[string]string {
	ids := map[string]string{}
	for _, text := range texts(a.result) {
		if v, ok := jsonvalue.Decode([]byte(text)); ok {
			appendIdentities(ids, "", v)
			break
		}
	}
	return ids
}

func appendIdentities(ids map[string]string, path string, v any) {
	object, _ := v.(map[string]any)
	for name, member := range object {
		words := nameWords().FindAllString(strings.ToLower(name), -1)
		ofCall := slices.ContainsFunc(words, func(w string) bool { return slices.Contains(requestWords, w) })
		if isID := len(words) > 0 && words[len(words)-1] == "id"; isID && !ofCall && jsonvalue.TypeOf(member) != "object" {
			ids[join(path, name)] = jsonOf(member)
		}
		appendIdentities(ids, join(path, name), member)
	}
}
