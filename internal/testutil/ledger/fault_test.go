package ledger_test

import (
	"context"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A plan has the fault of the first message of each order; later ones have none. It is safe
// for concurrent use.
type plan struct{ of sync.Map }

func (p *plan) choose(r ledger.Request) ledger.Fault {
	v, _ := p.of.Load(r.Args.Order)
	if fault, ok := v.(ledger.Fault); ok && r.Seen == 0 {
		return fault
	}
	return ledger.Pass
}

// first returns a choice of fault for only the first message of every order.
func first(fault ledger.Fault) func(ledger.Request) ledger.Fault {
	return func(r ledger.Request) ledger.Fault {
		if r.Seen == 0 {
			return fault
		}
		return ledger.Pass
	}
}

// meet calls each of the tools with each of the faults, checks what was told, and calls
// test with it.
func (p *plan) meet(t *testing.T, f *fixture, caller ledger.Caller, faults []ledger.Fault, tools []string, test func(fault ledger.Fault, tool, order string, told []ledger.Answer)) {
	t.Helper()
	for _, fault := range faults {
		for _, tool := range tools {
			order := f.order()
			p.of.Store(order, fault)
			told := f.told(t.Context(), caller, tool, map[string]any{"order": order})
			f.check(t, tool, string(fault), order, told)
			test(fault, tool, order, told)
		}
	}
}

// afterWork are the faults after the work, by transport.
var afterWork = map[string][]ledger.Fault{
	"memory":                       {ledger.CutReply, ledger.Garble, ledger.KillAfter, ledger.RepeatReply, ledger.Delay},
	"stdio":                        {ledger.CutReply, ledger.Garble, ledger.KillAfter, ledger.RepeatReply, ledger.Delay},
	"http":                         {ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After503In, ledger.After504},
	"http with sessions":           {ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After503In, ledger.After504},
	"http, read by a RoundTripper": {ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After504},
}

// The reply is lost between server and client, in the network or in an intermediary that
// has forwarded the request.
func TestFault_AfterWork(t *testing.T) {
	t.Parallel()
	for transport, faults := range afterWork {
		for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
			t.Run(transport+", "+name, func(t *testing.T) {
				t.Parallel()
				f, p := newFixture(t, &ledger.Server{Plain: plain}), new(plan)
				f.faults.Choose = p.choose
				tools := append(bookingTools(plain), ledger.Look)
				f.eachCaller(t, []string{transport}, func(t *testing.T, kind string, caller ledger.Caller) {
					t.Helper()
					p.meet(t, f, caller, faults, tools, func(fault ledger.Fault, tool, order string, told []ledger.Answer) {
						assert.True(t, tool == ledger.Look || len(f.book.Of(order)) == 1, "%s, %s", tool, fault)
						if kind == "Client" && tool != ledger.Pay && tool != ledger.PayAs {
							require.NoError(t, told[0].Outcome.AsError(), "a repeat was safe: %s, %s", tool, fault)
						}
					})
				})
				for _, fault := range faults {
					assert.Positive(t, f.faults.Counts()[fault], fault)
				}
			})
		}
	}
}

// RFC 9110 defines Retry-After for a service that has not accepted the request. If an
// intermediary sends it after the work, only tools that are safe to repeat are protected.
func TestFault_RetryAfter(t *testing.T) { //nolint:tparallel // the callers share a server
	t.Parallel()
	f, p := newFixture(t, new(ledger.Server)), new(plan)
	f.faults.Choose = p.choose
	f.eachCaller(t, []string{"http, read by a RoundTripper"}, func(t *testing.T, kind string, caller ledger.Caller) {
		t.Helper()
		tools := []string{ledger.Set, ledger.PayOnce, ledger.PayKept}
		if kind == "naive host" {
			tools = tools[:1]
		}
		p.meet(t, f, caller, []ledger.Fault{ledger.After503In}, tools, func(_ ledger.Fault, tool, order string, told []ledger.Answer) {
			require.NoError(t, told[len(told)-1].Outcome.AsError(), tool)
			assert.Len(t, f.book.Of(order), 1, tool)
		})
	})
}

