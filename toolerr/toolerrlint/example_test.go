package toolerrlint_test

import (
	"fmt"
	"log"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
)

// A program that has its own command for analyzers adds this one to them.
func Example() {
	config := &packages.Config{Mode: packages.LoadSyntax | packages.NeedModule, Dir: "testdata"}
	server, err := packages.Load(config, "./wrong/missing")
	if err != nil {
		log.Fatal(err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{toolerrlint.Analyzer}, server, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range graph.Roots[0].Diagnostics {
		fmt.Println(d.Message)
	}
	// Output: missing: errors are sent as plain text: add result.Middleware to the server
}
