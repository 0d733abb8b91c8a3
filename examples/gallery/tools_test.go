package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestTravel_Dates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ today, date, likely string }{
		"last year":                      {"2025-07-25", "2024-07-31", "2025-07-31"},
		"last year, past this year too":  {"2025-07-25", "2024-03-01", "2026-03-01"},
		"this year":                      {"2025-07-25", "2025-07-24", "2026-07-24"},
		"the same day":                   {"2025-07-25", "2019-07-25", "2025-07-25"},
		"long ago":                       {"2025-07-25", "0001-01-01", "2026-01-01"},
		"a leap day":                     {"2025-07-25", "2024-02-29", "2026-03-01"},
		"a leap day, to a leap year":     {"2028-01-10", "2024-02-29", "2028-02-29"},
		"a leap day, in the year before": {"2027-12-31", "2024-02-29", "2028-02-29"},
		"too far ahead":                  {"2025-07-25", "2026-07-26", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			today, err := time.Parse(time.DateOnly, c.today)
			require.NoError(t, err)
			agency := &travelAgency{today: func() time.Time { return today }}
			session := alone(t, func(server *mcp.Server) { addBookTravel(server, agency) })
			book := func(date string) result.Outcome {
				return ask(t.Context(), session, "book_travel", travelIn{"Lisbon", date})
			}
			out := book(c.date)
			resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeOutOfRange, out)
			assert.Equal(t, "date", out.Err.Field)
			assert.Contains(t, out.Err.Message, c.today)
			if c.likely == "" {
				assert.Empty(t, out.Err.Suggestions)
				return
			}
			require.Equal(t, []string{c.likely}, out.Err.Suggestions)
			assert.Contains(t, out.Err.Hint, c.likely)
			assert.Equal(t, result.KindData, book(c.likely).Kind, "what is suggested can be booked")
		})
	}
}

// TestGallery_Clock looks at the date of a server without -today.
func TestGallery_Clock(t *testing.T) {
	t.Parallel()
	var opts options
	assert.WithinDuration(t, time.Now(), opts.date(), 24*time.Hour+time.Minute)
	assert.Equal(t, opts.date().Format(time.DateOnly)+"T00:00:00Z", opts.date().Format(time.RFC3339))
	require.NoError(t, opts.setToday("2025-07-25"))
	assert.Equal(t, theDay, opts.date())
}

// TestGallery_Tools compares the safety that a client reads from the annotations, and expects
// every tool to be described and to be in the conversation.
func TestGallery_Tools(t *testing.T) {
	t.Parallel()
	called, got := map[string]bool{}, map[string]string{}
	for _, call := range conversation {
		called[call.tool] = true
	}
	for tool, err := range testutil.Connect(t, start(t).Server, nil).Tools(t.Context(), nil) {
		require.NoError(t, err)
		got[tool.Name] = retry.SafetyOf(tool).String()
		assert.True(t, called[tool.Name], tool.Name)
		assert.NotNil(t, tool.OutputSchema, tool.Name)
		assert.NotEmpty(t, tool.Description, tool.Name)
	}
	assert.Equal(t, map[string]string{
		"get_stock_price": "read_only", "read_record": "read_only", "read_file": "read_only", "open_file": "read_only",
		"list_charges":  "read_only",
		"export_report": "read_only", "get_weather": "read_only",
		"write_file": "idempotent", "stop_instance": "idempotent", "terminate_instance": "idempotent",
		"process_batch": "idempotent",
		"charge_card":   "keyed", "book_travel": "unknown",
	}, got)
}

func TestTerminate_Final(t *testing.T) {
	t.Parallel()
	f := newFleet()
	session := alone(t, func(server *mcp.Server) {
		addTerminateInstance(server, f)
		addStopInstance(server, f)
	})
	call := func(tool, id string) result.Outcome {
		return ask(t.Context(), session, tool, instanceIn{id})
	}
	// both are idempotent
	for _, tool := range []string{"stop_instance", "stop_instance", "terminate_instance", "terminate_instance"} {
		assert.Equal(t, result.KindData, call(tool, "i-102").Kind)
	}
	resulttest.AssertFailure(t, toolerr.CategoryBusiness, toolerr.CodeConflict, call("stop_instance", "i-102"))

	out := call("terminate_instance", "i-104")
	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound, out)
	assert.Empty(t, out.Err.Suggestions, "nobody else's instance is suggested")
	assert.Equal(t, running, f.states["i-101"])
}

