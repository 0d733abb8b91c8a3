package servertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestLeaks(t *testing.T) {
	t.Parallel()
	for text, want := range testutil.Rows(t, "testdata/leaks.txt") {
		got := servertest.Leaks(result.Parse(rawFailure(text), nil))
		if want == "" {
			assert.Empty(t, got, text)
			continue
		}
		assert.Contains(t, fmt.Sprint(got), want, text)
		for _, secret := range []string{"hunter2", "IOSFODNN7", "abcdefghijklmnop1234", "456789abcdef"} {
			assert.NotContains(t, fmt.Sprint(got), secret, "a finding is no leak itself")
		}
	}
}

// Secrets in an answer other than the reported leak are masked too.
func TestFinding_MaskedSecrets(t *testing.T) {
	t.Parallel()
	const secrets = "AKIAIOSFODNN7EXAMPLE and Bearer abcdefghijklmnop1234"
	report := check(t, serve(saying(secrets), failing(secrets)), nil)
	assert.Equal(t, []string{"find bare_text", "find credential", "find same_answer"}, kinds(report))
	text := fmt.Sprint(report.Findings)
	assert.Contains(t, text, "[masked] and")
	assert.NotContains(t, text, "7EXAMPLE")
	assert.NotContains(t, text, "nop1234")
}

// How short texts are interpreted.
func TestCheck_Phrases(t *testing.T) {
	t.Parallel()
	for text, want := range testutil.Rows(t, "testdata/phrases.txt") {
		switch want {
		case "failure_as_success":
			assert.Equal(t, []string{"find " + want}, kinds(check(t, serve(envelope, succeeding(text)), nil)), text)
		case "data":
			assert.Empty(t, check(t, serve(envelope, succeeding(text)), nil).Findings, text)
		default:
			assert.Contains(t, kinds(check(t, serve(envelope, failing(text)), nil)), "find "+want, text)
		}
	}
}

// Which arguments are identifiers, the examples in their descriptions, and values that do not exist.
func TestCheck_Identifiers(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ schema, valid, want string }{
		"id":              {`{"type":"integer"}`, "", `999999937`},
		"order_id":        {`{"type":"string"}`, "", `"does-not-exist-94817"`},
		"orderID":         {`{"type":"string","maxLength":8}`, "", `"zq94817"`},
		"userId":          {`{"type":"string","description":"for example 'u_12'"}`, "", `"u_89"`},
		"user_ids":        {`{"type":"array","items":{"type":"string"}}`, "", `["does-not-exist-94817"]`},
		"ticker":          {`{"type":"string","examples":["AAPL"]}`, "", `"QQFB"`},
		"path":            {`{"type":"string","default":"docs/today.txt"}`, "", `"docs/does-not-exist-94817"`},
		"thing":           {`{"type":"string","format":"uuid"}`, "", `"`},
		"account_id":      {`{"type":"integer","maximum":99}`, "", `99`},
		"idempotency_id":  {`{"type":"string"}`, "", ""},
		"output_path":     {`{"type":"string"}`, "", ""},
		"new_id":          {`{"type":"string"}`, "", ""},
		"file_id":         {`{"type":"string","enum":["a"]}`, "", ""},
		"paid":            {`{"type":"string"}`, "", ""},
		"query":           {`{"type":"string"}`, "", ""},
		"idempotency_key": {`{"type":"string"}`, "", ""},
		"valid":           {`{"type":"boolean"}`, "", ""},
		"hasId":           {`{"type":"boolean"}`, "", ""},
		"city_id":         {`{"type":"string","description":"such as Berlin or Paris"}`, `"Berlin"`, `"Ruhbyd"`},
		"owner_id": {
			`{"type":"string","description":"the one (e.g. new york)"}`, `"example"`,
			`"does-not-exist-94817"`,
		},
		"town_id": {`{"type":"string","description":"for example New York."}`, `"New York"`, `"Dum Oeha"`},
		"place_id": {
			`{"type":"string","description":"something like the name of a place"}`, `"example"`,
			`"does-not-exist-94817"`,
		},
		"user_id": {`{"type":"integer","description":"a user, e.g.: 42"}`, `42`, `999999937`},
	} {
		schema := fmt.Sprintf(`{"type":"object","properties":{%q:%s},"required":[%q]}`, name, test.schema, name)
		server := record(&mcp.Tool{Name: "get", InputSchema: json.RawMessage(schema), Annotations: readOnly("").Annotations})
		// so that every call is a finding
		report := check(t, server.Server, &servertest.Options{Leaks: []*regexp.Regexp{regexp.MustCompile(`.`)}})
		assert.Contains(t, server.calls["get"][0], test.valid, name)
		place := slices.IndexFunc(report.Findings[0].Calls,
			func(call string) bool { return strings.HasSuffix(call, "that does not exist") })
		if test.want == "" {
			assert.Negative(t, place, name)
			continue
		}
		if assert.GreaterOrEqual(t, place, 0, name) {
			assert.Contains(t, server.calls["get"][place], `:`+test.want, name)
		}
	}
}

