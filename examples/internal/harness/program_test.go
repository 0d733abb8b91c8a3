package harness_test

import (
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "-serve" || os.Args[1] == "-http") {
		harness.Main(run)
	}
	os.Exit(m.Run())
}

// longest is how long the program lets a call take, longer than any test waits.
const longest = 2 * testutil.Patience

// run is a program that is a server, and nothing else.
var run = runWith(testutil.Patience)

// runWith is run with a time limit for the bodies of requests.
func runWith(body time.Duration) func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		var serving harness.Serving
		flags := flag.NewFlagSet("small", flag.ContinueOnError)
		if err := serving.ParseFlags(flags, args, "Usage: small -serve", stdout); err != nil {
			return harness.UsageStatus("small", err, stderr)
		}
		server := mcp.NewServer(&mcp.Implementation{Name: "small", Version: "v0"}, nil)
		return harness.Status("small", serving.Serve(ctx, server, harness.HTTPOptions{Program: "small", Stderr: stderr, Longest: longest, Body: body}), stderr)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	assert.Zero(t, harness.Status("small", nil, &stderr))
	assert.Zero(t, harness.UsageStatus("small", flag.ErrHelp, &stderr))
	assert.Empty(t, stderr.String())
	assert.Equal(t, 1, harness.Status("small", errors.Join(errors.New("one"), errors.New("two")), &stderr))
	assert.Equal(t, 2, harness.UsageStatus("small", errors.New("no such flag"), &stderr))
	assert.Equal(t, "small: one; two\nsmall: no such flag; run with -help to see the flags\n", stderr.String())
}
