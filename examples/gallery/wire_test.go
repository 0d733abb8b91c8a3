package main

import (
	"encoding/json"
	"regexp"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// conversation are calls of all tools, in an order in which what a call leaves
// behind matters to the next, and the text of each answer, or the head of it.
var conversation = []struct{ tool, args, text string }{
	{"get_stock_price", `{"symbol":"APLE"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"There is no ticker \"APLE\".","hint":"Did you mean \"AAPL\", \"APP\"? Call again with that, or ask the user.","field":"symbol","suggestions":["AAPL","APP"],"effect":"none"}`},
	{"get_stock_price", `{"symbol":"AAPL"}`, `{"company":"Apple Inc.","price":201.5,"symbol":"AAPL"}`},
	{"read_record", `{"record_id":"REC-1"}`, `{"record":"Personnel record REC-1: salary group 7."}`},
	{"read_record", `{"record_id":"REC-2"}`, `{"isError":true,"errorCategory":"permission","isRetryable":false,"code":"permission_denied","message":"Policy does not allow record REC-2 to be shown.","hint":"Do not retry or work around it; tell the user that it was refused.","effect":"none"}`},
	{"read_record", `{"record_id":"REC-3"}`, `{"isError":true,"errorCategory":"transient","isRetryable":false,"code":"internal","message":"The policy check failed. Nothing is shown; the record may or may not exist.","hint":"Do not assume that there is no record, and do not try another way to it. Tell the user that the check failed and that the operators have to fix it.","effect":"none"}`},
	{"read_file", `{"path":"src/auth/sesion.ts"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"There is no file \"src/auth/sesion.ts\".","hint":"Did you mean \"src/auth/session.ts\", \"src/auth/sessions.ts\"? Call again with that, or ask the user.","field":"path","suggestions":["src/auth/session.ts","src/auth/sessions.ts"],"effect":"none"}`},
	{"write_file", `{"path":"infra/main.tf","content":""}`, `{"isError":true,"errorCategory":"permission","isRetryable":false,"code":"permission_denied","message":"Writing under infra/ is blocked by the policy of this workspace.","hint":"Do not try another path under infra/, or another way to change it. If the file serves its purpose elsewhere, write it there; else tell the user.",`},
	{"write_file", `{"path":"../x","content":""}`, `{"isError":true,"errorCategory":"permission","isRetryable":false,"code":"permission_denied","message":"The path leads out of the workspace, and nothing outside of it can be used.","hint":"Use a path relative to the workspace, such as src/auth/session.ts; if the task needs a file outside of it, tell the user.",`},
	{"write_file", `{"path":"./docs/../new/folder/a.md","content":"<b>"}`, `{"bytes":3,"path":"new/folder/a.md"}`},
	{"read_file", `{"path":"new/folder/a.md"}`, `{"content":"\u003cb\u003e","path":"new/folder/a.md"}`},
	{"open_file", `{"name":"a"}`, `{"content":"\u003cb\u003e","path":"new/folder/a.md"}`},
	{"open_file", `{"name":"session"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"ambiguous","message":"name \"session\" fits 3 things.","hint":"Call again with name as the one of options that the task clearly means; else ask the user which.","field":"name","options":[{"name":"src/auth/session.ts"},{"name":"src/db/session.ts"},{"name":"src/ws/session.ts"}],"effect":"none"}`},
	{"terminate_instance", `{"instance_id":"i-101"}`, `{"isError":true,"errorCategory":"business","isRetryable":false,"code":"failed_precondition","message":"Instance i-101 is running, and only a stopped instance can be terminated.","hint":"Call stop_instance with instance_id i-101 first, then call terminate_instance again.","effect":"none","details":{"first":"stop_instance","state":"running"}}`},
	{"stop_instance", `{"instance_id":"i-101"}`, `{"instance_id":"i-101","state":"stopped"}`},
	{"terminate_instance", `{"instance_id":"i-101"}`, `{"instance_id":"i-101","state":"terminated"}`},
	{"book_travel", `{"destination":"Lisbon","date":"2024-07-31"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"out_of_range","message":"date must not be in the past: today is 2025-07-25, got 2024-07-31.","hint":"If 2025-07-31 was meant, call again with that; else with date from 2025-07-25 to 2026-07-25.","field":"date","suggestions":["2025-07-31"],"effect":"none"}`},
	{"book_travel", `{"destination":"Lisbon","date":"2025-07-31"}`, `{"booking":"TRIP-1","date":"2025-07-31","destination":"Lisbon"}`},
	{"process_batch", `{"batch_id":"BATCH-50"}`, `{"isError":true,"errorCategory":"transient","isRetryable":false,"code":"rate_limited","message":"Items up to 15 of 50 were sent; then the mail gateway stopped.","hint":"Wait for retryAfterMs, then call process_batch with batch_id BATCH-50 and continue_from 16. Do not start from 1.","retryAfterMs":151,"effect":"applied","partial":{"processed":15,"total":50,"continueFrom":16,`},
	{"charge_card", `{"order_id":"ORD-7","card":"card_lost_reply","cents":4000,"idempotency_key":"k1"}`, `{"isError":true,"errorCategory":"transient","isRetryable":true,"code":"unavailable","message":"The bank's reply was lost, and the card may have been charged.","hint":"Call charge_card again with the same arguments and idempotencyKey as idempotency_key: it is then charged once. Without that, call list_charges with order_id ORD-7 first.","effect":"unknown","idempotencyKey":"k1"}`},
	{"charge_card", `{"order_id":"ORD-7","card":"card_lost_reply","cents":4000,"idempotency_key":"k1"}`, `{"cents":4000,"charge_id":"CH-1","order_id":"ORD-7"}`},
	{"charge_card", `{"order_id":"ORD-7","card":"card_lost_reply","cents":4001,"idempotency_key":"k1"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"conflict",`},
	{"charge_card", `{"order_id":"ORD-8","card":"card_declined","cents":1}`, `{"isError":true,"errorCategory":"business","isRetryable":false,"code":"card_declined","message":"The bank declined the card.",`},
	{"list_charges", `{"order_id":"ORD-7"}`, `{"charges":[{"cents":4000,"charge_id":"CH-1","order_id":"ORD-7"}]}`},
	{"list_charges", `{"order_id":"ORD-8"}`, `Nothing was charged for order ORD-8.`},
	{"export_report", `{"report":"annual"}`, `{"isError":true,"errorCategory":"transient","isRetryable":true,"code":"internal","message":"The annual report could not be exported, for an unknown reason.","hint":"Retry the same call at once; it changes nothing.","effect":"none"}`},
	{"export_report", `{"report":"annual"}`, `{"isError":true,"errorCategory":"transient","isRetryable":true,"code":"internal","message":"The annual report could not be exported, for an unknown reason.","hint":"Retry the same call once more; it changes nothing.","effect":"none"}`},
	{"export_report", `{"report":"annual"}`, `{"isError":true,"errorCategory":"transient","isRetryable":false,"code":"internal","message":"The annual report could not be exported, for an unknown reason.","hint":"Do not retry: it failed three times in a row. Give the user the link https://dashboard.example.com/reports/annual to export it by hand.","customerMessage":"I could not export the annual report. You can do it yourself at https://dashboard.example.com/reports/annual.","effect":"none"}`},
	{"get_weather", `{"city":"Hanoi","units":"celsius"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"invalid_argument","message":"units must be one of \"metric\", \"imperial\".","hint":"Call again: units must be one of \"metric\", \"imperial\".","field":"units","effect":"none"}`},
	{"get_weather", `{"city":"Hanoi","units":"imperial"}`, `{"city":"Hanoi","temperature":87.8,"units":"imperial"}`},
	{"get_weather", `{"city":"Lissbon"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"There is no city \"Lissbon\".","hint":"Did you mean \"Lisbon\"? Call again with that, or ask the user.","field":"city","suggestions":["Lisbon"],"effect":"none"}`},
	{"get_weather", `{"city":"Longyearbyen"}`, `{"isError":true,"errorCategory":"transient","isRetryable":true,"code":"timeout","message":"The weather service did not answer.","hint":"Retry the same call after a few seconds, at most twice; then tell the user.",`},
	{"get_weather", `{"city":"Longyearbyen"}`, `{"city":"Longyearbyen","temperature":6,"units":"metric"}`},
}

func TestWire_Transports(t *testing.T) {
	t.Parallel()
	results := map[string][]string{}
	var mu sync.Mutex
	t.Run("transports", func(t *testing.T) {
		t.Parallel()
		for name, connect := range connections {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				wire := new(testutil.Wire)
				session := connect(t, wire)
				var got []string
				for _, call := range conversation {
					_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: json.RawMessage(call.args)})
					require.NoError(t, err)
					got = append(got, strict(t, wire.Last(), call.text))
				}
				mu.Lock()
				defer mu.Unlock()
				results[name] = got
			})
		}
	})
	t.Cleanup(func() {
		require.Len(t, results, 3)
		for i, call := range conversation {
			assert.Equal(t, results["memory"][i], results["stdio"][i], "%s %s", call.tool, call.args)
			assert.Equal(t, results["memory"][i], results["http"][i], "%s %s", call.tool, call.args)
		}
	})
}

