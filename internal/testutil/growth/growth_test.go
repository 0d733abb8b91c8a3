package growth_test

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/growth"
)

// TestWork_InProportion checks that no work allocates more than its limit for each byte of input,
// and that twice the size allocates at most 2.2 times as much.
func TestWork_InProportion(t *testing.T) { //nolint:paralleltest // it measures memory
	if allocs.Race() {
		return // with the race detector, pools forget what they hold, at random
	}
	const fixed = 2 << 20  // more than the bounds of any walk take
	const noise = 64 << 10 // what is allocated beside, such as for a pool
	for name, w := range growth.Works {
		var bytes [2]uint64
		for i := range bytes {
			size, run := w.Make(w.N << (2 * i))
			bytes[i] = math.MaxUint64
			for range 3 { // the first creates tables, and a collection empties pools
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				run()
				runtime.ReadMemStats(&after)
				bytes[i] = min(bytes[i], after.TotalAlloc-before.TotalAlloc)
			}
			assert.LessOrEqual(t, bytes[i], fixed+w.Most*uint64(size), "%s: bytes for %d", name, size)
		}
		t.Logf("%-34s %9d %9d KB", name, bytes[0]>>10, bytes[1]>>10)
		assert.LessOrEqual(t, 100*bytes[1], 484*bytes[0]+100*noise, "%s: bytes for n and for 4n", name)
	}
}

var steps = flag.Bool("steps", false, "count the statements of each work too (a minute)")

// TestWork_Steps checks that for twice the size, no work executes more than 2.2 times as many
// statements of this module and of the standard library's packages for text. The compiler's
// counters for coverage count them.
func TestWork_Steps(t *testing.T) {
	t.Parallel()
	if !*steps {
		return
	}
	program := filepath.Join(t.TempDir(), "steps")
	const counted = "github.com/mcp-toolerr/toolerr-go/...,bytes,encoding/json,errors,fmt,maps,slices,strconv,strings,unicode/utf8"
	out, err := exec.CommandContext(t.Context(), "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+counted, "-o",
		program, "./steps").CombinedOutput()
	require.NoError(t, err, "%s", out)
	out, err = exec.CommandContext(t.Context(), program, t.TempDir()).Output()
	require.NoError(t, err)
	rows := 0
	for s := bufio.NewScanner(bytes.NewReader(out)); s.Scan(); rows++ {
		var name string
		var n [2]int
		_, err := fmt.Sscanf(s.Text(), "%q %d %d", &name, &n[0], &n[1])
		require.NoError(t, err, s.Text())
		t.Logf("%-34s %11d %11d  %.2f", name, n[0], n[1], float64(n[1])/float64(n[0]))
		assert.LessOrEqual(t, 10*n[1], 22*n[0], "%s: statements for n and for 2n", name)
	}
	assert.Len(t, growth.Works, rows)
}
