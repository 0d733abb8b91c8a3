package desk

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

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

// madeKey is one that the server has made, of 130 random bits.
var madeKey = regexp.MustCompile(`"idempotencyKey":"[A-Z2-7]{26}"`)

var correlationID = regexp.MustCompile(`"correlationId":"\d{18}"`)

func TestWire_Transports(t *testing.T) {
	t.Parallel()
	orders, err := startOrders()
	require.NoError(t, err)
	defer orders.close()
	payments, err := startGateway()
	require.NoError(t, err)
	defer payments.close()
	flags := []string{"-orders", orders.URL, "-payments", payments.URL}
	wires := []*testutil.Wire{new(testutil.Wire), new(testutil.Wire), new(testutil.Wire)}
	sessions := []*mcp.ClientSession{
		testutil.Connect(t, newServer(orders.URL, payments.URL, patientClient(new(plan).transport(), upstreamTimeout),
			&idempotency.Options{UpstreamDedupes: true}, &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}),
			wires[0]),
		testutil.ConnectTo(t, transports["stdio"](t, flags...), wires[1]),
		testutil.ConnectTo(t, transports["http"](t, flags...), wires[2]),
	}
	for _, call := range failing {
		var texts []string
		for i, session := range sessions {
			orders.misbehave(call.orders...)
			payments.misbehave(call.payments...)
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: json.RawMessage(call.args)})
			require.NoError(t, err)
			texts = append(texts, envelope(t, wires[i].Last()))
		}
		assert.Equal(t, texts[0], texts[1])
		assert.Equal(t, texts[0], texts[2])
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
		next := slices.Index(keyOrder, fmt.Sprint(key))
		assert.Greater(t, next, at, "%v stands in its place", key)
		at = next
		var skip json.RawMessage
		require.NoError(t, d.Decode(&skip))
	}
	for _, key := range []string{"isError", "errorCategory", "isRetryable", "message", "hint"} {
		assert.Contains(t, text, `"`+key+`":`)
	}
	require.Len(t, correlationID.FindAllString(text, -1), 1)
	return madeKey.ReplaceAllString(correlationID.ReplaceAllString(text, ""), "")
}

// keyOrder is the order of the envelope's keys.
var keyOrder = []string{
	"isError", "errorCategory", "isRetryable", "code", "message", "hint", "customerMessage", "retryAfterMs", "field",
	"suggestions",
	"options", "effect", "idempotencyKey", "alternatives", "correlationId", "details", "attempted", "partial",
}
