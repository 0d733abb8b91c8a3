package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// What is no answer is not sent as a success.
func TestOK_NeverByAccident(t *testing.T) {
	t.Parallel()
	var nilError *toolerr.Error
	cycle := map[string]any{}
	cycle["a"], cycle["b"] = cycle, cycle
	for name, test := range map[string]struct {
		value any
		code  toolerr.Code
	}{
		"an error":               {errors.New("x"), toolerr.CodeInternal},
		"a tool error":           {toolerr.NotFound("order", "7"), toolerr.CodeNotFound},
		"a tool error by value":  {*toolerr.NotFound("order", "7"), toolerr.CodeNotFound},
		"wrapped":                {fmt.Errorf("a: %w", toolerr.NotFound("order", "7")), toolerr.CodeNotFound},
		"a nil tool error":       {nilError, toolerr.CodeInternal},
		"a result":               {result.OK("x"), toolerr.CodeInternal},
		"a result by value":      {mcp.CallToolResult{}, toolerr.CodeInternal},
		"a nil result":           {(*mcp.CallToolResult)(nil), toolerr.CodeInternal},
		"an outcome, by pointer": {&result.Outcome{}, toolerr.CodeInternal},
		"no JSON":                {make(chan int), toolerr.CodeInternal},
		"an outcome":             {result.Parse(result.OK("x"), nil), toolerr.CodeInternal},
	} {
		for _, res := range []*mcp.CallToolResult{result.OK(test.value), result.Empty("None.", test.value)} {
			out := result.Parse(res, nil)
			require.Equal(t, result.KindFailure, out.Kind, name)
			assert.Equal(t, test.code, out.Err.Code, name)
		}
	}
	assert.Equal(t, "The tool's answer could not be encoded.", result.Parse(result.OK(cycle), nil).Err.Message)
	assert.Equal(t, result.KindData, result.Parse(result.OK("Error: this is the text of a page."), nil).Kind)
	assert.Equal(t, result.KindData, result.Parse(result.OK(string(toolerr.Transient("busy").AppendJSON(nil))), nil).Kind,
		"a file with an envelope")
	assert.Nil(t, result.OK(`{"success":false,"error":"access denied"}`).Meta, "a failure is not marked as data")
}

// The result and the output of a typed handler may differ only if nothing is lost.
func TestHandler_Contradiction(t *testing.T) {
	t.Parallel()
	type orders struct {
		Orders []string `json:"orders"`
		Next   string   `json:"next"`
	}
	type customer struct {
		Name string                    `json:"name"`
		Home struct{ Since time.Time } `json:"home"`
	}
	part := map[string]any{"home": map[string]any{"no": 1}, "name": ""}
	full, ann := orders{Orders: []string{"ORD-7"}}, customer{"Ann", struct{ Since time.Time }{time.Now()}}
	for name, test := range map[string]struct {
		res  *mcp.CallToolResult
		out  any
		fits bool
	}{
		"OK beside nothing":             {result.OK(full), orders{}, false},
		"OK beside another":             {result.OK(full), orders{Orders: []string{"ORD-8"}}, false},
		"OK of a list beside nothing":   {result.OK(full.Orders), orders{}, false},
		"empty beside a full list":      {result.Empty("None.", nil), full, false},
		"empty beside a full record":    {result.Empty("None.", nil), ann, false},
		"OK beside the same":            {result.OK(full), full, true},
		"OK of nothing beside nothing":  {result.OK(orders{}), orders{}, true},
		"empty beside an empty list":    {result.Empty("None.", nil), orders{}, true},
		"empty beside an empty record":  {result.Empty("None.", nil), customer{}, true},
		"empty beside what was asked":   {result.Empty("None.", nil), customer{Name: "Ann"}, true},
		"empty beside full members":     {result.Empty("None.", nil), map[string]any{"name": "Ann"}, false},
		"empty beside a part":           {result.Empty("None.", nil), part, false},
		"empty beside half a record":    {result.Empty("None.", nil), map[string]any{"name": "Ann", "home": ""}, true},
		"an author's text":              {withStructured(nil, block("One order.")), full, true},
		"an author's text, no output":   {withStructured(nil, block("One order.")), orders{}, true},
		"OK beside an output of no use": {result.OK(full), struct{}{}, true},
		"another kind of result":        {nil, &mcp.ElicitResult{Action: "accept"}, true},
		"an error as the output":        {nil, errors.New("redis: connection pool timeout"), false},
		"an outcome as the output":      {nil, result.Outcome{}, false},
	} {
		server := serve(quiet())
		result.AddTool(server, &mcp.Tool{Name: "t"}, returns[none](test.res, test.out, nil))
		out := callTool(t, testutil.Connect(t, server, nil), "t", nil)
		require.NotNil(t, out.Result, name)
		assert.Equal(t, !test.fits, out.Result.IsError, name)
		if !test.fits {
			assert.Equal(t, "transient internal unknown", reads(out.Err), name)
		}
	}
	server := serve(quiet()) // an output may have the type of an error, if it is declared so
	result.AddTool(server, &mcp.Tool{Name: "t"}, returns[none](nil, &json.SyntaxError{Offset: 7}, nil))
	assert.Equal(t, result.KindData, callTool(t, testutil.Connect(t, server, nil), "t", nil).Kind)
}

