package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// Scenarios with calls that would do the work a second time if repeated.

// ticketScenario calls a tool that takes no key. A repeat would open a second ticket, so
// the agent looks for the first one.
func ticketScenario(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
	a.orders.misbehave(lostReply)
	const reason = "The customer wants to speak to a person."
	out, d := a.call(ctx, "escalate_to_human", map[string]any{"reason": reason})
	if err := ends(d, retry.ActionVerify, 1); err != nil {
		return out, d, err
	}
	found, err := a.ticketsFor(ctx, reason)
	if err != nil {
		return out, d, err
	}
	a.print.Say("looked up: tickets with that reason: %d", len(found))
	if len(found) != 1 {
		return out, d, fmt.Errorf("%d tickets, want 1", len(found))
	}
	a.print.Say("to the customer: a colleague will take over (%s)", found[0].ID)
	return out, d, nil
}

// ticketsFor looks up tickets at the help desk.
func (a *agent) ticketsFor(ctx context.Context, reason string) ([]ticket, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.orders.URL+"/tickets?reason="+url.QueryEscape(reason),
		http.NoBody)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var found struct {
		Tickets []ticket `json:"tickets"`
	}
	err = json.NewDecoder(resp.Body).Decode(&found)
	return found.Tickets, err
}

// naiveScenario plays a host that reads only isRetryable and retryAfterMs. The isRetryable that the
// server sends keeps it from booking twice.
func naiveScenario(ctx context.Context, a *agent) (out result.Outcome, d retry.Decision, err error) {
	plain := map[string]any{"order_id": "ORD-7", "amount": 40}
	keyed := map[string]any{"order_id": "ORD-7", "amount": 40, "idempotency_key": "refund-of-ORD-7"}
	for i, test := range []struct {
		args     map[string]any
		fault    fault
		attempts int
	}{
		{plain, lostReply, 1},
		{keyed, lostReply, 2},
		{plain, throttle, 2},
	} {
		a.payments.misbehave(test.fault)
		o, attempts := a.naive(ctx, "process_refund", test.args)
		if i == 0 {
			out, d = o, retry.Decision{Action: retry.ActionPropagate, Attempt: attempts}
		}
		if attempts != test.attempts {
			err = errors.Join(err, fmt.Errorf("%d attempts after %s, want %d", attempts, test.fault, test.attempts))
		}
		err = errors.Join(err, a.holds("ORD-7", 1))
	}
	return out, d, err
}

// naive calls a tool like a host that reads only isRetryable and retryAfterMs: it repeats the
// identical call, up to three times in all.
func (a *agent) naive(ctx context.Context, tool string, args map[string]any) (out result.Outcome, attempts int) {
	for attempts = 1; ; attempts++ {
		res, err := a.session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
		out = result.Parse(res, err) // for the transcript
		text := harness.WireText(out)
		a.print.count(tool, out)
		a.print.Answer(out.Kind.String(), text)
		var flags struct {
			Retryable bool  `json:"isRetryable"`
			AfterMs   int64 `json:"retryAfterMs"`
		}
		if json.Unmarshal([]byte(text), &flags) != nil || !flags.Retryable || attempts == 3 {
			if !flags.Retryable && out.Err != nil {
				a.print.Say("isRetryable is false: the host does not send the call again")
			}
			return out, attempts
		}
		a.print.Say("isRetryable is true: the host sends the same call again")
		select {
		case <-time.After(time.Duration(flags.AfterMs) * time.Millisecond):
		case <-ctx.Done():
			return out, attempts
		}
	}
}
