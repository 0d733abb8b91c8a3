package retry_test

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const goldenStatuses = "testdata/statuses.txt"

var (
	updateStatuses = flag.Bool("statuses", false, "write "+goldenStatuses)
	versions       = []string{"2025-06-18", "2025-11-25", "2026-07-28"}
)

// readStatuses returns the lines of each status from 400.
func readStatuses(t *testing.T) []string {
	t.Helper()
	golden, err := os.ReadFile(goldenStatuses)
	require.NoError(t, err)
	rows := make([]string, 200)
	first, last := 0, 0
	for line := range strings.Lines(string(golden)) {
		if from, to, several := strings.Cut(strings.TrimSpace(line), "-"); !strings.HasPrefix(line, "\t") {
			first, err = strconv.Atoi(from)
			require.NoError(t, err)
			last = first
			if several {
				last, err = strconv.Atoi(to)
				require.NoError(t, err)
			}
			continue
		}
		for status := first; status <= last; status++ {
			rows[status-400] += line
		}
	}
	assert.NotContains(t, rows, "")
	return rows
}

// writeStatuses writes neighbours with the same lines as one.
func writeStatuses(t *testing.T, rows []string) {
	t.Helper()
	var text strings.Builder
	for i := 0; i < len(rows); {
		end := i + 1
		for end < len(rows) && rows[end] == rows[i] {
			end++
		}
		name := fmt.Sprint(400 + i)
		if end > i+1 {
			name = fmt.Sprintf("%d-%d", 400+i, 400+end-1)
		}
		fmt.Fprintf(&text, "%s\n%s", name, rows[i])
		i = end
	}
	require.NoError(t, os.WriteFile(goldenStatuses, []byte(text.String()), 0o600))
}

// lines are those of a status with or without a RoundTripper, one for all versions if
// they are the same.
func lines(name string, byVersion [3]string) string {
	if byVersion[0] == byVersion[1] && byVersion[1] == byVersion[2] {
		return fmt.Sprintf("\t%s: %s\n", name, byVersion[0])
	}
	var b strings.Builder
	for v, line := range byVersion {
		fmt.Fprintf(&b, "\t%s, %s: %s\n", name, versions[v], line)
	}
	return b.String()
}
