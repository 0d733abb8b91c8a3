package desk

import (
	"flag"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// prometheus is the program, such as Debian's package of that name has it.
var prometheus = flag.String("prometheus", "", "scrape the server with this `program`")

// A real Prometheus reads the counts of a running server: per tool, its calls, the share
// of them that failed, and the kinds of failure.
func TestPrometheus(t *testing.T) {
	t.Parallel()
	if *prometheus == "" {
		// It is a program of another project, which .ci/run installs.
		t.Skip("without -prometheus PROGRAM")
	}
	server, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0", "-fault", "get_customer=denied:2")
	session := harnesstest.Connect(t, server, "")
	for range 4 {
		require.NotNil(t, callAnswered(t.Context(), session, "get_customer").Result)
	}
	p := harnesstest.StartPrometheus(t, *prometheus, map[string]string{"support": server})
	for query, want := range map[string]string{
		`sum(toolerr_calls_total{gen_ai_tool_name="get_customer"})`:                                                                          "4",
		`sum by (toolerr_category, toolerr_code) (toolerr_calls_total{toolerr_kind="failure"})`:                                              "2",
		`sum by (gen_ai_tool_name) (toolerr_calls_total{toolerr_kind=~"failure|partial"}) / sum by (gen_ai_tool_name) (toolerr_calls_total)`: "0.5",
	} {
		assert.EventuallyWithT(t, func(c *assert.CollectT) {
			found, err := p.Query(t.Context(), query)
			assert.NoError(c, err)
			if assert.Len(c, found, 1) {
				assert.Equal(c, want, found[0].Value[1])
			}
		}, testutil.Patience, 100*time.Millisecond, query)
	}
	assert.Zero(t, interrupt())
}
