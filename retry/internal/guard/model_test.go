package guard_test

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/guard"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An end is a way in which a call ends, and what follows from it.
type end struct {
	name string
	guard.Ending

	allowed int    // identical calls that are sent before one is stopped; 0 means that it is forgotten
	held    bool   // it has taken effect, or may have
	follows string // words: whether it answers, changes what others may get, and looks at the state
	instead string // what the hint of a stopped call begins with
}

// check is the hint of a call in doubt, which some authors replace.
const check = "Before calling again, check whether it took effect: look it up with another tool, by the same number " +
	"or name, or ask the user."

// ends are the ways in which calls end.
var ends = func() (all []end) {
	table, err := os.ReadFile("testdata/endings.tsv")
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(table)) {
		if line[0] != '#' {
			all = append(all, newEnd(strings.Split(strings.TrimSuffix(line, "\n"), "\t")))
		}
	}
	return all
}()

// newEnd returns the end of a row. It panics if one of its cells cannot be read.
func newEnd(cells []string) end {
	allowed, err := strconv.Atoi(cells[1])
	is := func(word string) bool { return slices.Contains(strings.Fields(cells[2]), word) }
	e := end{name: cells[0], allowed: allowed, held: is("held"), follows: cells[2], instead: cells[3]}
	e.Ending = guard.Ending{
		Sent: !is("unsent"), ReadOnly: is("read-only"), Idempotent: is("idempotent"), Temporary: is("temporary"),
		Unresolved: is("unresolved"),
	}
	switch kind, text, _ := strings.Cut(cells[4], ": "); kind {
	case "data":
		e.Outcome = result.Parse(result.OK(1), nil)
	case "empty":
		e.Outcome = result.Parse(result.Empty(text, nil), nil)
	default:
		failed := new(toolerr.Error)
		err = cmp.Or(err, failed.UnmarshalJSON([]byte(cells[4])))
		e.Outcome = result.Outcome{Kind: result.KindFailure, Err: failed, Result: result.Failure(failed)}
		if is("part") {
			e.Outcome.Kind = result.KindPartial
		}
		if is("client's") {
			e.Outcome.Result = nil
		}
	}
	if err != nil {
		panic(fmt.Sprint(cells, err))
	}
	return e
}

// A memory is what the model knows of a call that has ended without success.
type memory struct {
	end
	times, stopped int
	first          *end // whose empty answer it is
	key            string
	ownKey         bool
	looked         bool // it was looked up since it ended
	since, until   time.Time
	ended          int // the model's clock
}

// A call is what identifies one. Calls with the same order look each other up.
type call struct{ server, tool, order string }

// A callKey is a call with a key, or without one.
type callKey struct {
	call
	key string
}

var calls = []call{
	{"a", "pay", "ORD-1"},
	{"a", "pay", "ORD-1"},
	{"a", "find", "ORD-1"},
	{"a", "pay", "ORD-2"},
	{"b", "find", "ORD-1"},
}

// A step is one call, its beginning or end, or a pause, made from random numbers.
type step [6]int

// An open call has begun, with this key in its arguments, and has not ended.
type open struct {
	*guard.Call

	begun int       // the model's clock, or 0 if nothing was kept
	since time.Time // of the call, or of that which it repeats
	given string
}

// A model compares a guard with a map.
type model struct {
	guard guard.Guard
	known map[callKey]*memory
	open  map[call]*open
	wrong map[call]int // without an order: the refusals since the last answer
	keeps bool         // the calls are begun with Keep
	clock int
	keys  int
	done  []string // the steps so far, in words
}

