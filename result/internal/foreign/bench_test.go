package foreign_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

// data returns JSON of about so many KiB whose members have names and texts as reports of
// failures have, but which is data.
func data(kib int) string {
	const user = `{"email":"ann@example.com","available":true,"details":"Failed once, ok since.","balance":120.5,"tags":["a","b"]}`
	return `{"ok":true,"details":"an error, and a failure","users":[` + strings.Repeat(user+",", kib<<10/len(user)) + user + `]}`
}

// A success is told apart from a failure without decoding it. The floor is one check that
// the text is JSON.
func BenchmarkSuccess(b *testing.B) {
	for _, kib := range []int{4, 16, 60} {
		sample := data(kib)
		typed := text(sample)
		typed.StructuredContent = json.RawMessage(sample)
		for name, run := range map[string]func() bool{
			"floor":  func() bool { return json.Valid([]byte(sample)) },
			"client": func() bool { e, empty := foreign.Success(typed); return e == nil && !empty },
			"server": func() bool { return !foreign.LooksLikeFailure(typed) },
		} {
			b.Run(fmt.Sprintf("%s/%dKiB", name, kib), func(b *testing.B) {
				b.SetBytes(int64(len(sample)))
				for b.Loop() {
					if !run() {
						b.Fatal("it is not data")
					}
				}
			})
		}
	}
}

// Whether a success is data is seen without decoding it: the number of allocations does not
// depend on its size.
func TestSuccess_Allocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	for _, kib := range []int{4, 60} {
		res := text(data(kib))
		e, empty := foreign.Success(res)
		require.True(t, e == nil && !empty)
		assert.LessOrEqual(t, testing.AllocsPerRun(10, func() { _, _ = foreign.Success(res) }), 8.0)
		assert.LessOrEqual(t, testing.AllocsPerRun(10, func() { foreign.LooksLikeFailure(res) }), 8.0)
	}
}
