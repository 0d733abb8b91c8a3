package main

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An agent calls the tools and acts on the results. A model would choose the next call itself; this
// agent does what the envelope says.
type agent struct {
	client *retry.Client
	print  *transcript
	today  time.Time
}

func (a *agent) call(ctx context.Context, tool string, args map[string]any) (result.Outcome, retry.Decision) {
	a.print.calling(tool, args)
	return a.client.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
}

// succeeds makes a call that should return data after this many attempts.
func (a *agent) succeeds(ctx context.Context, attempts int, tool string, args map[string]any) (result.Outcome, error) {
	out, d := a.call(ctx, tool, args)
	return out, ends(tool, d, retry.ActionAccept, attempts)
}

// fails makes a call that should fail with this code after this many attempts, and
// lead to this action.
func (a *agent) fails(
	ctx context.Context, action retry.Action, code toolerr.Code, attempts int, tool string, args map[string]any,
) (*toolerr.Error, error) {
	out, d := a.call(ctx, tool, args)
	if err := ends(tool, d, action, attempts); err != nil {
		return nil, err
	}
	if out.Err == nil || out.Err.Code != code {
		return nil, fmt.Errorf("%s want a failure with code %s: %s", tool, code, out.Text())
	}
	return out.Err, nil
}

// fix makes a call that should fail with this code, and then the call that the failure suggests.
func (a *agent) fix(ctx context.Context, code toolerr.Code, tool string, args map[string]any) error {
	e, err := a.fails(ctx, retry.ActionFixInput, code, 1, tool, args)
	if err != nil {
		return err
	}
	if args, err = corrected(e, args); err != nil {
		return err
	}
	_, err = a.succeeds(ctx, 1, tool, args)
	return err
}

// chargedOnce returns an error unless an order was charged exactly once.
func (a *agent) chargedOnce(ctx context.Context, order string) error {
	out, err := a.succeeds(ctx, 1, "list_charges", map[string]any{"order_id": order})
	if err != nil {
		return err
	}
	found, err := result.Decode[chargesOut](out)
	if err == nil && len(found.Charges) != 1 {
		err = fmt.Errorf("%s is charged %d times, want once", order, len(found.Charges))
	}
	return err
}

// uncheckedRecord reads a record that cannot be checked. The call must be made only once, fail with
// an internal error, and reveal nothing about the record.
func (a *agent) uncheckedRecord(ctx context.Context, record string) error {
	e, err := a.fails(ctx, retry.ActionPropagate, toolerr.CodeInternal, 1, "read_record",
		map[string]any{"record_id": record})
	if err == nil && (e.Partial != nil || strings.Contains(string(e.AppendJSON(nil)), "salary")) {
		err = fmt.Errorf("the failure shows the record: %s", e.AppendJSON(nil))
	}
	return err
}

// ends returns an error if a call did not end as expected.
func ends(tool string, d retry.Decision, action retry.Action, attempts int) error {
	if d.Action != action || d.Attempt != attempts {
		return fmt.Errorf("%s: %s after %d attempts (%s), want %s after %d", tool, d.Action, d.Attempt, d.Reason, action,
			attempts)
	}
	return nil
}

// corrected returns the arguments, with the wrong one replaced by the first suggestion.
func corrected(e *toolerr.Error, args map[string]any) (map[string]any, error) {
	if e.Field == "" || len(e.Suggestions) == 0 {
		return nil, fmt.Errorf("the failure names no argument, or has no suggestion for it: %s", e.AppendJSON(nil))
	}
	return with(args, e.Field, e.Suggestions[0]), nil
}

func with(args map[string]any, name string, value any) map[string]any {
	c := maps.Clone(args)
	c[name] = value
	return c
}
