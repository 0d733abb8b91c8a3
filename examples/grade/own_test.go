package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var updateReports = flag.Bool("update", false, "write the reports of our own servers to testdata")

// What differs from run to run: times and our version; keys, and ids of the log.
var (
	changing = regexp.MustCompile(`("(?:elapsedMs|time|grade)": )(?:"[^"]*"|[0-9]+)`)
	random   = regexp.MustCompile(`(correlationId\\":\\"|idempotency_key\\":\\"|key-)[A-Z0-9]+`)
)

// TestOurOwnServers holds the other examples to what they teach: there is no finding, and
// the report says of every call what it says in testdata. To change that, run it with
// -update.
func TestOurOwnServers(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"support":  {"-serve"},
		"research": {"-agent", "papers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), name)
			out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../"+name).CombinedOutput()
			require.NoError(t, err, "%s", out)
			status, stdout, stderr := check(t, append([]string{"-format", "json", "-all", "--", program}, args...)...)
			require.Equal(t, statusGood, status, "%s%s", stdout, stderr)
			got := changing.ReplaceAllString(stdout, `$1"..."`)
			got = random.ReplaceAllString(got, "$1")
			golden := filepath.Join("testdata", name+".golden.json")
			if *updateReports {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}
