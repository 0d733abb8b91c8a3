package main

import (
	"log/slog"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestTravel_Dates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ today, date, likely string }{
		"last year":                      {"2025-07-25", "2024-07-31", "2025-07-31"},
		"last year, past this year too":  {"2025-07-25", "2024-03-01", "2026-03-01"},
		"this year":                      {"2025-07-25", "2025-07-24", "2026-07-24"},
		"the same day":                   {"2025-07-25", "2019-07-25", "2025-07-25"},
		"long ago":                       {"2025-07-25", "0001-01-01", "2026-01-01"},
		"a leap day":                     {"2025-07-25", "2024-02-29", "2026-03-01"},
		"a leap day, to a leap year":     {"2028-01-10", "2024-02-29", "2028-02-29"},
		"a leap day, in the year before": {"2027-12-31", "2024-02-29", "2028-02-29"},
		"too far ahead":                  {"2025-07-25", "2026-07-26", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			today, err := time.Parse(time.DateOnly, c.today)
			require.NoError(t, err)
			agency := &travelAgency{today: func() time.Time { return today }}
			session := alone(t, func(server *mcp.Server) { addBookTravel(server, agency) })
			book := func(date string) result.Outcome {
				return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "book_travel", Arguments: travelIn{"Lisbon", date}}))
			}
			out := book(c.date)
			resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeOutOfRange, out)
			assert.Equal(t, "date", out.Err.Field)
			assert.Contains(t, out.Err.Message, c.today)
			if c.likely == "" {
				assert.Empty(t, out.Err.Suggestions)
				return
			}
			require.Equal(t, []string{c.likely}, out.Err.Suggestions)
			assert.Contains(t, out.Err.Hint, c.likely)
			assert.Equal(t, result.KindData, book(c.likely).Kind, "what is suggested can be booked")
		})
	}
}

// TestGallery_Clock looks at the date of a server without -today.
func TestGallery_Clock(t *testing.T) {
	t.Parallel()
	var opts options
	assert.WithinDuration(t, time.Now(), opts.date(), 24*time.Hour+time.Minute)
	assert.Equal(t, opts.date().Format(time.DateOnly)+"T00:00:00Z", opts.date().Format(time.RFC3339))
	require.NoError(t, opts.setToday("2025-07-25"))
	assert.Equal(t, theDay, opts.date())
}

// TestGallery_Safeties compares the safety that a client reads from the annotations.
func TestGallery_Safeties(t *testing.T) {
	t.Parallel()
	got := map[string]string{}
	for tool, err := range testutil.Connect(t, start(t).Server, nil).Tools(t.Context(), nil) {
		require.NoError(t, err)
		got[tool.Name] = retry.SafetyOf(tool).String()
	}
	assert.Equal(t, map[string]string{
		"get_stock_price": "read_only", "read_record": "read_only", "read_file": "read_only", "open_file": "read_only", "list_charges": "read_only",
		"export_report": "read_only", "get_weather": "read_only",
		"write_file": "idempotent", "stop_instance": "idempotent", "terminate_instance": "idempotent", "process_batch": "idempotent",
		"charge_card": "keyed", "book_travel": "unknown",
	}, got)
}

func TestTerminate_Final(t *testing.T) {
	t.Parallel()
	f := newFleet()
	session := alone(t, func(server *mcp.Server) {
		addTerminateInstance(server, f)
		addStopInstance(server, f)
	})
	call := func(tool, id string) result.Outcome {
		return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: instanceIn{id}}))
	}
	for range 2 { // both are idempotent
		assert.Equal(t, result.KindData, call("stop_instance", "i-102").Kind)
	}
	for range 2 {
		assert.Equal(t, result.KindData, call("terminate_instance", "i-102").Kind)
	}
	resulttest.AssertFailure(t, toolerr.CategoryBusiness, toolerr.CodeConflict, call("stop_instance", "i-102"))

	out := call("terminate_instance", "i-104")
	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound, out)
	assert.Empty(t, out.Err.Suggestions, "nobody else's instance is suggested")
	assert.Equal(t, running, f.states["i-101"])
}

