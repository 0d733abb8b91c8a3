package desk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An agent calls the tools of one server and acts on the outcomes. It stands for the program around
// a model: a model would choose the next call, but the agent follows the envelope.
type agent struct {
	session  *mcp.ClientSession
	tools    map[string]*mcp.Tool
	print    *transcript
	orders   *service
	payments *gateway
	// start starts another server, with these flags.
	start func(ctx context.Context, flags ...string) (*mcp.ClientSession, error)
}

// call calls a tool with the safety that its annotations or key argument declare.
func (a *agent) call(ctx context.Context, tool string, args map[string]any) (result.Outcome, retry.Decision) {
	return a.callAs(ctx, retry.SafetyOf(a.tools[tool]), tool, args)
}

func (a *agent) callAs(
	ctx context.Context, safety retry.Safety, tool string, args map[string]any,
) (result.Outcome, retry.Decision) {
	// The transcript shows every decision, so the policy logs none.
	policy := retry.Policy{
		Safety: safety, Logger: slog.New(slog.DiscardHandler),
		OnDecision: func(o result.Outcome, d retry.Decision) {
			a.print.decided(tool, o, d)
		},
	}
	return retry.CallTool(ctx, policy, a.session, &mcp.CallToolParams{Name: tool, Arguments: args})
}

// A scenario is one situation at the support desk.
type scenario struct {
	name  string
	title string
	tool  string
	run   func(context.Context, *agent) (result.Outcome, retry.Decision, error)
}

