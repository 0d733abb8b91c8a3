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
			return result.Failure(toolerr.Validation("No. The a or order_id does not fit: " + string(req.Params.Arguments)).
				WithHint("h")), nil
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
		"skip": {
			&servertest.Options{All: true, Skip: []string{"reads", "destroys"}},
			[]string{"idempotent", "says_nothing"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := record(tools...)
			report := check(t, server.Server, test.opts)
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
	server := record(tools...)
	check(t, server.Server, &servertest.Options{Cases: []servertest.Case{{
		Tool:      "destroys",
		Arguments: map[string]string{"a": "b"},
	}}})
	assert.Equal(t, []string{`{"a":"b"}`}, server.calls["destroys"], "the case and no more")
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
	server := record(&mcp.Tool{
		Name: "order", InputSchema: json.RawMessage(schema),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	})
	check(t, server.Server, nil)
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
	session := testutil.Connect(t, serve(envelope, found), nil)
	data, nothing, wrong := lookup{OrderID: "ORD-10001"}, lookup{OrderID: "ORD-7"}, lookup{}
	for name, test := range map[string]struct {
		given servertest.Case
		want  []string // the details of the findings
	}{
		"data as wanted":    {servertest.Case{Arguments: data, Kind: result.KindData}, []string{}},
		"nothing as wanted": {servertest.Case{Arguments: nothing, Kind: result.KindEmpty}, []string{}},
		"failure as wanted": {servertest.Case{
			Arguments: wrong, Category: toolerr.CategoryValidation,
			Code: toolerr.CodeMissingArgument,
		}, []string{}},
		"nothing wanted": {servertest.Case{Arguments: wrong}, []string{}},
		"data for a failure": {
			servertest.Case{Arguments: data, Kind: result.KindFailure},
			[]string{"the answer is data instead of failure"},
		},
		"empty for a failure": {
			servertest.Case{Arguments: nothing, Code: toolerr.CodeNotFound},
			[]string{"the answer is empty instead of failure"},
		},
		"failure for nothing": {
			servertest.Case{Arguments: wrong, Kind: result.KindEmpty},
			[]string{"the answer is failure instead of empty"},
		},
		"failure for data": {
			servertest.Case{Arguments: wrong, Kind: result.KindData},
			[]string{"the answer is failure instead of data"},
		},
		"empty for data": {
			servertest.Case{Arguments: nothing, Kind: result.KindData},
			[]string{"the answer is empty instead of data"},
		},
		"another category": {
			servertest.Case{Arguments: wrong, Category: toolerr.CategoryBusiness},
			[]string{"the category is \"validation\" instead of \"business\""},
		},
		"another code": {
			servertest.Case{Arguments: wrong, Code: toolerr.CodeOutOfRange},
			[]string{"the code is \"missing_argument\" instead of \"out_of_range\""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test.given.Tool = "find"
			report := checkSession(t, session, &servertest.Options{Skip: []string{"find"}, Cases: []servertest.Case{test.given}})
			details := []string{}
			for _, f := range report.Findings {
				details = append(details, f.Detail)
			}
			assert.Equal(t, test.want, details, "%s", report)
			assert.Empty(t, checkSession(t, session,
				&servertest.Options{Cases: []servertest.Case{test.given}, Ignore: []string{"find unexpected"}}).Findings)
		})
	}
}

func TestCheck_VariesCase(t *testing.T) {
	t.Parallel()
	server := record(readOnly("find"))
	check(t, server.Server, &servertest.Options{
		Cases: []servertest.Case{{
			Tool: "find", Kind: result.KindData,
			Arguments: map[string]any{"order_id": "ORD-42", "limit": 7},
		}},
	})
	assert.Subset(t, server.calls["find"],
		[]string{`{"limit":7,"order_id":48291}`, `{"limit":7}`, `{"limit":0,"order_id":"ORD-42"}`})
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
		{servertest.Options{Allow: []servertest.Kind{"credentials"}}, `there is no kind of finding "credentials"`},
		{
			servertest.Options{Cases: find(make(chan int))},
			`the arguments of a case of "find": json: unsupported type: chan int`,
		},
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
	report := check(t, server.Server, &servertest.Options{
		Timeout: testutil.Patience,
		Progress: func(tool string, done, total int) {
			progress = append(progress, fmt.Sprintf("%s %d/%d", tool, done, total))
		},
		Leaks: []*regexp.Regexp{regexp.MustCompile(`\bNo\.`)},
	})
	assert.Equal(t, []string{"first 0/2", "second 1/2"}, progress)
	assert.Equal(t, []string{"first leak", "second leak"}, kinds(report))
	assert.NotContains(t, fmt.Sprint(report.Findings), "No.", "what an author calls a leak is masked")
}

func TestCheck_Annotations(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	const plain, keyed = lookupSchema, `{"type":"object","properties":{"idempotencyKey":{"type":"string"}}}`
	for name, test := range map[string]struct {
		hints  *mcp.ToolAnnotations
		schema string
		found  bool
	}{
		"none":            {nil, plain, true},
		"title":           {&mcp.ToolAnnotations{Title: "Find"}, plain, true},
		"open world":      {&mcp.ToolAnnotations{OpenWorldHint: &yes}, plain, true},
		"read-only":       {&mcp.ToolAnnotations{ReadOnlyHint: true}, plain, false},
		"idempotent":      {&mcp.ToolAnnotations{IdempotentHint: true}, plain, false},
		"destructive":     {&mcp.ToolAnnotations{DestructiveHint: &yes}, plain, false},
		"not destructive": {&mcp.ToolAnnotations{DestructiveHint: &no}, plain, false},
		"key":             {nil, keyed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, opts := range []*servertest.Options{{Skip: []string{"tool"}}, {}, {All: true}} {
				server := record(readOnly("a"),
					&mcp.Tool{Name: "tool", InputSchema: json.RawMessage(test.schema), Annotations: test.hints}, readOnly("z"))
				report := check(t, server.Server, opts)
				if !test.found {
					assert.Empty(t, report.Findings)
					continue
				}
				require.Len(t, report.Findings, 1, "once, however often the tool was called")
				f := report.Findings[0]
				assert.Equal(t, "tool no_annotations", f.Tool+" "+string(f.Kind))
				assert.Empty(t, f.Calls)
				assert.Regexp(t, `^[A-Z][^.]+\.$`, f.Why, "one sentence")
				assert.Regexp(t, `^[A-Z][^.]+\.$`, f.Fix, "one sentence")
				assert.NotEqual(t, servertest.TierProven, report.Tier)
			}
		})
	}
}

