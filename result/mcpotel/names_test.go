package mcpotel_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/mcpotel"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var update = flag.Bool("update", false, "write testdata anew")

// omitted are the attributes of the conventions that are not recorded, and why.
var omitted = map[string]string{
	"jsonrpc.request.id":                            "the SDK does not show it",
	"jsonrpc.protocol.version":                      "it is always 2.0",
	"network.protocol.version":                      "the SDK does not show it",
	"client.address":                                "the SDK does not show it, and headers can be forged",
	"client.port":                                   "as client.address",
	"gen_ai.prompt.variable":                        "opt-in: arguments",
	"gen_ai.tool.call.arguments":                    "opt-in: arguments",
	"span mcp.client mcp.session.id":                "a server chooses it",
	"metric mcp.client.session.duration error.type": "the SDK does not tell why a session ended",
	"metric mcp.server.session.duration error.type": "as for clients",
	"gen_ai.tool.call.result":                       "opt-in: results",
}

// names are the attributes that were recorded, by signal.
type names map[string]map[string]bool

func (n names) add(signal, attributes string) {
	for a := range strings.FieldsSeq(attributes) {
		if n[signal] == nil {
			n[signal] = map[string]bool{}
		}
		name, _, _ := strings.Cut(a, "=")
		n[signal][name] = true
	}
}

// check compares what was recorded with the conventions, of which testdata has a table.
func (n names) check(t *testing.T) {
	t.Helper()
	table, err := os.ReadFile("testdata/conventions.tsv")
	require.NoError(t, err)
	conventional := names{}
	for line := range strings.Lines(string(table)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(line, "#") || len(cells) != 3 {
			continue
		}
		conventional.add(cells[0], cells[1])
		if omitted[cells[1]]+omitted[cells[0]+" "+cells[1]] == "" && cells[2] != "opt_in" {
			assert.True(t, n[cells[0]][cells[1]], "%s of %s is not recorded, which the conventions want: %s", cells[1], cells[0],
				cells[2])
		}
	}
	for signal, recorded := range n {
		for name := range recorded {
			assert.True(t, strings.HasPrefix(name, "toolerr.") || conventional[signal][name],
				"%s of %s is not in the conventions", name, signal)
		}
	}
}

// Every name and value that is recorded and logged for requests with each outcome, also over HTTP.
func TestNames_Golden(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	recorded := names{}
	for _, over := range []string{"memory", "http"} {
		var log bytes.Buffer
		r := newRecorder()
		r.ResourceURIs, r.ServerAddress = true, "orders.example:8080"
		server := bare(map[string]mcp.ToolHandler{
			"ok":             ok,
			"over_limit":     fails(toolerr.LimitExceeded("Too much.", "A colleague will call.")),
			"own_code":       fails(toolerr.Permission("The card is stolen.").WithCode("card_stolen")),
			"unclassified":   fails(errors.New("x")),
			"protocol_error": fails(&jsonrpc.Error{Code: -32099, Message: "x"}),
		})
		server.AddPrompt(&mcp.Prompt{Name: "greet"},
			func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
				return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
			})
		server.AddResource(&mcp.Resource{Name: "r", URI: "file:///r"},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{}}, nil
			})
		server.AddReceivingMiddleware(mcpotel.Receiving(&r.Options), result.Middleware(&result.MiddlewareOptions{
			Logger:        slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{ReplaceAttr: withoutTime})),
			CorrelationID: func(context.Context) string { return "274907315482066319" },
			Principal:     func(mcp.Request) string { return "ann" },
		}))
		var session *mcp.ClientSession
		if over == "http" {
			session = dial(t, overHTTP(t, server), mcpotel.Sending(&r.Options))
		} else {
			session = connect(t, server, mcpotel.Sending(&r.Options))
		}
		_, err := session.ListTools(t.Context(), nil)
		require.NoError(t, err)
		for _, tool := range []string{"ok", "over_limit", "own_code", "unclassified", "protocol_error", "made_up"} {
			_, _ = session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		}
		_, err = session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet"})
		require.NoError(t, err)
		_, err = session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "file:///r"})
		require.NoError(t, err)
		fmt.Fprintf(&got, "over %s\n", over)
		spans := slices.DeleteFunc(r.spans.GetSpans(), func(s tracetest.SpanStub) bool {
			return !regexp.MustCompile("^(tools|prompts|resources)/").MatchString(s.Name)
		})
		slices.SortStableFunc(spans, func(a, b tracetest.SpanStub) int { return a.StartTime.Compare(b.StartTime) })
		for _, s := range spans {
			assert.Empty(t, s.Status.Description)
			assert.Regexp(t, "^https://opentelemetry.io/schemas/1", s.InstrumentationScope.SchemaURL)
			fmt.Fprintf(&got, "%s, %s, %s\n\t%s\n", s.Name, s.SpanKind, s.Status.Code,
				strings.ReplaceAll(texts(s.Attributes), " ", "\n\t"))
			recorded.add("span mcp."+s.SpanKind.String(), texts(s.Attributes))
		}
		require.NoError(t, session.Close())
		for over == "http" && strings.Count(strings.Join(r.histograms(t), "\n"), "session.duration") < 2 {
			time.Sleep(time.Millisecond) // a session ends in the background
		}
		for _, line := range r.histograms(t) {
			if regexp.MustCompile("tools/call|prompts/get|session.duration").MatchString(line) {
				fmt.Fprintln(&got, line)
				name, attributes, _ := strings.Cut(line, " [s] 1 ")
				recorded.add("metric "+name, attributes)
			}
		}
		for line := range bytes.Lines(log.Bytes()) {
			var record map[string]any
			require.NoError(t, json.Unmarshal(line, &record))
			fmt.Fprintln(&got, "log", strings.Join(flat("", record), " "))
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
	recorded.check(t)
}

// withoutTime removes what differs between runs.
func withoutTime(_ []string, a slog.Attr) slog.Attr {
	if a.Key == slog.TimeKey || a.Key == "duration" {
		return slog.Attr{}
	}
	return a
}

// flat returns the names and values of a record, with the names of groups before those in them.
func flat(prefix string, record map[string]any) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(record)) {
		if group, ok := record[name].(map[string]any); ok {
			list = append(list, flat(prefix+name+".", group)...)
		} else {
			list = append(list, fmt.Sprintf("%s%s=%v", prefix, name, record[name]))
		}
	}
	return list
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
		session := connect(t, r.serve(map[string]mcp.ToolHandler{"t": fails(toolerr.Business("x").
			WithCode(toolerr.Code(m[1])))}))
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
		require.NoError(t, err)
		require.Len(t, r.calls(), 1)
		assert.Equal(t, m[1], values(r.calls()[0].Attributes)["toolerr.code"], m[1])
	}
}