// run carries out steps until one differs, and returns them with the difference, or "".
func (m *model) run(t *testing.T, steps []step) (differs string) {
	t.Helper()
	m.known, m.open, m.wrong = map[callKey]*memory{}, map[call]*open{}, map[call]int{}
	for _, s := range steps {
		id, e := calls[s[1]%len(calls)], ends[s[2]%len(ends)]
		e.Action = s[2]
		if s[0]%8 == 0 {
			pause := []time.Duration{
				time.Minute, 59 * time.Second, 10 * time.Minute, time.Hour, guard.HeldAge, time.Second,
			}[s[3]%6]
			m.done = append(m.done, pause.String()+" pass")
			time.Sleep(pause) // in a bubble
			continue
		}
		if m.open[id] == nil {
			differs = m.begin(t, id, []string{"", "", "", "S", "k1"}[s[4]%5])
		}
		if s[0]%8 != 1 && differs == "" {
			differs = m.end(id, e, s[5])
			delete(m.open, id)
		}
		if differs != "" {
			return strings.Join(append(m.done, differs), "\n")
		}
	}
	return ""
}

// find returns what is known of a call with this key, if it is not too old.
func (m *model) find(id call, key string) *memory {
	if k := m.known[callKey{id, key}]; k != nil && !time.Now().After(k.until) {
		return k
	}
	return nil
}

// repeated returns what a call repeats: the one in doubt with its key, or else the first without a look-up since,
// or to which the server has not answered. Of those that are only kept, it has the same key.
func (m *model) repeated(id call, key string) *memory {
	first := map[bool]*memory{true: m.find(id, key)}[key != ""]
	if first != nil && m.keeps && !first.Unresolved {
		first = nil
	}
	for other := range m.known {
		k, own := m.find(other.call, other.key), first != nil && key != "" && first.key == key
		isFirst := first == nil || k != nil &&
			(first.looked && !k.looked || first.looked == k.looked && k.ended < first.ended)
		if k != nil && other.call == id && (key == "" || !m.keeps && (!k.looked || k.Temporary)) && !own && isFirst &&
			(!m.keeps || k.Unresolved) {
			first = k
		}
	}
	return cmp.Or(first, new(memory))
}

func (m *model) begin(t *testing.T, id call, key string) (differs string) {
	t.Helper()
	m.done = append(m.done, fmt.Sprintf("%v begins with key %q", id, key))
	arguments := map[string]any{"order": id.order, "key": key}
	of := identity(id.server, id.tool, arguments)
	k, begin := m.repeated(id, key), func() *guard.Call { return m.guard.Begin(t.Context(), of) }
	if m.keeps {
		begin = func() *guard.Call { return m.guard.Keep(of) }
	}
	c := begin()
	m.clock++
	m.open[id] = &open{c, m.clock, cmp.Or(c.Since, time.Now()), key}
	if isKept := func(of callKey) bool { return m.find(of.call, of.key) != nil }; m.keeps &&
		!slices.ContainsFunc(slices.Collect(maps.Keys(m.known)), isKept) {
		m.open[id].begun = 0
	}
	unresolved, own := k.held && k.Unresolved, map[bool]string{true: k.key}[k.ownKey]
	isSafe := unresolved && k.key != "" && (key == k.key || key == "" && k.ownKey)
	isOld := k.Outcome.Err == nil && time.Until(k.until) <= 9*time.Minute
	stops := !m.keeps && k.times > 0 && k.times >= k.allowed && !isSafe && !isOld
	since := map[bool]time.Time{true: k.since}[unresolved]
	action := map[bool]int{true: k.Action}[stops]
	if fixes := strings.HasPrefix(k.instead, "Call ") ||
		strings.HasPrefix(k.instead, "Read "); k.stopped >= 2 && !k.lasts() && fixes {
		action = 0 // the next is the third, whose hint is to stop
	}
	const form = "stopped %t, since %s, key %q, action %d"
	got := fmt.Sprintf(form, c.Stopped != nil, c.Since.Format(time.DateTime), c.Key, c.Action)
	differs = differ(got, fmt.Sprintf(form, stops, since.Format(time.DateTime), own, action))
	if !stops || differs != "" {
		return differs
	}
	k.stopped++
	return k.told(id.tool, c)
}

