package result_test

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Tables and expressions are built on first use. Every program pays for what the packages
// allocate at startup, even without a failure.
func TestStartup_Memory(t *testing.T) {
	t.Parallel()
	const most = 64 << 10 // bytes: three times the measured value
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self, "-test.run", "^$")
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	packages, sum := 0, 0
	for _, m := range regexp.MustCompile(`init (github\.com/mcp-toolerr/\S+) .* (\d+) bytes`).FindAllStringSubmatch(string(out), -1) {
		if strings.HasSuffix(m[1], "_test") || strings.Contains(m[1], "/testutil") {
			continue
		}
		n, err := strconv.Atoi(m[2])
		require.NoError(t, err)
		packages++
		sum += n
	}
	assert.Greater(t, packages, 5, "%s", out)
	assert.Less(t, sum, most, "%s", out)
}