var (
	correlationID = regexp.MustCompile(`,\\?"correlationId\\?":\\?"\d{18}\\?"`)
	madeKey       = regexp.MustCompile(`"[A-Z2-7]{26}"`)
)

// strict checks a reply as a client does that validates results: data where the
// call succeeded, and none where it failed. It returns the result as it was sent,
// without what is random.
func strict(t *testing.T, reply []byte, head string) string {
	t.Helper()
	var message struct {
		Result json.RawMessage `json:"result"`
	}
	require.NoError(t, json.Unmarshal(reply, &message), "%s", reply)
	var res map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(message.Result, &res), "%s", reply)
	var content []map[string]string
	require.NoError(t, json.Unmarshal(res["content"], &content))
	require.NotEmpty(t, content)
	text := correlationID.ReplaceAllString(content[0]["text"], "")
	assert.Equal(t, head, text[:min(len(head), len(text))])
	assert.JSONEq(t, `"complete"`, string(res["resultType"]))
	if string(res["isError"]) == "true" {
		assert.Len(t, content, 1)
		assert.NotContains(t, res, "structuredContent")
		assert.Regexp(t, correlationID, content[0]["text"])
	} else {
		require.Contains(t, res, "structuredContent")
		assert.NotContains(t, string(res["structuredContent"]), "null")
		if text[0] == '{' {
			assert.JSONEq(t, text, string(res["structuredContent"]))
		}
	}
	return madeKey.ReplaceAllString(correlationID.ReplaceAllString(string(message.Result), ""), "")
}

func TestWire_EveryTool(t *testing.T) {
	t.Parallel()
	called := map[string]bool{}
	for _, call := range conversation {
		called[call.tool] = true
	}
	session := testutil.Connect(t, start(t).Server, nil)
	for tool, err := range session.Tools(t.Context(), nil) {
		require.NoError(t, err)
		assert.True(t, called[tool.Name], tool.Name)
		assert.NotNil(t, tool.OutputSchema, tool.Name)
		assert.NotEmpty(t, tool.Description, tool.Name)
	}
}
