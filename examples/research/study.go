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
	output   harness.Output
	stdout   io.Writer
	stderr   io.Writer
	start    starter
	report   func(*coordinator, handoff.Coverage) string
}

func newStudy(opts options, stdout, stderr io.Writer) *study {
	return &study{
		query: "congestion retransmission backoff", attempts: opts.attempts, output: opts.output,
		stdout: stdout, stderr: stderr, start: startProcess(opts.attempts), report: writeReport,
	}
}

// titles states what each transcript shows.
var titles = map[string]string{
	"papers":  "the subagent recovers by itself, and the coordinator does not see it",
	"rfcs":    "a part comes back, and is continued until all is there",
	"archive": "a part is lost: the subagent hands the failure up, and the coordinator decides",
}

var errInterrupted = errors.New("interrupted before the report was written")

// run searches, and writes the transcripts and the report. It returns an error for each result that
// is not as expected.
func (s *study) run(ctx context.Context) error {
	log, closeLog, err := s.output.OpenLog("research", s.stderr)
	if err != nil {
		return err
	}
	defer func() { _ = closeLog() }()
	c, pen := &coordinator{query: s.query}, harness.NewPen(s.stdout)
	for i, name := range agents {
		print := newTranscript(s.output, pen)
		print.Title(i+1, name+": "+titles[name])
		c.agents = append(c.agents, newAgent(name, s.start, print, log))
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
	if !s.output.JSON {
		for _, a := range c.agents {
			if _, err := a.print.text.WriteTo(s.stdout); err != nil {
				return fmt.Errorf("cannot print: %w", err)
			}
		}
		_, err := fmt.Fprintf(s.stdout, "\nReport\n\n%s", report)
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
