package resulttest

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// testHints looks for hints that cannot be followed: they name a tool or an argument that
// does not exist, or return a key for which there is no argument.
func (t *turn) testHints(context.Context) {
	for _, a := range t.answers {
		if a.failure == nil {
			continue
		}
		a.promised = a.promised || a.failure.promises()
		if first := a.failure.detail("first"); first != "" && !t.knowsTool(first) {
			a.breaks(KindBadHint, nil, "it names %s as the tool to call first, but the server has no such tool", clip(first, 60))
		}
		for _, name := range toolsNamed(a.failure.advice()) {
			if !t.knowsTool(name) && !t.knowsWord(name) && !strings.Contains(jsonOf(a.probe.arguments), name) {
				a.breaks(KindBadHint, nil, "it names the tool %s, but the server has no such tool", clip(name, 60))
			}
		}
		if name := t.unknownField(a); name != "" {
			a.breaks(KindBadHint, nil, "field is %s, but the tool has no such argument", clip(name, 60))
		}
		if key := a.failure.textOf("idempotencyKey"); key != "" && t.takesNoKey() && !strings.Contains(jsonOf(a.probe.arguments), key) {
			a.breaks(KindBadHint, nil, "it returns an idempotencyKey, but the tool has no argument for one")
		}
	}
}

// toolNames matches names of tools: next to the word "tool", or after "call" and similar
// verbs. An unquoted name must have an underscore, which ordinary words do not have.
var toolNames = lazy(`(?i)\btools?:? (?:named |called )?[\x60"']([\w.-]{3,64})[\x60"']|` +
	`\b[\x60"']([\w.-]{3,64})[\x60"'] tool\b|` +
	`\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+) tool\b|` +
	`\b(?:call|invoke) (?:the )?[\x60"']?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[\x60"']?(?: (?:first|again|to|with|for)\b|\(|[.,;]|$)|` +
	`\b(?:use|try) [\x60"']?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[\x60"']? (?:first\b|to (?:list|find|get|see|look|search|discover)\b)`)

// toolsNamed returns the names of tools in a text.
func toolsNamed(text string) (names []string) {
	for _, match := range toolNames().FindAllStringSubmatch(text[:min(len(text), 4096)], 10) {
		names = append(names, strings.Trim(strings.Join(match[1:], ""), "."))
	}
	return names
}

// promises reports whether a failure has statements that can be compared with the server's
// tool list: the argument at fault, the tool to call, the key to pass.
func (f failure) promises() bool {
	return f.textOf("field") != "" || f.textOf("idempotencyKey") != "" || f.detail("first") != "" || len(toolsNamed(f.advice())) > 0
}

// advice returns the texts of a failure that may name a next step.
func (f failure) advice() string {
	if f.members == nil {
		return f.text
	}
	hint, _ := f.get(roleHint).value.(string)
	message, _ := f.get(roleMessage).value.(string)
	return message + "\n" + hint
}

// textOf returns the text of a member, or "".
func (f failure) textOf(name string) string {
	text, _ := f.members[name].(string)
	return text
}

// detail returns a text from the failure's details, or "".
func (f failure) detail(name string) string {
	details, _ := f.members["details"].(map[string]any)
	text, _ := details[name].(string)
	return text
}

// knowsTool reports whether the server has a tool. A host may have added a prefix to the
// name.
func (c *checker) knowsTool(name string) bool {
	for _, tool := range c.tools {
		if strings.EqualFold(tool.Name, name) || len(tool.Name) > 3 && strings.HasSuffix(strings.ToLower(name), strings.ToLower(tool.Name)) {
			return true
		}
	}
	return false
}

// knowsWord reports whether the schema of a tool has a name as an argument or a value.
func (c *checker) knowsWord(name string) bool {
	for _, tool := range c.tools {
		if toolinfo.New(tool).Input().Mentions(name) {
			return true
		}
	}
	return false
}

// unknownField returns the field of a failure if neither the tool's schema, at any depth,
// nor the call has such an argument, otherwise "".
func (t *turn) unknownField(a *answer) string {
	input := toolinfo.New(t.tool).Input()
	if len(input.Properties()) == 0 {
		return ""
	}
	path := a.failure.textOf("field")
	names := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]/$ ", r) })
	for _, name := range names {
		if input.Mentions(name) || strings.Contains(jsonOf(a.probe.arguments), jsonOf(name)) {
			return "" // a path may begin with the name of the arguments' container
		}
	}
	return strings.Join(names, ".")
}

// takesNoKey reports whether the tool has no argument that may be for an idempotency key.
func (t *turn) takesNoKey() bool {
	for name := range toolinfo.New(t.tool).Input().Properties() {
		words := nameWords().FindAllString(strings.ToLower(name), -1)
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(keyWords, w) || strings.HasPrefix(w, "idempot") }) {
			return false
		}
	}
	return true
}

// keyWords are words in the names of such arguments.
var keyWords = []string{"key", "token", "request", "dedup", "deduplication", "transaction", "nonce"}

// testSuggestions repeats calls with the value that their failure suggests. It must not be
// rejected like the original value.
func (t *turn) testSuggestions(ctx context.Context) {
	tested := 0
	for _, a := range t.answers {
		arguments, isObject := plain(a.probe.arguments).(map[string]any)
		suggestion, field := a.suggestion()
		if _, sent := arguments[field]; !isObject || !sent || suggestion == "" || tested == maxTested {
			continue
		}
		tested++
		arguments = maps.Clone(arguments)
		arguments[field] = suggestion
		followed := t.call(ctx, t.tool.Name, probe{name: a.probe.name + ", with the suggested value", arguments: arguments, compared: true})
		if followed == nil {
			return
		}
		first, second := result.Parse(a.result, a.err).Err, result.Parse(followed.result, followed.err).Err
		if a.promised = true; second != nil && second.Category == toolerr.CategoryValidation && second.Field == field && second.Code == first.Code {
			a.breaks(KindBadHint, []*answer{followed}, "it suggests %s for %s, but rejects that value too", clip(suggestion, 60), field)
		}
	}
}

// suggestion returns the first value that a failure suggests for an argument, if it has no
// blanks: with blanks, it may be a sentence.
func (a *answer) suggestion() (text, field string) {
	if a.failure == nil || a.failure.members == nil {
		return "", ""
	}
	list, _ := a.failure.members["suggestions"].([]any)
	if len(list) > 0 {
		text, _ = list[0].(string)
	}
	if strings.ContainsAny(text, " \t\n") {
		return "", ""
	}
	return text, a.failure.textOf("field")
}

// testRetryable repeats calls that the schema forbids and whose failure is marked as
// retryable. They are wrong if they fail again while the valid call succeeds.
func (t *turn) testRetryable(ctx context.Context) {
	tested := 0
	for _, a := range t.answers {
		if a.failure == nil || t.answers[0].failed || !a.probe.forbidden || a.failure.get(roleRetryable).value != true || tested == maxTested {
			continue
		}
		tested++
		repeated, valid := t.call(ctx, t.tool.Name, a.again("repeated")), t.call(ctx, t.tool.Name, t.answers[0].again("repeated"))
		if repeated == nil || valid == nil {
			return
		}
		first, second := result.Parse(a.result, a.err).Err, result.Parse(repeated.result, repeated.err).Err
		if a.promised = true; second != nil && second.Message == first.Message && valid.succeeded() {
			a.breaks(KindBadHint, []*answer{repeated, valid}, "it is marked as retryable, but the arguments can never be valid: %s", a.probe.name)
		}
	}
}
