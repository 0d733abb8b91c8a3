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

// onFirst does a fault to the first message of an order alone, so that a repeat gets
// through.
func onFirst(fault func(order string) ledger.Fault) func(ledger.Request) ledger.Fault {
	return func(r ledger.Request) ledger.Fault {
		if r.Seen > 0 {
			return ledger.Pass
		}
		return fault(r.Args.Order)
	}
}

// A plan says which fault an order meets. It is safe for concurrent use.
type plan struct{ of sync.Map }

func (p *plan) fault(order string) ledger.Fault {
	v, ok := p.of.Load(order)
	if fault, isFault := v.(ledger.Fault); ok && isFault {
		return fault
	}
	return ledger.Pass
}

// The reply is lost between server and client: by the network, or by an intermediary
// that has passed the request on.
func TestIntermediary_AfterTheWork(t *testing.T) {
	t.Parallel()
	faults := map[string][]ledger.Fault{
		"memory": {ledger.CutReply, ledger.Garble, ledger.KillAfter, ledger.RepeatReply, ledger.Delay},
		"stdio":  {ledger.CutReply, ledger.Garble, ledger.KillAfter, ledger.RepeatReply, ledger.Delay},
		"http":   {ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After503In, ledger.After504},
	}
	faults["http with sessions"] = faults["http"]
	faults["http, read by a RoundTripper"] = faults["http"]
	for transport, list := range faults {
		for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
			t.Run(transport+", "+name, func(t *testing.T) {
				t.Parallel()
				f := newField(t, &ledger.Server{Plain: plain})
				var p plan
				f.faults.Choose = onFirst(p.fault)
				f.eachCaller(t, []string{transport}, func(t *testing.T, kind string, caller ledger.Caller) {
					for _, fault := range list {
						for _, tool := range append(paying(plain), ledger.Look) {
							keyless := tool == ledger.Pay || tool == ledger.PayAs || kind == "naive host" && tool != ledger.Set && tool != ledger.Look
							if fault == ledger.After503In && transport == "http, read by a RoundTripper" && keyless {
								continue // RFC 9110 gives it to a service that has not taken the request
							}
							order := f.order()
							p.of.Store(order, fault)
							told := f.told(t.Context(), caller, tool, map[string]any{"order": order})
							f.check(t, tool, string(fault), order, told)
							if tool != ledger.Look {
								assert.Len(t, f.book.Of(order), 1, "%s, %s", tool, fault)
							}
							if kind == "Client" && tool != ledger.Pay && tool != ledger.PayAs {
								require.NoError(t, told[0].Outcome.AsError(), "a repeat was safe: %s, %s", tool, fault)
							}
						}
					}
				})
				for _, fault := range list {
					assert.Positive(t, f.faults.Met()[fault], fault)
				}
			})
		}
	}
}

// An intermediary refuses the call: what it says without doubt is believed, and what it
// does not say is not.
func TestIntermediary_BeforeTheWork(t *testing.T) {
	t.Parallel()
	for transport, repeated := range map[string]bool{"http": false, "http, read by a RoundTripper": true} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			f := newField(t, new(ledger.Server))
			var p plan
			f.faults.Choose = onFirst(p.fault)
			f.eachCaller(t, []string{transport}, func(t *testing.T, _ string, caller ledger.Caller) {
				for _, fault := range []ledger.Fault{ledger.Before429, ledger.Before503In, ledger.Lose} {
					for _, tool := range paying(false) {
						order := f.order()
						p.of.Store(order, fault)
						told := f.told(t.Context(), caller, tool, map[string]any{"order": order})
						f.check(t, tool, string(fault), order, told)
						if fault != ledger.Lose && (repeated || fault == ledger.Before429) {
							assert.NoError(t, told[len(told)-1].Outcome.AsError(), "%s, %s", tool, fault)
							assert.Len(t, f.book.Of(order), 1, "%s, %s", tool, fault)
						}
					}
				}
			})
		})
	}
}

// Nobody waits any longer when the reply is lost: the caller cancels.
func TestIntermediary_Cancelled(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"memory", "stdio", "http", "http with sessions"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			f := newField(t, new(ledger.Server))
			var cancels sync.Map
			f.faults.Choose = onFirst(func(string) ledger.Fault { return ledger.Hang })
			f.faults.Lost = func(args ledger.Args) {
				if cancel, ok := cancels.Load(args.Order); ok {
					cancel.(context.CancelFunc)() //nolint:errcheck,forcetypeassert // nothing else is stored
				}
			}
			f.eachCaller(t, []string{transport}, func(t *testing.T, _ string, caller ledger.Caller) {
				for _, tool := range paying(false) {
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

// The reply is lost between the tool and the service that does the work: a host that
// reads isRetryable alone does not do it twice.
func TestUpstream_LostReply(t *testing.T) {
	t.Parallel()
	faults := []ledger.Fault{ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After504, ledger.Hang}
	f := newField(t, new(ledger.Server))
	origin, err := url.Parse(f.url)
	require.NoError(t, err)
	var p plan
	between := &ledger.Faults{Choose: onFirst(p.fault)}
	proxy := httptest.NewServer(&ledger.Proxy{
		Faults: between, Target: func() (string, string) { return origin.Scheme, origin.Host }, Transport: ledger.Loopback().Transport,
	})
	t.Cleanup(proxy.CloseClientConnections)
	f.url, f.server.Book.URL = proxy.URL, proxy.URL
	f.server.Book.Client.Timeout = 200 * time.Millisecond // how long the tool waits for what hangs
	f.eachCaller(t, []string{"memory", "http"}, func(t *testing.T, kind string, caller ledger.Caller) {
		for _, fault := range faults {
			for _, tool := range paying(false) {
				if fault == ledger.Hang && kind != "naive host" && tool != ledger.Pay {
					continue // it takes as long as the tool waits
				}
				order := f.order()
				p.of.Store(order, fault)
				told := f.told(t.Context(), caller, tool, map[string]any{"order": order})
				f.check(t, tool, string(fault), order, told)
				if tool == ledger.Pay {
					assert.Equal(t, toolerr.EffectUnknown, told[0].Outcome.Err.Effect, fault)
				}
			}
		}
	})
	for _, fault := range faults {
		assert.Positive(t, between.Met()[fault], fault)
	}
}
