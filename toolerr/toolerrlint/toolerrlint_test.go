package toolerrlint_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
)

// The programs import the packages of this repository, so that a change of their API breaks the test. Each check has
// a section in the README, a program of its own, and its right twin.
func TestAnalyzer(t *testing.T) {
	found := map[string]bool{}
	for _, result := range analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), toolerrlint.Analyzer, "./...") {
		for _, d := range result.Diagnostics {
			file := result.Pass.Fset.File(d.Pos).Name()
			if name := strings.TrimSuffix(filepath.Base(file), ".go"); name != d.Category {
				t.Errorf("%s: a program of its own, want none of %s", file, d.Category)
			}
			if _, err := os.Stat(strings.Replace(file, "wrong", "right", 1)); err != nil {
				t.Error(err)
			}
			found[d.Category] = true
		}
	}
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	sections := regexp.MustCompile(`(?m)^## (\w+)$`).FindAllStringSubmatch(string(readme), -1)
	for _, section := range sections {
		if !found[section[1]] {
			t.Errorf("no program with %q", section[1])
		}
	}
	if len(sections) != len(found) {
		t.Errorf("README.md has %d sections, want %d", len(sections), len(found))
	}
}