func TestCheck_FindingsInOrderOfTools(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "planted"}, nil)
	for _, name := range []string{"a", "b", "c"} {
		tool := readOnly(name)
		// one mistake each
		tool.InputSchema = json.RawMessage(`{"type":"object","required":["order_id"],"properties":{"order_id":{}}}`)
		if name != "c" {
			tool.Annotations = nil
		}
		add(server, tool, saying("bad arguments"), found)
	}
	session := testutil.Connect(t, server, nil)
	report := checkSession(t, session, &servertest.Options{All: true})
	assert.Equal(t, []string{
		"a no_annotations", "a bare_text", "a same_answer", "b no_annotations", "b bare_text",
		"b same_answer", "c bare_text", "c same_answer",
	}, kinds(report))
	report = checkSession(t, session, &servertest.Options{Ignore: []string{"no_annotations"}})
	assert.Equal(t, []string{"c bare_text"}, kinds(report))
}

// A description that asks for a new key in each call makes a repeat a second call.
func TestCheck_NewKeys(t *testing.T) {
	t.Parallel()
	for about, found := range map[string]bool{
		"A unique key for each request.": true, "Generate a new UUID per call": true,
		"Identifies the refund: send the same key when you repeat the call.": false,
		"A unique key, at most 255 characters.":                              false,
	} {
		schema, _ := json.Marshal(map[string]any{
			"type":       "object",
			"properties": map[string]any{"idempotency_key": map[string]any{"type": "string", "description": about}},
		})
		report := check(t, record(&mcp.Tool{Name: "pay", InputSchema: json.RawMessage(schema)}).Server, nil)
		assert.Equal(t, found, slices.Contains(kinds(report), "pay new_keys"), about)
	}
}