// scenarios lists the scenarios in the order of the transcript. Each run function returns the
// outcome of the first call, and an error if the scenario did not end as expected.
var scenarios = []scenario{
	{
		"stall_with_key", "The gateway stalls; with a key the refund is repeated, and booked once", "process_refund",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.payments.misbehave(stall)
			out, d := a.call(ctx, "process_refund", map[string]any{"order_id": "ORD-7", "amount": 40})
			return out, d, errors.Join(ends(d, retry.ActionAccept, 2), a.holds("ORD-7", 1))
		},
	},
	{
		"stall_without_key", "The gateway stalls; without a key the refund is looked up, not repeated", "process_refund",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.payments.misbehave(stall)
			out, d := a.callAs(ctx, retry.SafetyUnknown, "process_refund", map[string]any{"order_id": "ORD-7", "amount": 40})
			return out, d, errors.Join(ends(d, retry.ActionVerify, 1), a.holds("ORD-7", 0))
		},
	},
	{
		"lost_reply_with_key", "The reply to a booked refund is lost; with a key the repeat books nothing", "process_refund",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.payments.misbehave(lostReply)
			out, d := a.call(ctx, "process_refund", map[string]any{"order_id": "ORD-7", "amount": 40})
			return out, d, errors.Join(ends(d, retry.ActionAccept, 2), a.holds("ORD-7", 1))
		},
	},
	{
		"lost_reply_without_key", "The reply to a booked refund is lost; without a key it is looked up", "process_refund",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.payments.misbehave(lostReply)
			out, d := a.callAs(ctx, retry.SafetyUnknown, "process_refund", map[string]any{"order_id": "ORD-7", "amount": 40})
			return out, d, errors.Join(ends(d, retry.ActionVerify, 1), a.holds("ORD-7", 1))
		},
	},
	{
		"over_limit", "A refund of $650, over the limit of $500", "process_refund",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave()
			a.payments.misbehave()
			out, d := a.call(ctx, "process_refund", map[string]any{"order_id": "ORD-8", "amount": 650})
			if err := ends(d, retry.ActionEscalate, 1); err != nil {
				return out, d, err
			}
			words := out.Err.CustomerMessage
			a.print.Say("to the customer: %s", words)
			if words == "" || strings.Contains(words, "500") {
				return out, d, errors.New("customerMessage is empty or names the limit")
			}
			_, next := a.call(ctx, "escalate_to_human", map[string]any{"reason": out.Err.Message, "customer_message": words})
			return out, d, errors.Join(ends(next, retry.ActionAccept, 1), a.holds("ORD-8", 0))
		},
	},
	{
		"ticket_lost_reply", "The reply to a ticket is lost; the tool takes no key, so it is looked up", "escalate_to_human",
		ticketScenario,
	},
	{"naive_host", "A host that reads only isRetryable: no key, a key, a busy gateway", "process_refund", naiveScenario},
	{
		"no_orders", "Customer CUS-48291 has no orders in 90 days", "lookup_order",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave()
			out, d := a.call(ctx, "lookup_order", map[string]any{"customer_id": "CUS-48291", "days": 90})
			a.print.Say("to the customer: %s", out.Text())
			found, err := result.Decode[ordersOut](out)
			if err == nil && (out.Kind != result.KindEmpty || found.Orders == nil || len(found.Orders) > 0) {
				err = fmt.Errorf("kind %s, orders %v", out.Kind, found.Orders)
			}
			return out, d, errors.Join(ends(d, retry.ActionAccept, 1), err)
		},
	},
	{
		"reset_once", "The order service breaks a connection", "lookup_order",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave(reset)
			out, d := a.call(ctx, "lookup_order", map[string]any{"customer_id": "CUS-10001"})
			return out, d, ends(d, retry.ActionAccept, 2)
		},
	},
	{
		"orders_down", "The order service is down for longer than the agent retries", "lookup_order",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave(down, down, down, down)
			out, d := a.call(ctx, "lookup_order", map[string]any{"customer_id": "CUS-10001"})
			if err := ends(d, retry.ActionPropagate, 3); err != nil {
				return out, d, err
			}
			a.print.Answer("hand up", out.Text())
			if n := len(a.orders.requests()); n != 3 || len(out.Err.Attempted) != 1 {
				return out, d, fmt.Errorf("%d requests, %d attempted", n, len(out.Err.Attempted))
			}
			return out, d, nil
		},
	},
	{
		"throttled", "The order service answers 429 with Retry-After: 1", "lookup_order",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave(throttle)
			out, d := a.call(ctx, "lookup_order", map[string]any{"customer_id": "CUS-10001"})
			if err := ends(d, retry.ActionAccept, 2); err != nil {
				return out, d, err
			}
			at := a.orders.requests()
			if apart := at[1].Sub(at[0]); apart < time.Second {
				return out, d, fmt.Errorf("the second request came after %v", apart)
			}
			return out, d, nil
		},
	},
	{
		"missing_argument", "The model forgets the customer id", "lookup_order",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave()
			args := map[string]any{}
			out, d := a.call(ctx, "lookup_order", args)
			if err := ends(d, retry.ActionFixInput, 1); err != nil {
				return out, d, err
			}
			args[out.Err.Field] = "CUS-10001" // the envelope names it, the conversation has it
			_, next := a.call(ctx, "lookup_order", args)
			return out, d, ends(next, retry.ActionAccept, 1)
		},
	},
	{
		"malformed_id", "The model sends the id 48291", "get_customer",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave()
			args := map[string]any{"customer_id": "48291"}
			out, d := a.call(ctx, "get_customer", args)
			if err := ends(d, retry.ActionFixInput, 1); err != nil || len(out.Err.Suggestions) == 0 {
				return out, d, errors.Join(err, suggested(out.Err))
			}
			args[out.Err.Field] = out.Err.Suggestions[0]
			_, next := a.call(ctx, "get_customer", args)
			return out, d, ends(next, retry.ActionAccept, 1)
		},
	},
	{
		"denied", "Access to the customer records is denied", "get_customer",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave(deny)
			out, d := a.call(ctx, "get_customer", map[string]any{"customer_id": "CUS-10001"})
			if err := ends(d, retry.ActionReauthorize, 1); err != nil {
				return out, d, err
			}
			a.print.Say("to the operators: get_customer: %s (correlation id %s)", out.Err.Message, out.Err.CorrelationID)
			return out, d, nil
		},
	},
	{
		"panic", "A handler panics", "get_customer",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			// The scenario has its own server, so that the fault affects no other scenario. It answers
			// the second call only if it survives the first.
			session, err := a.start(ctx, "-fault", "get_customer=panic:1")
			if err != nil {
				return result.Outcome{}, retry.Decision{}, err
			}
			defer func() { _ = session.Close() }()
			other := *a
			other.session = session
			args := map[string]any{"customer_id": "CUS-10001"}
			out, d := other.call(ctx, "get_customer", args)
			if err := ends(d, retry.ActionPropagate, 1); err != nil {
				return out, d, err
			}
			if out.Err.CorrelationID == "" {
				return out, d, errors.New("the envelope has no correlation id")
			}
			a.print.Say("to the operators: get_customer: %s (correlation id %s)", out.Err.Message, out.Err.CorrelationID)
			_, next := other.call(ctx, "lookup_order", args)
			return out, d, ends(next, retry.ActionAccept, 1)
		},
	},
	{
		"unknown_tool", "The model calls a tool that does not exist", "close_account",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			out, d := a.call(ctx, "close_account", map[string]any{})
			var protocol *jsonrpc.Error
			if err := ends(d, retry.ActionFixInput, 1); err != nil || !errors.As(out.Err, &protocol) {
				return out, d, errors.Join(err, errors.New("not a protocol error"))
			}
			a.print.Say("this is a protocol error (%d): the call was not made", protocol.Code)
			return out, d, nil
		},
	},
}

// ends returns an error if a call did not end as expected.
func ends(d retry.Decision, want retry.Action, attempts int) error {
	if d.Action != want || d.Attempt != attempts {
		return fmt.Errorf("%s after %d attempts (%s), want %s after %d", d.Action, d.Attempt, d.Reason, want, attempts)
	}
	return nil
}

func suggested(e *toolerr.Error) error {
	if e == nil || len(e.Suggestions) == 0 {
		return errors.New("no suggestion")
	}
	return nil
}

// holds looks up an order's refunds at the gateway, as the action verify requires. It returns an
// error if the number of refunds booked for the order is not want.
func (a *agent) holds(orderID string, want int) error {
	n := a.payments.booked(orderID)
	a.print.Say("looked up: refunds of %s that the gateway has booked: %d", orderID, n)
	if n != want {
		return fmt.Errorf("%s is booked %d times, want %d", orderID, n, want)
	}
	return nil
}
