package reports

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// asIs adds a tool that answers with res, and outputs no schema.
func asIs(s *mcp.Server, tool *mcp.Tool, res func() *mcp.CallToolResult) {
	if tool.InputSchema == nil {
		tool.InputSchema = anyObject
	}
	s.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return res(), nil })
}

func TestR07(t *testing.T) {
	group(t, "R07", func() {
		chats := func() *mcp.CallToolResult {
			r := text("Retrieved 2 chats (offset 0, limit 25)")
			r.StructuredContent = json.RawMessage(`{"data":[{"jid":"491700000001@s.whatsapp.net","name":"Ada"},` +
				`{"jid":"491700000002@s.whatsapp.net","name":"Bo"}],"pagination":{"limit":25,"offset":0,"total":2}}`)
			return r
		}
		type list struct {
			Data []struct {
				JID string `json:"jid"`
			} `json:"data"`
		}
		for _, ours := range []bool{false, true} {
			s := newServer()
			if ours {
				s = toolerrServer(result.MiddlewareOptions{Reveal: result.RevealAll}, nil)
			}
			asIs(s, &mcp.Tool{Name: "whatsapp_chat", Annotations: readOnly}, chats)
			in := func(x string) string { return fmt.Sprintf("R07/middleware=%t: %s", ours, x) }
			_, wire := wireOf(s, "whatsapp_chat", nil)
			check(in("a success goes out unchanged (control)"),
				contains(wire, "Retrieved 2 chats", "491700000002@s.whatsapp.net", `"structuredContent"`), "both", wire)
			c := agent(s)
			o, d := call(c, "whatsapp_chat", nil)
			check(in("data, accepted (control)"), o.Kind == result.KindData && d.Action == retry.ActionAccept, "data",
				show(o, d))
			got, err := result.Decode[list](o)
			check(in("the program decodes the data"), err == nil && len(got.Data) == 2 &&
				got.Data[1].JID == "491700000002@s.whatsapp.net", "2 chats", fmt.Sprint(got, err))
			check(in("the model reads the data"),
				contains(o.Text(), "491700000001@s.whatsapp.net", "491700000002@s.whatsapp.net"), "both jids", o.Text())
			res, err := c.AsSession().CallTool(context.Background(), &mcp.CallToolParams{Name: "whatsapp_chat"})
			b, _ := json.Marshal(res)
			check(in("an adapter gets the data (control)"), err == nil && contains(string(b), "491700000002@s.whatsapp.net"),
				"the data", fmt.Sprint(string(b), err))
			_ = c.Close()
		}
	})
}

func textsOf(r *mcp.CallToolResult) string {
	var all []string
	for _, b := range r.Content {
		if t, ok := b.(*mcp.TextContent); ok {
			all = append(all, t.Text)
		}
	}
	return strings.Join(all, "\n")
}

// An unflagged case: what a foreign server answers without isError, and of which kinds it may be.
type unflagged struct {
	name, body string
	kinds      []result.Kind
}

func (u unflagged) run(id string, tool *mcp.Tool) (result.Outcome, retry.Decision, int) {
	o, d, n := over(text(u.body), tool)
	ok := false
	for _, k := range u.kinds {
		ok = ok || o.Kind == k
	}
	check(fmt.Sprintf("%s/%s is %v", id, u.name, u.kinds), ok, fmt.Sprint(u.kinds), show(o, d))
	return o, d, n
}

var (
	aFailure  = []result.Kind{result.KindFailure}
	noSuccess = []result.Kind{result.KindFailure, result.KindPartial}
	aPartial  = []result.Kind{result.KindPartial}
	someData  = []result.Kind{result.KindData}
	noHits    = []result.Kind{result.KindEmpty}
	dataOrNil = []result.Kind{result.KindData, result.KindEmpty}
)