// TestReport_Callers expects a count for each principal.
func TestReport_Callers(t *testing.T) {
	t.Parallel()
	reports, err := patiently("The report service", 0, new(reportService))
	require.NoError(t, err)
	defer reports.close()
	x := &exporter{reports: reports}
	fail := func(user string) *toolerr.Error {
		req := &mcp.CallToolRequest{Extra: &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}}}
		_, _, err := x.export(t.Context(), req, reportIn{"annual"})
		return toolerr.From(err)
	}
	assert.True(t, fail("ann").Retryable)
	assert.True(t, fail("ann").Retryable)
	assert.True(t, fail("bob").Retryable)
	assert.False(t, fail("ann").Retryable)
	assert.False(t, fail("ann").Retryable, "and it stays so")
	assert.True(t, fail("bob").Retryable)
	assert.False(t, fail("bob").Retryable)
}

// TestReport_KnownFailure expects a known failure not to be counted, and to keep its message.
func TestReport_KnownFailure(t *testing.T) {
	t.Parallel()
	reports, err := patiently("The report service", 0, nil)
	require.NoError(t, err)
	defer reports.close()
	injector := &faults.Injector{Script: []faults.Fault{
		faults.TooManyRequests, faults.TooManyRequests, faults.TooManyRequests, faults.InternalError,
	}}
	reports.client.Transport = injector
	x := &exporter{reports: reports}
	for range 3 {
		_, _, err := x.export(t.Context(), new(mcp.CallToolRequest), reportIn{"monthly"})
		assert.Equal(t, toolerr.CodeRateLimited, toolerr.CodeOf(err))
	}
	_, _, err = x.export(t.Context(), new(mcp.CallToolRequest), reportIn{"monthly"})
	assert.Equal(t, toolerr.CodeInternal, toolerr.CodeOf(err))
	assert.Contains(t, toolerr.From(err).Hint, "at once", "the first of its kind")
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
			mail, err := patiently("The mail gateway", 0, new(mailGateway))
			require.NoError(t, err)
			defer mail.close()
			none := faults.None
			mail.client.Transport = stalling{&faults.Injector{Script: []faults.Fault{none, none, none, fault}, Base: mail.client.Transport}}
			session := alone(t, func(server *mcp.Server) { addProcessBatch(server, mail) })
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "process_batch", Arguments: batchIn{BatchID: "BATCH-50"}}))
			require.Equal(t, result.KindPartial, out.Kind, "%s", out.Text())
			assert.Equal(t, 3, out.Err.Partial.Processed)
			assert.Contains(t, out.Err.Hint, "continue_from 4")
			assert.Equal(t, toolerr.CategoryTransient, out.Err.Category)
			assert.NotContains(t, out.Err.Hint, "retryAfterMs", "there is none")

			from, d := retry.Resume(t.Context(), calling(t, session, retry.SafetyIdempotent), &mcp.CallToolParams{Name: "process_batch", Arguments: map[string]any{"batch_id": "BATCH-50", "continue_from": 4}}, "continue_from")
			require.Equal(t, retry.ActionAccept, d.Action, "%s", from.Text())
			whole, err := result.Decode[batchOut](from)
			require.NoError(t, err)
			require.Len(t, whole.Results, 47)
			for i, item := range whole.Results {
				assert.Equal(t, batchItem{i + 4, i + 4}, item, "the item whose reply was lost is not doubled")
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
			Transport: &faults.Injector{Script: []faults.Fault{faults.None, faults.None, faults.Stall}, Base: direct{new(mailGateway)}},
		}}
		server := mcp.NewServer(&mcp.Implementation{Name: "batch", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Timeout: handlerLimit}))
		addProcessBatch(server, mail)
		session := testutil.Connect(t, server, nil)
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "process_batch", Arguments: batchIn{BatchID: "BATCH-3"}}))
		require.Equal(t, result.KindPartial, out.Kind, "%s", out.Text())
		assert.Equal(t, toolerr.CodeTimeout, out.Err.Code)
		assert.Equal(t, 2, out.Err.Partial.Processed)
	})
}

// TestCharge_LostReply loses the reply in every way, at a card with which nothing is
// wrong.
func TestCharge_LostReply(t *testing.T) {
	t.Parallel()
	for _, fault := range []faults.Fault{
		faults.Stall, faults.ResetAfter, faults.InternalError, faults.HalfBody, faults.Garbage,
	} {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			book := new(bank)
			service, err := patiently("The bank", 0, book)
			require.NoError(t, err)
			defer service.close()
			service.client.Transport = stalling{&faults.Injector{Script: []faults.Fault{fault}, Base: service.client.Transport}}
			session := alone(t, func(server *mcp.Server) { addChargeCard(server, service) })
			charge := func(key string) result.Outcome {
				in := chargeIn{OrderID: "ORD-1", Card: "card_visa_1", Cents: 100, IdempotencyKey: key}
				return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "charge_card", Arguments: in}))
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
