package main

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestBatch_Complete starts at an item before which nothing was sent.
func TestBatch_Complete(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	from := func(batch string, item int) result.Outcome {
		return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "process_batch", Arguments: batchIn{batch, &item}}))
	}
	refused := func(item, next int) {
		t.Helper()
		out := from("BATCH-50", item)
		resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeOutOfRange, out)
		assert.Equal(t, "continue_from", out.Err.Field)
		assert.Equal(t, []string{fmt.Sprint(next)}, out.Err.Suggestions)
		assert.Equal(t, fmt.Sprintf("%d of 50 items were sent. Call again with continue_from %d.", next-1, next), out.Err.Hint)
	}
	for _, item := range []int{20, 2, 0, -1, 51} {
		refused(item, 1)
	}
	require.Equal(t, result.KindPartial, from("BATCH-50", 1).Kind)
	for _, item := range []int{17, 20, 51} {
		refused(item, 16)
	}
	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeOutOfRange, from("BATCH-3", 2)) // a batch of its own

	time.Sleep(mailPause)       // the mail gateway is a real server, and pauses in real time
	out := from("BATCH-50", 10) // what was sent may be asked for again
	require.Equal(t, result.KindPartial, out.Kind)
	assert.Equal(t, 30, out.Err.Partial.Processed)
}

// TestBatch_ParallelParts runs parts of one batch in parallel: none leaves a gap.
func TestBatch_ParallelParts(t *testing.T) {
	t.Parallel()
	gateway := new(mailGateway)
	mail, err := patiently("The mail gateway", 0, gateway)
	require.NoError(t, err)
	defer mail.close()
	room := &mailroom{mail: mail}
	var wg sync.WaitGroup
	for from := range 20 {
		wg.Go(func() {
			for range 5 {
				item := from + 1
				_, _, err := room.process(t.Context(), nil, batchIn{"BATCH-50", &item})
				if e := toolerr.From(err); e != nil && e.Partial != nil {
					gateway.mu.Lock()
					for sent := 1; sent <= e.Partial.Processed; sent++ {
						assert.Contains(t, gateway.sent, fmt.Sprintf("/invoices/BATCH-50-%03d", sent))
					}
					gateway.mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	assert.GreaterOrEqual(t, room.reached("BATCH-50", 0), mailBurst)
}