func TestR09(t *testing.T) {
	group(t, "R09", func() {
		for _, u := range []unflagged{
			{"a mutation whose root field is null", `{"data":{"createUsers":null},"errors":[{"message":"Relationship ` +
				`WORKED_IN is marked as single: only uid.eq is allowed.","locations":[{"line":1,"column":12}],"path":["createUsers"],"extensions":{"code":"BAD_USER_INPUT"}}]}`, noSuccess},
			{"the same, errors first", `{"errors":[{"message":"You do not have permission to create users.",` +
				`"path":["createUsers"],"extensions":{"code":"FORBIDDEN"}}],"data":{"createUsers":null}}`, noSuccess},
			{"a mutation whose payload cannot be read", `{"data":{"productCreate":{"product":null,"userErrors":[]}},` +
				`"errors":[{"message":"Internal error. Looks like something went wrong on our end.","path":["productCreate","product","title"],"extensions":{"code":"INTERNAL_SERVER_ERROR","requestId":"r-1"}}]}`, noSuccess},
			{"errors beside data null", `{"data":null,"errors":[{"message":"Cannot query field \"nam\" on type \"User\".",` +
				`"locations":[{"line":1,"column":9}],"extensions":{"code":"GRAPHQL_VALIDATION_FAILED"}}]}`, noSuccess},
			{"a query of which one field failed", `{"data":{"user":{"id":"u1","name":"Ada"},"orders":null},` +
				`"errors":[{"message":"orders service timed out","path":["orders"],"extensions":{"code":"DOWNSTREAM_SERVICE_ERROR"}}]}`, aPartial},
		} {
			o, d, n := u.run("R09", &mcp.Tool{Name: "execute"})
			check("R09/"+u.name+": sent once, not accepted", n == 1 && d.Action != retry.ActionAccept, "not accepted",
				fmt.Sprint(n, " ", show(o, d)))
			check("R09/"+u.name+": the model reads the errors (control)",
				contains(o.Text(), strings.SplitN(strings.SplitN(u.body, `"message":"`, 2)[1], `"`, 2)[0][:20]), "the message",
				o.Text())
		}
		u := unflagged{"a mutation that failed after it began", `{"data":{"productCreate":{"product":null,` +
			`"userErrors":[]}},"errors":[{"message":"Internal error while the product was read.","path":["productCreate","product"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}`, noSuccess}
		o, d, _ := u.run("R09", &mcp.Tool{Name: "execute"})
		check("R09/"+u.name+": verify", d.Action == retry.ActionVerify ||
			o.Kind == result.KindPartial && d.Action != retry.ActionAccept && o.Err.Effect != toolerr.EffectNone, "verify",
			show(o, d))
		for _, u := range []unflagged{
			{
				"data beside an empty list of errors (control)", `{"data":{"users":[{"id":"1","name":"Ada"}]},"errors":[]}`,
				someData,
			},
			{"data beside null errors (control)", `{"data":{"users":[{"id":"1","name":"Ada"}]},"errors":null}`, someData},
			{"data beside extensions (control)", `{"data":{"viewer":{"login":"ada"}},` +
				`"extensions":{"cost":{"requestedQueryCost":3}}}`, someData},
			{
				"a mutation with empty userErrors (control)",
				`{"data":{"productCreate":{"product":{"id":"gid://shopify/Product/1","title":"Cup"},"userErrors":[]}}}`, someData,
			},
		} {
			u.run("R09", &mcp.Tool{Name: "execute"})
		}
	})
}

func TestR10(t *testing.T) {
	group(t, "R10", func() {
		const summary = `"summary":{"total":3,"succeeded":1,"failed":1,"aborted":1}`
		bare := `{"results":[{"ok":true,"result":{"id":"a1"}},{"ok":false,"error":"rejected by the secret gate"},` +
			`{"ok":false,"aborted":true}],` + summary
		named := `{"results":[{"ok":true,"tool":"create","result":{"id":"a1"}},{"ok":false,"tool":"create",` +
			`"error":"rejected by the secret gate"},{"ok":false,"tool":"link","aborted":true}],` + summary
		for _, u := range []unflagged{
			{"a batch with status partial", bare + `,"status":"partial"}`, aPartial},
			{"a batch with a summary alone", bare + `}`, aPartial},
			{"operations with names", named + `,"status":"partial"}`, aPartial},
			{"one of two failed", `{"results":[{"ok":true,"result":{"id":"a1"}},{"ok":false,"error":"unknown kind: 'persn'"}],` +
				`"summary":{"total":2,"succeeded":1,"failed":1,"aborted":0},"status":"partial"}`, aPartial},
			{"all failed", `{"results":[{"ok":false,"error":"rejected by the secret gate"}],"summary":{"total":1,` +
				`"succeeded":0,"failed":1,"aborted":0},"status":"partial"}`, noSuccess},
			{"all done (control)", `{"results":[{"ok":true,"result":{"id":"a1"}}],"summary":{"total":1,"succeeded":1,` +
				`"failed":0,"aborted":0},"status":"success"}`, someData},
		} {
			o, d, n := u.run("R10", &mcp.Tool{Name: "request"})
			if o.Err != nil {
				check("R10/"+u.name+": sent once, effect not none", n == 1 && d.Action != retry.ActionAccept &&
					o.Err.Effect != toolerr.EffectNone, "not none", fmt.Sprint(n, " ", show(o, d)))
			}
			if contains(u.body, "a1") {
				check("R10/"+u.name+": the model reads what was done", contains(o.Text(), "a1"), "the id a1", o.Text())
				check("R10/"+u.name+": an adapter's model reads it too", contains(textsOf(o.CallToolResult()), "a1"), "the id a1",
					textsOf(o.CallToolResult()))
			}
		}
	})
}

