package ledger_test

import (
	"context"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A gate blocks calls until it is opened.
type gate struct {
	once            sync.Once
	reached, opened chan struct{}
}

func newGate() *gate { return &gate{reached: make(chan struct{}), opened: make(chan struct{})} }

// An intermediary sends a request again while it is running, and the server refuses the
// second. The refusal does not prove the effect of the first, which books afterwards.
func TestReplay_InFlight(t *testing.T) {
	t.Parallel()
	for name, plain := range map[string]bool{"ours": false, "SDK alone": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var now *gate // calls are sequential
			f := newFixture(t, &ledger.Server{Plain: plain})
			f.faults.Choose = first(ledger.Replay)
			f.server.Running = func(context.Context, ledger.Args) {
				g := now
				g.once.Do(func() { close(g.reached) })
				<-g.opened
			}
			f.between = func() { <-now.reached }
			f.after = func() { close(now.opened) }
			f.eachCaller(t, []string{"http with sessions"}, func(t *testing.T, _ string, caller ledger.Caller) {
				t.Helper()
				for _, tool := range bookingTools(plain) {
					now = newGate()
					order := f.order()
					told := f.told(t.Context(), caller, tool, map[string]any{"order": order})
					f.check(t, tool, "replayed", order, told)
					assert.Len(t, f.book.Of(order), 1, tool)
					if tool == ledger.Pay {
						assert.Equal(t, toolerr.EffectUnknown, told[0].Outcome.Err.Effect)
					}
				}
			})
		})
	}
}

// Without sessions, a server cannot distinguish a duplicate request from a second call.
// Only tools that are safe to repeat do not book twice.
func TestReplay_SafeTools(t *testing.T) {
	t.Parallel()
	for _, transport := range []string{"memory", "stdio", "http"} {
		t.Run(transport, func(t *testing.T) {
			t.Parallel()
			f := newFixture(t, new(ledger.Server))
			f.faults.Choose = first(ledger.Replay)
			f.eachCaller(t, []string{transport}, func(t *testing.T, _ string, caller ledger.Caller) {
				t.Helper()
				for tool, argument := range map[string]string{
					ledger.Set: "", ledger.PayOnce: "idempotency_key", ledger.PayKept: "idempotency_key", ledger.PayAs: ledger.OtherKey,
				} {
					order := f.order()
					args := map[string]any{"order": order}
					if argument != "" {
						args[argument] = "key-of-" + order
					}
					told := f.told(t.Context(), caller, tool, args)
					f.check(t, tool, "sent twice", order, told)
					assert.Len(t, f.book.Of(order), 1, tool)
				}
			})
		})
	}
}
