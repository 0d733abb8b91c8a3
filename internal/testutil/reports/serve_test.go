package reports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type empty struct{}

// post is a tool's request to an API, as the README's server makes it.
func post(ctx context.Context, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("{}"))
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return toolerr.Wrap(err, "The service did not answer.")
	}
	defer func() { _ = resp.Body.Close() }()
	if failure := toolerr.FromResponse(resp); failure != nil {
		return failure
	}
	return nil
}

func TestR17(t *testing.T) {
	group(t, "R17", func() {
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch r.URL.Path {
			case "/ramp":
				w.Header().Set("Retry-After", "3000")
				w.WriteHeader(429)
				_, _ = io.WriteString(w, `{"name":"RateLimitError","message":"A new sender may reach 25 recipients an hour.",`+
					`"fix":"Wait until 14:00 UTC, or verify the organisation, which lifts the cap."}`)
			case "/cap":
				w.WriteHeader(403)
				_, _ = io.WriteString(w, `{"name":"LimitExceededError","message":"Inbox limit exceeded","fix":"Your plan's inbox `+
					`limit is 3. Delete an inbox, or upgrade.","resource":"inbox","limit":3,"upgrade_url":"https://console.example.com/plan"}`)
			case "/month":
				w.Header().Set("Retry-After", "1209600")
				w.WriteHeader(429)
				_, _ = io.WriteString(w, `{"error":{"code":"quota_exceeded","message":"The monthly quota of 3,000 mails is used `+
					`up."}}`)
			}
		}))
		defer api.Close()
		s := toolerrServer(result.MiddlewareOptions{Reveal: result.RevealServices}, nil)
		var runs atomic.Int64
		for _, name := range []string{"ramp", "cap", "month"} {
			result.AddTool(s, &mcp.Tool{Name: name},
				func(ctx context.Context, _ *mcp.CallToolRequest, _ empty) (*mcp.CallToolResult, empty, error) {
					runs.Add(1)
					return nil, empty{}, post(ctx, api.URL+"/"+name)
				})
		}
		c := agent(s)
		defer func() { _ = c.Close() }()
		for _, k := range []struct {
			tool       string
			category   toolerr.Category
			wait       time.Duration
			say, fix   string
			actions    []retry.Action
			retryable  bool
			wantReason retry.Reason
		}{
			{
				"ramp", toolerr.CategoryTransient, 3000 * time.Second, "25 recipients an hour", "verify the organisation",
				[]retry.Action{retry.ActionPropagate},
				true, retry.ReasonRetryAfterTooLong,
			},
			{
				"cap", toolerr.CategoryBusiness, 0, "Inbox limit exceeded", "Delete an inbox, or upgrade",
				[]retry.Action{retry.ActionEscalate},
				false, "",
			},
			{"month", "", 0, "monthly quota", "", []retry.Action{retry.ActionPropagate, retry.ActionEscalate}, false, ""},
		} {
			runs.Store(0)
			start := time.Now()
			o, d := call(c, k.tool, map[string]any{})
			took := time.Since(start)
			_, wire := wireOf(s, k.tool, map[string]any{})
			in := func(x string) string { return "R17/" + k.tool + ": " + x }
			ok := false
			for _, a := range k.actions {
				ok = ok || d.Action == a
			}
			check(in("the next step"), ok && runs.Load() <= 2 && (k.wantReason == "" || d.Reason == k.wantReason),
				fmt.Sprint(k.actions, k.wantReason), show(o, d))
			check(in("not slept through"), took < 3*time.Second, "at once", took)
			check(in("nothing was done"), o.Err.Effect == toolerr.EffectNone, "none", show(o, d))
			if k.category != "" {
				check(in("the category"), o.Err.Category == k.category, string(k.category), show(o, d))
			}
			if k.wait > 0 {
				check(in("the wait is told"), d.Delay >= k.wait && contains(wire, `\"retryAfterMs\":3000000`), "50 min",
					fmt.Sprint(d.Delay, " ", wire))
			}
			check(in("with RevealServices the model reads the API's message"), contains(wire, k.say), k.say, wire)
			if k.fix != "" {
				check(in("with RevealServices the model reads the API's remedy"), contains(wire, k.fix), k.fix, wire)
			}
		}
	})
}

