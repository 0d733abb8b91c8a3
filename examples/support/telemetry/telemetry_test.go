package main

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// prometheusProgram is the program, such as Debian's package of that name has it. Promtool, which is
// in the same package, is beside it.
var prometheusProgram = flag.String("prometheus", "", "test the rules with promtool beside this `program`")

// A file is what the tests read of dashboard.json.
type file struct {
	Templating struct {
		List []struct {
			Name       string
			AllValue   string
			Definition string
		}
	}
	Panels []struct {
		ID      int
		Title   string
		Type    string
		GridPos struct{ X, Y, W, H int }
		Targets []struct {
			Expr       string
			Datasource struct{ UID string }
		}
	}
}

func readDashboard(t *testing.T) (d file, raw []byte) {
	t.Helper()
	raw, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &d))
	return d, raw
}

// Grafana's own types read the dashboard, and know each of its members. Its panels have
// their own places.
func TestDashboard_Schema(t *testing.T) {
	t.Parallel()
	plugins.RegisterDefaultPlugins()
	d, raw := readDashboard(t)
	var read dashboard.Dashboard
	require.NoError(t, json.Unmarshal(raw, &read))
	require.NoError(t, read.Validate())
	if err := read.UnmarshalJSONStrict(raw); err != nil { // Grafana fills in what is missing
		for line := range strings.Lines(err.Error()) {
			assert.Contains(t, line, "required field is missing", "a member that Grafana does not know")
		}
	}
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		assert.False(t, ids[p.ID], "the id of %s", p.Title)
		ids[p.ID] = true
		assert.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24, p.Title)
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				place := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				assert.Empty(t, taken[place], "%s lies on it", p.Title)
				taken[place] = p.Title
			}
		}
		for _, target := range p.Targets {
			assert.Equal(t, "${datasource}", target.Datasource.UID, p.Title)
		}
	}
}

func TestRules_OverTime(t *testing.T) {
	t.Parallel()
	promtool := promtool(t)
	for _, args := range [][]string{{"check", "rules", "rules.yml"}, {"test", "rules", "rules.test.yml"}} {
		out, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}

func promtool(t *testing.T) string {
	t.Helper()
	if *prometheusProgram == "" {
		// It is a program of another project, which .ci/run installs.
		t.Skip("without -prometheus PROGRAM")
	}
	return filepath.Join(filepath.Dir(*prometheusProgram), "promtool")
}
