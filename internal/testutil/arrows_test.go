package testutil_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/mcp-toolerr/toolerr-go/"

// arrows lists the packages of this module that each package may import. A package that
// is not listed imports none.
var arrows = map[string]string{
	"toolerr":                               "internal/classify internal/effect internal/hint internal/nearmiss internal/redact internal/sanitize internal/jsonvalue",
	"internal/classify":                     "internal/classify/*",
	"internal/classify/answers":             "internal/classify/*",
	"internal/classify/codes":               "internal/classify/class",
	"internal/classify/texts":               "internal/classify/class internal/classify/codes",
	"internal/redact":                       "internal/jsonvalue internal/sanitize",
	"internal/toolinfo":                     "internal/schema",
	"internal/schema":                       "internal/jsonvalue",
	"result/internal/foreign":               "toolerr result/internal/sdktext internal/*",
	"result/internal/evidence":              "internal/*",
	"result/internal/failure":               "toolerr result/internal/foreign result/internal/evidence internal/*",
	"result/internal/encodable":             "result/internal/failure internal/*",
	"result":                                "toolerr result/internal/* internal/*",
	"result/idempotency":                    "toolerr result result/internal/* internal/*",
	"result/idempotency/sqlstore":           "toolerr result/idempotency internal/*",
	"result/resulttest":                     "toolerr result result/idempotency result/servertest result/resulttest/internal/* internal/redact internal/sanitize",
	"result/resulttest/internal/storecheck": "toolerr result/idempotency",
	"result/servertest":                     "toolerr result internal/*",
	"retry":                                 "toolerr result retry/internal/* internal/*",
	"retry/handoff":                         "toolerr result retry/internal/* internal/*",
	"retry/internal/guard":                  "toolerr result retry/internal/hints internal/*",
	"retry/internal/hints":                  "toolerr internal/hint",
	"retry/internal/parts":                  "toolerr result internal/*",
	"retry/internal/session":                "toolerr result internal/*",
	"result/resulttest/faults":              "",
}

// The layers are toolerr, result and retry. Shared code is in packages below them.
func TestArrows(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}",
		"../../toolerr/...", "../../result/...", "../../retry/...", "../../internal/...").Output()
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	require.Greater(t, len(lines), 8)
	for _, line := range lines {
		fields := strings.Fields(strings.ReplaceAll(line, module, ""))
		if strings.HasPrefix(fields[0], "internal/testutil") {
			continue // tests may import any package
		}
		allowed := strings.Fields(arrows[fields[0]])
		for _, imported := range strings.Fields(line)[1:] {
			name, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			assert.True(t, slices.ContainsFunc(allowed, func(pattern string) bool {
				dir, all := strings.CutSuffix(pattern, "*")
				return name == pattern || all && strings.HasPrefix(name, dir)
			}), "%s imports %s", fields[0], name)
		}
	}
}
