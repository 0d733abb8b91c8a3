package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// calling calls the tools of a server with retries.
func calling(t *testing.T, session *mcp.ClientSession, safety retry.Safety) func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision) {
	t.Helper()
	policy := retry.Policy{Safety: safety, MaxAttempts: 20, BaseDelay: 20 * time.Millisecond, ThrottledDelay: 20 * time.Millisecond, Logger: slog.New(slog.DiscardHandler)}
	return func(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
		return retry.CallTool(ctx, policy, session, params)
	}
}

func TestBatch_Parallel(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	call := calling(t, session, retry.SafetyIdempotent)
	answers := make([]result.Outcome, 4)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() {
			answers[i], _ = retry.Resume(t.Context(), call, &mcp.CallToolParams{Name: "process_batch", Arguments: batchIn{BatchID: "BATCH-50"}}, "continue_from")
		})
	}
	wg.Wait()
	messages := make([]map[int]int, len(answers))
	for i, out := range answers {
		whole, err := result.Decode[batchOut](out)
		require.NoError(t, err)
		messages[i] = map[int]int{}
		for n, item := range whole.Results {
			assert.Equal(t, n+1, item.Item)
			messages[i][item.Item] = item.Message
		}
	}
	require.Len(t, messages[0], 50)
	for _, others := range messages[1:] {
		assert.Equal(t, messages[0], others, "an invoice has one message, whoever asks")
	}
	highest := 0
	for _, message := range messages[0] {
		highest = max(highest, message)
	}
	assert.Equal(t, 50, highest)
}

func TestCharge_Parallel(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	call := calling(t, session, retry.SafetyKeyed)
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() { // 10 orders, each charged by four callers under one key
			order := fmt.Sprintf("ORD-%d", i%10)
			out, d := call(t.Context(), &mcp.CallToolParams{Name: "charge_card", Arguments: map[string]any{
				"order_id": order, "card": "card_lost_reply", "cents": 100, "idempotency_key": "key-" + order,
			}})
			assert.Equal(t, retry.ActionAccept, d.Action, "%s", out.Text())
		})
	}
	wg.Wait()
	for i := range 10 {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "list_charges", Arguments: chargesIn{fmt.Sprintf("ORD-%d", i)}}))
		found, err := result.Decode[chargesOut](out)
		require.NoError(t, err)
		assert.Len(t, found.Charges, 1)
	}
}

// TestBatch_CallerLeaves cancels batches at any moment: the rest of the batch
// is still to be had, once.
func TestBatch_CallerLeaves(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	for i := range 10 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*300*time.Microsecond)
		_, _ = session.CallTool(ctx, &mcp.CallToolParams{Name: "process_batch", Arguments: batchIn{BatchID: "BATCH-50"}})
		cancel()
	}
	out, d := retry.Resume(t.Context(), calling(t, session, retry.SafetyIdempotent), &mcp.CallToolParams{Name: "process_batch", Arguments: batchIn{BatchID: "BATCH-50"}}, "continue_from")
	require.Equal(t, retry.ActionAccept, d.Action, "%s", out.Text())
	whole, err := result.Decode[batchOut](out)
	require.NoError(t, err)
	require.Len(t, whole.Results, 50)
	assert.Equal(t, batchItem{50, 50}, whole.Results[49])
}

func TestReport_Parallel(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	byHand, again := make(chan bool, 30), make(chan bool, 30)
	var wg sync.WaitGroup
	for range 30 {
		wg.Go(func() {
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "export_report", Arguments: reportIn{"annual"}}))
			if !assert.Equal(t, toolerr.CodeInternal, toolerr.CodeOf(out.AsError())) {
				return
			}
			if out.Err.Retryable {
				assert.Empty(t, out.Err.CustomerMessage)
				again <- true
			} else {
				assert.Contains(t, out.Err.CustomerMessage, "https://")
				byHand <- true
			}
		})
	}
	wg.Wait()
	assert.Len(t, again, 2)
	assert.Len(t, byHand, 28)
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

func TestStreaks_Parallel(t *testing.T) {
	t.Parallel()
	var s streaks
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for n := range 1200 {
				s.failed(fmt.Sprint(n))
				if i == 0 {
					s.succeeded(fmt.Sprint(n / 2))
				}
			}
		})
	}
	wg.Wait()
	assert.LessOrEqual(t, len(s.known), maxStreaks)
}
