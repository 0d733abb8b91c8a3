package replay_test

import (
	"fmt"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A score counts the cases of one server in one mode. Each case is better, kindOnly, same,
// hidden or worse.
type score struct {
	cases, better, same, worse int
	// kindOnly: the words stay with the server, and the members name the kind of failure.
	kindOnly int
	// hidden: the words stay with the server, and are about its own failure.
	hidden int
	// withheld: a repeat may succeed and is safe, and isRetryable is false.
	withheld                  int
	lost, wrong, misdirecting int
	// read: members read out of prose, whether they are right or not.
	read int
}

func (s *score) add(o score) {
	s.cases += o.cases
	s.better += o.better
	s.kindOnly += o.kindOnly
	s.same += o.same
	s.hidden += o.hidden
	s.worse += o.worse
	s.withheld += o.withheld
	s.lost += o.lost
	s.wrong += o.wrong
	s.misdirecting += o.misdirecting
	s.read += o.read
}

// compare scores one case by what the model sees with and without the middleware. It returns the
// faults of the latter. If masked, words may stay with the server by design. Such a case is worse
// if the caller could have acted on the words, and nothing conveys their meaning.
func compare(t *testing.T, want label, o *observation, before, after *mcp.CallToolResult, masked bool) (score, string) {
	t.Helper()
	s := score{cases: 1}
	if want.retry && o.readOnly && !o.envelope.Retryable {
		s.withheld = 1
	}
	if o.read() {
		s.read = 1
	}
	words := lost(t, before, after)
	if masked && strings.Contains(plain(text(before)), plain(o.envelope.Message)) {
		words = nil // the service's message is there, the client library's words are not
	}
	var faults []string
	if len(words) > 0 && !masked {
		s.lost = 1
		faults = append(faults, fmt.Sprintf("lost %q", words))
	}
	if wrong := o.wrong(want); len(wrong) > 0 {
		s.wrong = 1
		faults = append(faults, "claims "+strings.Join(wrong, ", "))
	}
	if to := o.misdirects(want); to != "" && !o.unexpected() {
		s.misdirecting = 1
		faults = append(faults, fmt.Sprintf("misdirects to %s: %q", to, o.envelope.Hint))
	}
	switch {
	case len(faults) > 0:
		s.worse = 1
	case len(words) == 0 && o.better(want):
		s.better = 1
	case len(words) == 0:
		s.same = 1
	case !o.unexpected():
		s.kindOnly = 1
	case want.internal:
		s.hidden = 1
	default:
		s.worse = 1
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
		_, _ = fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\n", name, s.cases, s.better, s.kindOnly,
			s.same, s.hidden, s.worse, s.withheld, s.lost, s.wrong, s.misdirecting, s.read)
	}
	_, _ = fmt.Fprintln(w, "\tcases\tbetter\tkind only\tsame\thidden\tworse\twithheld\twords lost\twrong "+
		"claims\tmisdirecting\tread")
	for _, name := range tb.names {
		line(name, *tb.rows[name])
	}
	line("* held out", tb.heldOut)
	line("all", tb.total())
	_ = w.Flush()
	return b.String()
}
