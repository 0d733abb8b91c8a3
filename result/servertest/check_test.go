package servertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A recorder is a server that records its calls.
type recorder struct {
	*mcp.Server

	mu    sync.Mutex
	calls map[string][]string
}

func record(tools ...*mcp.Tool) *recorder {
	r := &recorder{Server: mcp.NewServer(&mcp.Implementation{Name: "recorder"}, nil), calls: map[string][]string{}}
	for _, tool := range tools {
		r.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.calls[tool.Name] = append(r.calls[tool.Name], string(req.Params.Arguments))
			return result.Failure(toolerr.Validation("No.").WithHint("h")), nil
		})
	}
	return r
}

func TestCheck_ReadOnlyTools(t *testing.T) {
	t.Parallel()
	object := json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`)
	yes := true
	tools := []*mcp.Tool{
		{Name: "reads", InputSchema: object, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		{Name: "idempotent", InputSchema: object, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}},
		{Name: "destroys", InputSchema: object, Annotations: &mcp.ToolAnnotations{DestructiveHint: &yes}},
		{Name: "says_nothing", InputSchema: object},
	}
	for name, test := range map[string]struct {
		opts *servertest.Options
		want []string
	}{
		"nil":     {nil, []string{"reads"}},
		"by name": {&servertest.Options{Tools: []string{"says_nothing"}}, []string{"reads", "says_nothing"}},
		"all":     {&servertest.Options{All: true}, []string{"destroys", "idempotent", "reads", "says_nothing"}},
		"skip":    {&servertest.Options{All: true, Skip: []string{"reads", "destroys"}}, []string{"idempotent", "says_nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := record(tools...)
			report, err := servertest.Check(t.Context(), testutil.Connect(t, server.Server, nil), test.opts)
			require.NoError(t, err)
			var called []string
			for _, tool := range report.Tools {
				assert.Len(t, server.calls[tool.Name], tool.Calls)
				if tool.Calls > 0 {
					called = append(called, tool.Name)
				} else {
					assert.NotEmpty(t, tool.Skipped)
				}
			}
			slices.Sort(called)
			assert.Equal(t, test.want, called)
		})
	}
	t.Run("a case of one", func(t *testing.T) {
		t.Parallel()
		server := record(tools...)
		opts := &servertest.Options{Cases: []servertest.Case{{Tool: "destroys", Arguments: map[string]string{"a": "b"}}}}
		_, err := servertest.Check(t.Context(), testutil.Connect(t, server.Server, nil), opts)
		require.NoError(t, err)
		assert.Equal(t, []string{`{"a":"b"}`}, server.calls["destroys"], "the case and no more")
	})
}

// TestCheck_Probes pins the calls that are derived from a schema.
func TestCheck_Probes(t *testing.T) {
	t.Parallel()
	schema := `{"type":"object","additionalProperties":false,"required":["customer_id","address","lines"],
		"$defs":{"line":{"type":"object","properties":{"sku":{"type":"string","pattern":"^[A-Z]{3}-[0-9]{4}$"},"count":{"type":"integer","exclusiveMinimum":0,"maximum":9007199254740991}},"required":["sku"]}},
		"properties":{
			"customer_id":{"type":"string","description":"such as CUS-10001"},
			"address":{"type":"object","properties":{"city":{"type":"string","minLength":2,"maxLength":4},"zip":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["city"]},
			"lines":{"type":"array","minItems":1,"maxItems":2,"items":{"$ref":"#/$defs/line"}},
			"idempotency_key":{"type":"string"},
			"sort":{"type":"string","enum":["up","down"],"default":"down"},
			"any":{}}}`
	server := record(&mcp.Tool{Name: "order", InputSchema: json.RawMessage(schema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}})
	_, err := servertest.Check(t.Context(), testutil.Connect(t, server.Server, nil), nil)
	require.NoError(t, err)
	const line = `{"sku":"AAA-0000"}`
	with := func(customer, address, lines string) string {
		return fmt.Sprintf(`{"address":%s,"customer_id":%s,"lines":%s}`, address, customer, lines)
	}
	const id, city, lines = `"CUS-10001"`, `{"city":"exam"}`, `[` + line + `]`
	more := func(member string) string {
		return `{"address":{"city":"exam"},` + member + `,"customer_id":"CUS-10001","lines":[` + line + `]}`
	}

	tried := map[string]bool{}
	for _, call := range server.calls["order"] {
		tried[canonical(t, call)] = true
	}
	for _, want := range []string{
		with(id, city, lines),
		`{"address":{"city":"exam"},"lines":[` + line + `]}`,
		with(`48291`, city, lines),
		with(`"CUS-87778"`, city, lines), // does not exist
		with(id, `"wrong-type"`, lines),
		with(id, `{}`, lines),
		with(id, `{"city":48291}`, lines),
		with(id, `{"city":"x"}`, lines),
		with(id, `{"city":"xxxxx"}`, lines),
		with(id, `{"city":"exam","zip":48291}`, lines),
		with(id, `{"city":"exam","unexpected_argument":true}`, lines),
		with(id, city, `"wrong-type"`),
		with(id, city, `[]`),
		with(id, city, `[`+line+`,`+line+`,`+line+`]`),
		with(id, city, `["wrong-type"]`),
		with(id, city, `[{}]`),
		with(id, city, `[{"sku":48291}]`),
		with(id, city, `[{"sku":"AAA-7777"}]`), // does not exist
		with(id, city, `[{"sku":"does not match"}]`),
		with(id, city, `[{"count":0,"sku":"AAA-0000"}]`),
		more(`"sort":"not-one-of-these"`),
		more(`"idempotency_key":48291`),
		more(`"unexpected_argument":true`),
	} {
		assert.True(t, tried[canonical(t, want)], "tried %s", want)
	}
	assert.Len(t, tried, 28, "%v", server.calls["order"])
	assert.Len(t, server.calls["order"], 28, "each call once")
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	var v any
	require.NoError(t, json.Unmarshal([]byte(text), &v))
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

func TestCheck_Cases(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "cases"}, nil)
	add(server, readOnly("find"), envelope, found)
	session := testutil.Connect(t, server, nil)
	data, nothing, wrong := lookup{OrderID: "ORD-10001"}, lookup{OrderID: "ORD-7"}, lookup{}
	for name, test := range map[string]struct {
		given servertest.Case
		want  []string
	}{
		"data as wanted":      {servertest.Case{Arguments: data, Kind: result.KindData}, []string{}},
		"nothing as wanted":   {servertest.Case{Arguments: nothing, Kind: result.KindEmpty}, []string{}},
		"failure as wanted":   {servertest.Case{Arguments: wrong, Category: toolerr.CategoryValidation, Code: toolerr.CodeMissingArgument}, []string{}},
		"nothing wanted":      {servertest.Case{Arguments: wrong}, []string{}},
		"data for a failure":  {servertest.Case{Arguments: data, Kind: result.KindFailure}, []string{"find unexpected"}},
		"empty for a failure": {servertest.Case{Arguments: nothing, Code: toolerr.CodeNotFound}, []string{"find unexpected"}},
		"failure for nothing": {servertest.Case{Arguments: wrong, Kind: result.KindEmpty}, []string{"find unexpected"}},
		"failure for data":    {servertest.Case{Arguments: wrong, Kind: result.KindData}, []string{"find unexpected"}},
		"another category":    {servertest.Case{Arguments: wrong, Category: toolerr.CategoryBusiness}, []string{"find unexpected"}},
		"another code":        {servertest.Case{Arguments: wrong, Code: toolerr.CodeOutOfRange}, []string{"find unexpected"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.given.Tool = "find"
			report, err := servertest.Check(t.Context(), session, &servertest.Options{Skip: []string{"find"}, Cases: []servertest.Case{test.given}})
			require.NoError(t, err)
			assert.Equal(t, test.want, kinds(report), "%s", report)
			ignore := &servertest.Options{Cases: []servertest.Case{test.given}, Ignore: test.want}
			report, err = servertest.Check(t.Context(), session, ignore)
			require.NoError(t, err)
			assert.Empty(t, report.Findings)
		})
	}
}

func TestCheck_VariesCase(t *testing.T) {
	t.Parallel()
	server := record(readOnly("find"))
	_, err := servertest.Check(t.Context(), testutil.Connect(t, server.Server, nil), &servertest.Options{
		Cases: []servertest.Case{{Tool: "find", Kind: result.KindData, Arguments: map[string]any{"order_id": "ORD-42", "limit": 7}}},
	})
	require.NoError(t, err)
	assert.Contains(t, server.calls["find"], `{"limit":7,"order_id":48291}`)
	assert.Contains(t, server.calls["find"], `{"limit":7}`)
	assert.Contains(t, server.calls["find"], `{"limit":0,"order_id":"ORD-42"}`)
}

func TestOptions_Invalid(t *testing.T) {
	t.Parallel()
	server := record(readOnly("find"))
	session := testutil.Connect(t, server.Server, nil)
	find := func(arguments any) []servertest.Case { return []servertest.Case{{Tool: "find", Arguments: arguments}} }
	for _, test := range []struct {
		opts servertest.Options
		want string
	}{
		{servertest.Options{Tools: []string{"fund"}}, `the server has no tool "fund"`},
		{servertest.Options{Skip: []string{"fund"}}, `the server has no tool "fund"`},
		{servertest.Options{Cases: []servertest.Case{{Tool: "fund"}}}, `the server has no tool "fund"`},
		{servertest.Options{Ignore: []string{"fund leak"}}, `the server has no tool "fund"`},
		{servertest.Options{Ignore: []string{"find leaks"}}, `there is no kind of finding "leaks"`},
		{servertest.Options{Cases: find(make(chan int))}, `the arguments of a case of "find": json: unsupported type: chan int`},
		{servertest.Options{Cases: find([]int{7})}, `the arguments of a case of "find" are not a JSON object`},
	} {
		_, err := servertest.Check(t.Context(), session, &test.opts)
		require.EqualError(t, err, test.want)
	}
	assert.Empty(t, server.calls)
}

func TestOptions_ProgressAndLeaks(t *testing.T) {
	t.Parallel()
	server := record(readOnly("first"), readOnly("second"))
	var progress []string
	report, err := servertest.Check(t.Context(), testutil.Connect(t, server.Server, nil), &servertest.Options{
		Timeout: testutil.Patience,
		Progress: func(tool string, done, total int) {
			progress = append(progress, fmt.Sprintf("%s %d/%d", tool, done, total))
		},
		Leaks: []*regexp.Regexp{regexp.MustCompile(`\bNo\.`)},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"first 0/2", "second 1/2"}, progress)
	assert.Equal(t, []string{"first leak", "second leak"}, kinds(report))
	assert.NotContains(t, fmt.Sprint(report.Findings), "No.", "what an author calls a leak is masked")
}
