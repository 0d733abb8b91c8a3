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
	// maxCalls is how many calls an agent makes for one order, each with all attempts of
	// its caller.
	maxCalls = 8
	// pause is the time before the next call, in which a server may restart.
	pause = 20 * time.Millisecond
)

// An end is what an agent believes about an order at the end.
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

// run calls until the agent knows how the order ended, or has made all its calls.
func (k *task) run(ctx context.Context) end {
	round, key, doubt := 0, "", false
	if k.ownKey && (k.tool == ledger.PayOnce || k.tool == ledger.PayKept || k.tool == ledger.PayAs) {
		key = "key-of-" + k.order
	}
	for range maxCalls {
		told, unsettled := k.call(ctx, round, key)
		doubt = doubt || unsettled
		if told.Outcome.AsError() == nil {
			isRight := k.tool != ledger.Look || told.Outcome.Kind == result.KindEmpty
			k.expect(isRight, told, "data of an order that is not booked")
			return done
		}
		e := told.Outcome.Err
		called := key
		key = cmp.Or(key, e.IdempotencyKey)
		switch {
		case e.Effect == toolerr.EffectApplied:
			k.expect(len(k.book.Of(k.order)) == 1 || k.tool == ledger.Look, told, "effect applied, but not booked")
			return found
		case e.Effect == toolerr.EffectNone && !doubt:
			k.expect(len(k.book.Of(k.order)) == 0, told, "effect none, but booked")
			if e.Category != toolerr.CategoryTransient {
				return notDone
			}
			time.Sleep(pause) // sockets and child processes never idle in a bubble
			continue
		case k.tool == ledger.Look:
			time.Sleep(pause) // sockets and child processes never idle in a bubble
			continue
		}
		if e.Effect != toolerr.EffectNone { // the effect of this call, not of earlier ones
			k.expect(k.mayHaveActed(told, called != ""), told, "no advice to verify an unknown effect")
		}
		doubt = true
		if k.tool == ledger.PayOnce && key != "" && k.roll().IntN(2) == 0 {
			k.tally.count("repeated with the key")
			continue // the same key makes a repeat safe
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

// call calls the tool like a host that only reads isRetryable. Some callers cancel the
// call. Unsettled means that a call before the last may have taken effect: the effect of the
// last is then not that of all.
func (k *task) call(ctx context.Context, round int, key string) (told ledger.Answer, unsettled bool) {
	args := map[string]any{"order": k.order, "round": round, "fate": k.fate}
	if key != "" {
		args[map[bool]string{true: ledger.OtherKey, false: "idempotency_key"}[k.tool == ledger.PayAs]] = key
	}
	if round > 0 {
		delete(args, "fate")
	}
	if dice := k.roll(); dice.IntN(100) < 4 {
		k.tally.count("cancelled")
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, time.Duration(dice.IntN(5000))*time.Microsecond)
		defer cancel()
	}
	for range maxRepeats {
		told = k.once(ctx, k.tool, args)
		if !told.AllowsRetry() {
			break
		}
		unsettled = unsettled || told.Outcome.Err.Effect != toolerr.EffectNone
		k.tally.count("repeated because of the flag alone")
	}
	return told, unsettled
}

func (k *task) once(ctx context.Context, tool string, args map[string]any) ledger.Answer {
	if k.kind == "naive host" { // it has no policy
		var cancel func()
		ctx, cancel = context.WithTimeout(ctx, attemptTimeout)
		defer cancel()
	}
	told := k.site.callers[k.kind].Call(ctx, tool, args)
	k.tally.count("calls")
	if told.Decided {
		k.tally.count("decided " + told.Decision.Action.String() + ", " + string(told.Decision.Reason))
		_, limited := ctx.Deadline()
		k.expect(limited || !k.gaveUpEarly(told), told, "to verify although attempts, time and budget were left")
	}
	return told
}

// gaveUpEarly reports whether a client that is patient did not repeat a call that is safe to
// repeat, although it got no answer.
func (k *task) gaveUpEarly(told ledger.Answer) bool {
	e := told.Outcome.Err
	safe := k.tool == ledger.Set || k.tool == ledger.PayOnce || k.tool == ledger.PayKept
	return k.kind == "Client" && safe && told.Decision.Action == retry.ActionVerify && told.Outcome.Result == nil &&
		(e.Code == toolerr.CodeTimeout || e.Code == toolerr.CodeUnavailable) && told.Decision.Attempt < patientAttempts
}

// look returns the bookings of the order, and closes the round.
func (k *task) look(ctx context.Context, round int) (bookings []ledger.Booking, ok bool) {
	for range maxCalls {
		k.tally.count("looked")
		told := k.once(ctx, ledger.Look, map[string]any{"order": k.order, "round": round})
		if told.Outcome.AsError() == nil {
			if told.Outcome.Kind == result.KindEmpty {
				return nil, true
			}
			got, err := result.Decode[ledger.Found](told.Outcome)
			k.expect(err == nil, told, "output that cannot be decoded")
			return got.Bookings, err == nil
		}
		if told.Decision.Action == retry.ActionVerify { // the tool list was not received
			k.tally.count("told to verify a lookup")
		}
		time.Sleep(pause) // sockets and child processes never idle in a bubble
	}
	return nil, false
}

// mayHaveActed reports whether an agent was told that the call may have taken effect. The agent
// also verifies on its own, which is no violation, if a server without a stated effect allowed a
// repeat that the caller did not make, or if another server's text reads like a refusal.
func (k *task) mayHaveActed(told ledger.Answer, keyed bool) bool {
	e := told.Outcome.Err
	if !told.Decided { // an author's own envelope may allow a repeat each time, if its server is killed in between
		isOwn := e.Effect == "" && strings.HasSuffix(k.site.name, "SDK alone")
		return !told.AllowsRetry() || keyed || k.tool == ledger.Set || isOwn
	}
	allowed := e.Effect == "" && told.Decision.Reason != retry.ReasonNotRetryable
	words := e.Effect == "" && e.Category != "" && e.Category != toolerr.CategoryTransient
	return told.Decision.Action == retry.ActionVerify || allowed || words
}

// expect records a violation if ok is false.
func (k *task) expect(ok bool, told ledger.Answer, what string) {
	if !ok {
		k.tally.violated("%s, %s, %s, %s: told %s: %s (%v, %s)", k.order, k.site.name, k.kind, k.tool, what,
			told.Outcome.Text(), told.Decision.Action, told.Decision.Reason)
	}
}

// A task is one order of an agent.
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

	decisions uint64 // made with the dice
}

// fatesOf lists the fates at a site by whether it is plain: first after the booking, then before
// it.
var fatesOf = func() map[bool][2][]string {
	var after []string
	for _, name := range slices.Sorted(maps.Keys(ledger.Fates)) {
		if !ledger.Fates[name].Before {
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

// newTask chooses the tool, the caller and the fate of order n at random.
func newTask(seed uint64, n int, sites []*site, book *ledger.Book, tally *tally) *task {
	k := &task{seed: seed, order: fmt.Sprintf("ORD-%d", n), site: sites[n%len(sites)], book: book, tally: tally}
	dice := diceOf(seed, k.order, 0)
	tools := []string{
		ledger.Pay, ledger.Pay, ledger.Pay, ledger.Pay, ledger.PayOnce, ledger.PayOnce, ledger.PayAs,
		ledger.Set, ledger.Look, ledger.PayKept,
	}
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

// roll returns the random numbers for the next decision. The first 32,000 are for faults.
func (k *task) roll() interface{ IntN(int) int } {
	k.decisions++
	return diceOf(k.seed, k.order, 1<<15+k.decisions)
}