func TestR12(t *testing.T) {
	group(t, "R12", func() {
		for _, u := range []unflagged{
			{"code 404 and msg", `{"code":404,"msg":"data not found"}`, []result.Kind{result.KindFailure, result.KindEmpty}},
			{
				"code 404, msg and data null", `{"code":404,"msg":"data not found","data":null}`,
				[]result.Kind{result.KindFailure, result.KindEmpty},
			},
			{"code 401", `{"code":401,"msg":"token expired","data":null}`, aFailure},
			{"code 500 and message", `{"code":500,"message":"Internal Server Error","data":null}`, aFailure},
			{"code 40101, message in Chinese", `{"code":40101,"msg":"登录已过期，请重新登录","data":null,"requestId":"r1"}`, aFailure},
			{"success false", `{"success":false,"code":"A0402","message":"参数格式不匹配: startDate"}`, aFailure},
			{"code 0 (control)", `{"code":0,"msg":"success","data":{"temp":21}}`, someData},
			{"code 200 and an empty list (control)", `{"code":200,"msg":"ok","data":[]}`, dataOrNil},
			{"code 200 and words of success (control)", `{"code":200,"msg":"操作成功"}`, someData},
		} {
			o, d, n := u.run("R12", &mcp.Tool{Name: "query", Annotations: nil})
			check("R12/"+u.name+": sent once, its words kept (control)", n == 1 && contains(o.Text(), u.body[2:10]) ||
				o.Err != nil && o.Err.Message != "", "its words", show(o, d))
		}
	})
}

func TestR13(t *testing.T) {
	group(t, "R13", func() {
		for _, u := range []unflagged{
			{"error invalid_token", `{"error":"invalid_token"}`, aFailure},
			{"with a description", `{"error":"invalid_token","error_description":"The access token expired"}`, aFailure},
			{"a detail of an API", `{"detail":"Invalid API key"}`, aFailure},
			{"an error object", `{"error":{"message":"Incorrect API key provided.","type":"invalid_request_error",` +
				`"code":"invalid_api_key"}}`, aFailure},
		} {
			o, d, n := u.run("R13", &mcp.Tool{Name: "internal_api"})
			check("R13/"+u.name+": permission, reauthorize", o.Err != nil && o.Err.Category == toolerr.CategoryPermission &&
				!o.Err.Retryable && n == 1 && (d.Action == retry.ActionReauthorize || d.Action == retry.ActionVerify),
				"permission, not repeated", show(o, d))
			o, d, _ = over(text(u.body), &mcp.Tool{Name: "internal_api", Annotations: readOnly})
			check("R13/"+u.name+", of a read-only tool: reauthorize", d.Action == retry.ActionReauthorize, "reauthorize",
				show(o, d))
		}
	})
}

