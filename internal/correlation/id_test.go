package correlation_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/correlation"
)

func TestID(t *testing.T) {
	t.Parallel()
	const many = 10_000
	seen := make(map[string]bool, many)
	var counts [18][10]int
	for range many {
		id := correlation.ID()
		require.Len(t, id, 18)
		require.True(t, correlation.IsID(id), id)
		require.False(t, seen[id], "%s comes twice", id)
		seen[id] = true
		for i, c := range []byte(id) {
			counts[i][c-'0']++
		}
	}
	for i, digits := range counts {
		for digit, n := range digits {
			// expected: 1,000 of each with a standard deviation of 30; twelve deviations are no coincidence
			assert.InDelta(t, many/10, n, 360, "digit %d at %d", digit, i)
		}
	}
}

func TestIsID(t *testing.T) {
	t.Parallel()
	for _, other := range []string{
		"", "12345678901234567", "1234567890123456789", "12345678901234567x",
		"12345678 012345678", "１２３４５６", "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	} {
		assert.False(t, correlation.IsID(other), other)
	}
}
