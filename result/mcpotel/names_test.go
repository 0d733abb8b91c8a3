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

// TestNames_Codes checks that each code of package toolerr is the error.type of its failures.
func TestNames_Codes(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../../toolerr/code.go")
	require.NoError(t, err)
	codes := regexp.MustCompile(`Code = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	require.Greater(t, len(codes), 15)
	for _, m := range codes {
		r := newRecorder()
		session := connect(t, r.serve(map[string]mcp.ToolHandler{"t": fails(toolerr.Business("x").WithCode(toolerr.Code(m[1])))}))
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
		require.NoError(t, err)
		require.Len(t, r.calls(), 1)
		assert.Equal(t, m[1], values(r.calls()[0].Attributes)["toolerr.code"], m[1])
	}
}
