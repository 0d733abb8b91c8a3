// Command toolerrlint reports mistakes in programs that use toolerr-go. It runs by itself, and as go vet's -vettool.
package main

import (
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/singlechecker"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/mcp-toolerr/toolerr-go/toolerr/toolerrlint"
)

func main() {
	if n := len(os.Args); n > 1 && (strings.HasSuffix(os.Args[n-1], ".cfg") || strings.HasPrefix(os.Args[1], "-V=") ||
		os.Args[1] == "-flags") {
		unitchecker.Main(toolerrlint.Analyzer)
	}
	singlechecker.Main(toolerrlint.Analyzer)
}
