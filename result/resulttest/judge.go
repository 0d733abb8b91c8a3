package resulttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// A wrong is one thing that is wrong with one answer.
type wrong struct {
	kind   Kind
	detail string
}

// An answer is what one call came back with.
type answer struct {
	tool    string
	probe   probe
	result  *mcp.CallToolResult // nil where none came
	err     error
	died    bool // and the session with it
	late    bool
	failed  bool     // it is a failure, marked or not
	failure *failure // of a result with isError
	seen    []sight
	wrong   []wrong
}

func (a *answer) has(kind Kind) bool {
	for _, w := range a.wrong {
		if w.kind == kind {
			return true
		}
	}
	return false
}

func (a *answer) add(kind Kind, format string, args ...any) {
	a.wrong = append(a.wrong, wrong{kind, fmt.Sprintf(format, args...)})
}

// judge says what is wrong with an answer by itself.
func (a *answer) judge(output schema, timeout time.Duration, leaks []Leak) {
	var wire *jsonrpc.Error
	switch {
	case a.late:
		a.add(KindNoAnswer, "no answer came within %v", timeout)
	case a.died:
		a.add(KindServerDied, "the session ended without an answer: %v", clip(a.err.Error(), 200))
	case errors.As(a.err, &wire):
		a.failed = true
		a.add(KindProtocolError, "the call was answered with protocol error %d: %s", wire.Code, clip(wire.Message, 200))
		a.look([]string{wire.Message, string(wire.Data)}, leaks)
	case errors.Is(a.err, mcp.ErrConnectionClosed): // and the server lives
		a.failed = true
		a.add(KindProtocolError, "the call was answered with a protocol error that clients take for the end of the session, -32003 or -32004: %v", clip(a.err.Error(), 200))
	case a.err != nil:
		a.add(KindUnreadable, "the answer cannot be read: %v", clip(a.err.Error(), 200))
	case a.result == nil:
		a.add(KindUnreadable, "neither a result nor an error came")
	case a.result.IsError:
		a.judgeFailure(leaks)
	default:
		a.judgeSuccess(output, leaks)
	}
	if c := a.probe.expected; c != nil {
		a.compare(c)
	}
}

func (a *answer) judgeFailure(leaks []Leak) {
	a.failed = true
	f := readFailure(a.result)
	a.look(texts(a.result), leaks)
	if !a.probe.forbidden && f.saysNothingFound() {
		// The rest would not be there if it were the success that it should be.
		a.add(KindEmptyAsFailure, "that nothing was found is marked as a failure")
		return
	}
	a.failure = &f
	a.wrong = append(a.wrong, f.lacks()...)
}

func (a *answer) judgeSuccess(output schema, leaks []Leak) {
	out := result.Parse(a.result, nil)
	if out.Kind == result.KindInputRequired {
		return
	}
	text, looks := looksFailed(a.result)
	if out.Kind == result.KindFailure {
		text, looks = out.Err.Message, true
	}
	switch {
	case looks:
		a.failed = true
		a.add(KindFailureAsSuccess, "the answer says that it failed, and isError is not set: %s", clip(text, 120))
		a.look(texts(a.result), leaks)
	case a.probe.forbidden:
		a.add(KindAccepted, "the call succeeded, although the input schema forbids it: %s", a.probe.name)
	}
	if place := nullList(a.result, output); place != "" {
		a.add(KindNullList, "%s is null", place)
	}
}

// look looks for leaks in what a failure says.
func (a *answer) look(texts []string, leaks []Leak) {
	var words []string
	for _, text := range texts {
		words = append(words, wordsOf(text)...)
	}
	a.seen = look(words, jsonOf(a.probe.arguments), leaks)
	for _, s := range a.seen {
		a.add(KindLeak, "the failure shows a %s: %s", s.Name, s.shown())
	}
}

// compare says where the answer is not the one that its author expects. What
// has been found already is not said twice.
func (a *answer) compare(c *Case) {
	if a.died || a.late {
		return
	}
	out := result.Parse(a.result, a.err)
	want := c.wants()
	isFailure := func(k result.Kind) bool { return k == result.KindFailure || k == result.KindPartial }
	switch {
	case want == 0 || a.has(KindEmptyAsFailure) || a.has(KindFailureAsSuccess) || a.has(KindProtocolError):
	case out.Kind == want:
		if c.Category != "" && out.Err != nil && out.Err.Category != c.Category {
			a.add(KindUnexpected, "the failure's category is %q, and should be %q", out.Err.Category, c.Category)
		} else if c.Code != "" && out.Err != nil && out.Err.Code != c.Code {
			a.add(KindUnexpected, "the failure's code is %q, and should be %q", out.Err.Code, c.Code)
		}
	case want == result.KindEmpty && isFailure(out.Kind):
		a.wrong = []wrong{{KindEmptyAsFailure, "nothing should have been found, and the answer is a failure"}}
	case isFailure(want) && !isFailure(out.Kind):
		a.add(KindFailureAsSuccess, "the call should have failed, and its answer is %s", out.Kind)
	default:
		a.add(KindUnexpected, "the answer is %s, and should be %s", out.Kind, want)
	}
}

// texts are all that a client may show of a result.
func texts(res *mcp.CallToolResult) []string {
	var list []string
	for _, c := range res.Content {
		if t, ok := c.(*mcp.TextContent); ok {
			list = append(list, t.Text)
		}
	}
	if res.StructuredContent != nil {
		list = append(list, jsonOf(res.StructuredContent))
	}
	return list
}

// text is what came back, as a finding shows it.
func (a *answer) text() string {
	text := ""
	switch {
	case a.result != nil:
		if text = strings.Join(texts(a.result), "\n"); text == "" {
			text = "(no text)"
		}
	case errors.Is(a.err, context.DeadlineExceeded), a.err == nil:
		return "(none)"
	default:
		text = a.err.Error()
	}
	return clip(withoutSecrets(text[:min(len(text), maxSearched)], a.seen), 300)
}

func jsonOf(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSpace(b.String())
}

// clip makes text one printable line of at most so many characters.
func clip(text string, most int) string {
	line := strings.Join(strings.Fields(strings.ToValidUTF8(text[:min(len(text), 8*most)], "?")), " ")
	letters := []rune(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, line))
	if len(letters) > most {
		return string(letters[:most-3]) + "..."
	}
	return string(letters)
}
