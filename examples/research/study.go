package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
)

// A study is one run of the coordinator.
type study struct {
	query    string
	attempts int // of a subagent at its source
	asJSON   bool
	stdout   io.Writer
	stderr   io.Writer
	start    starter
	report   func(*coordinator, handoff.Coverage) string
}

func newStudy(opts options, stdout, stderr io.Writer) *study {
	return &study{
		query: "congestion retransmission backoff", attempts: opts.attempts, asJSON: opts.asJSON,
		stdout: stdout, stderr: harness.Locked(stderr), start: startProcess(opts.attempts), report: writeReport,
	}
}

// titles say what to see in the transcripts.
var titles = map[string]string{
	"papers":  "what the subagent mends by itself is not seen",
	"rfcs":    "a part is continued until all of it is there",
	"archive": "what is lost is handed up, and the coordinator decides",
}

var errInterrupted = errors.New("interrupted before the report was written")

// run searches, writes it all down, and returns what ended otherwise than it
// should.
func (s *study) run(ctx context.Context) error {
	c := &coordinator{query: s.query}
	for _, name := range agents {
		c.agents = append(c.agents, newAgent(name, s.start, new(transcript), s.stderr))
	}
	defer c.close()
	c.searchAll(ctx)
	c.fillGaps(ctx)
	if ctx.Err() != nil {
		return errInterrupted
	}
	coverage := c.coverage()
	report := s.report(c, coverage)
	wrong := s.check(c, coverage, report)
	return errors.Join(s.write(c, coverage, report), wrong)
}

func (s *study) write(c *coordinator, coverage handoff.Coverage, report string) error {
	if !s.asJSON {
		for i, a := range c.agents {
			if _, err := fmt.Fprintf(s.stdout, "%d. %s: %s\n%s\n", i+1, a.name, titles[a.name], a.print); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintf(s.stdout, "Report\n\n%s", report)
		return err
	}
	for _, a := range c.agents {
		if err := harness.PrintJSON(s.stdout, newLine(a)); err != nil {
			return err
		}
	}
	return harness.PrintJSON(s.stdout, newLastLine(c, coverage, report))
}

// close ends the subagents, all at the same time.
func (c *coordinator) close() {
	var all sync.WaitGroup
	for _, a := range c.agents {
		all.Go(func() { _ = a.client.Close() })
	}
	all.Wait()
}