// Text in an answer that is from the call itself, or that the server publishes, is no finding.
func TestCheck_OwnWords(t *testing.T) {
	t.Parallel()
	failed := func(text string) answerer {
		return failing(`{"isError":true,"errorCategory":"validation","code":"not_found","isRetryable":false,"hint":"h",` +
			`"message":"` + text + `"}`)
	}
	for name, test := range map[string]struct {
		schema string
		answer answerer
		want   []string
	}{
		"a message of the type that was asked for": {`{"required":["type"],"properties":{"type":{"type":"string",` +
			`"enum":["error"]}}}`, succeeding("Error: the operation failed"), []string{}},
		"a message of another type": {`{"required":["type"],"properties":{"type":{"type":"string",` +
			`"enum":["text"]}}}`, succeeding("Error: the operation failed"), []string{"t failure_as_success"}},
		"a folder that the description tells": {`{"properties":{}}`, failed("ENOENT: /srv/public/a.txt"), []string{}},
		"the same folder in a URI": {
			`{"properties":{}}`, failed("no package of file:///srv/public/a.txt"),
			[]string{},
		},
		"a folder beside it": {
			`{"properties":{}}`, failed("ENOENT: /srv/public2/a.txt"),
			[]string{"t leak"},
		},
		"a file whose folder the server adds": {`{"required":["path"],"properties":{"path":{"type":"string",` +
			`"enum":["notes.txt"]}}}`, failed("ENOENT: /home/me/notes.txt"), []string{"t leak"}},
		"a file of a thing that was named": {`{"required":["project"],"properties":{"project":{"type":"string",` +
			`"enum":["notes"]}}}`, failed("ENOENT: /home/me/notes"), []string{"t leak"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
			tool := readOnly("t")
			tool.Description = "Reads what lies in /srv/public."
			tool.InputSchema = json.RawMessage(`{"type":"object",` + test.schema[1:])
			server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				raw := string(req.Params.Arguments)
				if strings.Contains(raw, "not-one-of-these") || strings.Contains(raw, "48291") ||
					raw == "{}" && strings.Contains(test.schema, "required") {
					return envelope(toolerr.Validation("No: " + raw).WithHint("h"))
				}
				return test.answer(ctx, lookup{})
			})
			report := check(t, server, nil)
			assert.Equal(t, test.want, kinds(report), "%s", report.Findings)
		})
	}
}

// The number of calls of a tool that answers slowly or never is bounded, including the calls that
// verify its failures.
func TestCheck_SlowServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := mcp.NewServer(&mcp.Implementation{Name: "slow"}, nil)
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			add(server, readOnly(name), func(err error) (*mcp.CallToolResult, error) {
				time.Sleep(14 * time.Second) // in a synctest bubble
				return envelope(err)
			}, found)
		}
		start := time.Now()
		report := check(t, server, &servertest.Options{All: true})
		assert.Empty(t, report.Findings)
		assert.Less(t, time.Since(start), 7*time.Minute)
		assert.Contains(t, report.Tools[0].Skipped, "too slowly")
		assert.Equal(t, "too many other tools did not answer", report.Tools[6].Skipped)
	})
}
