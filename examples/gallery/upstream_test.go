package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestBatch_Complete starts at an item before which nothing was sent.
func TestBatch_Complete(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	from := func(batch string, item int) result.Outcome {
		return ask(t.Context(), session, "process_batch", batchIn{batch, &item})
	}
	refused := func(item, next int) {
		t.Helper()
		out := from("BATCH-50", item)
		resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeOutOfRange, out)
		assert.Equal(t, "continue_from", out.Err.Field)
		assert.Equal(t, []string{fmt.Sprint(next)}, out.Err.Suggestions)
		assert.Equal(t, fmt.Sprintf("%d of 50 items were sent. Call again with continue_from %d.", next-1, next),
			out.Err.Hint)
	}
	for _, item := range []int{20, 2, 0, -1, 51} {
		refused(item, 1)
	}
	require.Equal(t, result.KindPartial, from("BATCH-50", 1).Kind)
	for _, item := range []int{17, 20, 51} {
		refused(item, 16)
	}
	// a batch of its own
	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeOutOfRange, from("BATCH-3", 2))

	time.Sleep(mailPause)       // the mail gateway is a real server, and pauses in real time
	out := from("BATCH-50", 10) // what was sent may be asked for again
	require.Equal(t, result.KindPartial, out.Kind)
	assert.Equal(t, 30, out.Err.Partial.Processed)
}

// TestBatch_Parallel asks for parts at once, and cancels some at any moment; then four callers
// ask for the whole. Each invoice has one message, whoever asks, and the messages are in
// order, so that no part left a gap.
func TestBatch_Parallel(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	var parts, wholes sync.WaitGroup
	for i := range 40 {
		parts.Go(func() {
			ctx, item := t.Context(), i%20+1
			if i < 20 {
				limited, cancel := context.WithTimeout(ctx, time.Duration(i)*300*time.Microsecond)
				defer cancel()
				ctx = limited
			}
			_ = ask(ctx, session, "process_batch", batchIn{"BATCH-50", &item})
		})
	}
	parts.Wait()
	for range 4 {
		wholes.Go(func() {
			whole := resume(t, session, batchIn{BatchID: "BATCH-50"})
			assert.Len(t, whole.Messages, 50)
			for i, item := range whole.Messages {
				assert.Equal(t, i+1, item)
			}
		})
	}
	wholes.Wait()
}

// TestBatch_UpstreamFails meets every fault after the third item.
func TestBatch_UpstreamFails(t *testing.T) {
	t.Parallel()
	for _, fault := range []faults.Fault{
		faults.Stall, faults.ResetBefore, faults.ResetAfter, faults.TooManyRequests,
		faults.InternalError, faults.Unavailable, faults.HalfBody, faults.Garbage,
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			mail, none := serviceOf(t, "The mail gateway", new(mailGateway)), faults.None
			mail.client.Transport = stalling{&faults.Injector{
				Script: []faults.Fault{none, none, none, fault},
				Base:   mail.client.Transport,
			}}
			session := alone(t, func(server *mcp.Server) { addProcessBatch(server, mail) })
			out := ask(t.Context(), session, "process_batch", batchIn{BatchID: "BATCH-50"})
			require.Equal(t, result.KindPartial, out.Kind, "%s", out.Text())
			assert.Equal(t, 3, out.Err.Partial.Processed)
			assert.Contains(t, out.Err.Hint, "continue_from 4")
			assert.Equal(t, toolerr.CategoryTransient, out.Err.Category)
			assert.NotContains(t, out.Err.Hint, "retryAfterMs", "there is none")

			whole := resume(t, session, map[string]any{"batch_id": "BATCH-50", "continue_from": 4})
			require.Len(t, whole.Messages, 47)
			for i, item := range whole.Messages {
				assert.Equal(t, i+4, item, "the item whose reply was lost is not doubled")
			}
		})
	}
}