// jiraError has the public members of the error of a well-known Jira client.
type jiraError struct {
	HTTPError     error
	ErrorMessages []string          `json:"errorMessages"`
	Errors        map[string]string `json:"errors"`
}

func (e *jiraError) Error() string {
	if len(e.ErrorMessages) > 0 {
		return fmt.Sprintf("%v: %v", e.ErrorMessages[0], e.HTTPError)
	}
	for k, v := range e.Errors {
		return fmt.Sprintf("%s - %s: %v", k, v, e.HTTPError)
	}
	return e.HTTPError.Error()
}

func TestR18(t *testing.T) {
	group(t, "R18", func() {
		bodies := map[string]string{
			"/fields":   `{"errorMessages":[],"errors":{"customfield_12621":"Exchange (Multiple) is required."}}`,
			"/messages": `{"errorMessages":["Please provide Component"],"errors":{}}`,
			"/detail":   `{"detail":[{"loc":["body","due_date"],"msg":"invalid date format","type":"value_error.date"}]}`,
			"/problem": `{"type":"https://example.com/invalid","title":"Invalid request","status":400,` +
				`"errors":[{"field":"due_date","message":"must be in the future"}]}`,
		}
		api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(map[bool]int{true: 422, false: 400}[r.URL.Path == "/detail"])
			_, _ = io.WriteString(w, bodies[r.URL.Path])
		}))
		defer api.Close()
		for _, k := range []struct{ name, say, field string }{
			{"fields", "Exchange (Multiple) is required.", "customfield_12621"},
			{"messages", "Please provide Component", ""},
			{"detail", "invalid date format", "due_date"},
			{"problem", "must be in the future", "due_date"},
		} {
			s := toolerrServer(result.MiddlewareOptions{Reveal: result.RevealServices}, nil)
			result.AddTool(s, &mcp.Tool{Name: "create_issue"},
				func(ctx context.Context, _ *mcp.CallToolRequest, _ empty) (*mcp.CallToolResult, empty, error) {
					return nil, empty{}, post(ctx, api.URL+"/"+k.name)
				})
			res, wire := wireOf(s, "create_issue", map[string]any{})
			e := envelope(res)
			check("R18/FromResponse, "+k.name+": validation, nothing done (control)", e["errorCategory"] == "validation" &&
				e["effect"] == "none" && e["isRetryable"] == false, "validation, none", wire)
			check("R18/FromResponse, "+k.name+": with RevealServices the model reads what is wrong", contains(wire, k.say),
				k.say, wire)
			if k.field != "" {
				check("R18/FromResponse, "+k.name+": and of which field", contains(wire, k.field), k.field, wire)
			}
		}
		for _, k := range []struct{ body, say string }{ // another server hands the API's answer on
			{bodies["/fields"], "Exchange (Multiple) is required."},
			{bodies["/messages"], "Please provide Component"},
			{bodies["/detail"], "invalid date format"},
			{bodies["/problem"], "must be in the future"},
			{`{"error":true,"message":"Failed to create issue: Bad Request. {\"errorMessages\":[\"Please provide Component\"],` +
				`\"errors\":{}}"}`, "Please provide Component"},
			{"Jira API error 400: " + bodies["/fields"], "Exchange (Multiple) is required."},
		} {
			o, d, _ := over(failed(k.body), &mcp.Tool{Name: "create_issue"})
			check("R18/another server hands on "+k.body[:min(len(k.body), 30)]+": the model reads what is wrong",
				contains(o.Text(), k.say), k.say, show(o, d))
		}
		for _, k := range []struct {
			name string
			err  error
			say  string
		}{
			{"fields", &jiraError{
				errors.New(
					"request failed. Please analyze the request body for more details. Status code: 400"), nil,
				map[string]string{"customfield_12621": "Exchange (Multiple) is required."},
			}, "Exchange (Multiple) is required."},
			{"messages", &jiraError{errors.New("request failed. Please analyze the request body for more details. Status " +
				"code: 400"), []string{"Please provide Component"}, nil}, "Please provide Component"},
			{
				"wrapped", fmt.Errorf("create issue: %w",
					&jiraError{errors.New("request failed. Status code: 400"), []string{"Please provide Component"}, nil}),
				"Please provide Component",
			},
		} {
			for _, o := range []struct {
				name   string
				reveal func(error) bool
			}{{"RevealServices", result.RevealServices}, {"RevealAll", result.RevealAll}} {
				s := toolerrServer(result.MiddlewareOptions{Reveal: o.reveal}, nil)
				result.AddTool(s, &mcp.Tool{Name: "create_issue"},
					func(context.Context, *mcp.CallToolRequest, empty) (*mcp.CallToolResult, empty, error) {
						return nil, empty{}, k.err
					})
				_, wire := wireOf(s, "create_issue", map[string]any{})
				if o.name == "RevealServices" { // the error has no status: documented as not selected
					info("R18/a Jira client's error, "+k.name+", "+o.name+": the model reads what is wrong", contains(wire, k.say),
						k.say, wire)
				} else {
					check("R18/a Jira client's error, "+k.name+", "+o.name+": the model reads what is wrong (control)",
						contains(wire, k.say), k.say, wire)
				}
				check("R18/a Jira client's error, "+k.name+", "+o.name+": not retryable (control)",
					contains(wire, `\"isRetryable\":false`), "false", wire)
			}
		}
	})
}

