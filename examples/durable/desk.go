package main

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A fault is one way in which a tool call goes wrong.
type fault string

const (
	busy   fault = "busy"   // refused for now
	closed fault = "closed" // refused for ten minutes
	lost   fault = "lost"   // done, and the reply is lost
	gone   fault = "gone"   // not done, and nobody knows
	refuse fault = "refuse" // over the limit
	cut    fault = "cut"    // done, and all connections are cut
)

// A desk is the MCP server that the workers call over HTTP, and a record of its work. It outlives
// the workers.
type desk struct {
	url  string
	stop func()
	cut  func()
	took time.Duration            // how long each piece of work takes
	hold map[string]chan struct{} // by order, what its work waits for

	mu     sync.Mutex
	faults map[string][]fault // by order, the next ones first
	booked map[string]int     // how often the work for an order was done
	keys   map[string]bool    // the idempotency keys that were used
	called map[string]int     // how often the tool was called for an order
}

type deskIn struct {
	Order string `json:"order"`
	Key   string `json:"idempotency_key,omitempty"`
}

type deskOut struct {
	Done []string `json:"done"`
}

// openDesk serves a desk on loopback.
func openDesk(faults map[string][]fault) *desk {
	d := &desk{faults: faults, booked: map[string]int{}, keys: map[string]bool{}, called: map[string]int{}}
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund", Description: "Refund an order."},
		&idempotency.Options{UpstreamDedupes: true, Store: new(idempotency.MemoryStore)}, d.work)
	result.AddTool(server, &mcp.Tool{Name: "post_letter", Description: "Post a letter, which takes no key."},
		func(ctx context.Context, req *mcp.CallToolRequest, in struct {
			Order string `json:"order"`
		},
		) (*mcp.CallToolResult, deskOut, error) {
			return d.work(ctx, req, deskIn{Order: in.Order})
		})
	result.AddTool(server, &mcp.Tool{
		Name: "find_letter", Description: "Find the letter of an order.",
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	},
		func(_ context.Context, _ *mcp.CallToolRequest, in deskIn) (*mcp.CallToolResult, deskOut, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			if d.booked[in.Order] == 0 {
				return result.Empty("No letter for "+in.Order+".", nil), deskOut{}, nil
			}
			return nil, deskOut{Done: []string{in.Order}}, nil
		})
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	d.url, d.cut, d.stop = front.URL, front.CloseClientConnections,
		func() { front.CloseClientConnections(); front.Close() }
	return d
}

// work does the work for an order, only once for each key, and fails as planned. It ignores its
// context: the work is done even if the worker is killed.
func (d *desk) work(_ context.Context, _ *mcp.CallToolRequest, in deskIn) (*mcp.CallToolResult, deskOut, error) {
	planned := d.next(in.Order)
	switch planned {
	case busy:
		return nil, deskOut{}, toolerr.RateLimited("The desk is busy.", 20*time.Millisecond)
	case closed:
		return nil, deskOut{}, toolerr.RateLimited("The desk is closed.", 10*time.Minute)
	case refuse:
		return nil, deskOut{}, toolerr.LimitExceeded("Over the limit.", "A colleague has to approve this.")
	case lost, gone, cut:
	}
	time.Sleep(d.took)
	if held := d.hold[in.Order]; held != nil {
		<-held
	}
	if planned != gone {
		d.book(in)
	}
	if planned == cut {
		d.cut()
	}
	if planned == lost || planned == gone {
		return nil, deskOut{}, &url.Error{Op: "Post", URL: "http://gateway/", Err: context.DeadlineExceeded}
	}
	return nil, deskOut{Done: []string{in.Order}}, nil
}

func (d *desk) next(order string) (planned fault) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.called[order]++
	if left := d.faults[order]; len(left) > 0 {
		planned, d.faults[order] = left[0], left[1:]
	}
	return planned
}

func (d *desk) book(in deskIn) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if in.Key != "" && d.keys[in.Key] {
		return
	}
	d.keys[in.Key] = true
	d.booked[in.Order]++
}

// counts returns how often the work for these orders was done, and how often the tool was called.
func (d *desk) counts(orders []string) (booked, called int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, order := range orders {
		booked, called = booked+d.booked[order], called+d.called[order]
	}
	return booked, called
}
