package replay_test

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A score counts the cases of one server in one mode.
type score struct {
	cases, better, same, worse, hidden int
	lost, wrong, misdirecting          int
}

func (s *score) add(o score) {
	s.cases += o.cases
	s.better += o.better
	s.same += o.same
	s.worse += o.worse
	s.hidden += o.hidden
	s.lost += o.lost
	s.wrong += o.wrong
	s.misdirecting += o.misdirecting
}

// compare scores one case by what the model sees with and without the middleware. It
// returns the faults of the former. If masked, the text stays with the server by design: an
// unexpected error is then hidden and logged as such, and of any other the members convey the
// meaning.
func compare(t *testing.T, want label, o *observation, before, after *mcp.CallToolResult, masked bool) (score, string) {
	t.Helper()
	s := score{cases: 1}
	if masked && o.unexpected() {
		s.hidden = 1
		return s, ""
	}
	var faults []string
	if words := lost(t, before, after); len(words) > 0 && (!masked || o.unclassified()) {
		s.lost = 1
		faults = append(faults, fmt.Sprintf("lost %q", words))
	}
	if wrong := o.wrong(want); len(wrong) > 0 {
		s.wrong = 1
		faults = append(faults, "claims "+strings.Join(wrong, ", "))
	}
	if to := o.misdirects(want); to != "" {
		s.misdirecting = 1
		faults = append(faults, fmt.Sprintf("misdirects to %s: %q", to, o.envelope.Hint))
	}
	switch {
	case len(faults) > 0:
		s.worse = 1
	case o.better(want):
		s.better = 1
	default:
		s.same = 1
	}
	return s, strings.Join(faults, "; ")
}

// A table holds the scores of all servers in the order of their first case.
type table struct {
	names   []string
	rows    map[string]*score
	heldOut score
}

func (tb *table) add(rec *recording, s score) {
	name := fmt.Sprintf("%s (%s)", rec.file, rec.Server.Version)
	if rec.HeldOut {
		name += " *"
		tb.heldOut.add(s)
	}
	if tb.rows == nil {
		tb.rows = map[string]*score{}
	}
	if tb.rows[name] == nil {
		tb.names = append(tb.names, name)
		tb.rows[name] = new(score)
	}
	tb.rows[name].add(s)
}

// total returns the sum of the rows.
func (tb *table) total() score {
	var sum score
	for _, s := range tb.rows {
		sum.add(*s)
	}
	return sum
}

// String shows the table.
func (tb *table) String() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	line := func(name string, s score) {
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n",
			name, s.cases, s.better, s.same, s.worse, s.hidden, s.lost, s.wrong, s.misdirecting)
	}
	_, _ = fmt.Fprintln(w, "\tcases\tbetter\tsame\tworse\thidden\twords lost\twrong claims\tmisdirecting")
	for _, name := range tb.names {
		line(name, *tb.rows[name])
	}
	line("* held out", tb.heldOut)
	line("all", tb.total())
	_ = w.Flush()
	return b.String()
}
