package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A transcript is made for reading: what was called, what came back, what was
// decided and why, how long was waited. It counts the failed calls on the way.
type transcript struct {
	w      io.Writer
	failed map[[3]string]int // tool, category, code
}

func (t *transcript) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(t.w, format, args...)
}

func (t *transcript) title(n int, s scenario) {
	t.printf("\n%d. %s\n", n, s.title)
}

func (t *transcript) calling(tool string, args map[string]any) {
	text, err := json.Marshal(args)
	if err != nil {
		text = []byte("?")
	}
	t.printf("   call    %s %s\n", tool, text)
}

func (t *transcript) decided(tool string, o result.Outcome, d retry.Decision) {
	t.printf("   %-7s %s\n", o.Kind, o.Text())
	t.printf("   decide  %s: %s\n", d.Action, d.Reason.Sentence())
	if d.Action == retry.ActionRetry {
		t.printf("   wait    %v\n", d.Delay.Round(time.Millisecond))
	}
	if o.Err != nil {
		t.failed[[3]string{tool, string(o.Err.Category), string(o.Err.Code)}]++
	}
}

func (t *transcript) say(text string) {
	t.printf("   %s\n", text)
}

// table prints the failed calls by tool, category and code.
func (t *transcript) table() {
	t.printf("\nFailed calls\n\n")
	tw := tabwriter.NewWriter(t.w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, "   tool\tcategory\tcode\tcalls")
	keys := make([][3]string, 0, len(t.failed))
	for key := range t.failed {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [3]string) int { return strings.Compare(strings.Join(a[:], " "), strings.Join(b[:], " ")) })
	for _, key := range keys {
		_, _ = fmt.Fprintf(tw, "   %s\t%s\t%s\t%d\n", key[0], key[1], key[2], t.failed[key])
	}
	_ = tw.Flush()
}

// A line is what -json prints of a scenario.
type line struct {
	Scenario  string `json:"scenario"`
	Tool      string `json:"tool"`
	Attempts  int    `json:"attempts"`
	Kind      string `json:"kind"`
	Category  string `json:"category"`
	Code      string `json:"code"`
	Retryable bool   `json:"retryable"`
	Action    string `json:"action"`
	WaitedMs  int64  `json:"waitedMs"`
}

func newLine(s scenario, o result.Outcome, d retry.Decision) line {
	l := line{
		Scenario: s.name, Tool: s.tool, Attempts: d.Attempt, Kind: o.Kind.String(),
		Action: d.Action.String(), WaitedMs: d.Waited.Milliseconds(),
	}
	if o.Err != nil {
		l.Category, l.Code, l.Retryable = string(o.Err.Category), string(o.Err.Code), o.Err.Retryable
	}
	return l
}