func TestR14(t *testing.T) {
	group(t, "R14", func() {
		advice := "Operation may still be in progress. Do NOT retry the same call. Use the appropriate get/status tool to " +
			"check current state."
		for _, k := range []struct {
			name string
			res  *mcp.CallToolResult
			must string
		}{
			{
				"timed_out, unflagged", text(`{"timed_out":true,"tool":"create_cluster","arguments":{"name":"etl"},` +
					`"message":"Cluster did not reach RUNNING in 300 s","action_required":"` + advice + `"}`),
				"Do NOT retry the same call",
			},
			{"error_type timeout, flagged", failed(`{"error":true,"error_type":"timeout","tool":"create_cluster",` +
				`"message":"Operation timed out","action_required":"` + advice + `"}`), "Do NOT retry the same call"},
			{
				"the same in FastMCP's frame", failed(`Error calling tool 'create_cluster': {"error":true,"error_type":"timeout",` +
					`"tool":"create_cluster","message":"Operation timed out","action_required":"` + advice + `"}`),
				"Do NOT retry the same call",
			},
			{"queued_timeout, unflagged", text(`{"status":"queued_timeout","agent":"researcher","execution_id":"ex-8161",` +
				`"message":"The agent is still working. Poll get_execution_result with this id; do not call again."}`), "ex-8161"},
			{"fetch failed, flagged", failed("fetch failed"), "fetch failed"},
			{"a client's timeout, flagged", failed("MCP error -32001: Request timed out"), "Request timed out"},
		} {
			o, d, n := over(k.res, &mcp.Tool{Name: "create_cluster"})
			check("R14/"+k.name+": sent once", n == 1, "one call", fmt.Sprint(n, " ", show(o, d)))
			check("R14/"+k.name+": not refused, not blamed", d.Action == retry.ActionVerify ||
				d.Action == retry.ActionAccept && o.Result != nil && !o.Result.IsError, "verify (or accept if unflagged)",
				show(o, d))
			check("R14/"+k.name+": its advice reaches the model", contains(o.Text(), k.must), k.must, o.Text())
			check("R14/"+k.name+": no hint to repeat", o.Err == nil ||
				!containsAny(strings.ToLower(o.Err.Hint), "call again", "retry", "repeat the call") ||
				containsAny(strings.ToLower(o.Err.Hint), "do not", "before"), "no such hint", show(o, d))
		}
	})
}

func TestR15(t *testing.T) {
	group(t, "R15", func() {
		for _, k := range []struct {
			name string
			res  *mcp.CallToolResult
		}{
			{"python-sdk, no structured output", failed("Output validation error: outputSchema defined but no structured " +
				"output returned")},
			{"python-sdk, a missing property", failed("Output validation error: 'run_id' is a required property")},
			{"python-sdk, a wrong type", failed("Output validation error: 17 is not of type 'string'")},
			{
				"python-sdk, a value that is not allowed",
				failed("Output validation error: 'STARTNG' is not one of ['STARTING', 'RUNNING']"),
			},
			{"FastMCP, its frame", failed("Error calling tool 'run': Output validation error: 'run_id' is a required property")},
			{"python-sdk, pydantic's output model", failed("Error executing tool run: 1 validation error for " +
				"runOutput\nrun_id\n  Field required [type=missing, input_value={}, input_type=dict]")},
			{"mastra, as JSON", failed(`{"error":true,"message":"Tool output validation failed for run. The tool returned ` +
				`invalid output:\n- run_id: Required\n\nReturned output: {}","validationErrors":{"run_id":{"errors":["Required"]}}}`)},
			{"mastra, as text", failed("Tool output validation failed for run. The tool returned invalid output:\n- run_id: " +
				"Required")},
			{"typescript-sdk's client", failed("MCP error -32602: Output validation error: Tool run has an output schema but " +
				"no structured content was provided")},
			{"typescript-sdk's client, a mismatch", failed("MCP error -32602: Structured content does not match the tool's " +
				"output schema: data must have required property 'run_id'")},
			{"go-sdk", failed(`validating tool output: validating root: required: missing properties: ["run_id"]`)},
		} {
			o, d, n := over(k.res, &mcp.Tool{Name: "run"})
			check("R15/"+k.name+": not the caller's fault", d.Action != retry.ActionFixInput &&
				o.Err.Category != toolerr.CategoryValidation && o.Err.Field == "", "not validation, no field", show(o, d))
			check("R15/"+k.name+": verify, sent once", n == 1 && d.Action == retry.ActionVerify, "verify",
				fmt.Sprint(n, " ", show(o, d)))
		}
		for _, in := range []string{
			"Input validation error: 'pipeline' is a required property",
			"Error executing tool run: 1 validation error for runArguments\npipeline\n  Field required [type=missing, " +
				"input_value={}, input_type=dict]",
			"MCP error -32602: Invalid arguments for tool run: " +
				"[{\"code\":\"invalid_type\",\"expected\":\"string\",\"received\":\"undefined\",\"path\":[\"pipeline\"],\"message\":\"Required\"}]",
		} {
			o, d, _ := over(failed(in), &mcp.Tool{Name: "run"})
			check("R15/an input error is the caller's (control): "+in[:30], d.Action == retry.ActionFixInput, "fix_input",
				show(o, d))
		}
	})
}

