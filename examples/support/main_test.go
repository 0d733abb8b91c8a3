package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestMain lets the test binary be the server, as the program is its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-serve" {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), nil, &stdout, &stderr), "%s", stderr.String())
	for _, want := range []string{
		"to the customer: No orders found for customer CUS-48291 in the last 90 days.",
		"to the customer: A colleague has to approve this refund.",
		"decide  verify", "decide  escalate", "decide  reauthorize", "decide  fix_input", "decide  propagate", "wait    1.",
		"lookup_order    transient   rate_limited       1",
	} {
		assert.Contains(t, stdout.String(), want)
	}
	assert.NotContains(t, stdout.String(), "level=", "the log is on stderr")
	assert.Equal(t, 13, strings.Count(stderr.String(), "tool call failed"), "one record for each failed call")
}

func TestScenariosAsJSON(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-json"}, &stdout, io.Discard))
	got := map[string]line{}
	for d := json.NewDecoder(&stdout); d.More(); {
		var l line
		require.NoError(t, d.Decode(&l))
		if l.Scenario == "throttled" {
			assert.GreaterOrEqual(t, l.WaitedMs, int64(1000))
		}
		l.WaitedMs = 0
		got[l.Scenario] = l
	}
	assert.Equal(t, map[string]line{
		"stall_with_key":         {"stall_with_key", "process_refund", 2, "data", "", "", false, "accept", 0},
		"stall_without_key":      {"stall_without_key", "process_refund", 1, "failure", "transient", "timeout", true, "verify", 0},
		"lost_reply_with_key":    {"lost_reply_with_key", "process_refund", 2, "data", "", "", false, "accept", 0},
		"lost_reply_without_key": {"lost_reply_without_key", "process_refund", 1, "failure", "transient", "unavailable", true, "verify", 0},
		"over_limit":             {"over_limit", "process_refund", 1, "failure", "business", "limit_exceeded", false, "escalate", 0},
		"no_orders":              {"no_orders", "lookup_order", 1, "empty", "", "", false, "accept", 0},
		"reset_once":             {"reset_once", "lookup_order", 2, "data", "", "", false, "accept", 0},
		"orders_down":            {"orders_down", "lookup_order", 3, "failure", "transient", "unavailable", true, "propagate", 0},
		"throttled":              {"throttled", "lookup_order", 2, "data", "", "", false, "accept", 0},
		"missing_argument":       {"missing_argument", "lookup_order", 1, "failure", "validation", "missing_argument", false, "fix_input", 0},
		"malformed_id":           {"malformed_id", "get_customer", 1, "failure", "validation", "invalid_argument", false, "fix_input", 0},
		"denied":                 {"denied", "get_customer", 1, "failure", "permission", "permission_denied", false, "reauthorize", 0},
		"unknown_tool":           {"unknown_tool", "close_account", 1, "failure", "validation", "not_found", false, "fix_input", 0},
	}, got)
}

func TestAScenarioThatGoesWrong(t *testing.T) {
	t.Parallel()
	wrong := scenario{"wrong", "It ends otherwise than it should", "lookup_order", func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
		a.orders.misbehave(deny)
		out, d := a.call(ctx, "lookup_order", map[string]any{"customer_id": "CUS-10001"})
		return out, d, ends(d, retry.ActionAccept, 1)
	}}
	var stdout bytes.Buffer
	err := runScenarios(t.Context(), []scenario{wrong, scenarios[5]}, false, &stdout, io.Discard)
	require.ErrorContains(t, err, "scenario wrong: reauthorize after 1 attempts")
	assert.Contains(t, stdout.String(), "WRONG")
	assert.NotContains(t, err.Error(), scenarios[5].name)
}

func TestBadFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-nonsense"},
		{"extra"},
		{"-serve"},
		{"-serve", "-orders", "http://x"},
		{"-orders", "http://x"},
		{"-serve", "-orders", "http://x", "-payments", "http://y", "-json"},
		{"-json=maybe"},
		{"-serve", "-orders", "localhost:80", "-payments", "http://127.0.0.1:1"},
		{"-serve", "-orders", "http://", "-payments", "http://127.0.0.1:1"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, run(t.Context(), args, &stdout, &stderr), "%q", args)
		assert.Empty(t, stdout.String())
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one sentence: %s", stderr.String())
	}
	var stdout bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-help"}, &stdout, io.Discard))
	assert.Contains(t, stdout.String(), "-json")
}

