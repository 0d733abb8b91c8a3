package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A scenario is one failure, and the calls that its envelope leads to. Its run function returns an
// error if the scenario does not end as expected.
type scenario struct {
	name  string
	title string
	run   func(context.Context, *agent) error
	plain bool // its client does not read the tools' annotations
}

// scenarios holds all scenarios, in the order of the transcript.
var scenarios = []scenario{
	{name: "stock_typo", title: "A ticker with a typo", run: func(ctx context.Context, a *agent) error {
		return a.fix(ctx, toolerr.CodeNotFound, "get_stock_price", map[string]any{"symbol": "APLE"})
	}},
	{name: "stock_case", title: "A ticker in small letters", run: func(ctx context.Context, a *agent) error {
		return a.fix(ctx, toolerr.CodeInvalidArgument, "get_stock_price", map[string]any{"symbol": "aapl"})
	}},
	{name: "file_typo", title: "A path with a typo", run: func(ctx context.Context, a *agent) error {
		return a.fix(ctx, toolerr.CodeNotFound, "read_file", map[string]any{"path": "src/auth/sesion.ts"})
	}},
	{name: "file_ambiguous", title: "A file name that three files have", run: func(ctx context.Context, a *agent) error {
		args := map[string]any{"name": "session"}
		e, err := a.fails(ctx, retry.ActionFixInput, toolerr.CodeAmbiguous, 1, "open_file", args)
		if err != nil {
			return err
		}
		if len(e.Options) != 3 || len(e.Suggestions) != 0 {
			return fmt.Errorf("options %v and suggestions %v, want three options and no guess", e.Options, e.Suggestions)
		}
		second, ok := e.Options[1].(map[string]any)
		if !ok {
			return fmt.Errorf("the option %v is no object", e.Options[1])
		}
		a.print.Say("the user means %s", second["name"])
		_, err = a.succeeds(ctx, 1, "open_file", with(args, e.Field, second["name"]))
		return err
	}},
	{name: "write_closed", title: "A folder that is closed by policy", run: func(ctx context.Context, a *agent) error {
		args := map[string]any{"path": "infra/main.tf", "content": "count = 3\n"}
		e, err := a.fails(ctx, retry.ActionReauthorize, toolerr.CodePermissionDenied, 1, "write_file", args)
		if err != nil {
			return err
		}
		a.print.Say("to the user: %s", e.CustomerMessage)
		_, err = a.succeeds(ctx, 1, "write_file", with(args, "path", "docs/infra-change.md"))
		return err
	}},
	{
		name: "write_outside", title: "A path that leads out of the workspace",
		run: func(ctx context.Context, a *agent) error {
			args := map[string]any{"path": "../../etc/hosts", "content": "127.0.0.1 example.com\n"}
			e, err := a.fails(ctx, retry.ActionReauthorize, toolerr.CodePermissionDenied, 1, "write_file", args)
			if err == nil {
				a.print.Say("to the user: %s", e.CustomerMessage)
			}
			return err
		},
	},
	{
		name: "terminate_running", title: "An instance that is still running",
		run: func(ctx context.Context, a *agent) error {
			args := map[string]any{"instance_id": "i-101"}
			e, err := a.fails(ctx, retry.ActionFixInput, toolerr.CodeFailedPrecondition, 1, "terminate_instance", args)
			if err != nil {
				return err
			}
			first, ok := e.Details["first"].(string)
			if !ok || !strings.Contains(e.Hint, first) {
				return fmt.Errorf("the tool to call first is %v in the details, and the hint is %q", e.Details["first"], e.Hint)
			}
			a.print.Say("the hint names %s", first)
			if _, err := a.succeeds(ctx, 1, first, args); err != nil {
				return err
			}
			_, err = a.succeeds(ctx, 1, "terminate_instance", args)
			return err
		},
	},
	{name: "travel_past", title: "A trip in the year before", run: func(ctx context.Context, a *agent) error {
		past := a.today.AddDate(-1, 0, 6).Format(time.DateOnly)
		return a.fix(ctx, toolerr.CodeOutOfRange, "book_travel", map[string]any{"destination": "Lisbon", "date": past})
	}},
	{name: "batch", title: "A batch of 50 stops after 15: it is continued, and nothing is sent twice", run: batchScenario},
	{
		name: "charge_retried", title: "The reply to a charge is lost; the client has made a key, so it repeats",
		run: func(ctx context.Context, a *agent) error {
			args := map[string]any{"order_id": "ORD-7", "card": "card_lost_reply", "cents": 4000}
			if _, err := a.succeeds(ctx, 2, "charge_card", args); err != nil {
				return err
			}
			return a.chargedOnce(ctx, "ORD-7")
		},
	},
	{
		name: "charge_key", title: "The same without a key: the failure returns one, and the model passes it back",
		run: keyScenario, plain: true,
	},
	{
		name: "report_by_hand", title: "An unclassified error, three times: then a link for the user",
		run: func(ctx context.Context, a *agent) error {
			e, err := a.fails(ctx, retry.ActionPropagate, toolerr.CodeInternal, 3, "export_report",
				map[string]any{"report": "annual"})
			if err != nil {
				return err
			}
			const link = "https://dashboard.example.com/reports/annual"
			if e.Retryable || !strings.Contains(e.Hint, link) || !strings.Contains(e.CustomerMessage, link) {
				return fmt.Errorf("the third failure should not be retryable, and lead to the link: %s", e.AppendJSON(nil))
			}
			a.print.Say("to the user: %s", e.CustomerMessage)
			return nil
		},
	},
	{
		name: "report_recovers", title: "The same error twice; a success resets the count",
		run: func(ctx context.Context, a *agent) error {
			for range 2 {
				if _, err := a.succeeds(ctx, 3, "export_report", map[string]any{"report": "quarterly"}); err != nil {
					return err
				}
			}
			return nil
		},
	},
	{name: "weather_units", title: "Units that do not exist", run: func(ctx context.Context, a *agent) error {
		args := map[string]any{"city": "Hanoi", "units": "celsius"}
		e, err := a.fails(ctx, retry.ActionFixInput, toolerr.CodeInvalidArgument, 1, "get_weather", args)
		if err != nil {
			return err
		}
		if e.Field != "units" || !strings.Contains(e.Hint, "metric") || !strings.Contains(e.Hint, "imperial") {
			return fmt.Errorf("the hint should name the units: %s", e.AppendJSON(nil))
		}
		_, err = a.succeeds(ctx, 1, "get_weather", with(args, "units", "metric"))
		return err
	}},
	{
		name: "weather_slow", title: "A weather station that is slow to wake",
		run: func(ctx context.Context, a *agent) error {
			out, d := a.call(ctx, "get_weather", map[string]any{"city": "Longyearbyen"})
			if d.Action != retry.ActionAccept || d.Attempt < 2 {
				return fmt.Errorf("get_weather: %s after %d attempts, want accept after more than one: %s", d.Action, d.Attempt,
					out.Text())
			}
			return nil
		},
	},
	{
		name: "weather_silent", title: "A weather station that is out of order",
		run: func(ctx context.Context, a *agent) error {
			e, err := a.fails(ctx, retry.ActionPropagate, toolerr.CodeTimeout, 3, "get_weather",
				map[string]any{"city": "Jan Mayen"})
			if err != nil {
				return err
			}
			a.print.Answer("hand up", string(e.AppendJSON(nil)))
			if len(e.Attempted) != 1 || !strings.Contains(e.Hint, "retried already") {
				return errors.New("the failure does not tell of the attempts")
			}
			return nil
		},
	},
	{name: "record_denied", title: "A record that policy keeps closed", run: func(ctx context.Context, a *agent) error {
		_, err := a.fails(ctx, retry.ActionReauthorize, toolerr.CodePermissionDenied, 1, "read_record",
			map[string]any{"record_id": "REC-2"})
		return err
	}},
	{
		name: "record_unchecked", title: "A policy service that is down: the record is neither shown nor denied",
		run: func(ctx context.Context, a *agent) error {
			return a.uncheckedRecord(ctx, "REC-3")
		},
	},
	{
		name: "record_forged", title: "A record whose signature does not verify",
		run: func(ctx context.Context, a *agent) error {
			return a.uncheckedRecord(ctx, "REC-4")
		},
	},
	{name: "weather_city", title: "A city that does not exist", run: func(ctx context.Context, a *agent) error {
		return a.fix(ctx, toolerr.CodeNotFound, "get_weather", map[string]any{"city": "Lissbon"})
	}},
}