func TestR16(t *testing.T) {
	group(t, "R16", func() {
		body := func(kind, message string, more string) *mcp.CallToolResult {
			return failed(`{"error":{"type":"` + kind + `","message":"` + message +
				`","recoverable":true,"data":{"tool":"create_agent_identity"` + more + `}}}`)
		}
		for _, k := range []struct {
			name string
			res  *mcp.CallToolResult
			also []retry.Action
		}{
			{
				"busy, though it was created",
				body("RESOURCE_BUSY", "Resource is temporarily busy. Wait a moment and try again.",
					`,"error_detail":"database is locked"`),
				[]retry.Action{retry.ActionVerify},
			},
			{"a database error", body("DATABASE_ERROR", "A database error occurred. This may be a transient issue - try again.",
				""), []retry.Action{retry.ActionVerify}},
			{"a timeout", body("TIMEOUT", "Operation timed out: lock. The server may be under heavy load. Try again in a moment.", ""), []retry.Action{retry.ActionVerify}},
			{"an invalid argument", body("INVALID_ARGUMENT", "Invalid argument value: bad name. Check that all parameters "+
				"have valid values.", ""), []retry.Action{retry.ActionFixInput, retry.ActionVerify}},
			{"a type error", body("TYPE_ERROR", "Argument type mismatch: got an unexpected keyword argument 'nme'. Check "+
				"parameter names for typos.", ""), []retry.Action{retry.ActionFixInput, retry.ActionVerify}},
			{
				"not found", body("NOT_FOUND", "Project 'backend' not found.", `,"suggestions":["backend-api"]`),
				[]retry.Action{retry.ActionFixInput, retry.ActionVerify},
			},
			{
				"a missing field", body("MISSING_FIELD", "Missing required field: 'program'.", ""),
				[]retry.Action{retry.ActionFixInput, retry.ActionVerify},
			},
		} {
			o, d, n := over(k.res, &mcp.Tool{Name: "create_agent_identity"})
			check("R16/"+k.name+": sent once", n == 1, "one call", fmt.Sprint(n, " ", show(o, d)))
			ok := false
			for _, a := range k.also {
				ok = ok || d.Action == a
			}
			check("R16/"+k.name+": the next step", ok, fmt.Sprint(k.also), show(o, d))
		}
		o, d, n := over(body("RESOURCE_BUSY", "Resource is temporarily busy. Wait a moment and try again.", ""),
			&mcp.Tool{Name: "fetch_inbox", Annotations: readOnly})
		check("R16/busy, of a read-only tool, is repeated (control)", n == 3, "three calls", fmt.Sprint(n, " ", show(o, d)))
		o, d, n = over(failed(`{"isError":true,"errorCategory":"transient","isRetryable":true,"message":"Busy; nothing was `+
			`done.","effect":"none"}`), &mcp.Tool{Name: "create_agent_identity"})
		check("R16/a stated effect none and a flag are believed (control)", n == 3, "three calls",
			fmt.Sprint(n, " ", show(o, d)))
	})
}

