package retry_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A ledger is a server that records its bookings.
type ledger struct {
	server *mcp.Server
	ends   func(n int) error // the result of the nth booking; nil means success

	mu      sync.Mutex
	booked  []string // the arguments of refund and the keys of pay, in order
	byKey   map[string]bool
	atOnce  int // running bookings
	most    int // maximum of running bookings
	looked  int
	lookErr error
}

// newLedger returns a server with the middleware, or a foreign server.
func newLedger(ours bool, ends func(n int) error) *ledger {
	l := &ledger{ends: ends, byKey: map[string]bool{}, server: mcp.NewServer(&mcp.Implementation{Name: "ledger", Version: "v0"}, nil)}
	if ours {
		l.server.AddReceivingMiddleware(result.Middleware(nil))
	}
	object := map[string]any{"type": "object"}
	keyed := map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": map[string]any{"type": "string"}}}
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	l.add(&mcp.Tool{Name: "refund", InputSchema: object}, l.refund)
	l.add(&mcp.Tool{Name: "pay", InputSchema: keyed}, l.pay)
	l.add(&mcp.Tool{Name: "note", InputSchema: object}, func(map[string]any) error { return nil })
	l.add(&mcp.Tool{Name: "find", InputSchema: object, Annotations: readOnly}, func(map[string]any) error {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.looked++
		return l.lookErr
	})
	return l
}

func (l *ledger) add(tool *mcp.Tool, work func(map[string]any) error) {
	l.server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var arguments map[string]any
		if err := json.Unmarshal(req.Params.Arguments, &arguments); err != nil {
			return nil, err
		}
		switch err := work(arguments).(type) { //nolint:errorlint // the test's own value
		case nil:
			return result.OK("done"), nil
		case *toolerr.Error:
			return result.Failure(err), nil
		default: // the text of a foreign server
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: err.Error()}}}, nil
		}
	})
}

// refund books every call.
func (l *ledger) refund(arguments map[string]any) error {
	l.mu.Lock()
	l.booked = append(l.booked, fmt.Sprint(arguments))
	n := len(l.booked)
	l.atOnce++
	l.most = max(l.most, l.atOnce)
	l.mu.Unlock()
	time.Sleep(time.Millisecond) // so that concurrent bookings overlap; sockets never idle in a bubble
	l.mu.Lock()
	defer l.mu.Unlock()
	l.atOnce--
	return l.ends(n)
}

// pay books once for each key.
func (l *ledger) pay(arguments map[string]any) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	key, _ := arguments["idempotency_key"].(string)
	l.byKey[key] = true
	l.booked = append(l.booked, key)
	return l.ends(len(l.booked))
}

func (l *ledger) books() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.booked)
}

// A modelCall makes the calls of a model with a Guard through one entry point of this
// package.
type modelCall func(context.Context, string, any) result.Outcome

// eachCaller runs a test with every entry point over every transport.
func eachCaller(t *testing.T, ours bool, ends func(int) error, test func(*testing.T, *ledger, modelCall)) {
	t.Helper()
	for transport, dial := range map[string]func(*testing.T, *ledger) func(context.Context, *mcp.Client) (*mcp.ClientSession, error){
		"pipe": overPipe, "http": overHTTP,
	} {
		for way, newCaller := range map[string]func(*testing.T, func(context.Context, *mcp.Client) (*mcp.ClientSession, error)) modelCall{
			"client": byClient, "call tool": byCallTool, "middleware": byMiddleware,
		} {
			t.Run(transport+", "+way, func(t *testing.T) {
				t.Parallel()
				l := newLedger(ours, ends)
				test(t, l, newCaller(t, dial(t, l)))
			})
		}
	}
}

// overPipe connects like stdio, with lines over a stream.
func overPipe(t *testing.T, l *ledger) func(context.Context, *mcp.Client) (*mcp.ClientSession, error) {
	t.Helper()
	return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
		toServer, fromClient := io.Pipe()
		toClient, fromServer := io.Pipe()
		if _, err := l.server.Connect(ctx, &mcp.IOTransport{Reader: toServer, Writer: fromServer}, nil); err != nil {
			return nil, err
		}
		return c.Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	}
}

func overHTTP(t *testing.T, l *ledger) func(context.Context, *mcp.Client) (*mcp.ClientSession, error) {
	t.Helper()
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return l.server }, nil))
	t.Cleanup(front.Close)
	return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
		return c.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: front.URL}, nil)
	}
}

func guarded() retry.Policy {
	return retry.Policy{Guard: new(retry.Guard), BaseDelay: time.Microsecond}
}

func newSDKClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, &mcp.ClientOptions{MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true}})
}

func byClient(t *testing.T, dial func(context.Context, *mcp.Client) (*mcp.ClientSession, error)) modelCall {
	t.Helper()
	c := &retry.Client{Safety: retry.SafetyOf, Policy: guarded(), Connect: func(ctx context.Context) (retry.ClientSession, error) {
		return dial(ctx, newSDKClient())
	}}
	t.Cleanup(func() { _ = c.Close() })
	return func(ctx context.Context, name string, arguments any) result.Outcome {
		out, _ := c.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
		return out
	}
}

func byCallTool(t *testing.T, dial func(context.Context, *mcp.Client) (*mcp.ClientSession, error)) modelCall {
	t.Helper()
	session, err := dial(t.Context(), newSDKClient())
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	safety := map[string]retry.Safety{}
	for tool, err := range session.Tools(t.Context(), nil) {
		require.NoError(t, err)
		safety[tool.Name] = retry.SafetyOf(tool)
	}
	p := guarded()
	return func(ctx context.Context, name string, arguments any) result.Outcome {
		p := p
		p.Safety = safety[name]
		out, _ := retry.CallTool(ctx, p, session, &mcp.CallToolParams{Name: name, Arguments: arguments})
		return out
	}
}

func byMiddleware(t *testing.T, dial func(context.Context, *mcp.Client) (*mcp.ClientSession, error)) modelCall {
	t.Helper()
	client := newSDKClient()
	client.AddSendingMiddleware(retry.Middleware(guarded(), retry.SafetyOf))
	session, err := dial(t.Context(), client)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return func(ctx context.Context, name string, arguments any) result.Outcome {
		return result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments}))
	}
}
