package main

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// browser is a Chromium, and checker the folder of testdata/check, with its packages
// installed by npm ci. Without them the test looks at no page.
var (
	browser = flag.String("browser", "", "look at HTML reports with this `program`, a Chromium")
	checker = flag.String("checker", "", "hold reports to what check.mjs in this `folder` says")
	keep    = flag.String("keep", "", "leave the reports in this `folder`, with pictures if PICTURES is set")
)

// TestReports_InBrowser opens reports in a real browser, light and dark, wide and
// narrow, with and without scripts, and holds them to axe's rules of accessibility;
// SARIF and JUnit are held to their schemas.
func TestReports_InBrowser(t *testing.T) {
	t.Parallel()
	if *browser == "" {
		return
	}
	dir := t.TempDir()
	if *keep != "" {
		dir = *keep
	}
	for _, how := range []string{"good", "bare", "dies", "hostile", "writes", "nothing"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			args := []string{filepath.Join(*checker, "check.mjs"), *browser}
			for _, end := range []string{".html", ".sarif", ".xml"} {
				name := filepath.Join(dir, how+end)
				_, _, stderr := check(t, "-o", name, "--", os.Args[0], "-serve", how)
				require.FileExists(t, name, "%s", stderr)
				args = append(args, name)
			}
			out, err := exec.CommandContext(t.Context(), "node", args...).CombinedOutput()
			assert.NoError(t, err, "%s", out)
		})
	}
}
