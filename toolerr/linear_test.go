package toolerr_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestDetails_Linear checks that memory grows at most linearly with details, and that the
// envelope is bounded.
func TestDetails_Linear(t *testing.T) {
	details := func(n int) map[string]any {
		m := make(map[string]any, n)
		for i := range n {
			m[fmt.Sprint("member", i)] = i
		}
		return m
	}
	const members, factor = 10_000, 10
	few := toolerr.Business("m").WithDetails(details(members))
	many := toolerr.Business("m").WithDetails(details(factor * members))
	nested := toolerr.Business("m").WithDetails(map[string]any{"a": details(factor * members), "b": 1})
	for name, work := range map[string]func(*toolerr.Error){
		"With":       func(e *toolerr.Error) { _ = e.WithMessage("n").WithHint("h") },
		"AppendJSON": func(e *toolerr.Error) { _ = e.AppendJSON(nil) },
		"LogValue":   func(e *toolerr.Error) { _ = e.LogValue() },
	} {
		less := allocated(func() { work(few) }) + 4<<10
		for _, e := range []*toolerr.Error{many, nested} {
			assert.LessOrEqual(t, allocated(func() { work(e) }), 2*factor*less, name)
		}
	}
	assert.Less(t, len(many.AppendJSON(nil)), 8<<10)
	assert.Less(t, allocated(func() { _ = many.AppendJSON(nil) }), uint64(64<<10), "the details have megabytes")
	assert.Contains(t, string(nested.AppendJSON(nil)), `"details":{"b":1}`)
}

// allocated returns how many bytes work allocates, the least of some runs: a collection of
// garbage empties pools.
func allocated(work func()) uint64 {
	least := uint64(math.MaxUint64)
	for range 5 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		work()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}
