// Package quickstart_test checks the code, texts, links, commands and length of the README.
package quickstart_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

const readme = "../../README.md"

// read returns the texts of all files that a pattern matches.
func read(t *testing.T, pattern string) (all string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		all += string(text)
	}
	return all
}

// blocks returns the README's blocks of code in a language.
func blocks(t *testing.T, language string, number int) (found []string) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(read(t, readme), -1) {
		found = append(found, block[1])
	}
	require.Len(t, found, number, language)
	return found
}

// correlationID matches a member that differs from call to call.
var correlationID = regexp.MustCompile(`"correlationId":"[^"]*"`)

// The README's Go code is part of a program that is compiled and run, apart from
// directives for the linter.
func TestREADME_Code(t *testing.T) {
	t.Parallel()
	programs := regexp.MustCompile(` //nolint:.*`).ReplaceAllString(read(t, "*/*.go"), "")
	for _, code := range blocks(t, "go", 2) {
		assert.Contains(t, programs, "\n"+code, "not in examples/quickstart")
	}
}

// The README's JSON texts are the answers of the SDK alone and of the quick start's server.
func TestREADME_Wire(t *testing.T) {
	t.Parallel()
	shown := blocks(t, "json", 2)
	bare, wire := mcp.NewServer(&mcp.Implementation{Name: "bare"}, nil), new(testutil.Wire)
	mcp.AddTool(bare, &mcp.Tool{Name: "process_refund"}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("refund exceeds limit")
	})
	_, err := testutil.Connect(t, bare, wire).CallTool(t.Context(), &mcp.CallToolParams{Name: "process_refund"})
	require.NoError(t, err)
	assert.Contains(t, string(wire.Last()), strings.Trim(shown[0], "{}\n"))

	server := exec.Command("go", "run", "./server")
	session := testutil.ConnectTo(t, &mcp.CommandTransport{Command: server}, nil)
	refund := &mcp.CallToolParams{Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": 650}}
	out := result.Parse(session.CallTool(t.Context(), refund))
	var after bytes.Buffer
	require.NoError(t, json.Compact(&after, []byte(shown[1])))
	require.Regexp(t, `"correlationId":"\d{18}"`, after.String())
	assert.Equal(t, correlationID.ReplaceAllString(after.String(), ""), correlationID.ReplaceAllString(out.Text(), ""))
}

// The agent and the server of the README, as the README starts them.
func TestREADME_QuickStart(t *testing.T) {
	t.Parallel()
	stdout, err := exec.Command("go", "run", "./agent", "go", "run", "./server").Output()
	require.NoError(t, err)
	lines := strings.Split(string(stdout), "\n")
	assert.Contains(t, lines[0], "to the customer: A colleague has to approve this refund. I am handing you over to one right now.")
	assert.Equal(t, "done: {/refunds/RF-1} <nil>", lines[1])
}

