package harness

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A Transcript shows what was called, what came back, and what was decided: for
// reading, or as one JSON object for each scenario. After a write that failed
// nothing more is written. It is not safe for concurrent use.
type Transcript struct {
	W    io.Writer
	JSON bool // only what End is called with is written

	err error // of the first write that failed
}

// Write implements [io.Writer], for what is for reading.
func (t *Transcript) Write(p []byte) (int, error) {
	if t.JSON || t.err != nil {
		return len(p), t.err
	}
	_, t.err = t.W.Write(p)
	return len(p), t.err
}

// Title begins the scenario of that number, which is from 1.
func (t *Transcript) Title(n int, title string) {
	_, _ = fmt.Fprintf(t, "\n%d. %s\n", n, title)
}

// Line writes a line of a scenario: a word that says what it is, and the text.
func (t *Transcript) Line(word, text string) {
	_, _ = fmt.Fprintf(t, "   %-7s %s\n", word, text)
}

// Say writes a line of a scenario that says what is done with an answer.
func (t *Transcript) Say(format string, args ...any) {
	_, _ = fmt.Fprintf(t, "   %s\n", fmt.Sprintf(format, args...))
}

// Call writes that a tool is called.
func (t *Transcript) Call(tool string, args any) {
	t.Line("call", tool+" "+Compact(args))
}

// Decided writes what an attempt came back with, and what is done about it.
func (t *Transcript) Decided(o result.Outcome, d retry.Decision) {
	t.Line(o.Kind.String(), WireText(o))
	t.Line("decide", fmt.Sprintf("%s: %s", d.Action, d.Reason.Sentence()))
	if d.Delay > 0 {
		t.Line("wait", d.Delay.Round(time.Millisecond).String())
	}
}

// Wrong writes that a scenario ended otherwise than it should.
func (t *Transcript) Wrong(err error) {
	t.Line("WRONG", err.Error())
}

// End ends a scenario, of which v is the JSON. It returns [Transcript.Err].
func (t *Transcript) End(v any) error {
	if t.JSON && t.err == nil {
		t.err = PrintJSON(t.W, v)
	}
	return t.Err()
}

// Err returns an error if not all could be written.
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

// Compact returns v as JSON, for a reader.
func Compact(v any) string {
	raw, err := jsonvalue.Marshal(v)
	if err != nil {
		return "?"
	}
	return string(raw)
}

// WireText returns the text of a result as the server sent it, or of the failure
// to get one.
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
