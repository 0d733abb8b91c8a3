package ledger

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The names of a server's tools. Repeating Pay is not safe.
const (
	Look    = "look"     // read-only: closes a round, and returns the bookings
	Set     = "set"      // idempotent: books an order once, however often it is called
	Pay     = "pay"      // not annotated
	PayOnce = "pay_once" // keyed by idempotency_key
	PayAs   = "pay_as"   // keyed by request_id
	PayKept = "pay_kept" // keyed; protected by the server's store, not by the book
)

// OtherKey is the key argument of [PayAs].
const OtherKey = "request_id"

// Args are the arguments that every tool takes.
type Args struct {
	Order string `json:"order"`
	Round int    `json:"round,omitempty"`
	// Amount has no effect.
	Amount float64 `json:"amount,omitempty"`
	// Fate is the name of the call's fate in [Fates].
	Fate string `json:"fate,omitempty"`
}

type keyedArgs struct {
	Args

	Key string `json:"idempotency_key,omitempty" jsonschema:"passed back to repeat a call"`
}

type otherArgs struct {
	Args

	Key string `json:"request_id,omitempty" jsonschema:"passed back to repeat a call"`
}

// Receipt is the output of the tools that book.
type Receipt struct {
	Order   string `json:"order"`
	Receipt string `json:"receipt"`
}

// Found is the output of [Look].
type Found struct {
	Bookings []Booking `json:"bookings"`
}

// A Server holds what its tools share.
type Server struct {
	Book *Remote
	// Plain means that the server uses only the SDK, without [PayKept].
	Plain bool
	// Store is the store of [PayKept]. If nil, the store is in memory.
	Store idempotency.Store
	// Once and Kept are the options of [PayOnce] and [PayKept]. If nil, PayOnce uses a store in
	// memory, and PayKept uses Store.
	Once, Kept *idempotency.Options
	// Options are the options of the middleware. If nil, nothing is logged.
	Options *result.MiddlewareOptions
	// Running, if not nil, is called at the start of a booking tool's handler.
	Running func(context.Context, Args)

	seen sync.Map // Args of earlier calls whose fate came before the booking
}

// MCP returns a new MCP server with the tools.
func (s *Server) MCP() *mcp.Server {
	opts := &mcp.ServerOptions{Logger: silent}
	server := mcp.NewServer(&mcp.Implementation{Name: "ledger", Version: "v0"}, opts)
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	if s.Plain {
		mcp.AddTool(server, &mcp.Tool{Name: Look, Annotations: readOnly}, s.look)
		mcp.AddTool(server, &mcp.Tool{Name: Set, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
			handler(s, Set, plainKey))
		mcp.AddTool(server, &mcp.Tool{Name: Pay}, handler(s, Pay, plainKey))
		mcp.AddTool(server, &mcp.Tool{Name: PayOnce}, handler(s, PayOnce, keyOf))
		mcp.AddTool(server, &mcp.Tool{Name: PayAs}, handler(s, PayAs, otherKeyOf))
		return server
	}
	o := s.Options
	if o == nil {
		o = &result.MiddlewareOptions{Logger: silent}
	}
	server.AddReceivingMiddleware(result.Middleware(o))
	once, kept := s.Once, s.Kept
	if once == nil {
		once = &idempotency.Options{UpstreamDedupes: true, Store: new(idempotency.MemoryStore)} // several run in one process
	}
	if kept == nil {
		kept = &idempotency.Options{Store: s.Store, Wait: keptWait}
		if s.Store == nil {
			kept.Store = new(idempotency.MemoryStore)
		}
	}
	as := &idempotency.Options{UpstreamDedupes: true, Argument: OtherKey, Store: new(idempotency.MemoryStore)}
	result.AddTool(server, &mcp.Tool{Name: Look, Annotations: readOnly}, s.look)
	result.AddTool(server, &mcp.Tool{Name: Set, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		handler(s, Set, plainKey))
	result.AddTool(server, &mcp.Tool{Name: Pay}, handler(s, Pay, plainKey))
	idempotency.AddTool(server, &mcp.Tool{Name: PayOnce}, once, handler(s, PayOnce, keyOf))
	idempotency.AddTool(server, &mcp.Tool{Name: PayAs}, as, handler(s, PayAs, otherKeyOf))
	idempotency.AddTool(server, &mcp.Tool{Name: PayKept}, kept,
		handler(s, PayKept, func(in keyedArgs) (Args, string) { return in.Args, "" }))
	return server
}

// keptWait is how long a repeat of [PayKept] waits for the first call. It is longer than a call
// takes, but short, because tests whose first call was killed wait this long.
const keptWait = 100 * time.Millisecond

var silent = slog.New(slog.DiscardHandler)

func plainKey(in Args) (Args, string)        { return in, "" }
func keyOf(in keyedArgs) (Args, string)      { return in.Args, in.Key }
func otherKeyOf(in otherArgs) (Args, string) { return in.Args, in.Key }

func (s *Server) look(ctx context.Context, _ *mcp.CallToolRequest, in Args) (*mcp.CallToolResult, Found, error) {
	found, err := s.Book.CloseRound(ctx, in.Order, in.Round)
	if err == nil && len(found) == 0 {
		return result.Empty("Nothing is booked for "+in.Order+".", nil), Found{Bookings: []Booking{}}, nil
	}
	return nil, Found{Bookings: found}, err
}

// handler returns a tool's handler. The handler makes a booking and then meets its fate, or meets
// it before the booking.
func handler[In any](s *Server, tool string, of func(In) (Args, string)) mcp.ToolHandlerFor[In, any] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (*mcp.CallToolResult, any, error) {
		args, key := of(in)
		if tool == Set {
			key = args.Order
		}
		if s.Running != nil {
			s.Running(ctx, args)
		}
		fate := Fates[args.Fate]
		if fate.Before {
			if _, again := s.seen.LoadOrStore(args, true); !again || fate.Always {
				return fate.End(ctx)
			}
			fate.End = nil
		}
		err := s.Book.Add(ctx, Booking{Tool: tool, Order: args.Order, Round: args.Round, Key: key})
		var answered *toolerr.Error
		if errors.As(err, &answered) && answered.Code == toolerr.CodeConflict {
			return nil, nil, toolerr.Business("The round is closed.").WithEffect(toolerr.EffectNone)
		}
		if err != nil || fate.End == nil {
			return nil, Receipt{Order: args.Order, Receipt: "R-" + args.Order}, err
		}
		return fate.End(ctx)
	}
}

// Loopback returns an HTTP client for a [Remote], with its own connections.
func Loopback() *http.Client {
	return &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
}
