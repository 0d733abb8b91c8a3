package ledger_test

import (
	"cmp"
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// patience is how often an agent calls for one order, each time with all the attempts
	// of its caller.
	patience = 8
	// pause is how long it waits before it calls again, for a server that comes back.
	pause = 20 * time.Millisecond
)

// An end is what an agent believes of an order at last.
type end string

const (
	done       end = "done"
	found      end = "done, found by looking"
	notDone    end = "not done, for certain"
	unfinished end = "unfinished"
)

// A tally counts what agents are told. It is safe for concurrent use.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
	wrong  []string
}

func (t *tally) count(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.counts[what]++
}

func (t *tally) violated(format string, args ...any) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.wrong = append(t.wrong, fmt.Sprintf(format, args...))
}

// run calls until the agent knows how the order ended, or has no patience left.
func (k *task) run(ctx context.Context) end {
	round, key, doubt := 0, "", false
	if k.ownKey && (k.tool == ledger.PayOnce || k.tool == ledger.PayKept || k.tool == ledger.PayAs) {
		key = "key-of-" + k.order
	}
	for range patience {
		told := k.call(ctx, round, key)
		if told.Outcome.AsError() == nil {
			k.checkLook(told)
			return done
		}
		e := told.Outcome.Err
		called := key
		key = cmp.Or(key, e.IdempotencyKey)
		switch {
		case e.Effect == toolerr.EffectApplied:
			k.expect(len(k.book.Of(k.order)) == 1 || k.tool == ledger.Look, told, "applied, and not booked")
			return found
		case e.Effect == toolerr.EffectNone && !doubt:
			k.expect(len(k.book.Of(k.order)) == 0, told, "none, and booked")
			if e.Category != toolerr.CategoryTransient {
				return notDone
			}
			time.Sleep(pause) // sockets and child processes never idle in a bubble
			continue
		case k.tool == ledger.Look:
			time.Sleep(pause) // sockets and child processes never idle in a bubble
			continue
		}
		if e.Effect != toolerr.EffectNone { // which is of this call, and not of the ones before
			k.expect(k.mayHaveActed(told, called != ""), told, "not to verify, and nobody knows")
		}
		doubt = true
		if k.tool == ledger.PayOnce && key != "" && k.roll().IntN(2) == 0 {
			k.tally.count("repeated with the key")
			continue // the same key does no harm
		}
		bookings, ok := k.look(ctx, round)
		switch {
		case !ok:
			return unfinished
		case len(bookings) > 0:
			return found
		}
		round, key, doubt = round+1, "", false
	}
	return unfinished
}

// call calls the tool as a host that reads isRetryable alone does, maybe with a caller who
// does not wait for the end.
func (k *task) call(ctx context.Context, round int, key string) (told ledger.Told) {
	args := map[string]any{"order": k.order, "round": round, "fate": k.fate}
	if key != "" {
		args[map[bool]string{true: ledger.OtherKey, false: "idempotency_key"}[k.tool == ledger.PayAs]] = key
	}
	if round > 0 {
		delete(args, "fate")
	}
	if dice := k.roll(); dice.IntN(100) < 4 {
		k.tally.count("cancelled")
		cancelled, cancel := context.WithTimeout(ctx, time.Duration(dice.IntN(5000))*time.Microsecond)
		defer cancel()
		ctx = cancelled
	}
	for range most {
		told = k.once(ctx, k.tool, args)
		if !told.SaysRetry() {
			break
		}
		k.tally.count("told by the flag alone to repeat")
	}
	return told
}

func (k *task) once(ctx context.Context, tool string, args map[string]any) ledger.Told {
	if k.kind == "naive host" || k.kind == "stubborn" { // they have no policy
		limited, cancel := context.WithTimeout(ctx, attemptTimeout)
		defer cancel()
		ctx = limited
	}
	told := k.site.callers[k.kind].Call(ctx, tool, args)
	k.tally.count("calls")
	if told.Decided {
		k.tally.count("decided " + told.Decision.Action.String() + ", " + string(told.Decision.Reason))
	}
	return told
}

// look looks up what is booked of the order, which closes the round.
func (k *task) look(ctx context.Context, round int) (bookings []ledger.Booking, ok bool) {
	for range patience {
		k.tally.count("looked")
		told := k.once(ctx, ledger.Look, map[string]any{"order": k.order, "round": round})
		if told.Outcome.AsError() == nil {
			if told.Outcome.Kind == result.KindEmpty {
				return nil, true
			}
			got, err := result.Decode[ledger.Found](told.Outcome)
			k.expect(err == nil, told, "what cannot be decoded")
			return got.Bookings, err == nil
		}
		if told.Decision.Action == retry.ActionVerify { // the list of tools did not come
			k.tally.count("told to verify a look")
		}
		time.Sleep(pause) // sockets and child processes never idle in a bubble
	}
	return nil, false
}

// mayHaveActed reports whether an agent was told that the call may have taken effect. It
// looks for itself, and this is no wrong, if a server that states no effect allowed a
// repeat, which is not made for another reason, or if a stranger's words sound as if the
// call was refused.
func (k *task) mayHaveActed(told ledger.Told, keyed bool) bool {
	e := told.Outcome.Err
	if !told.Decided {
		return !told.SaysRetry() || keyed || k.tool == ledger.Set
	}
	allowed := e.Effect == "" && told.Decision.Reason != retry.ReasonNotRetryable
	words := e.Effect == "" && e.Category != "" && e.Category != toolerr.CategoryTransient
	return told.Decision.Action == retry.ActionVerify || allowed || words
}

func (k *task) checkLook(told ledger.Told) {
	if k.tool == ledger.Look {
		k.expect(told.Outcome.Kind == result.KindEmpty, told, "data of an order that nobody has booked")
	}
}

// expect notes what an agent was told that is not so.
func (k *task) expect(ok bool, told ledger.Told, what string) {
	if !ok {
		k.tally.violated("%s, %s, %s, %s: told %s: %s (%v, %s)", k.order, k.site.name, k.kind, k.tool, what, told.Outcome.Text(),
			told.Decision.Action, told.Decision.Reason)
	}
}