// A failure is an envelope without the middleware too. No text of a cause is sent, and the log
// says once what is missing.
func TestAddTool_WithoutMiddleware(t *testing.T) { //nolint:paralleltest // it replaces the default logger
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTyped(server, "t", fails(errors.New("postgres://admin:hunter2@db refused")))
	result.AddTool(server, &mcp.Tool{Name: "strict"},
		returns[none](result.Failure(errOverLimit), strict{}, nil))
	session := testutil.Connect(t, server, nil)
	for range 2 { // as a stateless server, which is made for each request
		other := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		addTyped(other, "t", fails(errors.New("postgres://admin:hunter2@db refused")))
		out := callTool(t, testutil.Connect(t, other, nil), "t", nil)
		assert.Equal(t, "transient internal unknown", reads(out.Err))
		assert.NotContains(t, out.Text(), "admin")
	}
	out := callTool(t, session, "strict", nil)
	assert.Equal(t, 1, strings.Count(log.String(), "server.AddReceivingMiddleware(result.Middleware(nil))"), log.String())
	assert.Equal(t, toolerr.CodeLimitExceeded, out.Err.Code)
	assert.Nil(t, out.Result.StructuredContent)
}

// An outcomeOf is a failure, a success, or records of which some have an error.
type outcomeOf struct {
	Success bool             `json:"success"`
	Error   string           `json:"error,omitempty"`
	Items   []map[string]any `json:"items,omitempty"`
}

// Data that looks like a partial result is marked as data and read as such. Other successes have
// no mark, also those that report a failure: their author is told.
func TestMiddleware_DataMark(t *testing.T) {
	t.Parallel()
	wire := new(testutil.Wire)
	server := serve(logged(io.Discard))
	var out outcomeOf
	denied, done := outcomeOf{Error: "access denied"}, outcomeOf{Success: true}
	records := outcomeOf{Success: true, Items: []map[string]any{{"id": "1", "name": "x"}, {"id": "2", "error": "404"}}}
	shared := withStructured(nil, block(`{"success":false,"error":"access denied"}`))
	result.AddTool(server, &mcp.Tool{Name: "typed"},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, outcomeOf, error) {
			return nil, out, nil
		})
	marked := withStructured(nil, block(testutil.JSON(records)))
	marked.Meta = mcp.Meta{"a": 1}
	addRaw(server, "raw", func(context.Context) (*mcp.CallToolResult, error) {
		if out.Success {
			return map[bool]*mcp.CallToolResult{true: marked, false: result.OK(out)}[out.Items != nil], nil
		}
		return shared, nil
	})
	session := testutil.Connect(t, server, wire)
	for _, tool := range []string{"typed", "raw"} {
		for _, out = range []outcomeOf{denied, done, records} {
			got := callTool(t, session, tool, nil)
			if !out.Success {
				assert.Equal(t, result.KindFailure, got.Kind, tool)
				assert.NotContains(t, string(wire.Last()), "mcp-toolerr/kind")
				continue
			}
			assert.Equal(t, result.KindData, got.Kind, "%s: %v", tool, out)
			assert.Equal(t, out.Items != nil, strings.Contains(string(wire.Last()), `"io.github.mcp-toolerr/kind":"data"`),
				"%s: %v", tool, out)
			value, err := result.Decode[outcomeOf](got)
			require.NoError(t, err)
			assert.Equal(t, out, value)
		}
	}
	assert.Nil(t, shared.Meta, "a result that calls share is not changed")
	assert.Equal(t, mcp.Meta{"a": 1}, marked.Meta)

	// OK marks its result, for servers without the middleware, unless it is a failure.
	assert.Equal(t, result.KindFailure, result.Parse(result.OK(denied), nil).Kind)
	assert.Equal(t, result.KindData, result.Parse(result.OK(`[{"id":1,"name":"x"},{"id":2,"error":"404"}]`), nil).Kind,
		"a record with an error")
	assert.Nil(t, result.OK(done).Meta)
	assert.Nil(t, result.OK(map[string]any{"items": []int{}}).Meta, "nothing is nothing")
	res := failed("access denied")
	res.Meta = mcp.Meta{"io.github.mcp-toolerr/kind": "data"}
	assert.Equal(t, result.KindFailure, result.Parse(res, nil).Kind)
}

// The zero output of a typed handler does not become details of its failed result.
func TestMiddleware_ZeroOutput(t *testing.T) {
	t.Parallel()
	type counted struct {
		Count int       `json:"count"`
		Open  bool      `json:"open"`
		At    time.Time `json:"at"`
	}
	server := serve(quiet())
	addOutput[[]string](server, "list", nil)
	addOutput[[]string](server, "list after two", nil, block("Sorry."))
	addOutput(server, "object", strict{})
	addOutput(server, "nil text", strict{}, (*mcp.TextContent)(nil))
	addOutput(server, "told", strict{Name: "shop"})
	addOutput(server, "counts", counted{})
	addBrokenTools(server)
	session := testutil.Connect(t, server, nil)
	for tool, want := range map[string]map[string]any{
		"list": nil, "list after two": nil, "object": nil, "nil text": nil, "counts": nil, "overwritten": nil,
		"told": {"name": "shop"},
	} {
		out := callTool(t, session, tool, nil)
		require.NotNil(t, out.Err, tool)
		assert.Equal(t, "Out of stock.", out.Err.Message, tool)
		assert.Equal(t, want, out.Err.Details, tool)
		if tool == "list after two" {
			assert.Equal(t, text("Sorry."), out.Result.Content[1:], tool)
		} else {
			assert.Len(t, out.Result.Content, 1, tool)
		}
	}
}

// addOutput adds a tool of the SDK's that fails with a text, beside an output.
func addOutput[T any](server *mcp.Server, name string, out T, more ...mcp.Content) {
	res := withStructured(nil, append(text("Out of stock."), more...)...)
	mcp.AddTool(server, &mcp.Tool{Name: name}, returns[none](flagged(res), out, nil))
}
