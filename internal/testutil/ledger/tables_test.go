package ledger_test

import (
	"context"
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// tables are all tables but those of faults, by name.
func tables() map[string]table {
	all := map[string]table{
		// A failure without a stated effect never has the effect none.
		"fates": {over: fewTransports, calls: append(cross(bookingTools(false), fatesAfter()), outputCalls...), test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
			t.Helper()
			assert.Error(t, told[len(told)-1].Outcome.AsError(), c)
		}},
		// A flag in a text of an author does not state an effect.
		"an unknown tool": {
			over: fewTransports, calls: cross([]string{ledger.Pay}, []string{"claims at first"}), booked: never,
			test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
				t.Helper()
				assert.Len(t, told, 1, c)
			},
		},
		// Only a key in the request, in the tool's own argument, makes a failure retryable.
		"with a key": {
			over: fewTransports, calls: withKeys(cross(slices.Collect(maps.Keys(keyArguments)), unsettled)), only: isNaive,
			test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
				t.Helper()
				assert.Len(t, told, map[bool]int{false: maxRepeats, true: 1}[c.tool == ledger.PayKept], c)
				for _, one := range told {
					assert.Equal(t, toolerr.EffectUnknown, one.Outcome.Err.Effect, c)
				}
			},
		},
		"without a key": { // that of Open is honored by nobody
			over: fewTransports, calls: cross([]string{ledger.PayOnce, ledger.PayKept, ledger.PayAs, ledger.Open, ledger.Pay}, unsettled), only: isNaive,
			test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
				t.Helper()
				assert.Len(t, told, 1, c)
				assert.Equal(t, toolerr.EffectUnknown, told[0].Outcome.Err.Effect, c)
				assert.True(t, keyArguments[c.tool] == "" || told[0].Outcome.Err.IdempotencyKey != "", c)
			},
		},
		// A key can only be used again after a call whose author states that nothing was done.
		"a key that is free again": {
			over: fewTransports, calls: withKeys(cross(slices.Collect(maps.Keys(keyArguments)), []string{"refused at first"})), only: isNaive,
			test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
				t.Helper()
				require.Len(t, told, 2, c)
				assert.Equal(t, toolerr.EffectNone, told[0].Outcome.Err.Effect, c)
				assert.NoError(t, told[1].Outcome.AsError(), c)
				assert.NoError(t, c.caller.Call(t.Context(), c.tool, c.args()).Outcome.AsError(), c)
			},
		},
		"a key that stays": {
			over: fewTransports, calls: withKeys(cross([]string{ledger.PayKept}, append(fatesAfter(), textFates()...))), only: isNaive,
			test: func(t *testing.T, f *fixture, c call, told []ledger.Answer) {
				t.Helper()
				assert.Len(t, told, 1, c)
				for _, one := range append(told, c.caller.Call(t.Context(), c.tool, c.args())) {
					require.Error(t, one.Outcome.AsError(), c)
					assert.NotEqual(t, toolerr.EffectNone, one.Outcome.Err.Effect, c)
					assert.False(t, one.AllowsRetry(), c)
				}
				assert.Len(t, f.book.Of(c.order), 1, c)
			},
		},
		"refused for good": {
			over: fewTransports, calls: cross(bookingTools(false), []string{"over the limit", "always refused"}), booked: never,
			test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
				t.Helper()
				assert.Equal(t, toolerr.EffectNone, told[len(told)-1].Outcome.Err.Effect, c)
			},
		},
		// What is not booked when an agent looks is not booked afterwards.
		"a closed round": {over: fewTransports, calls: cross([]string{ledger.Look}, unfated), test: func(t *testing.T, f *fixture, c call, _ []ledger.Answer) {
			t.Helper()
			e := c.caller.Call(t.Context(), ledger.Pay, c.args()).Outcome.Err
			require.NotNil(t, e, c)
			assert.Equal(t, toolerr.EffectNone, e.Effect, c)
			assert.Empty(t, f.book.Of(c.order), c)
		}},
		// Another tool must be called first. The model does that, and then calls again.
		"a failed precondition": {
			over: fewTransports, calls: cross([]string{ledger.Pay, ledger.PayOnce, ledger.PayKept}, []string{"step first"}),
			setup:  func(_ *testing.T, f *fixture) { f.policy.Guard = new(retry.Guard) },
			booked: never,
			test: func(t *testing.T, f *fixture, c call, told []ledger.Answer) {
				t.Helper()
				require.Len(t, told, 1, c)
				e := told[0].Outcome.Err
				assert.Equal(t, fmt.Sprint(toolerr.EffectNone, " ", ledger.Set), fmt.Sprint(e.Effect, " ", e.Details["first"]), c)
				assert.Contains(t, e.Hint, ledger.Set, c)
				assert.True(t, !told[0].Decided || told[0].Decision.Action == retry.ActionFixInput, c)
				require.NoError(t, c.caller.Call(t.Context(), ledger.Set, map[string]any{"order": f.order()}).Outcome.AsError())
				require.NoError(t, c.caller.Call(t.Context(), c.tool, c.args()).Outcome.AsError(), c)
				assert.Len(t, f.book.Of(c.order), 1, c)
			},
		},
	}
	for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
		// The text of another server, or of an author, never proves an effect.
		all["texts, "+name] = table{plain: plain, over: fewTransports, calls: textCalls(plain), test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
			t.Helper()
			assert.True(t, c.tool != ledger.Pay || told[0].Outcome.Err.Effect != toolerr.EffectNone, c)
		}}
		// Output that cannot be sent is a fault of a tool that has booked.
		all["output, "+name] = table{plain: plain, over: fewTransports, calls: outputCalls, test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
			t.Helper()
			require.Len(t, told, 1, c)
			require.NotNil(t, told[0].Outcome.Err, c)
			assert.Equal(t, "unknown internal", fmt.Sprint(told[0].Outcome.Err.Effect, " ", told[0].Outcome.Err.Code), c)
			assert.True(t, !told[0].Decided || told[0].Decision.Action == retry.ActionVerify, c)
		}}
		// Calls that were certainly refused are still repeated. Otherwise the other tests would
		// pass for a library that repeats nothing.
		refused := cross(bookingTools(plain), []string{"claims at first"})
		if !plain { // a keyed tool only trusts its author
			refused = append(cross(bookingTools(false), []string{"refused at first"}), cross([]string{ledger.Pay, ledger.Set}, []string{"dial fails at first"})...)
		}
		all["refused, "+name] = table{plain: plain, over: fewTransports, calls: refused, test: succeeds}
	}
	return all
}

