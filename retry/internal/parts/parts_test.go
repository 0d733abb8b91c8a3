package parts_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/parts"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// part returns a part of a result.
func part(processed, total int, from any, results string) *toolerr.Error {
	e := toolerr.Transient("More.")
	e.Partial = &toolerr.Partial{Processed: processed, Total: total, ContinueFrom: from, Results: json.RawMessage(results)}
	return e
}

var refused = toolerr.Business("No.")

// rest returns the outcome of the last part.
func rest(results string) result.Outcome { return result.Parse(result.OK(results), nil) }

// stopped returns a failure instead of a part.
func stopped(e *toolerr.Error) result.Outcome {
	return result.Outcome{Kind: result.KindFailure, Err: e}
}

// TestParts_Model splits random lists into up to sixty parts, each of which has its own items or all so
// far, as a list or in an object, and the tool states the total or not.
func TestParts_Model(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	for range 500 {
		items, n := []int{}, 1+r.IntN(60)
		all, object, total := r.IntN(2) == 0, r.IntN(2) == 0, r.IntN(2)
		write := func(items []int) string {
			raw, err := json.Marshal(items)
			require.NoError(t, err)
			if object {
				return fmt.Sprintf(`{"items":%s,"next":%d}`, raw, len(items))
			}
			return string(raw)
		}
		ends := []int{0}
		for range n + 1 {
			for range 1 + r.IntN(3) {
				items = append(items, r.IntN(20))
			}
			ends = append(ends, len(items))
		}
		of := func(i int) string {
			if all {
				return write(items[:ends[i+1]])
			}
			return write(items[ends[i]:ends[i+1]])
		}
		ps := parts.From("start")
		for i := range n {
			assert.True(t, ps.Add(part(ends[i+1], total*len(items), i+1, of(i))))
		}
		got := map[string]json.RawMessage{"items": json.RawMessage(ps.Interrupted(stopped(refused), "").Err.Partial.Results)}
		what := fmt.Sprintf("%d parts, all so far %t, object %t, total %d: %v", n, all, object, total, items)
		for i, want := range [][]int{items[:ends[n]], items} {
			if i > 0 {
				got["items"] = json.RawMessage(ps.Whole(rest(of(n))).Text())
			}
			if object {
				require.NoError(t, json.Unmarshal(got["items"], &got))
			}
			raw, err := json.Marshal(want)
			require.NoError(t, err)
			if !assert.Equal(t, string(raw), string(got["items"]), "%s, the last: %d", what, i) {
				return
			}
		}
	}
}

// TestParts_Joined records how parts are joined. One that repeats all earlier ones replaces them,
// however it is written; one that only looks similar is added.
func TestParts_Joined(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/joined.txt", func(sample string) string {
		done, all, _ := strings.Cut(sample, " ")
		ps := parts.From("start")
		for i, results := range strings.Fields(all) {
			ps.Add(part(int(done[i]-'0'), 0, i, strings.ReplaceAll(results, "_", " ")))
		}
		p := ps.Interrupted(stopped(refused), "").Err.Partial
		return testutil.Words(p.Processed, string(p.Results))
	})
}

// TestParts_Whole records the outcome after a last part.
func TestParts_Whole(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/whole.txt", func(sample string) string {
		row, ps := strings.Fields(sample), parts.From("start")
		last := rest(row[2])
		assert.Equal(t, last, ps.Whole(last), "without parts")
		ps.Add(part(2, int(row[0][0]-'0'), 2, row[1]))
		return ps.Whole(last).Text()
	})
	ps := parts.From("start")
	ps.Add(part(1, 0, 1, `{"found":[1]}`))
	assert.JSONEq(t, `{"found":[1]}`, ps.Whole(result.Parse(result.Empty("No more.", nil), nil)).Text(),
		"an empty last part")
}

