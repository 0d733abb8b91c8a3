package ledger_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A call is a call of a tool for a new order.
type call struct {
	tool, fate string
	fault      ledger.Fault // of its first message
	isKeyed    bool         // by the caller
	kind       string       // of the caller
	caller     ledger.Caller
	order      string
}

func (c call) String() string {
	return fmt.Sprintf("%s, %s calls %s, %s, %s, keyed %v", c.order, c.kind, c.tool, c.fate, c.fault, c.isKeyed)
}

// args are the arguments of a call.
func (c call) args() map[string]any {
	args := map[string]any{"order": c.order, "fate": c.fate}
	if argument := keyArguments[c.tool]; c.isKeyed && argument != "" {
		args[argument] = "key-of-" + c.order
	} else if c.tool == ledger.Open {
		args["idempotency_key"] = "a-key-that-nobody-honours"
	}
	return args
}

// A table has calls, and what callers may be told about them. Each is made by one of the callers over
// one of the transports; with a long -soak, by each of them over each.
type table struct {
	plain bool // a server with the SDK alone
	over  []string
	calls []call
	setup func(*testing.T, *fixture)
	only  func(call) bool // the callers of a call
	// during returns the context of a call that is about to be made.
	during func(context.Context, call) context.Context
	booked bookings
	test   func(t *testing.T, f *fixture, c call, told []ledger.Answer)
}

// bookings are how often a call that is no lookup is booked.
type bookings int

const (
	once bookings = iota
	never
	perhaps
)

// isLong reports whether the flags ask for a long run.
func isLong() bool { return *soakOrders > 1000 }

func (b table) run(t *testing.T) {
	t.Helper()
	f := newFixture(t, &ledger.Server{Plain: b.plain})
	if b.setup != nil {
		b.setup(t, f)
	}
	var kinds []string
	var callers []ledger.Caller
	for _, name := range b.over {
		connect := transports[name](t, f)
		for _, kind := range slices.Sorted(maps.Keys(ledger.Callers)) {
			caller := ledger.Callers[kind](connect, f.policy)
			t.Cleanup(caller.Close)
			kinds, callers = append(kinds, kind), append(callers, caller)
		}
	}
	turn, calls := 0, slices.Repeat(b.calls, 1+(len(callers)-1)/len(b.calls)) // so that each caller makes one
	for _, i := range rand.New(rand.NewPCG(1, 0)).Perm(len(calls)) {          // the same in every run
		for range callers {
			turn = (turn + 1) % len(callers)
			c := calls[i]
			c.kind, c.caller, c.order = kinds[turn], callers[turn], f.order()
			if b.only == nil || b.only(c) {
				b.call(t, f, c)
				if !isLong() {
					break
				}
			}
		}
	}
	for _, c := range b.calls {
		assert.True(t, c.fault == "" || f.met.Counts()[c.fault] > 0, c.fault)
	}
}

// call makes a call, and compares what was told with the book.
func (b table) call(t *testing.T, f *fixture, c call) {
	t.Helper()
	ctx := t.Context()
	if b.during != nil {
		ctx = b.during(ctx, c)
	}
	f.plan.Store(c.order, c.fault)
	told := f.told(ctx, c.caller, c.tool, c.args())
	name := fmt.Sprintf("%v: %s", c, told[0].Outcome.Text())
	booked := f.book.Of(c.order)
	if !strings.HasPrefix(c.fate, "refusal") {
		assert.Empty(t, violations(c.tool, told, booked), name)
	}
	want := map[bool]int{true: 1}[b.booked == once && c.tool != ledger.Look]
	assert.True(t, b.booked == perhaps || want == len(booked), "%s: booked %d times", name, len(booked))
	if b.test != nil {
		b.test(t, f, c, told)
	}
}

// keyArguments are the key arguments of the tools with a key.
var keyArguments = map[string]string{
	ledger.PayOnce: "idempotency_key", ledger.PayKept: "idempotency_key", ledger.PayAs: ledger.OtherKey,
}

