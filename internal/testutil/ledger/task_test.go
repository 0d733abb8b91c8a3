package ledger_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
)

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

// fatesOf are the fates at a site, with and without the middleware: after the booking, and
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

// newTask chooses the tool, the caller and the fate of order n at random.
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

// roll returns the random numbers for the next decision. The first 32,000 are for faults.
func (k *task) roll() interface{ IntN(int) int } {
	k.decisions++
	return diceOf(k.seed, k.order, 1<<15+k.decisions)
}