func TestR23(t *testing.T) {
	group(t, "R23", func() {
		for _, u := range []unflagged{
			{"GitLab, jobs of a pipeline", `[{"id":8,"name":"rubocop","stage":"test","status":"failed",` +
				`"failure_reason":"script_failure","allow_failure":false,"ref":"main","web_url":"https://gitlab.example.com/ada/shop/-/jobs/8","pipeline":{"id":6,"status":"failed"}},{"id":7,"name":"teaspoon","stage":"test","status":"success","allow_failure":false,"ref":"main","web_url":"https://gitlab.example.com/ada/shop/-/jobs/7","pipeline":{"id":6,"status":"failed"}}]`, someData},
			{"GitLab, one job", `{"id":8,"name":"rubocop","stage":"test","status":"failed","failure_reason":"script_failure",` +
				`"ref":"main","web_url":"https://gitlab.example.com/ada/shop/-/jobs/8"}`, someData},
			{"GitLab, a pipeline's yaml_errors", `{"id":46,"status":"failed","ref":"main","sha":"a91957a8",` +
				`"yaml_errors":"widgets:build: needs 'widgets:test'","web_url":"https://gitlab.example.com/ada/shop/-/pipelines/46"}`, someData},
			{"GitLab, a test report's summary", `{"total":{"time":1904,"count":3363,"success":3351,"failed":2,"skipped":10,` +
				`"error":0,"suite_error":null},"test_suites":[{"name":"test","total_time":1904,"total_count":3363,"success_count":3351,"failed_count":2,"skipped_count":10,"error_count":0,"build_ids":[66004],"suite_error":null}]}`, someData},
			{"GitHub, jobs of a run", `{"total_count":2,"jobs":[{"id":1,"run_id":5,"status":"completed",` +
				`"conclusion":"failure","name":"build","steps":[{"name":"test","status":"completed","conclusion":"failure","number":1}]},{"id":2,"run_id":5,"status":"completed","conclusion":"success","name":"lint","steps":[]}]}`, someData},
			{"GitHub, a run", `{"id":30433642,"name":"Build","head_branch":"main","status":"completed","conclusion":"failure",` +
				`"html_url":"https://github.com/o/r/actions/runs/30433642","run_attempt":1}`, someData},
			{"GitHub, a combined status", `{"state":"failure","statuses":[{"context":"ci/build","state":"failure",` +
				`"description":"Build failed","target_url":"https://ci.example.com/1"},{"context":"ci/lint","state":"success","description":"ok","target_url":"https://ci.example.com/2"}],"sha":"6dcb09b5","total_count":2}`, someData},
			{"Kubernetes, a Job", `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"import","namespace":"shop"},` +
				`"status":{"startTime":"2026-01-02T03:04:05Z","succeeded":3,"failed":1,"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded","message":"Job has reached the specified backoff limit"}]}}`, someData},
			{"Kubernetes, pods", `{"kind":"PodList","items":[{"metadata":{"name":"a"},"status":{"phase":"Failed",` +
				`"reason":"Evicted","message":"The node was low on resource: memory."}},{"metadata":{"name":"b"},"status":{"phase":"Running"}}]}`, someData},
			{"Twilio, a message that was not delivered", `{"sid":"SM1b2","to":"+15550001111","from":"+15550002222",` +
				`"body":"Your parcel is here","status":"undelivered","direction":"outbound-api","num_segments":"1","price":null,"error_code":30003,"error_message":"Unreachable destination handset","date_sent":"Thu, 24 Aug 2026 05:01:45 +0000"}`, someData},
			{"Twilio, messages", `{"messages":[{"sid":"SM1","to":"+15550001111","status":"undelivered","error_code":30003,` +
				`"error_message":"Unreachable destination handset"},{"sid":"SM2","to":"+15550003333","status":"delivered","error_code":null,"error_message":null}],"page":0,"page_size":50}`, someData},
			{"Netlify, a deploy", `{"id":"64f1","site_id":"3970","state":"error","name":"shop",` +
				`"url":"https://shop.netlify.app","branch":"main","error_message":"Failed during stage 'building site': Build script returned non-zero exit code: 2","deploy_time":43,"created_at":"2026-08-01T10:00:00Z"}`, someData},
			{"Vercel, a deployment", `{"id":"dpl_89qyp1","name":"shop","url":"shop-abc.vercel.app","readyState":"ERROR",` +
				`"errorCode":"BUILD_UTILS_SPAWN_1","errorMessage":"Command \"npm run build\" exited with 1","createdAt":1540257589405,"target":"production"}`, someData},
			{"Trigger.dev, a run", `{"id":"run_1234","status":"FAILED","taskIdentifier":"send-invoice",` +
				`"createdAt":"2026-08-01T10:00:00Z","finishedAt":"2026-08-01T10:00:09Z","error":{"name":"Error","message":"SMTP refused the recipient"},"attemptCount":3}`, someData},
			{"Stripe, a payment intent that was declined", `{"id":"pi_3M","object":"payment_intent","amount":2000,` +
				`"currency":"eur","status":"requires_payment_method","last_payment_error":{"code":"card_declined","decline_code":"insufficient_funds","message":"Your card has insufficient funds.","type":"card_error"}}`, someData},
			{"Stripe, charges", `{"object":"list","data":[{"id":"ch_1","object":"charge","amount":1000,"status":"failed",` +
				`"failure_code":"card_declined","failure_message":"Your card was declined."},{"id":"ch_2","object":"charge","amount":500,"status":"succeeded","failure_code":null,"failure_message":null}],"has_more":false}`, someData},
			{"Cloud Build, a build", `{"id":"b1","projectId":"shop","status":"FAILURE",` +
				`"failureInfo":{"type":"USER_BUILD_STEP","detail":"Build step 1 exited with status 2"},"createTime":"2026-08-01T10:00:00Z","logUrl":"https://console.cloud.google.com/b1"}`, someData},
			{"AWS Batch, jobs", `{"jobs":[{"jobId":"j1","jobName":"etl","status":"FAILED","statusReason":"Essential container ` +
				`in task exited"},{"jobId":"j2","jobName":"etl","status":"SUCCEEDED"}]}`, someData},
			{
				"Airflow, task instances", `{"task_instances":[{"task_id":"load","state":"failed","try_number":2,` +
					`"duration":12.5},{"task_id":"extract","state":"success","try_number":1,"duration":3.1}],"total_entries":2}`,
				someData,
			},
			{"pytest, a report", `{"created":1700000000.1,"duration":4.2,"exitcode":1,"root":"/app","summary":{"passed":118,` +
				`"failed":2,"total":120,"collected":120}}`, someData},
			{"Playwright, statistics", `{"stats":{"startTime":"2026-08-01T10:00:00Z","duration":5120,"expected":10,` +
				`"skipped":0,"unexpected":2,"flaky":0},"errors":[]}`, someData},
			{"a link checker", `{"total":42,"successful":40,"failures":2,` +
				`"fail_map":{"README.md":[{"url":"https://example.com/x","status":"404 Not Found"}]}}`, someData},
			{
				"Prometheus, targets", `{"status":"success","data":{"activeTargets":[{"scrapeUrl":"http://a:9100",` +
					`"health":"down","lastError":"connection refused"},{"scrapeUrl":"http://b:9100","health":"up","lastError":""}]}}`,
				someData,
			},
			{"Sentry, an issue", `{"id":"1","shortId":"SHOP-1","title":"TypeError: undefined is not a function",` +
				`"culprit":"cart.js","level":"error","status":"unresolved","count":"42","userCount":7}`, someData},
			{"npm audit", `{"auditReportVersion":2,"vulnerabilities":{"lodash":{"name":"lodash","severity":"high",` +
				`"fixAvailable":true}},"metadata":{"vulnerabilities":{"high":1,"total":1}}}`, someData},
			{"an ESLint report", `[{"filePath":"/app/a.js","messages":[{"ruleId":"no-undef","severity":2,"message":"'x' is ` +
				`not defined.","line":1}],"errorCount":1,"warningCount":0},{"filePath":"/app/b.js","messages":[],"errorCount":0,"warningCount":0}]`, someData},
			{"Mailgun, events", `{"items":[{"event":"failed","id":"e1","severity":"permanent","reason":"bounce",` +
				`"recipient":"a@example.com","delivery-status":{"code":550,"message":"No such user"}},{"event":"delivered","id":"e2","recipient":"b@example.com","delivery-status":{"code":250,"message":"OK"}}]}`, someData},
			{"a health check", `{"status":"error","checks":[{"name":"db","status":"down","error":"connection refused"},` +
				`{"name":"cache","status":"up"}],"uptime":1234}`, someData},
		} {
			o, d, n := u.run("R23", &mcp.Tool{Name: "get", Annotations: readOnly})
			check("R23/"+u.name+": accepted, read once", d.Action == retry.ActionAccept && n == 1, "accept",
				fmt.Sprint(n, " ", show(o, d)))
			check("R23/"+u.name+": an adapter's model reads the record",
				contains(textsOf(o.CallToolResult()), u.body[:24], u.body[len(u.body)-24:]), "the record",
				textsOf(o.CallToolResult()))
		}
	})
}