// TestMain lets this program be a server whose refunds fail once, with an unknown effect.
func TestMain(m *testing.M) {
	if os.Getenv("FAIL_ONCE") == "" {
		os.Exit(m.Run())
	}
	type refund struct {
		OrderID        string  `json:"order_id"`
		Amount         float64 `json:"amount"`
		IdempotencyKey string  `json:"idempotency_key,omitempty"`
	}
	seen := map[string]bool{}
	server := mcp.NewServer(&mcp.Implementation{Name: "refunds"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, &idempotency.Options{UpstreamDedupes: true}, func(_ context.Context, _ *mcp.CallToolRequest, in refund) (*mcp.CallToolResult, any, error) {
		if !seen[in.IdempotencyKey] {
			seen[in.IdempotencyKey] = true
			return nil, nil, errors.New("the ledger said something new")
		}
		return nil, map[string]string{"refund": fmt.Sprint("the same key, for ", in.Amount)}, nil
	})
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

// The README's agent repeats a call that may have been done with its key.
func TestREADME_Verify(t *testing.T) {
	t.Parallel()
	agent := exec.Command("go", "run", "./agent", os.Args[0])
	agent.Env = append(os.Environ(), "FAIL_ONCE=1")
	stdout, err := agent.Output()
	require.NoError(t, err)
	assert.Equal(t, "done: {the same key, for 650} <nil>\ndone: {the same key, for 40} <nil>\n", string(stdout))
}

// The README is short, and its links and the paths of its commands exist.
func TestREADME_Links(t *testing.T) {
	t.Parallel()
	text := read(t, readme)
	assert.Less(t, strings.Count(text, "\n"), 200)
	text = regexp.MustCompile("(?s)```go\n.*?```").ReplaceAllString(text, "")
	for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)|go (?:run|test)(?: -race)? (\./[a-z/]+)|cd ([a-z/]+)`).FindAllStringSubmatch(text, -1) {
		target := strings.Join(link[1:], "")
		if strings.HasPrefix(target, "https://") || target == "./..." {
			continue
		}
		found := false
		for _, from := range []string{"../..", "../compare", "."} {
			_, err := os.Stat(filepath.Join(from, target))
			found = found || err == nil
		}
		assert.True(t, found, "%s does not exist", target)
	}
}

// Each part of a -run pattern in the README matches a test, and the packages' tests have the
// other flags of the command.
func TestREADME_Patterns(t *testing.T) {
	t.Parallel()
	text := read(t, readme)
	commands := regexp.MustCompile("`go test (\\S+) -run ('[^']+'|\\S+?)( [^`]*)?`").FindAllStringSubmatch(text, -1)
	require.Len(t, commands, strings.Count(text, " -run "), "commands that are understood")
	for _, command := range commands {
		list := exec.Command("go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}", command[1])
		list.Dir = "../.."
		dirs, err := list.Output()
		require.NoError(t, err, command[0])
		var tests []string
		for dir := range strings.FieldsSeq(string(dirs)) {
			tests = append(tests, read(t, dir+"/*_test.go"))
		}
		for part := range strings.SplitSeq(strings.Trim(command[2], "'"), "|") {
			assert.Regexp(t, `\nfunc Test\w*`+part, strings.Join(tests, ""), "%s: no test matches %s", command[0], part)
		}
		for _, name := range regexp.MustCompile(` -(\w+)`).FindAllStringSubmatch(command[3], -1) {
			for _, source := range tests {
				assert.True(t, name[1] == "v" || strings.Contains(source, `("`+name[1]+`", `), "%s: there is no -%s", command[0], name[1])
			}
		}
	}
}

// The README's answers of an existing server, before and after. The text is mcp-grafana's
// own.
func TestREADME_Adoption(t *testing.T) {
	t.Parallel()
	before, after, ok := strings.Cut(strings.TrimSpace(blocks(t, "text", 1)[0]), "\n")
	require.True(t, ok)
	type in struct {
		Operation string `json:"operation"`
		RuleUID   string `json:"rule_uid,omitempty"`
	}
	serve := func(add ...mcp.Middleware) string {
		server := mcp.NewServer(&mcp.Implementation{Name: "grafana"}, nil)
		server.AddReceivingMiddleware(add...)
		mcp.AddTool(server, &mcp.Tool{Name: "alerting_manage_rules"}, func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New(before)
		})
		get := &mcp.CallToolParams{Name: "alerting_manage_rules", Arguments: map[string]any{"operation": "get"}}
		res, err := testutil.Connect(t, server, nil).CallTool(t.Context(), get)
		require.NoError(t, err)
		require.Len(t, res.Content, 1)
		return res.Content[0].(*mcp.TextContent).Text //nolint:errcheck // else it panics
	}
	assert.Equal(t, before, serve())
	got := serve(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Reveal: result.RevealAll}))
	assert.Equal(t, correlationID.ReplaceAllString(after, ""), correlationID.ReplaceAllString(got, ""))
	assert.Contains(t, read(t, readme), "`server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Reveal: result.RevealAll}))`")
}