// The client knows the name of the tool's key argument.
func TestFault_OtherKeyArgument(t *testing.T) {
	t.Parallel()
	for transport, faults := range afterWork {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			f, p := newFixture(t, new(ledger.Server)), new(plan)
			f.faults.Choose = p.choose
			f.policy.KeyArgument = ledger.OtherKey
			f.eachCaller(t, []string{transport}, func(t *testing.T, kind string, caller ledger.Caller) {
				t.Helper()
				p.meet(t, f, caller, faults, []string{ledger.PayAs}, func(fault ledger.Fault, _, order string, told []ledger.Answer) {
					assert.Len(t, f.book.Of(order), 1, fault)
					if kind == "Client" {
						assert.NoError(t, told[0].Outcome.AsError(), fault)
					}
				})
			})
		})
	}
}

// An intermediary refuses the call. Its effect is only none if the refusal proves this.
func TestFault_BeforeWork(t *testing.T) {
	t.Parallel()
	for transport, repeated := range map[string]bool{"http": false, "http, read by a RoundTripper": true} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			f, p := newFixture(t, new(ledger.Server)), new(plan)
			f.faults.Choose = p.choose
			f.eachCaller(t, []string{transport}, func(t *testing.T, _ string, caller ledger.Caller) {
				t.Helper()
				faults := []ledger.Fault{ledger.Before429, ledger.Before503In, ledger.Lose}
				p.meet(t, f, caller, faults, bookingTools(false), func(fault ledger.Fault, tool, order string, told []ledger.Answer) {
					if fault != ledger.Lose && (repeated || fault == ledger.Before429) {
						require.NoError(t, told[len(told)-1].Outcome.AsError(), "%s, %s", tool, fault)
						assert.Len(t, f.book.Of(order), 1, "%s, %s", tool, fault)
					}
				})
			})
		})
	}
}

// The caller cancels when the reply is lost.
func TestFault_Canceled(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"memory", "stdio", "http", "http with sessions"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, new(ledger.Server))
			var cancels sync.Map
			f.faults.Choose = first(ledger.Hang)
			f.faults.Lost = func(args ledger.Args) {
				if cancel, ok := cancels.Load(args.Order); ok {
					cancel.(context.CancelFunc)() //nolint:errcheck,forcetypeassert // nothing else is stored
				}
			}
			f.eachCaller(t, []string{transport}, func(t *testing.T, _ string, caller ledger.Caller) {
				t.Helper()
				for _, tool := range bookingTools(false) {
					order := f.order()
					ctx, cancel := context.WithCancel(t.Context())
					cancels.Store(order, cancel)
					told := f.told(ctx, caller, tool, map[string]any{"order": order})
					cancel()
					f.check(t, tool, "cancelled", order, told)
					assert.Len(t, f.book.Of(order), 1, tool)
					assert.NotEqual(t, toolerr.EffectNone, told[0].Outcome.Err.Effect, tool)
				}
			})
		})
	}
}

// The reply is lost between the tool and its service. A host that only reads isRetryable
// does not do the work twice.
func TestUpstream_LostReply(t *testing.T) { //nolint:tparallel // the callers share faults and a server, one after the other
	t.Parallel()
	faults := []ledger.Fault{ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After504}
	f := newFixture(t, new(ledger.Server))
	origin, err := url.Parse(f.url)
	require.NoError(t, err)
	var p plan
	between := &ledger.Faults{Choose: p.choose}
	proxy := httptest.NewServer(&ledger.Proxy{
		Faults: between, Target: func() (string, string) { return origin.Scheme, origin.Host }, Transport: ledger.Loopback().Transport,
	})
	t.Cleanup(proxy.CloseClientConnections)
	f.url, f.server.Book.URL = proxy.URL, proxy.URL
	f.eachCaller(t, []string{"memory", "http"}, func(t *testing.T, kind string, caller ledger.Caller) {
		t.Helper()
		p.meet(t, f, caller, faults, bookingTools(false), func(fault ledger.Fault, tool, _ string, told []ledger.Answer) {
			assert.True(t, tool != ledger.Pay || told[0].Outcome.Err.Effect == toolerr.EffectUnknown, fault)
		})
	})
	f.server.Book.Client.Timeout = 200 * time.Millisecond // how long the tool waits if the service hangs
	f.eachCaller(t, []string{"memory", "http"}, func(t *testing.T, kind string, caller ledger.Caller) {
		t.Helper()
		tools := []string{ledger.Pay}
		if kind == "naive host" { // others also wait for each repeat
			tools = bookingTools(false)
		}
		p.meet(t, f, caller, []ledger.Fault{ledger.Hang}, tools, func(ledger.Fault, string, string, []ledger.Answer) {})
	})
	for _, fault := range faults {
		assert.Positive(t, between.Counts()[fault], fault)
	}
}
