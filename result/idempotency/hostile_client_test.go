package idempotency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type (
	reservation struct {
		Seat string `json:"seat,omitempty"`
		Key  string `json:"idempotency_key,omitempty"`
	}
	// A theater counts the reservations of each seat.
	theater struct{ seats sync.Map }
)

func (th *theater) reserved(seat string) *atomic.Int64 {
	v, _ := th.seats.LoadOrStore(seat, new(atomic.Int64))
	return v.(*atomic.Int64) //nolint:errcheck,forcetypeassert // nothing else is in the map
}

// server returns a server whose reservations take 20 ms.
func (th *theater) server() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(io.Discard)))
	idempotency.AddTool(server, &mcp.Tool{Name: "reserve"}, nil, func(_ context.Context, _ *mcp.CallToolRequest, in reservation) (*mcp.CallToolResult, items, error) {
		// The client must be able to end the call or the session while the tool works.
		time.Sleep(20 * time.Millisecond)
		th.reserved(in.Seat).Add(1)
		return nil, items{[]string{in.Seat}}, nil
	})
	return server
}

func reserve(ctx context.Context, session *mcp.ClientSession, arguments string, meta mcp.Meta) result.Outcome {
	return result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: "reserve", Arguments: json.RawMessage(arguments), Meta: meta}))
}

func TestHandler_HostileKeys(t *testing.T) {
	t.Parallel()
	th := new(theater)
	session := testutil.Connect(t, th.server(), nil)
	for _, key := range []string{
		`null`, `1`, `["k"]`, `{"a":1}`, `"ké"`, `"k\u200b"`, `"k\n"`, `" k"`, `"k\u0000"`, `"` + strings.Repeat("k", 1<<20) + `"`, `"k","IDEMPOTENCY_KEY":"k"`, `"k","SEAT":"b"`,
	} {
		out := reserve(t.Context(), session, `{"seat":"a","idempotency_key":`+key+`}`, nil)
		require.NotNil(t, out.Err, "%.80s", key)
		assert.Equal(t, toolerr.EffectNone, out.Err.Effect, "%.80s", key)
		assert.Less(t, len(out.Text()), 1<<10)
	}
	assert.Zero(t, th.reserved("a").Load())
	for seat, spellings := range map[string][]string{
		"twice":   {`{"seat":"twice","idempotency_key":"A","idempotency_key":"B"}`, `{"seat":"twice","idempotency_key":"B"}`},
		"escaped": {`{"seat":"escaped","idempotency\u005fkey":"C"}`, `{"idempotency_key":"\u0043","seat":"escaped"}`},
	} {
		for _, arguments := range spellings {
			assert.Equal(t, result.KindData, reserve(t.Context(), session, arguments, nil).Kind)
		}
		assert.EqualValues(t, 1, th.reserved(seat).Load(), seat)
	}
	for i, meta := range []mcp.Meta{{"progressToken": map[string]any{"a": 1}}, {"progressToken": 1.5}, {"progressToken": strings.Repeat("p", 1<<16)}, {"traceparent": []any{nil}}} {
		for range 2 {
			reserve(t.Context(), session, fmt.Sprintf(`{"seat":"m%d","idempotency_key":"m%d"}`, i, i), meta)
		}
		assert.EqualValues(t, 1, th.reserved(fmt.Sprint("m", i)).Load(), "%.80v", meta)
	}
}

func TestHandler_KeyReusedInParallel(t *testing.T) {
	t.Parallel()
	th := new(theater)
	session := testutil.Connect(t, th.server(), nil)
	var wg sync.WaitGroup
	var conflicts, data atomic.Int64
	for i := range 100 {
		wg.Go(func() {
			out := reserve(t.Context(), session, fmt.Sprintf(`{"seat":"%d","idempotency_key":"k"}`, i), nil)
			if out.Kind == result.KindData {
				data.Add(1)
			} else if out.Err.Code == toolerr.CodeConflict {
				conflicts.Add(1)
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 1, data.Load())
	assert.EqualValues(t, 99, conflicts.Load())
}

// TestHandler_CallersGone ends calls and sessions while the tool works. Each reservation must be
// made once, and a later repeat must get its answer.
func TestHandler_CallersGone(t *testing.T) {
	t.Parallel()
	th := new(theater)
	server := th.server()
	session := testutil.Connect(t, server, nil)
	var wg sync.WaitGroup
	for i := range 60 {
		other := session
		if i%6 == 0 {
			other = testutil.Connect(t, server, nil)
		}
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*time.Millisecond)
			defer cancel()
			reserve(ctx, other, fmt.Sprintf(`{"seat":"s%d","idempotency_key":"k%d"}`, i%10, i%10), nil)
			if other != session {
				_ = other.Close()
			}
		})
	}
	wg.Wait()
	for i := range 10 {
		out := reserve(t.Context(), session, fmt.Sprintf(`{"seat":"s%d","idempotency_key":"k%d"}`, i, i), nil)
		assert.Equal(t, result.KindData, out.Kind, "%v", out.Err)
		assert.EqualValues(t, 1, th.reserved(fmt.Sprint("s", i)).Load())
	}
}