type fetchIn struct {
	Identifiers []string `json:"identifiers"`
	Limit       int      `json:"limit,omitempty"`
	Mode        string   `json:"mode,omitempty" jsonschema:"fast or full"`
}

func TestR21(t *testing.T) {
	group(t, "R21", func() {
		var runs atomic.Int64
		s := toolerrServer(result.MiddlewareOptions{}, nil)
		result.AddTool(s, &mcp.Tool{Name: "fetch_artifacts"},
			func(context.Context, *mcp.CallToolRequest, fetchIn) (*mcp.CallToolResult, empty, error) {
				runs.Add(1)
				return nil, empty{}, nil
			})
		for _, k := range []struct {
			name  string
			args  map[string]any
			field string
			say   [][]string // of each, one must be in what the model reads
		}{
			{
				"a list as JSON text",
				map[string]any{"identifiers": `["org/repo::file.md::0001", "org/repo::other.md::0005"]`},
				"identifiers",
				[][]string{{"array", "list"}},
			},
			{
				"a list as a bare word",
				map[string]any{"identifiers": "org/repo::file.md::0001"},
				"identifiers",
				[][]string{{"array", "list"}},
			},
			{
				"null for an optional number",
				map[string]any{"identifiers": []string{"a"}, "limit": nil},
				"limit",
				[][]string{{"leave", "omit", "without", "integer", "number"}},
			},
			{
				"a number as text",
				map[string]any{"identifiers": []string{"a"}, "limit": "25"},
				"limit",
				[][]string{{"integer", "number"}},
			},
			{"a misspelled argument", map[string]any{"identifers": []string{"a"}}, "", [][]string{{"identifiers"}}},
			{"a wrong item", map[string]any{"identifiers": []any{"a", 7}}, "identifiers[1]", [][]string{{"string", "text"}}},
			{
				"an argument too many",
				map[string]any{"identifiers": []string{"a"}, "verbose": true},
				"verbose",
				[][]string{{"verbose"}},
			},
		} {
			c := agent(s)
			o, d := call(c, "fetch_artifacts", k.args)
			in := func(x string) string { return "R21/" + k.name + ": " + x }
			said := strings.ToLower(o.Text())
			check(in("not run, the caller's, once"), runs.Load() == 0 && d.Action == retry.ActionFixInput && d.Attempt == 1 &&
				o.Err.Category == toolerr.CategoryValidation && o.Err.Effect == toolerr.EffectNone, "fix_input", show(o, d))
			if k.field != "" {
				check(in("the field"), o.Err.Field == k.field ||
					k.field == "identifiers[1]" && strings.HasPrefix(o.Err.Field, "identifiers"), k.field, show(o, d))
			}
			for _, any := range k.say {
				check(in("what to send"), containsAny(said, any...), fmt.Sprint(any), o.Text())
			}
			_ = c.Close()
		}
		c := agent(s)
		o, d := call(c, "fetch_artifacts", map[string]any{"identifiers": []string{"a"}})
		check("R21/good arguments (control)", d.Action == retry.ActionAccept && runs.Load() == 1, "accept", show(o, d))
		_ = c.Close()
	})
}