// failing are calls that fail, with the faults that make them.
var failing = []struct {
	tool, args string
	orders     []fault
	payments   []fault
}{
	{tool: "get_customer", args: `{}`},
	{tool: "get_customer", args: `{"customer_id":48291}`},
	{tool: "get_customer", args: `{"customer_id":"48291"}`},
	{tool: "get_customer", args: `{"customer_id":"CUS-10001"}`, orders: []fault{deny}},
	{tool: "lookup_order", args: `{"customer_id":"CUS-10001"}`, orders: []fault{down}},
	{tool: "lookup_order", args: `{"customer_id":"CUS-10001"}`, orders: []fault{throttle}},
	{tool: "lookup_order", args: `{"customer_id":"CUS-10001"}`, orders: []fault{reset}},
	{tool: "lookup_order", args: `{"customer_id":"CUS-10001"}`, orders: []fault{stall}},
	{tool: "process_refund", args: `{"order_id":"ORD-8","amount":650}`},
	{tool: "process_refund", args: `{"order_id":"ORD-8","amount":-1}`},
	{tool: "process_refund", args: `{"order_id":"ORD-7","amount":40}`, payments: []fault{stall}},
	{tool: "process_refund", args: `{"order_id":"ORD-7","amount":40,"idempotency_key":"k"}`, payments: []fault{lostReply}},
	{tool: "escalate_to_human", args: `{"reason":""}`},
}

var correlationID = regexp.MustCompile(`"correlationId":"[A-Z0-9]+"`)

func TestTheWireIsTheSameOverStdioAndInMemory(t *testing.T) {
	t.Parallel()
	orders, err := startOrders()
	require.NoError(t, err)
	defer orders.close()
	payments, err := startGateway()
	require.NoError(t, err)
	defer payments.close()
	memoryWire, stdioWire := new(testutil.Wire), new(testutil.Wire)
	memory := testutil.Connect(t, newServer(orders.URL, payments.URL, slog.New(slog.DiscardHandler)), memoryWire)
	self, err := os.Executable()
	require.NoError(t, err)
	command := exec.CommandContext(t.Context(), self, "-serve", "-orders", orders.URL, "-payments", payments.URL)
	stdio := testutil.ConnectTo(t, &mcp.CommandTransport{Command: command}, stdioWire)

	for _, call := range failing {
		var texts []string
		for session, wire := range map[*mcp.ClientSession]*testutil.Wire{memory: memoryWire, stdio: stdioWire} {
			orders.misbehave(call.orders...)
			payments.misbehave(call.payments...)
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: json.RawMessage(call.args)})
			require.NoError(t, err)
			texts = append(texts, envelope(t, wire.Last()))
		}
		assert.Equal(t, texts[0], texts[1])
	}
}

// envelope checks a reply for what every failure has, and returns its text
// without the correlation id.
func envelope(t *testing.T, reply []byte) string {
	t.Helper()
	var wire struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	require.NoError(t, json.Unmarshal(reply, &wire), "%s", reply)
	assert.JSONEq(t, `"complete"`, string(wire.Result["resultType"]))
	assert.JSONEq(t, `true`, string(wire.Result["isError"]))
	assert.NotContains(t, wire.Result, "structuredContent")
	var content []mcp.TextContent
	require.NoError(t, json.Unmarshal(wire.Result["content"], &content))
	require.Len(t, content, 1)
	text := content[0].Text

	d := json.NewDecoder(strings.NewReader(text))
	_, err := d.Token()
	require.NoError(t, err)
	at := -1
	for d.More() {
		key, err := d.Token()
		require.NoError(t, err)
		next := -1
		for i, known := range keyOrder {
			if known == key {
				next = i
			}
		}
		assert.Greater(t, next, at, "%v stands in its place", key)
		at = next
		var skip json.RawMessage
		require.NoError(t, d.Decode(&skip))
	}
	for _, key := range []string{"isError", "errorCategory", "isRetryable", "message", "hint"} {
		assert.Contains(t, text, `"`+key+`":`)
	}
	require.Len(t, correlationID.FindAllString(text, -1), 1)
	return correlationID.ReplaceAllString(text, "")
}

// keyOrder is the order of the envelope's keys.
var keyOrder = []string{
	"isError", "errorCategory", "isRetryable", "code", "message", "hint", "customerMessage", "retryAfterMs", "field", "suggestions",
	"options", "effect", "idempotencyKey", "alternatives", "correlationId", "details", "attempted", "partial",
}