// batchScenario continues a batch until it is complete. The gateway numbers its messages, so the
// numbers 1 to 50 for 50 invoices show that none was sent twice.
func batchScenario(ctx context.Context, a *agent) error {
	var stops []*toolerr.Partial
	part := func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		args, ok := params.Arguments.(map[string]any)
		if !ok {
			return result.Outcome{}, retry.Decision{}
		}
		out, d := a.call(ctx, params.Name, args)
		if out.Kind == result.KindPartial {
			stops = append(stops, out.Err.Partial)
		}
		return out, d
	}
	out, d := retry.Resume(ctx, part,
		&mcp.CallToolParams{Name: "process_batch", Arguments: map[string]any{"batch_id": "BATCH-50"}}, "continue_from")
	if d.Action != retry.ActionAccept {
		return fmt.Errorf("process_batch: %s (%s), want it resumed to the end", d.Action, d.Reason)
	}
	if len(stops) != 3 || stops[0].Processed != 15 || stops[0].Total != 50 || fmt.Sprint(stops[0].ContinueFrom) != "16" {
		return fmt.Errorf("stopped %d times, want three times, first after 15 of 50", len(stops))
	}
	whole, err := result.Decode[batchOut](out)
	if err != nil {
		return err
	}
	for i, message := range whole.Messages {
		if message != i+1 {
			return fmt.Errorf("item %d is message %d", i+1, message)
		}
	}
	a.print.Say("%d invoices, each sent once", len(whole.Messages))
	if len(whole.Messages) != 50 {
		return errors.New("want 50")
	}
	return nil
}

