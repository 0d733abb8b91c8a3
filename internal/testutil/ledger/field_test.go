package ledger_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A field is a book, a server that books in it, and the ways there.
type field struct {
	book   *ledger.Book
	url    string // of the book
	server *ledger.Server
	faults *ledger.Faults
	// between and after are those of the HTTP proxy.
	between, after func()
	policy         retry.Policy
	orders         atomic.Int64
}

func newField(t *testing.T, server *ledger.Server) *field {
	t.Helper()
	f := &field{book: new(ledger.Book), server: server, faults: new(ledger.Faults), policy: ledger.TestPolicy()}
	up := httptest.NewServer(ledger.Upstream(f.book, new(idempotency.MemoryStore)))
	t.Cleanup(up.Close)
	f.url = up.URL
	server.Book = &ledger.Remote{URL: up.URL, Client: ledger.Loopback()}
	return f
}

// transports are the ways to a server, by name.
var transports = map[string]func(*testing.T, *field) ledger.Connect{
	"memory": func(t *testing.T, f *field) ledger.Connect {
		t.Helper()
		server := f.server.MCP()
		return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
			transport, err := ledger.InMemory(f.faults, server)
			if err != nil {
				return nil, err
			}
			return c.Connect(ctx, transport, nil)
		}
	},
	"stdio": func(t *testing.T, f *field) ledger.Connect {
		t.Helper()
		return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
			command, err := ledger.Role{Book: f.url, Plain: f.server.Plain}.Command()
			if err != nil {
				return nil, err
			}
			transport, _, err := ledger.OverStdio(f.faults, command)
			if err != nil {
				return nil, err
			}
			return c.Connect(ctx, transport, nil)
		}
	},
	"http":               overHTTP("", nil),
	"http with sessions": overHTTP("2025-11-25", nil),
	"http, read by a RoundTripper": overHTTP("", func(base http.RoundTripper) http.RoundTripper {
		return result.RoundTripper(base)
	}),
}

// overHTTP connects through a proxy, with a version of the protocol.
func overHTTP(version string, wrap func(http.RoundTripper) http.RoundTripper) func(*testing.T, *field) ledger.Connect {
	return func(t *testing.T, f *field) ledger.Connect {
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

// each runs a test with every transport that is named, and every caller. A caller is
// called with orders of its own.
func (f *field) each(t *testing.T, names []string, test func(t *testing.T, kind string, call call)) {
	t.Helper()
	f.eachCaller(t, names, func(t *testing.T, kind string, caller ledger.Caller) {
		t.Helper()
		test(t, kind, func(ctx context.Context, tool, fate string) ([]ledger.Told, string) {
			order := f.order()
			return f.told(ctx, caller, tool, map[string]any{"order": order, "fate": fate}), order
		})
	})
}

// order returns an order that is not in the book.
func (f *field) order() string { return fmt.Sprintf("ORD-%d", f.orders.Add(1)) }

func (f *field) eachCaller(t *testing.T, names []string, test func(t *testing.T, kind string, caller ledger.Caller)) {
	t.Helper()
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			connect := transports[name](t, f)
			for kind, newCaller := range ledger.Callers {
				t.Run(kind, func(t *testing.T) {
					caller := newCaller(connect, f.policy)
					defer caller.Close()
					test(t, kind, caller)
				})
			}
		})
	}
}

// A call calls a tool with a new order, as [field.told] does.
type call func(ctx context.Context, tool, fate string) ([]ledger.Told, string)

// most is how often a host repeats a call that it is told it may.
const most = 3

// told calls a tool as a host that reads isRetryable alone, on top of whatever the
// caller does by itself.
func (f *field) told(ctx context.Context, caller ledger.Caller, tool string, args map[string]any) (all []ledger.Told) {
	for range most {
		all = append(all, caller.Call(ctx, tool, args))
		if !all[len(all)-1].SaysRetry() {
			break
		}
	}
	return all
}

// violations compares what a caller was told of an order with the book.
func violations(tool string, told []ledger.Told, booked []ledger.Booking) (found []string) {
	violated := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if len(booked) > 1 {
		violated("booked %d times", len(booked))
	}
	for i, one := range told {
		e, last := one.Outcome.Err, i == len(told)-1
		switch {
		case one.Outcome.AsError() == nil && len(booked) == 0 && tool != ledger.Look:
			violated("%d: told done, and not booked", i)
		case one.Outcome.AsError() == nil:
		case e == nil:
			violated("%d: a failure without a failure", i)
		case last && e.Effect == toolerr.EffectNone && len(booked) > 0:
			violated("told none, and booked: %s", one.Outcome.Text())
		case e.Effect == toolerr.EffectApplied && len(booked) == 0:
			violated("%d: told applied, and not booked: %s", i, one.Outcome.Text())
		case tool != ledger.Look && one.Decided && isUnresolved(one) && one.Decision.Action != retry.ActionVerify:
			violated("%d: told %v (%s), and the effect is not known: %s", i, one.Decision.Action, one.Decision.Reason, one.Outcome.Text())
		}
	}
	return found
}

// isUnresolved reports whether the effect of a failed call is not stated. A server that
// states no effect and allows a repeat states that the repeat is safe.
func isUnresolved(told ledger.Told) bool {
	e := told.Outcome.Err
	return e.Effect == toolerr.EffectUnknown || e.Effect == "" && told.Decision.Reason == retry.ReasonNotRetryable &&
		(e.Category == "" || e.Category == toolerr.CategoryTransient)
}

// check fails a test unless the book agrees with what was told.
func (f *field) check(t *testing.T, tool, fate, order string, told []ledger.Told) {
	t.Helper()
	assert.Empty(t, violations(tool, told, f.book.Of(order)), "%s, %s", tool, fate)
}

// paying are the tools that book, of a server of ours or not.
func paying(plain bool) []string {
	tools := []string{ledger.Pay, ledger.Set, ledger.PayOnce, ledger.PayAs}
	if !plain {
		tools = append(tools, ledger.PayKept)
	}
	return tools
}