// told compares the outcome of a stopped call.
func (k *memory) told(tool string, c *guard.Call) (differs string) {
	e, was := c.Stopped.Err, k.Outcome.Err
	if was == nil {
		return differ(c.Stopped.Text(), k.first.Outcome.Text())
	}
	hint, key, effect, inDoubt := k.instead, "", was.Effect, k.held && k.Unresolved
	if inDoubt {
		key, effect = k.key, toolerr.EffectUnknown
	}
	if key != "" && !k.Temporary && (k.times > 1 || k.name == "lost, told") {
		hint = check + " If it is not there after a minute, send the same arguments with another key."
	} else if key != "" {
		hint = "Send the same arguments with the tool's key argument set to idempotencyKey; it takes effect only once."
	}
	if k.stopped > 2 && !k.lasts() {
		hint = "Stop. This call of " + tool + " will not be sent, however often you make it. Tell the user now what you " +
			"could not do, and why."
	}
	message := "This exact call has failed before, and was not sent again. The last answer was: " + was.Message
	want := was.WithMessage(message).WithHint(hint).WithIdempotencyKey(key)
	want.Effect, want.Retryable, want.Partial, want.Attempted = effect, false, nil, nil
	return differ(string(e.AppendJSON(nil)), string(want.AppendJSON(nil)))
}

// lasts reports whether the hint stays the same: it took effect, or may have.
func (k *memory) lasts() bool {
	return k.held || k.Outcome.Err != nil && (k.Outcome.Err.Effect == "applied" || k.Outcome.Err.Effect == "unknown")
}

func differ(got, want string) string {
	if got == want {
		return ""
	}
	return "got:  " + got + "\nwant: " + want
}

// end ends a call. Its caller has sent the guard's key, the one in the arguments, a new one or none, or
// has got one.
func (m *model) end(id call, e end, how int) (differs string) {
	c := m.open[id]
	defer c.End()
	switch {
	case c.Stopped != nil:
		return ""
	case c.Key != "" && how%2 == 0 && e.Sent: // a caller without a key for it does not send it
		return ""
	case c.Key != "":
		e.Key, e.OwnKey = c.Key, true
	case how%4 == 1:
		m.keys++
		e.Key, e.OwnKey = cmp.Or(c.given, fmt.Sprint("k", m.keys)), true
	case how%4 == 2:
		e.Key = "S"
	}
	m.done = append(m.done, fmt.Sprintf("%v ends with key %q: %s", id, e.Key, e.name))
	e.Since = c.since
	// a repeat gets the same part
	if e.held && e.Outcome.Kind == result.KindPartial && e.Key != "" && (!m.keeps || e.name == "a part, to continue") {
		e.allowed, e.held = 0, false
	}
	got, want := c.Report(e.Ending), m.report(id, e, cmp.Or(c.given, e.Key))
	m.done[len(m.done)-1] += fmt.Sprintf(" (refused since its last answer: %d)", m.wrong[call{id.server, id.tool, ""}])
	if m.keeps {
		return "" // nobody reads this hint
	}
	return differ(got, want)
}

