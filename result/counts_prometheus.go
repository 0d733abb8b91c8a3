package result

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// ServeHTTP serves the counts in Prometheus's text format, version 0.0.4:
//
//	http.Handle("GET /metrics", counts)
//
// The durations of each tool's calls are mcp_server_operation_duration_seconds, the
// Prometheus name of OpenTelemetry's histogram, so that the same dashboards work. The
// failures are toolerr_failures_total, by tool, category and code.
func (c *Counts) ServeHTTP(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	_, _ = io.WriteString(w, c.Snapshot().prometheus())
}

func (s CountsSnapshot) prometheus() string {
	const (
		durations = "mcp_server_operation_duration_seconds"
		failures  = "toolerr_failures_total"
	)
	var b strings.Builder
	fmt.Fprintf(&b, "# HELP %s How long finished tool calls took, failed ones too.\n# TYPE %[1]s histogram\n", durations)
	for _, tool := range s.Tools {
		labels := `mcp_method_name="` + methodCallTool + `",gen_ai_tool_name=` + label(tool.Tool)
		below, filled := int64(0), tool.Durations
		for _, bound := range durationBounds {
			if len(filled) > 0 && filled[0].UpToSeconds == bound {
				below, filled = below+filled[0].Count, filled[1:]
			}
			fmt.Fprintf(&b, "%s_bucket{%s,le=\"%s\"} %d\n", durations, labels, strconv.FormatFloat(bound, 'g', -1, 64), below)
		}
		fmt.Fprintf(&b, "%s_bucket{%s,le=\"+Inf\"} %d\n", durations, labels, tool.Calls)
		fmt.Fprintf(&b, "%s_sum{%s} %s\n", durations, labels, strconv.FormatFloat(tool.Seconds, 'g', -1, 64))
		fmt.Fprintf(&b, "%s_count{%s} %d\n", durations, labels, tool.Calls)
	}
	fmt.Fprintf(&b, "# HELP %s Failed tool calls, protocol errors included.\n# TYPE %[1]s counter\n", failures)
	for _, f := range s.Failures {
		fmt.Fprintf(&b, "%s{gen_ai_tool_name=%s,toolerr_category=%s,toolerr_code=%s} %d\n",
			failures, label(f.Tool), label(string(f.Category)), label(string(f.Code)), f.Count)
	}
	return b.String()
}

// label returns the quoted value of a label.
func label(value string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(strings.ToValidUTF8(value, "\uFFFD")) + `"`
}