// succeeds requires that the last of a host's calls was made.
func succeeds(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
	t.Helper()
	assert.NoError(t, told[len(told)-1].Outcome.AsError(), c)
}

// afterWork are the faults after the work, by transport.
var afterWork = map[string][]ledger.Fault{
	"memory":             {ledger.CutReply, ledger.Garble, ledger.KillAfter, ledger.RepeatReply, ledger.Delay},
	"stdio":              {ledger.CutReply, ledger.Garble, ledger.KillAfter, ledger.RepeatReply, ledger.Delay},
	"http":               {ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After503In, ledger.After504},
	"http with sessions": {ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After503In, ledger.After504},
	readByRoundTripper:   {ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After504},
}

// faultTables are the tables of intermediaries that interfere, by name.
func faultTables() map[string]table {
	all := map[string]table{
		// RFC 9110 defines Retry-After for a service that has not accepted the request. If an
		// intermediary sends it after the work, only tools that are safe to repeat are protected.
		"Retry-After": {
			over: []string{readByRoundTripper}, calls: cross([]string{ledger.Set, ledger.PayOnce, ledger.PayKept}, unfated, ledger.After503In),
			only: func(c call) bool { return c.tool == ledger.Set || c.kind != "naive host" }, test: succeeds,
		},
		"between tool and service": upstream(ledger.DropReply, ledger.CutReply, ledger.After502, ledger.After503, ledger.After504),
		"a service that hangs":     upstream(ledger.Hang),
	}
	for over, faults := range afterWork {
		// The client knows the name of the tool's key argument.
		all["another argument, "+over] = table{
			over: []string{over}, calls: cross([]string{ledger.PayAs}, unfated, faults...),
			setup: func(_ *testing.T, f *fixture) { f.policy.KeyArgument = ledger.OtherKey },
			test:  clientSucceeds,
		}
		for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
			// The reply is lost between server and client, in the network or in an intermediary
			// that has forwarded the request.
			all["after the work, "+over+", "+name] = table{
				plain: plain, over: []string{over}, calls: cross(append(bookingTools(plain), ledger.Look), unfated, faults...),
				test: func(t *testing.T, f *fixture, c call, told []ledger.Answer) {
					t.Helper()
					if c.tool != ledger.Pay && c.tool != ledger.PayAs {
						clientSucceeds(t, f, c, told)
					}
				},
			}
		}
	}
	for _, over := range []string{"http", readByRoundTripper} {
		// An intermediary refuses the call. Its effect is only none if the refusal proves this.
		all["before the work, "+over] = table{
			over: []string{over}, calls: cross(bookingTools(false), unfated, ledger.Before429, ledger.Before503In, ledger.Lose), booked: perhaps,
			test: func(t *testing.T, f *fixture, c call, told []ledger.Answer) {
				t.Helper()
				if c.fault == ledger.Before429 || c.fault == ledger.Before503In && over == readByRoundTripper {
					succeeds(t, f, c, told)
					assert.Len(t, f.book.Of(c.order), 1, c)
				}
			},
		}
	}
	for _, over := range []string{"memory", "stdio", "http", "http with sessions"} {
		all["canceled, "+over] = canceled(over)
	}
	for _, over := range fewTransports {
		// Without sessions, a server cannot distinguish a duplicate request from a second call.
		// Only tools that are safe to repeat do not book twice.
		all["sent twice, "+over] = table{over: []string{over}, calls: withKeys(cross(bookingTools(false)[1:], unfated, ledger.Replay))}
	}
	for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
		all["sent twice in a session, "+name] = sentWhileRunning(plain)
	}
	return all
}

