package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// process_batch: work that stops in the middle. The failure states what was done and where to
// continue, so that the next call neither skips nor repeats an item.

func addProcessBatch(server *mcp.Server, mail *service) {
	no := false
	result.AddTool(server, &mcp.Tool{
		Name: "process_batch",
		Description: "Send the invoices of a batch by mail, from item continue_from on. " +
			"An invoice that was sent before is not sent again.",
		Annotations: &mcp.ToolAnnotations{DestructiveHint: &no, IdempotentHint: true},
	}, (&mailroom{mail: mail}).process)
}

type batchIn struct {
	BatchID      string `json:"batch_id" jsonschema:"the batch, such as BATCH-50"`
	ContinueFrom *int   `json:"continue_from,omitempty" jsonschema:"the item to go on from, as a partial says; or 1"`
}

// A batchOut is short, because partial failures include it and cost tokens.
type batchOut struct {
	Messages []int `json:"messages" jsonschema:"the mail gateway's numbers, from item continue_from on"`
}

// batches maps the ids of the waiting batches to their sizes.
var batches = map[string]int{"BATCH-50": 50, "BATCH-3": 3}

// A mailroom records how far each batch was sent, from item 1 and without gaps.
type mailroom struct {
	mail *service

	mu     sync.Mutex
	sentTo map[string]int
}

// reached records that a batch was sent up to item. It returns how far the batch was sent in all:
// another call may have sent more.
func (m *mailroom) reached(batch string, item int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sentTo == nil {
		m.sentTo = map[string]int{}
	}
	m.sentTo[batch] = max(m.sentTo[batch], item)
	return m.sentTo[batch]
}

func (m *mailroom) process(
	ctx context.Context, _ *mcp.CallToolRequest, in batchIn,
) (*mcp.CallToolResult, batchOut, error) {
	total, ok := batches[in.BatchID]
	if !ok {
		return nil, batchOut{}, toolerr.NotFound("batch", in.BatchID).WithField("batch_id").
			WithHint("Ask the user which batch is meant, then call again with its exact id.")
	}
	from := 1
	if in.ContinueFrom != nil {
		from = *in.ContinueFrom
	}
	// A later start would skip items and count them as sent.
	sent := m.reached(in.BatchID, 0)
	if next := min(sent+1, total); from < 1 || from > next {
		return nil, batchOut{}, toolerr.OutOfRange("continue_from", from, 1, next, next).
			WithHint(fmt.Sprintf("%d of %d items were sent. Call again with continue_from %d.", sent, total, next))
	}
	var out batchOut
	for item := from; item <= total; item++ {
		var done struct{ Message int }
		// The gateway sends each invoice only once, so an item whose reply is lost may be repeated.
		err := m.mail.call(ctx, http.MethodPut, fmt.Sprintf("/invoices/%s-%03d", in.BatchID, item), nil, &done)
		if err != nil {
			return nil, batchOut{}, stoppedAt(item, total, in.BatchID, out, err)
		}
		out.Messages = append(out.Messages, done.Message)
		m.reached(in.BatchID, item)
	}
	return nil, out, nil
}

// stoppedAt returns the failure of a batch that stopped before item.
func stoppedAt(item, total int, batch string, out batchOut, err error) error {
	if len(out.Messages) == 0 {
		return err // nothing was sent in this call
	}
	results, encodeErr := json.Marshal(out)
	if encodeErr != nil {
		return encodeErr
	}
	e := toolerr.From(err).WithMessage(fmt.Sprintf("Items up to %d of %d were sent; then the mail gateway stopped.",
		item-1, total))
	wait := "a few seconds"
	if e.RetryAfter > 0 {
		wait = "for retryAfterMs"
	}
	return e.WithEffect(toolerr.EffectApplied).
		WithPartial(&toolerr.Partial{Processed: item - 1, Total: total, ContinueFrom: item, Results: results}).
		WithHint(fmt.Sprintf("Wait %s, then call process_batch with batch_id %s and continue_from %d.", wait, batch, item))
}

const (
	mailBurst = 15
	mailPause = 150 * time.Millisecond
)

// A mailGateway accepts mailBurst messages, and then no message for mailPause. It sends each
// invoice only once, however often it is asked to.
type mailGateway struct {
	mu     sync.Mutex
	sent   map[string]int // the message number of each invoice
	burst  int            // messages since the last pause
	paused time.Time      // until when it takes none
}

// ServeHTTP implements [http.Handler]: PUT /invoices/{id}.
func (g *mailGateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	message, ok := g.sent[r.URL.Path]
	if !ok {
		if wait := g.wait(time.Now()); wait > 0 {
			w.Header().Set("Retry-After-Ms", strconv.FormatInt(wait.Milliseconds()+1, 10))
			http.Error(w, "slow down", http.StatusTooManyRequests)
			return
		}
		if g.sent == nil {
			g.sent = map[string]int{}
		}
		message = len(g.sent) + 1
		g.sent[r.URL.Path] = message
	}
	answer(w, map[string]int{"message": message})
}

// wait counts a message, or returns the wait before the next one.
func (g *mailGateway) wait(now time.Time) time.Duration {
	if g.burst < mailBurst {
		g.burst++
		return 0
	}
	if g.paused.IsZero() {
		g.paused = now.Add(mailPause)
	}
	if left := g.paused.Sub(now); left > 0 {
		return left
	}
	g.burst, g.paused = 1, time.Time{}
	return 0
}