func TestR30(t *testing.T) {
	group(t, "R30", func() {
		s := newServer()
		var reads atomic.Int64
		for _, said := range []string{
			"page.goto: net::ERR_NAME_NOT_RESOLVED at https://no-such.example",
			"底薪+提成模式必须填写底薪和提成方式", "upstream answered 503 Service Unavailable", "Request failed with status code 404",
		} {
			asIs(s, &mcp.Tool{Name: fmt.Sprintf("fail_%d", len(said)), Annotations: readOnly},
				func() *mcp.CallToolResult { return failed(said) })
		}
		asIs(s, &mcp.Tool{Name: "read", Annotations: readOnly},
			func() *mcp.CallToolResult { reads.Add(1); return text("ok") })
		c := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: time.Millisecond}} // with its own budget
		c.Connect = asConnect(c, s, nil)
		defer func() { _ = c.Close() }()
		for range 6 {
			for _, said := range []string{
				"page.goto: net::ERR_NAME_NOT_RESOLVED at https://no-such.example",
				"底薪+提成模式必须填写底薪和提成方式", "upstream answered 503 Service Unavailable", "Request failed with status code 404",
			} {
				o, d := call(c, fmt.Sprintf("fail_%d", len(said)), nil)
				if !contains(o.Text(), said[:12]) || d.Attempt == 0 {
					check("R30/each failure is sent and keeps its words", false, said, show(o, d))
				}
			}
		}
		for range 5 {
			o, d := call(c, "read", nil)
			if d.Action != retry.ActionAccept {
				check("R30/another tool works", false, "accept", show(o, d))
			}
		}
		check("R30/another tool works after 24 failures", reads.Load() == 5, "5", reads.Load())
	})
}

func TestR31(t *testing.T) {
	group(t, "R31", func() {
		for _, ours := range []bool{true, false} {
			var sent atomic.Int64
			s := newServer()
			if ours {
				s = toolerrServer(result.MiddlewareOptions{}, nil)
			}
			second := make(chan struct{})
			result.AddTool(s, &mcp.Tool{Name: "send_all"},
				func(ctx context.Context, _ *mcp.CallToolRequest, _ empty) (*mcp.CallToolResult, empty, error) {
					for i := range 5 {
						if i == 2 {
							close(second)
							<-ctx.Done()
							return nil, empty{}, fmt.Errorf("request cancelled: %w", ctx.Err())
						}
						sent.Add(1)
					}
					return nil, empty{}, nil
				})
			c := agent(s)
			ctx, cancel := context.WithCancel(context.Background())
			go func() { <-second; cancel() }()
			o, d := c.CallTool(ctx, &mcp.CallToolParams{Name: "send_all", Arguments: map[string]any{}})
			in := func(x string) string { return fmt.Sprintf("R31/middleware=%t: %s", ours, x) }
			check(in("may have taken effect: verify"), d.Action == retry.ActionVerify && o.Err.Effect != toolerr.EffectNone &&
				sent.Load() == 2, "verify", fmt.Sprint(sent.Load(), " ", show(o, d)))
			_ = c.Close()
			cancel()
		}
		for _, said := range []string{
			"request cancelled", "Error: request cancelled",
			"MCP error -32800: request cancelled",
		} {
			o, d, n := over(failed(said), &mcp.Tool{Name: "request"})
			check("R31/another server says: "+said+": sent once, verify", n == 1 && d.Action == retry.ActionVerify, "verify",
				fmt.Sprint(n, " ", show(o, d)))
		}
	})
}
