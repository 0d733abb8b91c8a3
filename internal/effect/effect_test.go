package effect_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/effect"
)

func TestResolve(t *testing.T) {
	t.Parallel()
	tools := map[string]*effect.Tool{"unknown": {}, "read-only": {ReadOnly: true}, "idempotent": {Idempotent: true}}
	table, err := os.ReadFile("testdata/resolve.tsv")
	require.NoError(t, err)
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.ReplaceAll(strings.TrimSpace(line), "-\t", "\t"), "\t")
		if line[0] == '#' {
			continue
		}
		require.Len(t, row, 9, line)
		got, retryable := effect.Resolve(effect.Facts{
			Category: row[2], Effect: row[3], Temporary: row[4] == "true", Partial: row[5] != "", Processed: row[5] > "0",
			Attempted: row[6] == "true",
		}, tools[row[1]])
		assert.Equal(t, row[7]+" "+row[8], fmt.Sprint(got, " ", retryable), row[0])
	}
}

func TestWorst(t *testing.T) {
	t.Parallel()
	order := []string{effect.None, "", effect.Unknown, effect.Applied}
	for i, a := range order {
		for j, b := range order {
			assert.Equal(t, order[max(i, j)], effect.Worst(a, b))
		}
	}
	assert.Equal(t, effect.None, effect.Worst[string]())
	assert.Equal(t, "undone", effect.Worst("", "undone", effect.Unknown, effect.None))
}
