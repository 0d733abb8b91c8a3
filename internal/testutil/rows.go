package testutil

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Rows reads a file of test data whose rows are "want: text", and returns a map from each text to
// its want. A quoted text is a JSON string, "-" is an empty want, and "#" begins a comment line.
func Rows(tb testing.TB, file string) map[string]string {
	tb.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(tb, err)
	rows := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		if line[0] == '#' {
			continue
		}
		want, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		require.True(tb, ok, line)
		if strings.HasPrefix(text, `"`) {
			require.NoError(tb, json.Unmarshal([]byte(text), &text), line)
		}
		require.NotContains(tb, rows, text)
		rows[text] = strings.TrimPrefix(want, "-")
	}
	require.NotEmpty(tb, rows)
	return rows
}
