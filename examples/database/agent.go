package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// playAll plays the situations in turn, and writes to stdout what the agent does in each. It
// returns an error if any situation did not end as expected.
func playAll(ctx context.Context, situations []situation, output harness.Output, stdout, stderr io.Writer) error {
	log, closeLog, err := output.OpenLog("database", stderr)
	if err != nil {
		return err
	}
	defer func() { _ = closeLog() }()
	print := output.Transcript(stdout, harness.NewPen(stdout))
	var wrong []error
	for i, s := range situations {
		print.Title(i+1, s.title)
		got, err := s.play(ctx, print, log)
		if ctx.Err() != nil {
			return harness.ErrInterrupted
		}
		if err == nil && got != s.want {
			err = fmt.Errorf("%s; want %s", got, s.want)
		}
		if err != nil {
			print.Wrong(err)
			wrong = append(wrong, fmt.Errorf("situation %d: %w", i+1, err))
		}
		if err := print.Err(); err != nil {
			return err
		}
	}
	return errors.Join(wrong...)
}

// play plays a situation, with a database and a server of its own.
func (s situation) play(ctx context.Context, print *harness.Transcript, log io.Writer) (got ending, err error) {
	dir, err := os.MkdirTemp("", "customers")
	if err != nil {
		return got, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "customers.db")
	if err := create(ctx, path); err != nil {
		return got, fmt.Errorf("cannot make a database: %w", err)
	}
	end, err := s.bringAbout(ctx, path)
	if err != nil {
		return got, fmt.Errorf("cannot make the situation: %w", err)
	}
	defer func() {
		if end != nil {
			err = errors.Join(err, end())
		}
	}()

	session, err := harness.ConnectSelf(ctx, "database-agent", print.Sending, log, serverFlags(path, s.outsider)...)
	if err != nil {
		return got, err
	}
	defer func() { _ = session.Close() }()

	policy := s.policy
	policy.Logger = slog.New(slog.DiscardHandler) // the transcript shows every decision
	// as our own server annotates it; retry.SafetyOf reads that of a listed tool
	policy.Safety = retry.SafetyReadOnly
	policy.OnDecision = func(o result.Outcome, d retry.Decision) {
		print.Decided(o, d)
		if d.Attempt == 1 {
			got.kind = o.Kind
			if o.Err != nil {
				got.category, got.code = o.Err.Category, o.Err.Code
			}
		}
		if s.passes && d.Action == retry.ActionRetry && end != nil {
			err, end = end(), nil
		}
	}
	_, decision := retry.CallTool(ctx, policy, session, &mcp.CallToolParams{
		Name:      "get_customer",
		Arguments: map[string]any{"customer_id": s.customerID},
	})
	got.action, got.attempts = decision.Action, decision.Attempt
	return got, err
}

// nobody is a user id that owns nothing.
const nobody = 65534

// serverFlags returns the flags that turn this program into the server. An outsider is never root.
func serverFlags(path string, outsider bool) []string {
	flags := []string{"-serve", "-db", path}
	if outsider && os.Geteuid() == 0 {
		flags = append(flags, "-uid", strconv.Itoa(nobody))
	}
	return flags
}
