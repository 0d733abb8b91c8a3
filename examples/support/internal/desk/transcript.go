package desk

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// A transcript is a [harness.Transcript] that also counts the failed calls.
type transcript struct {
	*harness.Transcript

	failed map[[3]string]int // tool, category, code
}

func (t *transcript) decided(tool string, o result.Outcome, d retry.Decision) {
	t.Decided(o, d)
	t.count(tool, o)
}

// count counts a call if it failed.
func (t *transcript) count(tool string, o result.Outcome) {
	if o.Err != nil {
		t.failed[[3]string{tool, string(o.Err.Category), string(o.Err.Code)}]++
	}
}

// table prints the failed calls by tool, category and code.
func (t *transcript) table() {
	tw := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, "\nFailed calls\n\n   tool\tcategory\tcode\tcalls")
	keys := make([][3]string, 0, len(t.failed))
	for key := range t.failed {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b [3]string) int {
		return strings.Compare(strings.Join(a[:], " "),
			strings.Join(b[:], " "))
	})
	for _, key := range keys {
		_, _ = fmt.Fprintf(tw, "   %s\t%s\t%s\t%d\n", key[0], key[1], key[2], t.failed[key])
	}
	_ = tw.Flush()
}

// A line is the -json object of a scenario.
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
