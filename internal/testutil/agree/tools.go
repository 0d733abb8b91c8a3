package agree

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Tool is a tool of a [World].
type Tool struct {
	Name   string
	Safety retry.Safety
	Keyed  bool // its calls carry a key
}

// Tools lists the tools of a [World].
var Tools = []Tool{
	{"read", retry.SafetyReadOnly, false},
	{"read_raw", retry.SafetyReadOnly, false},
	{"put", retry.SafetyIdempotent, false},
	{"put_raw", retry.SafetyIdempotent, false},
	{"pay", retry.SafetyKeyed, true},
	{"pay_raw", retry.SafetyKeyed, true},
	{"pay_keyless", retry.SafetyUnknown, false},
	{"charge", retry.SafetyUnknown, false},
	{"charge_raw", retry.SafetyUnknown, false},
}

// A World is a server whose tools all fail with the same shape, and a ledger of what they did. It
// is safe for concurrent use.
type World struct {
	Server *mcp.Server

	mu     sync.Mutex
	shape  Shape
	booked map[string]int
	times  int
	ends   []toolerr.Effect // effects that the store was told
}

type order struct {
	ID  string `json:"id"`
	Key string `json:"idempotency_key,omitempty"`
}

// NewWorld returns a world whose server uses this middleware, or none if it is nil.
func NewWorld(middleware mcp.Middleware) *World {
	w := &World{Server: mcp.NewServer(&mcp.Implementation{Name: "world", Version: "v0"}, nil), booked: map[string]int{}}
	if middleware != nil {
		w.Server.AddReceivingMiddleware(middleware)
	}
	keys := &idempotency.Options{Store: &spy{world: w}}
	for _, t := range Tools {
		tool := &mcp.Tool{Name: t.Name, Annotations: &mcp.ToolAnnotations{
			ReadOnlyHint: t.Safety == retry.SafetyReadOnly, IdempotentHint: t.Safety == retry.SafetyIdempotent,
		}}
		typed := func(_ context.Context, _ *mcp.CallToolRequest, in order) (*mcp.CallToolResult, any, error) {
			return nil, nil, w.fail(t, in)
		}
		switch t.Name {
		case "pay", "pay_keyless":
			idempotency.AddTool(w.Server, tool, keys, typed)
		case "read", "put", "charge":
			result.AddTool(w.Server, tool, typed)
		default:
			schema := `{"type":"object","properties":{"id":{"type":"string"}}}`
			if t.Keyed {
				schema = `{"type":"object","properties":{"id":{"type":"string"},"idempotency_key":{"type":"string"}}}`
			}
			tool.InputSchema = json.RawMessage(schema)
			w.Server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				var in order
				if err := json.Unmarshal(req.Params.Arguments, &in); err != nil {
					return nil, err
				}
				return result.Failure(w.fail(t, in)), nil
			})
		}
	}
	return w
}

// Set makes all tools fail with a shape, and clears the ledger.
func (w *World) Set(s Shape) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.shape, w.booked, w.times, w.ends = s, map[string]int{}, 0, nil
}

// fail does the tool's work, unless the shape states effect none, and returns the shape's error.
func (w *World) fail(t Tool, in order) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.times++
	if t.Safety != retry.SafetyReadOnly && w.shape.Did() {
		work := in.ID
		switch t.Name {
		case "put", "put_raw": // the second time changes nothing
			w.booked[work] = 0
		case "pay_raw":
			w.booked[work] = 0 // the gateway recognizes the key
		}
		w.booked[work]++
	}
	return w.shape.Err
}

// Booked returns how often the order with the most bookings was booked, and how often handlers ran.
func (w *World) Booked() (booked, ran int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, n := range w.booked {
		booked = max(booked, n)
	}
	return booked, w.times
}

// Told returns the effects that were reported to the store.
func (w *World) Told() []toolerr.Effect {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.ends
}

// A spy is a store that records the effects of finished calls.
type spy struct {
	idempotency.MemoryStore

	world *World
}

// Finish implements [idempotency.Store].
func (s *spy) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	s.world.mu.Lock()
	s.world.ends = append(s.world.ends, end.Effect)
	s.world.mu.Unlock()
	return s.MemoryStore.Finish(ctx, id, owner, end)
}
