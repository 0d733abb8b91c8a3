package guard_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/guard"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ending returns one of ends.
func ending(name string) guard.Ending {
	for _, e := range ends {
		if e.name == name {
			return e.Ending
		}
	}
	panic(name)
}

// identity returns that of a call.
func identity(server any, name string, arguments any) *guard.Identity {
	return &guard.Identity{
		Server: server, Params: &mcp.CallToolParams{Name: name, Arguments: arguments}, KeyArgument: "key",
	}
}

// made returns a call after its end, which is this one unless the guard stops it.
func made(t *testing.T, g *guard.Guard, of *guard.Identity, e guard.Ending) *guard.Call {
	t.Helper()
	c := g.Begin(t.Context(), of)
	defer c.End()
	c.Report(e)
	return c
}

// stops makes a call of pay that ends like this, and reports whether the guard stops it.
func stops(t *testing.T, g *guard.Guard, server any, arguments any, e guard.Ending) bool {
	t.Helper()
	return made(t, g, identity(server, "pay", arguments), e).Stopped != nil
}

// TestGuard_SameArguments checks which calls are the same.
func TestGuard_SameArguments(t *testing.T) {
	t.Parallel()
	isSame := func(first, second *mcp.CallToolParams) bool {
		var g guard.Guard
		made(t, &g, &guard.Identity{Server: "a", Params: first, KeyArgument: "key"}, ending("validation"))
		again := &guard.Identity{Server: "a", Params: second, KeyArgument: "key"}
		return made(t, &g, again, ending("validation")).Stopped != nil
	}
	of := func(arguments any) *mcp.CallToolParams { return &mcp.CallToolParams{Arguments: arguments} }
	for row, want := range testutil.Rows(t, "testdata/arguments.txt") {
		first, second, _ := strings.Cut(row, "\t")
		assert.Equal(t, want == "same", isSame(of(json.RawMessage(first)), of(json.RawMessage(second))), row)
	}
	answer := func(code string) *mcp.CallToolParams {
		given := &mcp.ElicitResult{Action: "accept", Content: map[string]any{"code": code}}
		return &mcp.CallToolParams{InputResponses: mcp.InputResponseMap{"otp": given}}
	}
	assert.True(t, isSame(of(nil), of(map[string]any{})))
	assert.True(t, isSame(of(nil), of(struct{}{})))
	assert.False(t, isSame(of(make(chan int)), of(make(chan int))), "not JSON")
	assert.True(t, isSame(answer("1"), answer("1")))
	assert.False(t, isSame(answer("1"), answer("2")))
	assert.False(t, isSame(of(nil), &mcp.CallToolParams{RequestState: "s"}))
	assert.False(t, isSame(of(nil), &mcp.CallToolParams{Name: "x"}))
}

// TestGuard_SharedValues checks which shared values make a lookup.
func TestGuard_SharedValues(t *testing.T) {
	t.Parallel()
	looksUp := func(arguments, look any) bool {
		var g guard.Guard
		assert.False(t, stops(t, &g, "a", arguments, ending("lost")))
		made(t, &g, identity("a", "find", look), ending("data, read-only"))
		return !stops(t, &g, "a", arguments, ending("lost"))
	}
	for row, want := range testutil.Rows(t, "testdata/values.txt") {
		var values []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(row), &values), row)
		for _, value := range values {
			arguments, within := map[string]any{"a": value, "b": "something-else"}, []any{"x", value}
			for _, look := range []any{value, within, map[string]any{"ids": within}} {
				got := looksUp(arguments, map[string]any{"q": look})
				assert.Equal(t, want == "a look", got, "%s in %s", value, testutil.JSON(look))
			}
		}
	}
	texts, numbers := []any{}, []any{}
	for n := range 65 {
		texts, numbers = append(texts, fmt.Sprint("ORD-", n)), append(numbers, 48291+10*n)
	}
	for n, want := range map[int]bool{63: true, 64: false} { // as many values are remembered
		for _, many := range [][]any{texts, numbers} {
			assert.Equal(t, want, looksUp(map[string]any{"id": many[n]}, map[string]any{"ids": many}), "%v", many[n])
		}
	}
	named := map[string]any{}
	for n := range 70 {
		named[fmt.Sprintf("a%02d", n)] = texts[n%65]
	}
	for name, want := range map[string]bool{"a63": true, "a64": false} { // by the order of the names
		assert.Equal(t, want, looksUp(named, map[string]any{"q": named[name]}), name)
	}
	for row, want := range testutil.Rows(t, "testdata/looks.txt") {
		arguments, look, _ := strings.Cut(row, "\t")
		assert.Equal(t, want == "a look", looksUp(json.RawMessage(arguments), json.RawMessage(look)), row)
	}
}

