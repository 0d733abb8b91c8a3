package toolerrlint_test

import (
	"fmt"

	"golang.org/x/tools/go/analysis"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
)

// The analyzer beside others, in a program of one's own that calls multichecker.Main.
func Example() {
	analyzers := []*analysis.Analyzer{toolerrlint.Analyzer} // and others
	for _, a := range analyzers {
		fmt.Println(a.Name)
	}
	// Output: toolerrlint
}