// TestParts_Progress checks when a further part may be requested.
func TestParts_Progress(t *testing.T) {
	t.Parallel()
	type list = []*toolerr.Error // the last is repeated; "new" is a new position each time
	for name, test := range map[string]struct {
		parts list
		want  int // parts that make progress
	}{
		"the same place":           {list{part(1, 0, "a", `[1]`)}, 1},
		"a cycle":                  {list{part(1, 0, "a", `[1]`), part(2, 0, "b", `[1]`), part(3, 0, "a", `[1]`)}, 2},
		"new places, nothing else": {list{part(1, 0, "new", "")}, 1},
		"no results, but progress": {list{part(1, 0, 1, ""), part(2, 0, 2, ""), part(3, 0, 3, ""), part(3, 0, 4, "")}, 3},
		"endless":                  {list{part(0, 0, "new", `[1]`)}, 999},
		"nothing done, no list":    {list{part(0, 0, "new", `"x"`)}, 0},
		"no JSON":                  {list{part(1, 0, make(chan int), `[1]`)}, 0},
	} {
		ps := parts.From("start")
		n, progress := 0, true
		for ; progress; n++ {
			e := test.parts[min(n, len(test.parts)-1)]
			if e.Partial.ContinueFrom == "new" {
				p := *e.Partial
				p.ContinueFrom = n + 1
				e = &toolerr.Error{Partial: &p}
			}
			progress = ps.Add(e)
		}
		assert.Equal(t, test.want, n-1, name)
	}
	for n, pair := range [][2]any{{"a", "a"}, {nil, 0}, {nil, "0"}, {1, 0}, {nil, "a"}, {0, 1}, {1, 2}, {"b", "a"}} {
		isMore := parts.From(pair[0]).Add(part(1, 0, pair[1], `[1]`))
		assert.Equal(t, n > 3, isMore, "from %v; the first four return to the beginning", pair)
	}
}

// TestParts_Interrupted checks the counts, the key and the effect of an interrupted result. The
// effect is the worst of its parts, unless that of the last is unknown.
func TestParts_Interrupted(t *testing.T) {
	t.Parallel()
	ps := parts.From("start")
	assert.Equal(t, stopped(refused), ps.Interrupted(stopped(refused), "k"), "without parts")
	ps.Add(part(2, 9, 2, `[1,2]`))
	ps.Add(part(1, 4, 3, `[3]`))
	const check = "Check which items from partial.continueFrom on were done; call again from the first that was not, " +
		"with another key."
	assert.Equal(t, rest("1"), ps.Interrupted(rest("1"), "k"), "no failure")
	late := toolerr.Timeout("Late.")
	for name, test := range map[string]struct {
		e    *toolerr.Error
		want string
	}{
		"refused":         {refused.WithIdempotencyKey("own"), "partial k No. 3 9 3 "},
		"another part":    {part(7, 12, "here", `[9]`), "partial k More. 3 9 here "},
		"lost":            {late, "partial k Late. 3 9 3 " + check},
		"lost, hinted":    {late.WithHint("Wait."), "partial k Late. 3 9 3 Wait."},
		"lost, with keys": {late.WithHint(hint.SameAnswer + "if not, use another."), "partial k Late. 3 9 3 " + check},
	} {
		out := ps.Interrupted(stopped(test.e), "k")
		e, p := out.Err, out.Err.Partial
		got := testutil.Words(out.Kind, e.IdempotencyKey, e.Message, p.Processed, p.Total, p.ContinueFrom, e.Hint)
		assert.Equal(t, test.want, got, name)
		assert.Equal(t, test.e.IdempotencyKey, ps.Interrupted(stopped(test.e), "").Err.IdempotencyKey, name)
	}
	rank := []toolerr.Effect{"none", "", "unknown", "applied"}
	for first, a := range rank {
		for last, b := range rank {
			for _, processed := range []int{0, 1} {
				ps, e, worst := parts.From("start"), part(processed, 0, nil, "[1]"), first
				e.Effect = a
				ps.Add(e)
				if a == "" && processed > 0 {
					worst = 3
				}
				want := rank[max(worst, last)]
				if b == toolerr.EffectUnknown {
					want = b // the next item's, which must not be passed over
				}
				assert.Equal(t, want, ps.Interrupted(stopped(&toolerr.Error{Effect: b}), "").Err.Effect,
					"%q, %d processed, then %q", a, processed, b)
			}
		}
	}
}

// TestParts_Cost checks that a part costs as much as its size, however many there are before it, and
// that the results need little more memory than their size.
func TestParts_Cost(t *testing.T) { //nolint:paralleltest // it counts allocations
	allocated := func(ps *parts.Parts, n int, results string) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for i := range n {
			assert.True(t, ps.Add(part(i*100, 0, i+1, results)))
		}
		assert.NotEmpty(t, ps.Interrupted(stopped(refused), "").Err.Partial.Results)
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(n)
	}
	results := `{"items":[` + strings.Repeat(`{"a":1},`, 99) + `{"a":1}],"count":1}`
	few := allocated(parts.From("start"), 10, results)
	many := allocated(parts.From("start"), 900, results)
	assert.Less(t, many, 2*few, "bytes per part with 900 parts; with 10: %.0f", few)
	large := `["` + strings.Repeat("x", 64<<20-6) + `",1]`
	ps := parts.From("start")
	size := allocated(ps, 1, large)
	assert.Less(t, size/float64(len(large)), 8.0, "bytes per byte; the race detector's build takes 6")
	assert.False(t, ps.Add(part(0, 0, 2, "[2]")), "more than 64 MiB")
}