// TestGuard_Size checks how many failures, and how many calls that may have taken effect, are
// remembered, and that the first never displace the second.
func TestGuard_Size(t *testing.T) {
	t.Parallel()
	var g guard.Guard
	sent := func(n int, how string) bool { return !stops(t, &g, "a", map[string]any{"n": n}, ending(how)) }
	assert.True(t, sent(-1, "lost"))
	open := make([]*guard.Call, 1001) // they run at the same time
	for n := range open {
		open[n] = g.Begin(t.Context(), identity("a", "pay", map[string]any{"n": n}))
	}
	for _, c := range open {
		c.Report(ending("validation"))
		c.End()
	}
	assert.Equal(t, "true false false", fmt.Sprint(sent(0, "not sent"), sent(1, "not sent"), sent(1000, "not sent")),
		"oldest, next and newest failure")
	assert.False(t, sent(-1, "not sent"))
	for n := range 5000 {
		assert.True(t, sent(2000+n, "lost"))
	}
	assert.Equal(t, "true false false", fmt.Sprint(sent(-1, "not sent"), sent(2000, "not sent"), sent(6999, "not sent")),
		"oldest, next and newest held call")
}

func texts(text string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: text}} }

// TestGuard_LongAnswers checks that a remembered failure is not larger than an envelope, and that an
// empty answer is bounded and stays empty.
func TestGuard_LongAnswers(t *testing.T) { //nolint:paralleltest // measures memory
	again := func(out result.Outcome) result.Outcome {
		var g guard.Guard
		for {
			of := identity("a", "", map[string]any{"kind": out.Kind})
			c := made(t, &g, of, guard.Ending{Sent: true, Outcome: out})
			if c.Stopped != nil {
				return *c.Stopped
			}
		}
	}
	long := strings.Repeat("x", 2000)
	e := toolerr.Validation(long + long).WithHint(long).WithField("path").WithDetails(map[string]any{"first": "plan"})
	for range 30 {
		e.Suggestions = append(e.Suggestions, long[:300])
		e.Options = append(e.Options, map[string]any{"path": long[:300]})
	}
	out := again(result.Parse(nil, e))
	assert.Contains(t, out.Err.Message, long)
	assert.Equal(t, "path", out.Err.Field)
	assert.Less(t, len(out.Err.Message)+len(out.Err.Hint)+300*(len(out.Err.Suggestions)+len(out.Err.Options)), 9<<10)

	long = strings.Repeat("ä", 1<<20)
	out = again(result.Parse(result.Empty(long, map[string]any{"query": long, "found": []any{}}), nil))
	assert.Equal(t, result.KindEmpty, out.Kind)
	assert.InDelta(t, 4<<10, len(out.Text()), 4)
	empty := func(n int) *mcp.CallToolResult {
		return result.Empty(strings.Repeat("x", n), map[string]any{"found": []any{}})
	}
	most := 8<<10 + 1 - len(testutil.JSON(empty(1)))
	for n, kept := range map[int]bool{1: true, most: true, most + 1: false} {
		out = again(result.Parse(empty(n), nil))
		assert.Equal(t, kept, out.Result.StructuredContent != nil, n)
	}
	none := &mcp.CallToolResult{Content: texts("None."), StructuredContent: make(chan int)} // no JSON
	assert.Equal(t, "None.", again(result.Outcome{Kind: result.KindEmpty, Result: none}).Text())

	var g guard.Guard
	before := allocs.Heap()
	for n := range 50 {
		failed := &mcp.CallToolResult{IsError: true, Content: texts(strings.Repeat("x", 1<<20))}
		assert.False(t, stops(t, &g, "a", n, guard.Ending{Sent: true, Outcome: result.Parse(failed, nil)}))
	}
	assert.Less(t, allocs.Heap()-before, 5<<20)
	runtime.KeepAlive(&g)
}

// before wraps a server in a value.
type before struct {
	server *int
	more   any
}

