package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/mcp-toolerr/toolerr-go/retry"
)

// An answer is the next step that the model chose in one trial.
type answer struct {
	Failure string `json:"failure"`
	Form    string `json:"form"`
	Seed    int    `json:"seed"`
	// Want is the right answer: what package retry decides.
	Want retry.Action `json:"want"`
	// Chosen is nil if the answer names no step, or several.
	Chosen *retry.Action `json:"chosen"`
	Right  bool          `json:"right"`
	// Twice states whether the chosen step may do the work twice.
	Twice bool `json:"mayDoItTwice"`
}

// A tally counts answers.
type tally struct{ right, wrong, twice, unreadable int }

func (t *tally) add(a answer) {
	switch {
	case a.Right:
		t.right++
	case a.Chosen == nil:
		t.unreadable++
	case a.Twice:
		t.twice++
	default:
		t.wrong++
	}
}

// A score holds the tallies of all answers.
type score struct {
	title     string
	seeds     int
	questions []question
	tallies   map[string]map[string]*tally // by failure and form; "" is all failures
}

// add scores an answer.
func (s *score) add(q question, form string, seed int, text string) answer {
	a := answer{Failure: q.name, Form: form, Seed: seed, Want: q.want}
	if action, ok := chosen(text); ok {
		a.Chosen = &action
		a.Right = action == q.want
		a.Twice = q.danger && action == retry.ActionRetry
	}
	for _, name := range []string{q.name, ""} {
		s.of(name, form).add(a)
	}
	return a
}

// of returns the tally for a failure and form.
func (s *score) of(failure, form string) *tally {
	if s.tallies == nil {
		s.tallies = map[string]map[string]*tally{}
	}
	if s.tallies[failure] == nil {
		s.tallies[failure] = map[string]*tally{}
	}
	if s.tallies[failure][form] == nil {
		s.tallies[failure][form] = new(tally)
	}
	return s.tallies[failure][form]
}

// print prints the table.
func (s *score) print(w io.Writer) error {
	columns := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintf(w, "Right next steps in %d answers each, by %s.\n! marks a wrong answer that may do the work "+
		"twice.\n\n", s.seeds, s.title)
	_, _ = fmt.Fprintln(columns, "failure\tnext step\tbare text\tenvelope")
	for _, q := range s.questions {
		_, _ = fmt.Fprintf(columns, "%s\t%s\t%s\t%s\n", q.name, q.want, s.of(q.name, "bare"), s.of(q.name, "envelope"))
	}
	all := map[string]*tally{"bare": s.of("", "bare"), "envelope": s.of("", "envelope")}
	for _, row := range []struct {
		name  string
		count func(*tally) int
	}{
		{"right in all", func(t *tally) int { return t.right }},
		{"wrong", func(t *tally) int { return t.wrong }},
		{"wrong, and may do it twice", func(t *tally) int { return t.twice }},
		{"no step, or several", func(t *tally) int { return t.unreadable }},
	} {
		_, _ = fmt.Fprintf(columns, "%s\t\t%d\t%d\n", row.name, row.count(all["bare"]), row.count(all["envelope"]))
	}
	return columns.Flush()
}

// String returns the number of right answers, and a mark for each that may do the work twice.
func (t *tally) String() string {
	return fmt.Sprint(t.right) + strings.Repeat("!", t.twice)
}