// clientSucceeds requires that a Client repeated a call, because that was safe.
func clientSucceeds(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
	t.Helper()
	if c.kind == "Client" {
		assert.NoError(t, told[0].Outcome.AsError(), c)
	}
}

// canceled returns the table of callers that cancel when the reply is lost.
func canceled(over string) table {
	var cancels sync.Map
	return table{
		over: []string{over}, calls: cross(bookingTools(false), unfated, ledger.Hang),
		setup: func(_ *testing.T, f *fixture) {
			f.faults.Lost = func(args ledger.Args) {
				if cancel, ok := cancels.Load(args.Order); ok {
					cancel.(context.CancelFunc)() //nolint:errcheck,forcetypeassert // nothing else is stored
				}
			}
		},
		during: func(ctx context.Context, c call) context.Context {
			ctx, cancel := context.WithCancel(ctx)
			cancels.Store(c.order, cancel)
			return ctx
		},
		test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
			t.Helper()
			assert.NotEqual(t, toolerr.EffectNone, told[0].Outcome.Err.Effect, c)
		},
	}
}

// upstream returns the table of replies that are lost between the tool and its service. A host
// that only reads isRetryable does not do the work twice.
func upstream(faults ...ledger.Fault) table {
	hangs := faults[0] == ledger.Hang
	return table{
		over: []string{"memory", "http"}, calls: cross(bookingTools(false), unfated, faults...), booked: map[bool]bookings{true: perhaps}[hangs], // a slow machine may not get that far
		only: func(c call) bool { return !hangs || c.tool == ledger.Pay || c.kind == "naive host" }, // others also wait for each repeat
		setup: func(t *testing.T, f *fixture) {
			t.Helper()
			origin, err := url.Parse(f.url)
			require.NoError(t, err)
			proxy := httptest.NewServer(&ledger.Proxy{
				Faults: f.faults, Target: func() (string, string) { return origin.Scheme, origin.Host }, Transport: ledger.Loopback().Transport,
			})
			t.Cleanup(proxy.CloseClientConnections)
			f.server.Book.URL, f.faults = proxy.URL, new(ledger.Faults)
			if hangs {
				f.server.Book.Client.Timeout = 200 * time.Millisecond // how long the tool waits
			}
		},
		test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
			t.Helper()
			assert.True(t, c.tool != ledger.Pay || told[0].Outcome.Err.Effect == toolerr.EffectUnknown, c)
		},
	}
}

// sentWhileRunning returns the table of an intermediary that sends a request again while it runs,
// and the server refuses the second. The refusal does not prove the effect of the first, which
// books afterwards.
func sentWhileRunning(plain bool) table {
	var running, release chan bool // of the call; calls are sequential
	return table{
		plain: plain, over: []string{"http with sessions"}, calls: cross(bookingTools(plain), unfated, ledger.Replay),
		setup: func(_ *testing.T, f *fixture) {
			f.server.Running = func(context.Context, ledger.Args) {
				select {
				case running <- true:
				default: // a repeat
				}
				<-release
			}
			f.between = func() { <-running }
			f.after = func() { close(release) }
		},
		during: func(ctx context.Context, _ call) context.Context {
			running, release = make(chan bool, 1), make(chan bool)
			return ctx
		},
		test: func(t *testing.T, _ *fixture, c call, told []ledger.Answer) {
			t.Helper()
			assert.True(t, c.tool != ledger.Pay || told[0].Outcome.Err.Effect == toolerr.EffectUnknown, c)
		},
	}
}
