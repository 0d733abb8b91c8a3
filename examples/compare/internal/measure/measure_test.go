package measure_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/compare/internal/measure"
)

var sink []byte

func TestInterleaved(t *testing.T) {
	spin := func(n int) func() error {
		return func() error {
			sink = make([]byte, n)
			return nil
		}
	}
	costs, err := measure.Interleaved([]measure.Way{{"little", spin(100)}, {"much", spin(100_000)}}, 5, 5*time.Millisecond)
	require.NoError(t, err)
	little, much := costs[0], costs[1]
	assert.Equal(t, "much", much.Way)
	assert.Greater(t, much.Bytes, 100*little.Bytes)
	assert.GreaterOrEqual(t, much.Allocs, 1)
	assert.Greater(t, much.CPU, little.CPU)
	assert.Positive(t, much.Over(little))
	assert.Greater(t, much.Ratio(little), 1.0)
}

func TestInterleaved_Error(t *testing.T) {
	broken := errors.New("broken")
	_, err := measure.Interleaved([]measure.Way{{"broken", func() error { return broken }}}, 1, time.Millisecond)
	require.ErrorIs(t, err, broken)
}

func TestTable(t *testing.T) {
	table := measure.Table{{"", "COST"}, {"a", "1"}}
	for markdown, want := range map[bool]string{
		false: "   COST\na  1\n",
		true:  "|  | COST |\n|---|---|\n| a | 1 |\n",
	} {
		var out strings.Builder
		require.NoError(t, table.Print(&out, markdown, ""))
		assert.Equal(t, want, out.String())
	}
}
