package harnesstest

import (
	"flag"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
)

// Output returns a [harness.Output] that writes the servers' log to stderr.
func Output(t *testing.T) (output harness.Output) {
	t.Helper()
	flags := flag.NewFlagSet(t.Name(), flag.ContinueOnError)
	output.AddFlags(flags)
	if err := flags.Parse([]string{"-log", "-"}); err != nil {
		t.Fatal(err)
	}
	return output
}
