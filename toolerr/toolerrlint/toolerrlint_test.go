package toolerrlint_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
	"golang.org/x/tools/go/analysis/analysistest"
)

// The programs import the packages of this repository, so that a change of their API breaks the test.
func TestAnalyzer(t *testing.T) {
	results := analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), toolerrlint.Analyzer, "./...")
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, result := range results {
		for _, d := range result.Diagnostics {
			if !regexp.MustCompile(`(?m)^## ` + d.Category + `$`).Match(readme) {
				t.Errorf("README.md has no section %q", d.Category)
			}
		}
	}
}
