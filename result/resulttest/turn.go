package resulttest

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxLate is how many calls of a tool may go without an answer in time. Chosen:
	// each costs Options.Timeout.
	maxLate = 2
	// maxDeaths is how many calls of a tool may end the server. Chosen: each needs a
	// new session, and one more than maxLate, since it costs less.
	maxDeaths = 3
	// maxSilent is how many tools may have used up maxLate or maxSlow. Chosen: at 15 s a
	// call, the check of a server that hangs is over in under three minutes, and that of a
	// slow one in six.
	maxSilent = 5
	// maxSlow is how many times Options.Timeout all calls of a tool may take together.
	// Chosen: a minute at 15 s, when most tools need a second.
	maxSlow = 4
	// maxCalls is how many calls a check makes. Chosen: a server with 300 tools of
	// twenty arguments each needs half of it.
	maxCalls = 20_000
)

// A turn is that of one tool: its calls, and what is tried because of their answers.
type turn struct {
	*checker

	tool         *mcp.Tool
	answers      []*answer // to the calls that the schema and the author suggest
	works        bool      // the first of them did not fail as internal
	late, deaths int
	elapsed      time.Duration // of the calls
	stopped      string        // why no more calls are made
}

// take makes all calls of one tool.
func (t *turn) take(ctx context.Context) ToolReport {
	list, skipped := t.opts.probes(t.tool)
	report := ToolReport{Name: t.tool.Name, Skipped: skipped, Tool: t.tool}
	for i, p := range list {
		a := t.call(ctx, t.tool.Name, p)
		if a == nil {
			report.Skipped = t.stopped
			break
		}
		t.answers = append(t.answers, a)
		t.works = t.works || i == 0 && !a.isInternal()
		if p.wrong && t.works && a.isInternal() {
			a.addMasked()
		}
		if rest := len(list) - 1 - i; rest > 0 && t.givenUp() {
			report.Skipped = fmt.Sprintf("%d more calls were left out, because it answered too few or too slowly", rest)
			break
		}
	}
	if skipped == "" && !t.givenUp() {
		t.testPromises(ctx)
	}
	return report
}

// call makes one call, of the turn's tool or of one that shows what that has done, or
// returns nil if no more are made.
func (t *turn) call(ctx context.Context, tool string, p probe) *answer {
	a, stopped := t.try(ctx, tool, p)
	if a == nil {
		t.stopped = stopped
		return nil
	}
	t.record(a)
	given := t.givenUp()
	t.elapsed += a.elapsed
	if a.late {
		t.late++
	}
	if a.died {
		t.deaths++
	}
	if !given && t.givenUp() && t.deaths < maxDeaths {
		t.silent++
	}
	return a
}

// givenUp reports whether too many calls went without an answer, or waited too long for it.
func (t *turn) givenUp() bool {
	return t.late >= maxLate || t.deaths >= maxDeaths || t.timeout >= 0 && t.elapsed > maxSlow*t.timeout
}

// try makes one call, or says why that and all further ones are not made.
func (c *checker) try(ctx context.Context, tool string, p probe) (a *answer, stopped string) {
	switch {
	case c.silent >= maxSilent:
		return nil, "too many other tools gave no answer"
	case len(c.answers) >= maxCalls:
		return nil, fmt.Sprintf("the check has made its %d calls", maxCalls)
	}
	if err := c.ready(ctx); err != nil {
		return nil, err.Error()
	}
	if a = c.call(ctx, tool, p); ctx.Err() != nil {
		return nil, "the check was ended"
	}
	return a, ""
}

// record keeps an answer, and finds what is wrong with it by itself. One that was asked
// for to compare it is only compared.
func (c *checker) record(a *answer) {
	a.position = len(c.answers)
	c.answers = append(c.answers, a)
	if !a.probe.compared {
		a.check(c.outputs[a.tool], c.timeout)
	}
}
