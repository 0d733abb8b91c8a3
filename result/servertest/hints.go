package servertest

import (
	"context"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// checkAdvice adds a violation for advice that cannot be followed: it names a tool or argument that
// does not exist, or asks for a wait after a non-retryable failure.
func (t *turn) checkAdvice(a *answer) {
	f, sent := a.failure, jsonOf(a.probe.arguments)
	field, named := f.textOf("field"), toolsNamed(f.advice())
	a.promised = a.promised || field != "" || len(named) > 0
	for _, name := range named {
		if !t.knows(name) && !strings.Contains(sent, name) {
			a.breaks(KindBadHint, nil, "it names the tool %s, but the server has no such tool", clip(name, 60))
		}
	}
	if t.lacksField(field, sent) {
		a.breaks(KindBadHint, nil, "field is %s, but the tool has no such argument", clip(field, 60))
	}
	if flag := f.get(spelling.Retryable); a.out.Err != nil && a.out.Err.RetryAfter > 0 && flag.value == false &&
		f.members["partial"] == nil {
		a.breaks(KindFalseWait, nil, "it has a wait but is not retryable (%s)", flag.path)
	}
}

// toolNames matches names of tools: next to the word "tool", or after "call" and similar
// verbs. An unquoted name must have an underscore, which ordinary words do not have.
var toolNames = lazy(`(?i)\btools?:? (?:named |called )?[\x60"']([\w.-]{3,64})[\x60"']|` +
	`\b[\x60"']([\w.-]{3,64})[\x60"'] tool\b|` +
	`\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+) tool\b|` +
	`\b(?:call|invoke) (?:the )?[\x60"']?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[\x60"']?` +
	`(?: (?:first|again|to|with|for)\b|\(|[.,;]|$)|` +
	`\b(?:use|try) [\x60"']?([a-z][a-z0-9]*(?:_[a-z0-9]+)+)[\x60"']? ` +
	`(?:first\b|to (?:list|find|get|see|look|search|discover)\b)`)

// toolsNamed returns the names of tools in a text.
func toolsNamed(text string) (names []string) {
	for _, match := range toolNames().FindAllStringSubmatch(text[:min(len(text), 4096)], 10) {
		names = append(names, strings.Trim(strings.Join(match[1:], ""), "."))
	}
	return names
}

// advice returns those texts of a failure that may name a next step.
func (f *failure) advice() string {
	if f.members == nil {
		return f.text
	}
	return f.get(spelling.Message, spelling.ErrorText).text() + "\n" + f.get(spelling.Hint).text()
}

// knows reports whether the server has a tool with this name, or one whose schema contains the name
// as an argument or a value. A host may have added a prefix to the name.
func (c *checker) knows(name string) bool {
	return slices.ContainsFunc(c.tools, func(t *tool) bool {
		return strings.EqualFold(t.Name, name) ||
			len(t.Name) > 3 && strings.HasSuffix(strings.ToLower(name), strings.ToLower(t.Name)) || t.input.Mentions(name)
	})
}

// lacksField reports whether none of the names in a path occurs in the tool's schema, at any depth,
// or in the call. The path may begin with a name such as arguments.
func (t *tool) lacksField(path, sent string) bool {
	names := strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune(".[]/$ ", r) })
	return len(names) > 0 && len(t.input.Properties()) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		return t.input.Mentions(name) || strings.Contains(sent, jsonOf(name))
	})
}

// testRetryable repeats calls that the schema forbids and whose failure is marked as retryable. The
// mark is wrong if they fail with the same message while the valid call succeeds.
func (t *turn) testRetryable(ctx context.Context) {
	tested, valid := 0, t.valid()
	for _, a := range t.answers {
		if a.failure == nil || valid.failed || !a.probe.forbidden || a.failure.get(spelling.Retryable).value != true ||
			tested == maxTested || t.isAbandoned() {
			continue
		}
		tested++
		repeated, now := t.call(ctx, t.Name, a.again("repeated")), t.call(ctx, t.Name, valid.again("repeated"))
		if repeated == nil || now == nil {
			return
		}
		a.promised = true
		if e := repeated.out.Err; e != nil && e.Message == a.out.Err.Message && now.succeeded() {
			a.breaks(KindBadHint, []*answer{repeated, now},
				"it is marked as retryable, but the arguments can never be valid: %s", a.probe.name)
		}
	}
}
