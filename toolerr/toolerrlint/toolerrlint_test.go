package toolerrlint_test

import (
	"testing"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
	"golang.org/x/tools/go/analysis/analysistest"
)

// The programs import the packages of this repository, so that a change of their API breaks the test.
func TestAnalyzer(t *testing.T) {
	analysistest.RunWithSuggestedFixes(t, analysistest.TestData(), toolerrlint.Analyzer, "./...")
}