func TestR32(t *testing.T) {
	group(t, "R32", func() {
		for _, ours := range []bool{false, true} {
			s := newServer()
			if ours {
				s = toolerrServer(result.MiddlewareOptions{}, nil)
			}
			runs := 0
			asIs(s, &mcp.Tool{Name: "execute_sql"}, func() *mcp.CallToolResult {
				runs++
				r := failed("提交响应丢失：连接被重置。执行结果未知，请勿自动重试该语句，先查询核实实际结果。")
				r.StructuredContent = json.RawMessage(`{"success":false,"queryId":"q-77","outcomeUnknown":true,` +
					`"message":"connection reset by peer"}`)
				return r
			})
			in := func(x string) string { return fmt.Sprintf("R32/middleware=%t: %s", ours, x) }
			c := agent(s)
			o, d := call(c, "execute_sql", map[string]any{"sql": "insert into t values (1)"})
			check(in("sent once, verify"), runs == 1 && d.Action == retry.ActionVerify, "verify",
				fmt.Sprint(runs, " ", show(o, d)))
			check(in("the words reach the model"), contains(o.Text(), "请勿自动重试"), "its words", o.Text())
			check(in("the mark and the id reach the model"), contains(o.Text(), "outcomeUnknown", "q-77"),
				"outcomeUnknown, q-77", o.Text())
			check(in("neither none nor the caller's"), o.Err.Effect != toolerr.EffectNone &&
				o.Err.Category != toolerr.CategoryValidation, "not none", show(o, d))
			_ = c.Close()
		}
	})
}