// keyScenario repeats a charge twice with the key that its failure returned, then once with another
// amount.
func keyScenario(ctx context.Context, a *agent) error {
	args := map[string]any{"order_id": "ORD-8", "card": "card_lost_reply", "cents": 2500}
	e, err := a.fails(ctx, retry.ActionVerify, toolerr.CodeUnavailable, 1, "charge_card", args)
	if err != nil {
		return err
	}
	if e.Effect != toolerr.EffectUnknown || e.IdempotencyKey == "" {
		return fmt.Errorf("effect %q, want unknown, and a key: %s", e.Effect, e.AppendJSON(nil))
	}
	args = with(args, "idempotency_key", e.IdempotencyKey)
	var first chargeOut
	for i := range 2 {
		out, err := a.succeeds(ctx, 1, "charge_card", args)
		if err != nil {
			return err
		}
		again, err := result.Decode[chargeOut](out)
		if err != nil {
			return err
		}
		if i > 0 && again != first {
			return fmt.Errorf("the repeat got %v, want %v", again, first)
		}
		first = again
	}
	if err := a.chargedOnce(ctx, "ORD-8"); err != nil {
		return err
	}
	if _, err := a.fails(ctx, retry.ActionFixInput, toolerr.CodeConflict, 1, "charge_card",
		with(args, "cents", 9900)); err != nil {
		return err
	}
	return a.chargedOnce(ctx, "ORD-8")
}
