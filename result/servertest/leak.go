package servertest

import (
	_ "embed" // the table of leaks
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// Leaks describes each kind of internal information in an answer, as in "a file path:
// /home/ada/orders.db": stack traces, paths, internal hosts, connection strings, keys and tokens,
// and matches of the expressions. The descriptions do not show secrets.
func Leaks(out result.Outcome, more ...*regexp.Regexp) (list []string) {
	said := []string{out.Text()}
	if out.Result != nil {
		said = texts(out.Result)
	}
	for _, leak := range findLeaks(said, "", "", more) {
		list = append(list, leak.detail)
	}
	return list
}

// A leakForm is a form of text that belongs in a log, not in an answer.
type leakForm struct {
	name string
	open bool           // it may be shown in a finding
	own  bool           // of an author
	re   *regexp.Regexp // nil: what this module masks in logs
}

//go:embed leaks.txt
var leakTable string

// leakForms reads the table, whose columns are the name, open or secret, and the pattern.
var leakForms = sync.OnceValue(func() []leakForm {
	list := []leakForm{{name: "a key or token"}}
	for line := range strings.Lines(leakTable) {
		if cells := strings.SplitN(strings.TrimSuffix(line, "\n"), "\t", 3); len(cells) == 3 {
			list = append(list, leakForm{name: cells[0], open: cells[1] == "open", re: regexp.MustCompile(cells[2])})
		}
	}
	return list
})

// withOwn returns leakForms and an author's own forms.
func withOwn(more []*regexp.Regexp) []leakForm {
	list := slices.Clone(leakForms())
	for _, re := range more {
		list = append(list, leakForm{name: "text that matches " + re.String(), re: re, own: true})
	}
	return list
}

// matches returns the parts of a text that have this form.
func (l leakForm) matches(text string) (list []string) {
	if l.re != nil {
		return l.re.FindAllString(text, maxMatches)
	}
	for _, at := range redact.Find(text) {
		list = append(list, text[at.From:at.To])
	}
	return list
}

const (
	// maxSearched is the maximum number of bytes of a text that are searched for leaks, chosen
	// because failures are short, but a server may send megabytes.
	maxSearched = 64 << 10
	// maxPublic is the size, in bytes, beyond which no answers are added to a server's public text.
	// It is chosen because lists of folders and hosts are shorter.
	maxPublic = 1 << 20
	// maxMatches is the maximum number of matches in a text that are compared with what the server
	// publishes. It is chosen because the first is nearly always the leak.
	maxMatches = 50
)

// findLeaks describes the leaks in texts, at most one of each form. Text from the arguments is not
// a leak, nor is text of an open form that the server publishes.
func findLeaks(texts []string, arguments, public string, more []*regexp.Regexp) (list []violation) {
	var parts []string
	for _, text := range texts {
		parts = append(parts, readable(text)...)
	}
	known := map[string]bool{}
	for _, form := range withOwn(more) {
		for _, part := range parts {
			match := form.first(part[:min(len(part), maxSearched)], arguments, public)
			if match == "" || known[form.name] {
				continue
			}
			known[form.name] = true
			kind, shown := KindCredential, fmt.Sprintf("%s, %d characters", form.name, len([]rune(match)))
			if form.open || form.own {
				kind = KindLeak
			}
			if form.open {
				shown = form.name + ": " + clip(match, 120)
			}
			list = append(list, violation{kind: kind, detail: shown})
		}
	}
	return list
}

// first returns the first match in text that is a leak, or "".
func (l leakForm) first(text, arguments, public string) string {
	for _, match := range l.matches(text) {
		switch match = strings.TrimPrefix(strings.Trim(match, " \t\r\n\"'(=:,[."), "file://"); {
		case match == "", strings.Contains(arguments, strings.Trim(jsonOf(match), `"`)):
		case l.open && isPublic(match, public):
		default:
			return match
		}
	}
	return ""
}

// withoutSecrets returns the beginning of text, with secret leaks masked.
func withoutSecrets(text string, more []*regexp.Regexp) string {
	text = redact.Mask(text[:min(len(text), maxSearched)])
	for _, form := range withOwn(more) {
		if form.re != nil && !form.open {
			text = form.re.ReplaceAllLiteralString(text, "[masked]")
		}
	}
	return text
}

// readable returns the parts of a text to search: plain text as it is, or the strings of a JSON value
// except its random ids. A string is preceded by its member's name, which may mark it as a password.
func readable(text string) (parts []string) {
	v, ok := jsonvalue.Decode([]byte(text))
	if !ok {
		return []string{text}
	}
	leaves(v, "", func(path string, leaf any) {
		name := path[strings.LastIndexByte(path, '.')+1:]
		switch part, isText := leaf.(string); {
		case !isText, spelling.Means(name, spelling.IdempotencyKey, spelling.CorrelationID):
		case name == "", strings.HasSuffix(name, "[]"):
			parts = append(parts, part)
		default:
			parts = append(parts, name+": "+part)
		}
	})
	return parts
}

// checkLeaks looks for leaks in failures.
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
			who := "the model"
			if customer := a.failure.textOf("customerMessage"); slices.ContainsFunc(findLeaks([]string{customer},
				jsonOf(a.probe.arguments), public, c.opts.Leaks), leak.says) {
				who = "the model and the customer"
			}
			a.add(leak.kind, "the failure shows %s %s", who, leak.detail)
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

// isPublic reports whether a text is part of what a server publishes. For a path, one of its parent
// folders is enough, except a top-level one.
func isPublic(match, public string) bool {
	for {
		if regexp.MustCompile(regexp.QuoteMeta(match) + `(?:[^\pL\pN_-]|$)`).MatchString(public) { // and not in a longer name
			return true
		}
		end := strings.LastIndexByte(match, '/')
		if !strings.HasPrefix(match, "/") || strings.Count(match[:max(end, 0)], "/") < 2 {
			return false
		}
		match = match[:end]
	}
}