// A check that fails, in whatever way, shows nothing, claims nothing, and is an ERROR in the log.
func TestRecord_FailedChecks(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	other, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	says := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"allowed":true}`, code) }
	}
	genuine := &recordArchive{private}
	for name, test := range map[string]struct {
		record  string
		policy  http.Handler
		archive http.Handler
		key     ed25519.PublicKey
		shown   bool
	}{
		"all is well":          {"REC-1", policyService{}, genuine, public, true},
		"down":                 {"REC-3", policyService{}, genuine, public, false},
		"no decision":          {"REC-5", policyService{}, genuine, public, false},
		"broken off":           {"REC-6", policyService{}, genuine, public, false},
		"not there":            {"REC-1", status(http.StatusNotFound), genuine, public, false},
		"not our business":     {"REC-1", status(http.StatusForbidden), genuine, public, false},
		"allowed, in an error": {"REC-1", status(http.StatusInternalServerError), genuine, public, false},
		"allowed, as a text":   {"REC-1", says(`{"allowed":"true"}`), genuine, public, false},
		"null":                 {"REC-1", says(`{"allowed":null}`), genuine, public, false},
		"a page":               {"REC-1", says(`<html>sign in</html>`), genuine, public, false},
		"nothing":              {"REC-1", says(``), genuine, public, false},
		"forged":               {"REC-4", policyService{}, genuine, public, false},
		"signed by another":    {"REC-1", policyService{}, genuine, other, false},
		"the signature of another one": {
			"REC-1",
			policyService{},
			http.HandlerFunc(func(w http.ResponseWriter,
				r *http.Request,
			) {
				r.URL.Path = "/records/REC-7"
				genuine.ServeHTTP(w, r)
			}), public, false,
		},
		"no signature": {"REC-1", policyService{}, says(`{"text":"Personnel record REC-1: salary group 7."}`), public, false},
	} {
		var log bytes.Buffer
		checks := &registry{
			serviceOf(t, "The policy service", test.policy), serviceOf(t, "The archive", test.archive),
			test.key,
		}
		server := mcp.NewServer(&mcp.Implementation{Name: "records", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewJSONHandler(&log,
			nil))}))
		addReadRecord(server, checks)
		out := ask(t.Context(), testutil.Connect(t, server, nil), "read_record", recordIn{test.record})
		if test.shown {
			assert.Equal(t, result.KindData, out.Kind, name)
			assert.Contains(t, out.Text(), "salary", name)
			continue
		}
		require.Equal(t, result.KindFailure, out.Kind, "%s: never data, and never empty", name)
		assert.NotContains(t, out.Text(), "salary", name)
		assert.Equal(t, toolerr.CodeInternal, out.Err.Code, name)
		assert.False(t, out.Err.Retryable, name)
		var record struct {
			Level string `json:"level"`
			Error struct {
				Cause string `json:"cause"`
			} `json:"toolerr"`
		}
		require.NoError(t, json.Unmarshal(log.Bytes(), &record), name)
		assert.Equal(t, "ERROR", record.Level, name)
		assert.NotEmpty(t, record.Error.Cause, "%s: why, for the operators", name)
	}
}

// conversation are calls of all tools, in an order in which what a call leaves
// behind matters to the next, and the text of each answer, or the head of it.
var conversation = []struct{ tool, args, text string }{
	{"get_stock_price", `{"symbol":"APLE"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,` +
		`"code":"not_found","message":"There is no ticker \"APLE\".","hint":"Did you mean \"AAPL\", \"APP\"? Call again with that, or ask the user.","field":"symbol","suggestions":["AAPL","APP"],"effect":"none"}`},
	{"get_stock_price", `{"symbol":"AAPL"}`, `{"company":"Apple Inc.","price":201.5,"symbol":"AAPL"}`},
	{"read_record", `{"record_id":"REC-1"}`, `{"record":"Personnel record REC-1: salary group 7."}`},
	{"read_record", `{"record_id":"REC-2"}`, `{"isError":true,"errorCategory":"permission","isRetryable":false,` +
		`"code":"permission_denied","message":"Policy does not allow record REC-2 to be shown.","hint":"Do not retry or work around it; tell the user that it was refused.","effect":"none"}`},
	{"read_record", `{"record_id":"REC-3"}`, `{"isError":true,"errorCategory":"transient","isRetryable":false,` +
		`"code":"internal","message":"The policy check failed. Nothing is shown; the record may or may not exist.","hint":"Do not try another way to the record. Tell the user that the check failed.","effect":"none"}`},
	{"read_file", `{"path":"src/auth/sesion.ts"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,` +
		`"code":"not_found","message":"There is no file \"src/auth/sesion.ts\".","hint":"Did you mean \"src/auth/session.ts\", \"src/auth/sessions.ts\"? Call again with that, or ask the user.","field":"path","suggestions":["src/auth/session.ts","src/auth/sessions.ts"],"effect":"none"}`},
	{"write_file", `{"path":"infra/main.tf","content":""}`, `{"isError":true,"errorCategory":"permission",` +
		`"isRetryable":false,"code":"permission_denied","message":"Writing under infra/ is blocked by the policy of this workspace.","hint":"Do not try another way to change it. If the file serves its purpose elsewhere, write it there; else tell the user.",`},
	{"write_file", `{"path":"../x","content":""}`, `{"isError":true,"errorCategory":"permission","isRetryable":false,` +
		`"code":"permission_denied","message":"The path leads out of the workspace, and nothing outside of it can be used.","hint":"Use a path relative to the workspace, such as src/auth/session.ts; if the task needs a file outside of it, tell the user.",`},
	{"write_file", `{"path":"./docs/../new/folder/a.md","content":"<b>"}`, `{"bytes":3,"path":"new/folder/a.md"}`},
	{"read_file", `{"path":"new/folder/a.md"}`, `{"content":"\u003cb\u003e","path":"new/folder/a.md"}`},
	{"open_file", `{"name":"a"}`, `{"content":"\u003cb\u003e","path":"new/folder/a.md"}`},
	{"open_file", `{"name":"session"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,` +
		`"code":"ambiguous","message":"name \"session\" fits 3 things.","hint":"Call again with name as the one of options that the task clearly means; else ask the user which.","field":"name","options":[{"name":"src/auth/session.ts"},{"name":"src/db/session.ts"},{"name":"src/ws/session.ts"}],"effect":"none"}`},
	{"terminate_instance", `{"instance_id":"i-101"}`, `{"isError":true,"errorCategory":"business","isRetryable":false,` +
		`"code":"failed_precondition","message":"Instance i-101 is running, and only a stopped instance can be terminated.","hint":"Call stop_instance with instance_id i-101 first, then call terminate_instance again.","effect":"none","details":{"first":"stop_instance","state":"running"}}`},
	{"stop_instance", `{"instance_id":"i-101"}`, `{"instance_id":"i-101","state":"stopped"}`},
	{"terminate_instance", `{"instance_id":"i-101"}`, `{"instance_id":"i-101","state":"terminated"}`},
	{"book_travel", `{"destination":"Lisbon","date":"2024-07-31"}`, `{"isError":true,"errorCategory":"validation",` +
		`"isRetryable":false,"code":"out_of_range","message":"date must not be in the past: today is 2025-07-25, got 2024-07-31.","hint":"If 2025-07-31 was meant, call again with that; else with date from 2025-07-25 to 2026-07-25.","field":"date","suggestions":["2025-07-31"],"effect":"none"}`},
	{
		"book_travel", `{"destination":"Lisbon","date":"2025-07-31"}`,
		`{"booking":"TRIP-1","date":"2025-07-31","destination":"Lisbon"}`,
	},
	{"process_batch", `{"batch_id":"BATCH-50"}`, `{"isError":true,"errorCategory":"transient","isRetryable":false,` +
		`"code":"rate_limited","message":"Items up to 15 of 50 were sent; then the mail gateway stopped.","hint":"Wait for retryAfterMs, then call process_batch with batch_id BATCH-50 and continue_from 16.","retryAfterMs":151,"effect":"applied","partial":{"processed":15,"total":50,"continueFrom":16,`},
	{
		"charge_card", `{"order_id":"ORD-7","card":"card_lost_reply","cents":4000,"idempotency_key":"k1"}`,
		`{"isError":true,"errorCategory":"transient","isRetryable":true,"code":"unavailable","message":"The bank's reply was lost, and the card may have been charged.","hint":"Retry the same call with idempotencyKey as idempotency_key, or call list_charges first.","effect":"unknown","idempotencyKey":"k1"}`,
	},
	{
		"charge_card", `{"order_id":"ORD-7","card":"card_lost_reply","cents":4000,"idempotency_key":"k1"}`,
		`{"cents":4000,"charge_id":"CH-1","order_id":"ORD-7"}`,
	},
	{
		"charge_card", `{"order_id":"ORD-7","card":"card_lost_reply","cents":4001,"idempotency_key":"k1"}`,
		`{"isError":true,"errorCategory":"business","isRetryable":false,"code":"conflict",`,
	},
	{
		"charge_card", `{"order_id":"ORD-8","card":"card_declined","cents":1}`,
		`{"isError":true,"errorCategory":"business","isRetryable":false,"code":"card_declined","message":"The bank declined the card.",`,
	},
	{"list_charges", `{"order_id":"ORD-7"}`, `{"charges":[{"cents":4000,"charge_id":"CH-1","order_id":"ORD-7"}]}`},
	{"list_charges", `{"order_id":"ORD-8"}`, `Nothing was charged for order ORD-8.`},
	{"export_report", `{"report":"annual"}`, `{"isError":true,"errorCategory":"transient","isRetryable":true,` +
		`"code":"internal","message":"The annual report could not be exported, for an unknown reason.","hint":"Retry the same call at once.","effect":"none"}`},
	{"export_report", `{"report":"annual"}`, `{"isError":true,"errorCategory":"transient","isRetryable":true,` +
		`"code":"internal","message":"The annual report could not be exported, for an unknown reason.","hint":"Retry the same call once more.","effect":"none"}`},
	{"export_report", `{"report":"annual"}`, `{"isError":true,"errorCategory":"transient","isRetryable":false,` +
		`"code":"internal","message":"The annual report could not be exported, for an unknown reason.","hint":"Do not retry. Give the user the link https://dashboard.example.com/reports/annual to export it by hand.","customerMessage":"I could not export the annual report. You can do it yourself at https://dashboard.example.com/reports/annual.","effect":"none"}`},
	{"get_weather", `{"city":"Hanoi","units":"celsius"}`, `{"isError":true,"errorCategory":"validation",` +
		`"isRetryable":false,"code":"invalid_argument","message":"units must be one of \"metric\", \"imperial\".","hint":"Call again: units must be one of \"metric\", \"imperial\".","field":"units","effect":"none"}`},
	{"get_weather", `{"city":"Hanoi","units":"imperial"}`, `{"city":"Hanoi","temperature":87.8,"units":"imperial"}`},
	{"get_weather", `{"city":"Lissbon"}`, `{"isError":true,"errorCategory":"validation","isRetryable":false,` +
		`"code":"not_found","message":"There is no city \"Lissbon\".","hint":"Did you mean \"Lisbon\"? Call again with that, or ask the user.","field":"city","suggestions":["Lisbon"],"effect":"none"}`},
	{"get_weather", `{"city":"Longyearbyen"}`, `{"isError":true,"errorCategory":"transient","isRetryable":true,` +
		`"code":"timeout","message":"The weather service did not answer.","hint":"Wait, then retry the same call at most twice; then tell the user.",`},
	{"get_weather", `{"city":"Longyearbyen"}`, `{"city":"Longyearbyen","temperature":6,"units":"metric"}`},
}

func TestWire_Transports(t *testing.T) {
	t.Parallel()
	var inMemory []string
	for _, transport := range []string{"memory", "stdio", "http"} {
		wire := new(testutil.Wire)
		session := connect(t, transport, wire)
		for i, call := range conversation {
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: json.RawMessage(call.args)})
			require.NoError(t, err)
			got := strict(t, wire.Last(), call.text)
			if transport == "memory" {
				inMemory = append(inMemory, got)
			}
			assert.Equal(t, inMemory[i], got, "%s: %s %s", transport, call.tool, call.args)
		}
	}
}

var (
	correlationID = regexp.MustCompile(`,\\?"correlationId\\?":\\?"\d{18}\\?"`)
	madeKey       = regexp.MustCompile(`"[A-Z2-7]{26}"`)
)

// strict checks a reply as a client does that validates results: data where the call succeeded, and
// none where it failed. It returns the result as it was sent, without what is random.
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