// TestBatch_Timeout meets the handler's time limit, while the gateway still
// has time: what was done comes back all the same.
func TestBatch_Timeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		mail := &service{name: "The mail gateway", url: "http://mail.test", client: &http.Client{
			Transport: &faults.Injector{
				Script: []faults.Fault{faults.None, faults.None, faults.Stall},
				Base:   direct{new(mailGateway)},
			},
		}}
		server := mcp.NewServer(&mcp.Implementation{Name: "batch", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
			Logger:  slog.New(slog.DiscardHandler),
			Timeout: handlerLimit,
		}))
		addProcessBatch(server, mail)
		session := testutil.Connect(t, server, nil)
		out := ask(t.Context(), session, "process_batch", batchIn{BatchID: "BATCH-3"})
		require.Equal(t, result.KindPartial, out.Kind, "%s", out.Text())
		assert.Equal(t, toolerr.CodeTimeout, out.Err.Code)
		assert.Equal(t, 2, out.Err.Partial.Processed)
	})
}

// TestBank_SameKey calls the bank without idempotency.Handler in front of it.
func TestBank_SameKey(t *testing.T) {
	t.Parallel()
	book := new(bank)
	service := serviceOf(t, "The bank", book)
	first := chargeIn{OrderID: "ORD-1", Card: "card_visa_1", Cents: 100, IdempotencyKey: "K"}
	charge := func(in chargeIn) (chargeOut, error) {
		_, out, err := (&cashier{service}).charge(t.Context(), new(mcp.CallToolRequest), in)
		return out, err
	}
	for range 2 {
		out, err := charge(first)
		require.NoError(t, err)
		assert.Equal(t, chargeOut{"CH-1", "ORD-1", 100}, out)
	}
	for name, change := range map[string]func(*chargeIn){
		"another order":  func(in *chargeIn) { in.OrderID = "ORD-2" },
		"another amount": func(in *chargeIn) { in.Cents = 999_900 },
		"another card":   func(in *chargeIn) { in.Card = "card_visa_2" },
		"a bad card":     func(in *chargeIn) { in.Card = "card_declined" },
	} {
		in := first
		change(&in)
		out, err := charge(in)
		assert.Equal(t, toolerr.CodeConflict, toolerr.CodeOf(err), name)
		assert.Zero(t, out, name)
	}
	assert.Len(t, book.book, 1)
}

// TestCharge_SameKeyOfTwoCallers expects a charge for each caller.
func TestCharge_SameKeyOfTwoCallers(t *testing.T) {
	t.Parallel()
	book := new(bank)
	service := serviceOf(t, "The bank", book)
	handler := idempotency.Handler(&idempotency.Options{UpstreamDedupes: true}, (&cashier{service}).charge)
	charge := func(user string) chargeOut {
		in := chargeIn{OrderID: "ORD-1", Card: "card_visa_1", Cents: 100, IdempotencyKey: "1"}
		raw, err := json.Marshal(in)
		require.NoError(t, err)
		_, out, err := handler(t.Context(), &mcp.CallToolRequest{
			Params: &mcp.CallToolParamsRaw{Name: "charge_card", Arguments: raw},
			Extra:  &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}},
		}, in)
		require.NoError(t, err)
		return out
	}
	assert.Equal(t, "CH-1", charge("ann").ChargeID)
	assert.Equal(t, "CH-2", charge("bob").ChargeID)
	assert.Equal(t, "CH-1", charge("ann").ChargeID)
	assert.Len(t, book.of("ORD-1"), 2)
}

// TestCharge_LostReply loses the reply in every way, at a card with which nothing is wrong.
func TestCharge_LostReply(t *testing.T) {
	t.Parallel()
	for _, fault := range []faults.Fault{
		faults.Stall, faults.ResetAfter, faults.InternalError, faults.HalfBody,
		faults.Garbage,
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			book := new(bank)
			service := serviceOf(t, "The bank", book)
			service.client.Transport = stalling{&faults.Injector{Script: []faults.Fault{fault}, Base: service.client.Transport}}
			session := alone(t, func(server *mcp.Server) { addChargeCard(server, service) })
			charge := func(key string) result.Outcome {
				in := chargeIn{OrderID: "ORD-1", Card: "card_visa_1", Cents: 100, IdempotencyKey: key}
				return ask(t.Context(), session, "charge_card", in)
			}
			out := charge("")
			require.Equal(t, result.KindFailure, out.Kind)
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, "%s", out.Text())
			assert.Contains(t, out.Err.Hint, "idempotency_key")
			require.NotEmpty(t, out.Err.IdempotencyKey)
			for range 2 {
				assert.Equal(t, result.KindData, charge(out.Err.IdempotencyKey).Kind)
			}
			assert.Len(t, book.of("ORD-1"), 1)
		})
	}
}

