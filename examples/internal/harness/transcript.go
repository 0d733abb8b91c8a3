package harness

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A Transcript shows what was called, returned and decided: as text, or as one JSON object for each
// scenario. After a failed write, it writes nothing more. Text may be written concurrently, but not
// during End or Err. If only W is set, it writes without colors.
type Transcript struct {
	W io.Writer
	Output

	pen Pen
	mu  sync.Mutex
	err error // of the first write that failed
}

// wordWidth is the width of the column for a line's first word. No word here is longer.
const wordWidth = 8

// indent is the width of what precedes the text of a line: three spaces, a word and a space.
const indent = 3 + wordWidth + 1

// styles maps the words that a line can begin with to their styles.
var styles = map[string]Style{
	"call": Bold, "failure": Red, "partial": Amber, "data": Green, "empty": Green, "decide": Blue, "WRONG": Red,
	"wire": Faint, "inside": Faint, "without": Red, "with": Green,
}

// Write implements [io.Writer]. If JSON is set, it discards the text.
func (t *Transcript) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.JSON || t.err != nil {
		return len(p), t.err
	}
	_, t.err = t.W.Write(p)
	return len(p), t.err
}

// Title begins the scenario with this number, starting at 1.
func (t *Transcript) Title(n int, title string) {
	_, _ = fmt.Fprintf(t, "\n%s\n", t.pen.In(Bold, fmt.Sprintf("%d. %s", n, title)))
}

// Line writes a line of a scenario: a word for its kind, and the text. On a terminal, a long text
// is broken into several lines.
func (t *Transcript) Line(word, text string) {
	style := styles[word]
	for _, line := range wrap(text, t.pen.columns-indent) {
		_, _ = fmt.Fprintf(t, "   %s %s\n", t.pen.In(style, fmt.Sprintf("%-*s", wordWidth, word)), line)
		word, style = "", Plain
	}
}

// Say writes a line about what was done after an answer.
func (t *Transcript) Say(format string, args ...any) {
	t.Line("then", fmt.Sprintf(format, args...))
}

// Answer writes an answer as [Layout] formats it and, if Wire is set, also unchanged.
func (t *Transcript) Answer(word, text string) {
	head, members := Layout(text)
	t.Line(word, head)
	for _, m := range members {
		lines := wrap(m.Name+": "+m.Value, t.pen.columns-indent)
		lines[0] = t.pen.In(Faint, m.Name+":") + lines[0][len(m.Name)+1:]
		for _, line := range lines {
			_, _ = fmt.Fprintf(t, "%*s%s\n", indent, "", line)
		}
	}
	if t.Wire {
		_, _ = fmt.Fprintf(t, "   %s %s\n", t.pen.In(styles["wire"], fmt.Sprintf("%-*s", wordWidth, "wire")), text)
	}
}

// Call writes that a tool is called.
func (t *Transcript) Call(tool string, args any) {
	t.Line("call", tool+" "+Compact(args))
}

// Sending is client middleware that writes each call that the client sends, repeats included.
func (t *Transcript) Sending(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if params, ok := req.GetParams().(*mcp.CallToolParams); ok {
			t.Call(params.Name, params.Arguments)
		}
		return next(ctx, method, req)
	}
}

// Decided writes the outcome of an attempt, and the decision about it.
func (t *Transcript) Decided(o result.Outcome, d retry.Decision) {
	t.Answer(o.Kind.String(), WireText(o))
	action := d.Action.String()
	if d.Delay > 0 {
		action += " after " + d.Delay.Round(time.Millisecond).String()
	}
	t.Line("decide", action+": "+string(d.Reason))
}

// Wrong writes that a scenario did not end as expected.
func (t *Transcript) Wrong(err error) {
	t.Line("WRONG", err.Error())
}

// End ends a scenario. If JSON is set, it writes v. It returns [Transcript.Err].
func (t *Transcript) End(v any) error {
	if t.JSON && t.err == nil {
		t.err = PrintJSON(t.W, v)
	}
	return t.Err()
}

// Err returns an error if not everything could be written.
func (t *Transcript) Err() error {
	if t.err != nil {
		return fmt.Errorf("cannot print: %w", t.err)
	}
	return nil
}

// PrintJSON writes v as one line of JSON.
func PrintJSON(w io.Writer, v any) error {
	raw, err := jsonvalue.Marshal(v)
	if err == nil {
		_, err = w.Write(append(raw, '\n'))
	}
	return err
}

// Compact returns v as JSON, or "?" if that fails.
func Compact(v any) string {
	raw, err := jsonvalue.Marshal(v)
	if err != nil {
		return "?"
	}
	return string(raw)
}

// WireText returns the result's text as the server sent it or, without a result, the error's text.
func WireText(o result.Outcome) string {
	if o.Result == nil {
		return o.Text()
	}
	var texts []string
	for _, c := range o.Result.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	return strings.Join(texts, "\n")
}