// bookingTools returns the tools that book, of a server with or without the middleware.
func bookingTools(plain bool) []string {
	tools := []string{ledger.Pay, ledger.Set, ledger.PayOnce, ledger.PayAs}
	if !plain {
		tools = append(tools, ledger.PayKept)
	}
	return tools
}

// cross returns calls of each tool with each fate and each fault.
func cross(tools, fates []string, faults ...ledger.Fault) (calls []call) {
	if len(faults) == 0 {
		faults = []ledger.Fault{ledger.Pass}
	}
	for _, tool := range tools {
		for _, fate := range fates {
			for _, fault := range faults {
				calls = append(calls, call{tool: tool, fate: fate, fault: fault})
			}
		}
	}
	return calls
}

// unfated is the fate of a call that succeeds.
var unfated = []string{""}

// textFates returns the fates that are texts.
func textFates() (fates []string) {
	for i := range ledger.Texts {
		fates = append(fates, ledger.TextFate(i))
	}
	for i := range ledger.Refusals {
		fates = append(fates, ledger.RefusalFate(i))
	}
	return fates
}

// textCalls returns calls of Pay with each text, and of one of the other tools, because reading
// takes time.
func textCalls(plain bool) []call {
	calls, safe := cross([]string{ledger.Pay}, textFates()), bookingTools(plain)[1:]
	for i := range ledger.Texts {
		calls = append(calls, call{tool: safe[i%len(safe)], fate: ledger.TextFate(i)})
	}
	return calls
}

// fatesAfter returns the fates after the booking that are no texts and break no schema.
func fatesAfter() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(ledger.Fates)), func(fate string) bool {
		return ledger.Fates[fate].Before || strings.HasPrefix(fate, "text") || strings.HasPrefix(fate, "refusal") || strings.HasPrefix(fate, "breaks the schema")
	})
}

// unsettled are fates that are retryable with a key.
var unsettled = []string{"transient", "unavailable", "retryable", "deadline", "reset", "claims by itself"}

// withKeys returns calls with keys.
func withKeys(calls []call) []call {
	for i := range calls {
		calls[i].isKeyed = true
	}
	return calls
}

func isNaive(c call) bool { return c.kind == "naive host" }

// outputCalls have output that cannot be sent.
var outputCalls = slices.Concat(
	cross([]string{ledger.Pay, ledger.Set, ledger.PayOnce, ledger.PayAs}, []string{"NaN"}),
	cross([]string{ledger.Pay, ledger.Set}, []string{"channel"}),
	cross([]string{ledger.Pay}, []string{"output without its file", "output with a refusal inside"}),
	cross([]string{ledger.Strict}, []string{"breaks the schema", "breaks the schema by absence"}),
)

// TestSoak_Tables makes the calls of all tables, and compares what was told with the book.
func TestSoak_Tables(t *testing.T) {
	t.Parallel()
	all := tables()
	maps.Copy(all, faultTables())
	for name, b := range all {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b.run(t)
		})
	}
}

// A host that repeats every failure books twice, and one that treats every failure as a
// refusal is contradicted by the book.
func TestViolations(t *testing.T) {
	t.Parallel()
	f := newFixture(t, new(ledger.Server))
	connect := transports["memory"](t, f)
	for kind, newCaller := range ledger.Callers {
		caller, order := newCaller(connect, f.policy), f.order()
		defer caller.Close()
		args := map[string]any{"order": order, "fate": "bare error"}
		told := []ledger.Answer{caller.Call(t.Context(), ledger.Pay, args), caller.Call(t.Context(), ledger.Pay, args)}
		assert.Contains(t, violations(ledger.Pay, told, f.book.Of(order)), "booked 2 times", kind)
		for i := range told {
			told[i].Outcome.Err = told[i].Outcome.Err.WithEffect(toolerr.EffectNone)
			told[i].Decision.Action = retry.ActionPropagate
		}
		assert.Len(t, violations(ledger.Pay, told, f.book.Of(order)), 2, kind)
		told[0].Outcome.Err = told[0].Outcome.Err.WithEffect(toolerr.EffectUnknown)
		assert.Len(t, violations(ledger.Pay, told[:1], f.book.Of(order)[:1]), map[bool]int{true: 1}[told[0].Decided], kind)
	}
}
