package ledger_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
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

// A task is one order that an agent calls for.
type task struct {
	seed   uint64
	order  string
	tool   string
	fate   string
	kind   string // of the caller
	ownKey bool
	site   *site
	book   *ledger.Book
	tally  *tally

	decisions uint64 // that the dice have made
}

// fatesOf are the fates that orders meet at a site, ours or not: after the booking, and
// before it.
var fatesOf = func() map[bool][2][]string {
	var after []string
	for _, name := range slices.Sorted(maps.Keys(ledger.Fates)) {
		if f := ledger.Fates[name]; !f.Before && !strings.HasPrefix(name, "breaks the schema") {
			after = append(after, name)
		}
	}
	texts := slices.DeleteFunc(slices.Clone(after), func(name string) bool {
		return !strings.HasPrefix(name, "text") && !strings.HasPrefix(name, "refusal")
	})
	return map[bool][2][]string{
		false: {after, {"refused at first", "over the limit", "claims at first"}},
		true:  {texts, {"claims at first"}},
	}
}()

// newTask lets the dice choose what is wanted, by whom and how it ends.
func newTask(seed uint64, n int, sites []*site, book *ledger.Book, tally *tally) *task {
	k := &task{seed: seed, order: fmt.Sprintf("ORD-%d", n), site: sites[n%len(sites)], book: book, tally: tally}
	dice := diceOf(seed, k.order, 0)
	tools := []string{ledger.Pay, ledger.Pay, ledger.Pay, ledger.Pay, ledger.PayOnce, ledger.PayOnce, ledger.PayAs, ledger.Set, ledger.Look, ledger.PayKept}
	k.tool = tools[dice.IntN(len(tools))]
	if k.site.role.Plain && k.tool == ledger.PayKept {
		k.tool = ledger.PayOnce
	}
	k.kind = []string{"Client", "Client", "CallTool", "Middleware", "naive host"}[dice.IntN(5)]
	k.ownKey = dice.IntN(2) == 0
	fates := fatesOf[k.site.role.Plain]
	switch n := dice.IntN(100); {
	case n < 15:
		k.fate = fates[0][dice.IntN(len(fates[0]))]
	case n < 25:
		k.fate = fates[1][dice.IntN(len(fates[1]))]
	}
	return k
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
			time.Sleep(pause)
			continue
		case k.tool == ledger.Look:
			time.Sleep(pause)
			continue
		}
		k.expect(k.mayHaveActed(told, called != ""), told, "not to verify, and nobody knows")
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

// roll returns the dice for the next decision. The faults have the first 32,000.
func (k *task) roll() interface{ IntN(int) int } {
	k.decisions++
	return diceOf(k.seed, k.order, 1<<15+k.decisions)
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
	if k.kind == "naive host" {
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

// look looks up what is booked of the order, which settles the round.
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
		k.expect(told.Decision.Action != retry.ActionVerify, told, "to verify what only looked")
		time.Sleep(pause)
	}
	return nil, false
}

// mayHaveActed reports whether an agent was told that the call may have taken effect, or
// at least, by words that are not ours, nothing that sounds like a clean refusal by us.
func (k *task) mayHaveActed(told ledger.Told, keyed bool) bool {
	e := told.Outcome.Err
	if !told.Decided {
		return !told.SaysRetry() || keyed || k.tool == ledger.Set
	}
	repeatable := k.tool == ledger.Set && e.Effect == "" // the flag allowed it
	words := e.Effect == "" && e.Category != "" && e.Category != toolerr.CategoryTransient
	return told.Decision.Action == retry.ActionVerify || repeatable || words
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