func TestCharge_Parallel(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() { // 10 orders, each charged by four callers under one key
			order := fmt.Sprintf("ORD-%d", i%10)
			out, d := retry.CallTool(t.Context(), impatient(retry.SafetyKeyed), session,
				&mcp.CallToolParams{Name: "charge_card", Arguments: map[string]any{
					"order_id": order, "card": "card_lost_reply", "cents": 100, "idempotency_key": "key-" + order,
				}})
			assert.Equal(t, retry.ActionAccept, d.Action, "%s", out.Text())
		})
	}
	wg.Wait()
	for i := range 10 {
		found, err := result.Decode[chargesOut](ask(t.Context(), session, "list_charges",
			chargesIn{fmt.Sprintf("ORD-%d", i)}))
		require.NoError(t, err)
		assert.Len(t, found.Charges, 1)
	}
}

// TestReport_Callers expects a count for each principal, which stays at the link.
func TestReport_Callers(t *testing.T) {
	t.Parallel()
	x := &exporter{reports: serviceOf(t, "The report service", new(reportService))}
	for i, call := range []struct {
		user      string
		retryable bool
	}{{"ann", true}, {"ann", true}, {"bob", true}, {"ann", false}, {"ann", false}, {"bob", true}, {"bob", false}} {
		req := &mcp.CallToolRequest{Extra: &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: call.user}}}
		_, _, err := x.export(t.Context(), req, reportIn{"annual"})
		assert.Equal(t, call.retryable, toolerr.IsRetryable(err), "call %d", i)
	}
}

// TestReport_KnownFailure expects a known failure not to be counted, and to keep its message.
func TestReport_KnownFailure(t *testing.T) {
	t.Parallel()
	reports := serviceOf(t, "The report service", nil)
	reports.client.Transport = &faults.Injector{Script: []faults.Fault{
		faults.TooManyRequests, faults.TooManyRequests,
		faults.TooManyRequests, faults.InternalError,
	}}
	x := &exporter{reports: reports}
	for range 3 {
		_, _, err := x.export(t.Context(), new(mcp.CallToolRequest), reportIn{"monthly"})
		assert.Equal(t, toolerr.CodeRateLimited, toolerr.CodeOf(err))
	}
	_, _, err := x.export(t.Context(), new(mcp.CallToolRequest), reportIn{"monthly"})
	assert.Equal(t, toolerr.CodeInternal, toolerr.CodeOf(err))
	assert.Contains(t, toolerr.From(err).Hint, "at once", "the first of its kind")
}

func TestReport_Parallel(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	var byHand, again atomic.Int32
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			out := ask(t.Context(), session, "export_report", reportIn{"annual"})
			if !assert.Equal(t, toolerr.CodeInternal, toolerr.CodeOf(out.AsError())) {
				return
			}
			if out.Err.Retryable {
				assert.Empty(t, out.Err.CustomerMessage)
				again.Add(1)
			} else {
				assert.Contains(t, out.Err.CustomerMessage, "https://")
				byHand.Add(1)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, []int32{2, 28}, []int32{again.Load(), byHand.Load()})
}

func TestStreaks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s streaks
		assert.Equal(t, 1, s.failed("a"))
		assert.Equal(t, 2, s.failed("a"))
		assert.Equal(t, 1, s.failed("b"), "each has a count of its own")
		s.succeeded("a")
		s.succeeded("nobody")
		assert.Equal(t, 1, s.failed("a"), "a success ends it")
		assert.Equal(t, 2, s.failed("b"))

		time.Sleep(forgetStreak - time.Second) // in a synctest bubble
		assert.Equal(t, 3, s.failed("b"))
		time.Sleep(forgetStreak) // in a synctest bubble
		assert.Equal(t, 1, s.failed("b"), "it was too long ago")

		for i := range 3 * maxStreaks {
			time.Sleep(time.Millisecond) // in a synctest bubble
			assert.Equal(t, 1, s.failed(fmt.Sprint(i)))
		}
		assert.Len(t, s.known, maxStreaks)
		assert.Equal(t, 2, s.failed(fmt.Sprint(3*maxStreaks-1)), "the latest is known")
		assert.Equal(t, 1, s.failed("b"), "the oldest is forgotten")
	})
}