// TestR33: what public APIs say of a mistake, handed on by a server as it is. The model has to read what it would read
// without a client of ours.
func TestR33(t *testing.T) {
	group(t, "R33", func() {
		for _, k := range []struct{ name, body, must string }{
			{"Jira, fields", `{"errorMessages":[],"errors":{"customfield_1":"Exchange is required."}}`, "Exchange is required."},
			{"Jira, messages", `{"errorMessages":["Please provide Component"],"errors":{}}`, "Please provide Component"},
			{
				"FastAPI", `{"detail":[{"loc":["body","due_date"],"msg":"invalid date format","type":"value_error.date"}]}`,
				"invalid date format",
			},
			{
				"Django REST framework", `{"title":["This field may not be blank."],"due":["Date has wrong format."]}`,
				"Date has wrong format.",
			},
			{
				"Laravel", `{"message":"The given data was invalid.","errors":{"email":["The email field is required."]}}`,
				"The email field is required.",
			},
			{"Rails, Shopify REST", `{"errors":{"title":["can't be blank"]}}`, "can't be blank"},
			{"JSON:API", `{"errors":[{"status":"422","source":{"pointer":"/data/attributes/first-name"},"title":"Invalid ` +
				`Attribute","detail":"First name must contain at least two characters."}]}`, "at least two characters"},
			{"GitHub", `{"message":"Validation Failed","errors":[{"resource":"Issue","field":"title","code":"missing_field"}],` +
				`"documentation_url":"https://docs.github.com"}`, "missing_field"},
			{"Google", `{"error":{"code":400,"message":"Request contains an invalid argument.","status":"INVALID_ARGUMENT",` +
				`"details":[{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"page_size","description":"must be at most 100"}]}]}}`, "must be at most 100"},
			{
				"Zendesk", `{"error":"RecordInvalid","description":"Record validation errors",` +
					`"details":{"email":[{"description":"Email: a@b.example is already being used","error":"DuplicateValue"}]}}`,
				"already being used",
			},
			{"Salesforce", `[{"message":"Required fields are missing: [LastName]","errorCode":"REQUIRED_FIELD_MISSING",` +
				`"fields":["LastName"]}]`, "LastName"},
			{"problem details", `{"type":"https://example.com/invalid","title":"Invalid request","status":400,` +
				`"errors":[{"field":"due_date","message":"must be in the future"}]}`, "must be in the future"},
			{"Stripe", `{"error":{"type":"invalid_request_error","message":"No such customer: 'cus_1'","param":"customer",` +
				`"code":"resource_missing"}}`, "No such customer"},
			{"Notion", `{"object":"error","status":400,"code":"validation_error","message":"body.parent should be defined, ` +
				`instead was undefined."}`, "body.parent"},
			{
				"several errors of GraphQL", `{"errors":[{"message":"Unknown field nam."},{"message":"Unknown field idd."}]}`,
				"Unknown field idd.",
			},
			{"allowed values", `{"error":"invalid status","allowed":["open","closed"]}`, "closed"},
			{
				"a remedy", `{"error":"not initialised","fix":"run init first","docs":"https://docs.example.com"}`,
				"run init first",
			},
			{"what there is", `{"error":"Project 'backend' not found","available_projects":["api","web"]}`, "web"},
			{"zod's issues", `{"success":false,"error":{"issues":[{"code":"too_small","path":["n"],"message":"Number must be ` +
				`greater than 0"}],"name":"ZodError"}}`, "greater than 0"},
			{"a job's id beside a timeout", `{"error":"timeout","job_id":"job-81","message":"still running"}`, "job-81"},
			{"ids of what was written", `{"error":"stopped","created_ids":["a1","a2"],"failed_at":2}`, "a2"},
		} {
			o, d, _ := over(failed(k.body), &mcp.Tool{Name: "create"})
			check("R33/"+k.name+": the model reads it", contains(o.Text(), k.must), k.must, show(o, d))
			s := toolerrServer(result.MiddlewareOptions{}, nil)
			asIs(s, &mcp.Tool{Name: "create"}, func() *mcp.CallToolResult { return failed(k.body) })
			res, wire := wireOf(s, "create", nil)
			check("R33/"+k.name+": our middleware keeps it (control)", res != nil && contains(textsOf(res), k.must), k.must,
				wire)
		}
	})
}
