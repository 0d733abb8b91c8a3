package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// playAll brings the situations about one after the other, and tells on stdout
// what the agent does in each. It returns an error where one ended otherwise
// than it should.
func playAll(ctx context.Context, situations []situation, stdout, stderr io.Writer) error {
	var wrong []error
	for i, s := range situations {
		_, _ = fmt.Fprintf(stdout, "\n%d. %s\n", i+1, s.title)
		got, err := s.play(ctx, stdout, stderr)
		if err == nil && got != s.want {
			err = fmt.Errorf("%s; should be %s", got, s.want)
		}
		if err != nil {
			_, _ = fmt.Fprintf(stdout, "   WRONG   %v\n", err)
			wrong = append(wrong, fmt.Errorf("situation %d: %w", i+1, err))
		}
	}
	return errors.Join(wrong...)
}

// play brings one situation about, with a database and a server of its own.
func (s situation) play(ctx context.Context, stdout, stderr io.Writer) (got ending, err error) {
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
		return got, fmt.Errorf("cannot bring the situation about: %w", err)
	}
	defer func() {
		if end != nil {
			err = errors.Join(err, end())
		}
	}()

	command, err := serverCommand(ctx, path, s.outsider)
	if err != nil {
		return got, err
	}
	command.Stderr = stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "database-agent", Version: "v1.0.0"}, nil)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
	if err != nil {
		return got, fmt.Errorf("cannot connect to the server: %w", err)
	}
	defer func() { _ = session.Close() }()

	policy := s.policy
	policy.Safety = retry.SafetyReadOnly // as our own server annotates it; retry.SafetyOf reads that of a listed tool
	policy.OnDecision = func(o result.Outcome, d retry.Decision) {
		tell(stdout, o, d)
		if d.Attempt == 1 {
			got.kind = o.Kind
			if o.Err != nil {
				got.category, got.code = o.Err.Category, o.Err.Code
			}
		}
		if s.passes && d.Action == retry.ActionRetry {
			err, end = end(), nil
		}
	}
	_, _ = fmt.Fprintf(stdout, "   call    get_customer %s\n", s.customerID)
	_, decision := retry.CallTool(ctx, policy, session, &mcp.CallToolParams{
		Name:      "get_customer",
		Arguments: map[string]any{"customer_id": s.customerID},
	})
	got.action, got.attempts = decision.Action, decision.Attempt
	return got, err
}

// tell prints what came back, and what the agent decided.
func tell(w io.Writer, o result.Outcome, d retry.Decision) {
	_, _ = fmt.Fprintf(w, "   %-7s %s\n", o.Kind, o.Text())
	_, _ = fmt.Fprintf(w, "   decide  %s: %s\n", d.Action, d.Reason.Sentence())
	if d.Action == retry.ActionRetry {
		_, _ = fmt.Fprintf(w, "   wait    %v\n", d.Delay.Round(time.Millisecond))
	}
}

// nobody is the user id that owns nothing.
const nobody = 65534

// serverCommand is this program as the server. An outsider is not root.
func serverCommand(ctx context.Context, path string, outsider bool) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("cannot find this program to start it as the server: %w", err)
	}
	args := []string{"-serve", "-db", path}
	if outsider && os.Geteuid() == 0 {
		args = append(args, "-uid", strconv.Itoa(nobody))
	}
	return exec.CommandContext(ctx, self, args...), nil
}
