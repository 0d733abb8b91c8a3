package mcpotel_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var update = flag.Bool("update", false, "write testdata anew")

// Every name and value that is recorded for calls with each outcome, in memory and over HTTP.
func TestNames_Golden(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for _, over := range []string{"memory", "http"} {
		r := newRecorder()
		server := r.serve(map[string]mcp.ToolHandler{
			"ok":             ok,
			"over_limit":     fails(toolerr.LimitExceeded("Too much.", "A colleague will call.")),
			"unclassified":   fails(errors.New("x")),
			"protocol_error": fails(&jsonrpc.Error{Code: -32099, Message: "x"}),
		})
		var session *mcp.ClientSession
		if over == "http" {
			session = dial(t, overHTTP(t, server), mcpotel.Sending(&r.Options))
		} else {
			session = connect(t, server, mcpotel.Sending(&r.Options))
		}
		_, err := session.ListTools(t.Context(), nil)
		require.NoError(t, err)
		for _, tool := range []string{"ok", "over_limit", "unclassified", "protocol_error", "made_up"} {
			_, _ = session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		}
		fmt.Fprintf(&got, "over %s\n", over)
		spans := slices.DeleteFunc(r.spans.GetSpans(), func(s tracetest.SpanStub) bool { return !strings.HasPrefix(s.Name, "tools/") })
		slices.SortStableFunc(spans, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
		for _, s := range spans {
			assert.Empty(t, s.Status.Description)
			fmt.Fprintf(&got, "%s, %s, %s\n", s.Name, s.SpanKind, s.Status.Code)
			for a := range strings.SplitSeq(texts(s.Attributes), " ") {
				fmt.Fprintf(&got, "\t%s\n", a)
			}
		}
		for _, line := range r.histograms(t) {
			if strings.Contains(line, "tools/call") {
				fmt.Fprintln(&got, line)
			}
		}
	}
	text := regexp.MustCompile(`mcp\.session\.id=\S+`).ReplaceAllString(got.String(), "mcp.session.id=...")
	const path = "testdata/names.golden"
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.Equal(t, string(want), text)
}

// The request's id is the same at both ends.
func TestNames_RequestID(t *testing.T) {
	t.Parallel()
	r := newRecorder()
	server := r.serve(map[string]mcp.ToolHandler{"ok": ok})
	for name, session := range map[string]*mcp.ClientSession{
		"memory": connect(t, server, mcpotel.Sending(&r.Options)),
		"http":   dial(t, overHTTP(t, server), mcpotel.Sending(&r.Options)),
	} {
		r.spans.Reset()
		for range 2 {
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "ok"})
			require.NoError(t, err)
		}
		ids := map[any]int{}
		for _, span := range r.calls() {
			ids[values(span.Attributes)["jsonrpc.request.id"]]++
		}
		require.Len(t, ids, 2, name)
		for id, n := range ids {
			assert.Regexp(t, `^\d+$`, id, name)
			assert.Equal(t, 2, n, "%s: the client's and the server's", name)
		}
	}
}
