package ledger_test

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMain(m *testing.M) {
	if ledger.ServeRole() {
		return
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	_ = flag.Set("test.parallel", "8") // most of these tests is waiting
	os.Exit(m.Run())
}

// A fixture is a book, a server that uses it, and connections to the server.
type fixture struct {
	book   *ledger.Book
	url    string // of the book
	server *ledger.Server
	faults *ledger.Faults // between client and server
	met    *ledger.Faults // of the test
	// between and after belong to the HTTP proxy.
	between, after func()
	policy         retry.Policy
	orders         atomic.Int64
	plan           sync.Map // the fault of the first message of each order
}

// choose returns the fault of a message in the plan.
func (f *fixture) choose(r ledger.Request) ledger.Fault {
	v, _ := f.plan.Load(r.Args.Order)
	if fault, ok := v.(ledger.Fault); ok && r.Seen == 0 {
		return fault
	}
	return ledger.Pass
}

func newFixture(t *testing.T, server *ledger.Server) *fixture {
	t.Helper()
	f := &fixture{book: new(ledger.Book), server: server, faults: new(ledger.Faults), policy: ledger.TestPolicy()}
	f.faults.Choose, f.met = f.choose, f.faults
	up := httptest.NewServer(ledger.Upstream(f.book, new(idempotency.MemoryStore)))
	t.Cleanup(up.Close)
	f.url = up.URL
	server.Book = &ledger.Remote{URL: up.URL, Client: ledger.Loopback()}
	return f
}

// transports are the connections to a server, by name.
var transports = map[string]func(*testing.T, *fixture) ledger.Connect{
	"memory": func(t *testing.T, f *fixture) ledger.Connect {
		t.Helper()
		server := f.server.MCP()
		return connectTo(func() (mcp.Transport, error) { return ledger.InMemory(f.faults, server) })
	},
	"stdio": func(t *testing.T, f *fixture) ledger.Connect {
		t.Helper()
		return connectTo(func() (mcp.Transport, error) {
			return overStdio(f.faults, ledger.Role{Book: f.url, Plain: f.server.Plain})
		})
	},
	"http":               overHTTP("", nil),
	"http with sessions": overHTTP("2025-11-25", nil),
	readByRoundTripper: overHTTP("", func(base http.RoundTripper) http.RoundTripper {
		return result.RoundTripper(base)
	}),
}

const readByRoundTripper = "http, read by a RoundTripper"

var fewTransports = []string{"memory", "stdio", "http"}

// connectTo connects over new transports.
func connectTo(newTransport func() (mcp.Transport, error)) ledger.Connect {
	return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
		transport, err := newTransport()
		if err != nil {
			return nil, err
		}
		return c.Connect(ctx, transport, nil)
	}
}

func overStdio(faults *ledger.Faults, role ledger.Role) (mcp.Transport, error) {
	command, err := role.Command()
	if err != nil {
		return nil, err
	}
	transport, _, err := ledger.OverStdio(faults, command)
	return transport, err
}

// overHTTP returns a connection through a proxy, with a version of the protocol.
func overHTTP(version string, wrap func(http.RoundTripper) http.RoundTripper) func(*testing.T, *fixture) ledger.Connect {
	return func(t *testing.T, f *fixture) ledger.Connect {
		t.Helper()
		origin := httptest.NewServer(ledger.Handler(f.server.MCP()))
		t.Cleanup(origin.Close)
		at, err := url.Parse(origin.URL)
		require.NoError(t, err)
		proxy := httptest.NewServer(&ledger.Proxy{
			Faults: f.faults, Target: func() (string, string) { return at.Scheme, at.Host },
			Transport: ledger.Loopback().Transport, Between: f.between, After: f.after,
		})
		t.Cleanup(proxy.CloseClientConnections)
		return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
			client := ledger.Loopback()
			if wrap != nil {
				client.Transport = wrap(client.Transport)
			}
			transport := &mcp.StreamableClientTransport{Endpoint: proxy.URL, HTTPClient: client, MaxRetries: -1}
			return c.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
		}
	}
}

// order returns a new order.
func (f *fixture) order() string { return fmt.Sprintf("ORD-%d", f.orders.Add(1)) }

// maxRepeats is how often a host repeats a retryable call.
const maxRepeats = 3

// told calls a tool like a host that only reads isRetryable, in addition to the caller's
// own retries.
func (f *fixture) told(ctx context.Context, caller ledger.Caller, tool string, args map[string]any) (all []ledger.Answer) {
	for range maxRepeats {
		all = append(all, caller.Call(ctx, tool, args))
		if !all[len(all)-1].AllowsRetry() {
			break
		}
	}
	return all
}

// violations compares what a caller was told about an order with the book.
func violations(tool string, told []ledger.Answer, booked []ledger.Booking) (found []string) {
	violated := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if len(booked) > 1 {
		violated("booked %d times", len(booked))
	}
	for i, one := range told {
		e, last := one.Outcome.Err, i == len(told)-1
		switch {
		case one.Outcome.AsError() == nil && len(booked) == 0 && tool != ledger.Look:
			violated("%d: told done, but not booked", i)
		case one.Outcome.AsError() == nil:
		case e == nil:
			violated("%d: failure without an envelope", i)
		case last && e.Effect == toolerr.EffectNone && len(booked) > 0:
			violated("effect none, but booked: %s", one.Outcome.Text())
		case e.Effect == toolerr.EffectApplied && len(booked) == 0:
			violated("%d: effect applied, but not booked: %s", i, one.Outcome.Text())
		case tool != ledger.Look && one.Decided && isUnresolved(one) && one.Decision.Action != retry.ActionVerify:
			violated("%d: told %v (%s), but the effect is unknown: %s", i, one.Decision.Action, one.Decision.Reason, one.Outcome.Text())
		}
	}
	return found
}

// isUnresolved reports whether the effect of a failed call was not stated. A server that
// states no effect but allows a repeat has stated that a repeat is safe.
func isUnresolved(told ledger.Answer) bool {
	e := told.Outcome.Err
	return e.Effect == toolerr.EffectUnknown || e.Effect == "" && told.Decision.Reason == retry.ReasonNotRetryable &&
		(e.Category == "" || e.Category == toolerr.CategoryTransient)
}
