package desk

import (
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/loopback"
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
	api := scrape(t, server)
	for query, want := range map[string]string{
		`sum(toolerr_calls_total{gen_ai_tool_name="get_customer"})`:                                                                          "4",
		`sum by (toolerr_category, toolerr_code) (toolerr_calls_total{toolerr_kind="failure"})`:                                              "2",
		`sum by (gen_ai_tool_name) (toolerr_calls_total{toolerr_kind=~"failure|partial"}) / sum by (gen_ai_tool_name) (toolerr_calls_total)`: "0.5",
	} {
		assert.EventuallyWithT(t, func(c *assert.CollectT) {
			var answer struct {
				Data struct {
					Result []struct {
						Value [2]any `json:"value"`
					} `json:"result"`
				} `json:"data"`
			}
			assert.NoError(c, json.Unmarshal(get(t, api+"/api/v1/query?query="+url.QueryEscape(query)), &answer))
			if assert.Len(c, answer.Data.Result, 1) {
				assert.Equal(c, want, answer.Data.Result[0].Value[1])
			}
		}, testutil.Patience, 100*time.Millisecond, query)
	}
	assert.Zero(t, interrupt())
}

// scrape starts Prometheus on a server, and returns its address once it answers.
func scrape(t *testing.T, server string) string {
	t.Helper()
	target, err := url.Parse(server)
	require.NoError(t, err)
	address, err := loopback.Unused()
	require.NoError(t, err)
	dir := t.TempDir()
	config := filepath.Join(dir, "prometheus.yml")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil,
		"scrape_configs: [{job_name: support, scrape_interval: 200ms, scrape_timeout: 200ms, static_configs: [{targets: [%q]}]}]", target.Host), 0o600))
	var log strings.Builder
	program := exec.CommandContext(t.Context(), *prometheus, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	program.Stderr = &log
	require.NoError(t, program.Start())
	t.Cleanup(func() {
		_ = program.Process.Signal(os.Interrupt)
		_ = program.Wait()
		if t.Failed() {
			t.Log(log.String())
		}
	})
	require.Eventually(t, func() bool {
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, testutil.Patience, 50*time.Millisecond)
	return "http://" + address
}