func (m *model) report(id call, e end, key string) (hint string) { //nolint:gocognit // all rules, in their order
	if !e.Sent && !e.Temporary {
		return ""
	}
	m.clock++
	if e.Sent {
		m.release(id, e)
	}
	k := cmp.Or(m.find(id, key), m.find(id, ""))
	if k != nil && (!e.Sent && !k.Temporary || k.held && !e.held && !strings.Contains(e.follows, "answers")) {
		return "" // it shows nothing of what the first call has done
	}
	if k == nil && m.repeated(id, "").times > 0 && !e.held && e.allowed > 0 {
		return "" // nor of the others
	}
	if k != nil {
		delete(m.known, callKey{id, k.key})
	}
	tool := call{id.server, id.tool, ""}
	switch {
	case k != nil && !strings.Contains(e.follows, "answers"):
	case strings.Contains(e.follows, "answers"):
		delete(m.wrong, tool)
	case e.Outcome.Err != nil && e.Outcome.Err.Category == toolerr.CategoryValidation && !e.held:
		if m.wrong[tool]++; m.wrong[tool] >= 4 {
			hint = fmt.Sprintf("Stop guessing: %d calls of %s with different arguments were refused. Ask the user for the "+
				"right ones before you call it again.", m.wrong[tool], id.tool)
		}
	}
	if m.keeps && (!e.held || e.Key == "") {
		return ""
	}
	if e.allowed == 0 {
		return hint
	}
	now := &memory{end: e, times: 1, first: &e, since: e.Since, until: time.Now().Add(10 * time.Minute), ended: m.clock}
	if e.held {
		now.until = time.Now().Add(24 * time.Hour)
	}
	if e.held && (e.Unresolved || m.keeps) {
		now.key, now.ownKey = e.Key, e.OwnKey
	}
	if k != nil {
		isEmpty, wasEmpty := e.Outcome.Err == nil, k.Outcome.Err == nil
		if isEmpty == wasEmpty && (e.allowed == 1000) == (k.allowed == 1000) {
			now.times += k.times
		}
		if isEmpty && wasEmpty {
			now.first = k.first
		}
		if !k.looked && k.held && k.Unresolved && e.held && e.Unresolved {
			now.key = cmp.Or(k.key, now.key)
		}
	}
	m.known[callKey{id, now.key}] = now
	if now.times >= 3 && (now.allowed == 1000 || now.key != "") {
		advice := "tell"
		if e.held && e.Unresolved || e.Outcome.Err.Effect == "unknown" {
			advice = "check whether it took effect, or tell"
		}
		return fmt.Sprintf("This exact call has failed %d times. Do not make it again for now: %s the user what you could "+
			"not do, and why.", now.times, advice)
	}
	return hint
}

// release forgets the calls that may end differently after one that was sent.
func (m *model) release(id call, e end) {
	maps.DeleteFunc(m.known, func(of callKey, k *memory) bool {
		other := of.call
		switch {
		case k.held:
			looksUp := strings.Contains(e.follows, "looks") && other.server == id.server && other.order == id.order &&
				m.open[id].begun > k.ended
			if !looksUp || other == id {
				return false
			}
			k.looked = true
			return k.key == "" || !k.ownKey || !strings.HasPrefix(e.name, "data") && !k.Temporary
		case strings.Contains(e.follows, "changes"):
			return other != id
		}
		return other != id && strings.Contains(e.follows, "answers") &&
			toolerr.CodeOf(k.Outcome.Err) == toolerr.CodeFailedPrecondition
	})
}

// TestGuard_Model compares random sequences of calls with a model. A difference is reported with the
// fewest steps that show it.
func TestGuard_Model(t *testing.T) {
	t.Parallel()
	keeps := false
	try := func(steps []step) (differs string) {
		synctest.Test(t, func(t *testing.T) { differs = (&model{keeps: keeps}).run(t, steps) })
		return differs
	}
	r := seeded.Rand()
	at := func(name string) int { return slices.IndexFunc(ends, func(e end) bool { return e.name == name }) }
	// in doubt
	twice := []step{{2, 0, at("lost"), 0, 0, 1}, {2, 2, at("data, read-only"), 0, 0, 0}, {2, 0, at("lost"), 0, 3, 1}}
	for n := range 200 {
		keeps = n%4 == 0
		// few kinds of endings meet more often
		steps, some := make([]step, 100), r.Perm(len(ends))[:[]int{4, len(ends)}[n/4%2]]
		for i := range steps {
			for j := range steps[i] {
				steps[i][j] = r.IntN(1 << 20)
			}
			steps[i][2] = some[r.IntN(len(some))]
		}
		if n%2 == 0 {
			copy(steps, twice)
		}
		differs := try(steps)
		for i := len(steps) - 1; i >= 0 && differs != ""; i-- {
			if still := try(slices.Delete(slices.Clone(steps), i, i+1)); still != "" {
				steps, differs = slices.Delete(steps, i, i+1), still
			}
		}
		require.Empty(t, differs)
	}
}