// TestGuard_Servers checks that a guard keeps servers apart by ==, and remembers nothing for one
// that is not comparable.
func TestGuard_Servers(t *testing.T) {
	t.Parallel()
	a, b := new(int), new(int)
	for name, test := range map[string]struct {
		first, second any
		same          bool
	}{
		"a pointer":      {a, a, true},
		"two pointers":   {a, b, false},
		"equal values":   {before{a, "x"}, before{a, "x"}, true},
		"two values":     {before{a, "x"}, before{b, "x"}, false},
		"two types":      {a, before{a, nil}, false},
		"one func":       {t.Name, t.Name, false},
		"a slice inside": {before{a, []int{1}}, before{a, []int{1}}, false},
		"a NaN inside":   {before{a, math.NaN()}, before{a, math.NaN()}, false},
	} {
		var g guard.Guard
		assert.False(t, stops(t, &g, test.first, nil, ending("lost")), name)
		assert.Equal(t, test.same, stops(t, &g, test.second, nil, ending("lost")), name)
		assert.False(t, stops(t, nil, test.second, nil, ending("lost")), "no guard")
	}
}

// TestGuard_HoldsServers checks that a server is held as long as its calls are remembered, because
// another one may otherwise get its address, and no longer.
func TestGuard_HoldsServers(t *testing.T) { //nolint:paralleltest // collects garbage
	synctest.Test(t, func(t *testing.T) {
		var g guard.Guard
		call := func(name string) weak.Pointer[[64]int] {
			server := new([64]int)
			assert.False(t, stops(t, &g, server, nil, ending(name)))
			return weak.Make(server)
		}
		lost, succeeded := call("lost"), call("data")
		runtime.GC()
		assert.Nil(t, succeeded.Value())
		assert.NotNil(t, lost.Value(), "collected while its call is remembered")
		time.Sleep(guard.HeldAge + time.Second) // in a bubble
		call("validation")
		runtime.GC()
		assert.Nil(t, lost.Value())
		runtime.KeepAlive(&g)
	})
}

// TestGuard_Turns checks that identical calls are made one after the other, that one whose context
// ends before its turn decides and remembers nothing, and that different calls do not wait.
func TestGuard_Turns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var g guard.Guard
		var wg sync.WaitGroup
		start := time.Now()
		call := func(arguments any, limit time.Duration, e guard.Ending) (stopped bool) {
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			c := g.Begin(ctx, identity("a", "", arguments))
			defer c.End()
			if stopped = c.Stopped != nil; !stopped && ctx.Err() == nil {
				time.Sleep(time.Second) // in a bubble
			}
			assert.Empty(t, c.Report(e))
			return stopped
		}
		for range 3 {
			wg.Go(func() { call(nil, time.Hour, ending("data")) })
		}
		synctest.Wait()
		for n := range 20 {
			wg.Go(func() { call(n, time.Hour, ending("data")) })
		}
		for range 20 {
			wg.Go(func() {
				assert.False(t, call(nil, time.Second/2, ending("lost")))
				assert.Equal(t, time.Second/2, time.Since(start))
			})
		}
		wg.Wait()
		assert.Equal(t, 3*time.Second, time.Since(start))
		stopped := make(chan bool, 2)
		for range 2 {
			wg.Go(func() { stopped <- call(nil, time.Hour, ending("lost")) })
		}
		wg.Wait()
		assert.ElementsMatch(t, []bool{true, false}, []bool{<-stopped, <-stopped})
		assert.Equal(t, 4*time.Second, time.Since(start))
	})
}

// TestGuard_Keep checks since when a call with a key is known if two overlap, and that no identity is computed while
// nothing is kept.
func TestGuard_Keep(t *testing.T) {
	t.Parallel()
	for how, order := range map[string][]int{"lost": {0, 1}, "lost, told": {1, 0}, "applied": {0}} {
		var g guard.Guard
		of := identity("a", "", map[string]any{"key": "k"})
		first, both := time.Now(), []*guard.Call{g.Keep(of), g.Keep(of)}
		for _, n := range order {
			e := ending(how)
			e.Key, e.OwnKey, e.Since = "k", true, first.Add(time.Duration(n)*time.Second)
			assert.Empty(t, both[n].Report(e))
		}
		assert.Equal(t, first, g.Since("k"), how)
		assert.Equal(t, how == "applied", g.Keep(of).Since.IsZero(), how)
	}
	assert.Empty(t, new(guard.Guard).Keep(&guard.Identity{Server: "a"}).Report(ending("lost")))
	var none *guard.Guard
	assert.Zero(t, none.Since("k"))
	assert.Empty(t, none.Keep(new(guard.Identity)).Report(ending("lost")))
}
