// Package quickstart_test checks the code, texts, links, commands and length of the README.
package quickstart_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
)

// readme is relative to this folder.
const readme = "../../README.md"

// blocks returns the README's blocks of code in a language.
func blocks(t *testing.T, language string) (found []string) {
	t.Helper()
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllSubmatch(text, -1) {
		found = append(found, string(block[1]))
	}
	return found
}

// The README's Go code is part of a program that is compiled and run, apart from
// directives for the linter.
func TestREADME_Code(t *testing.T) {
	t.Parallel()
	var programs string
	files, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		programs += string(regexp.MustCompile(` //nolint:.*`).ReplaceAll(text, nil)) + "\n"
	}
	shown := blocks(t, "go")
	require.Len(t, shown, 2, "a server and an agent")
	for _, code := range shown {
		assert.Contains(t, programs, "\n"+code, "not in examples/quickstart")
	}
}

// The README's JSON texts are the answers of the SDK alone and of the quick start's server.
func TestREADME_Wire(t *testing.T) {
	t.Parallel()
	shown := blocks(t, "json")
	require.Len(t, shown, 2)
	bare, wire := mcp.NewServer(&mcp.Implementation{Name: "bare"}, nil), new(testutil.Wire)
	mcp.AddTool(bare, &mcp.Tool{Name: "process_refund"}, func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("refund exceeds limit")
	})
	_, err := testutil.Connect(t, bare, wire).CallTool(t.Context(), &mcp.CallToolParams{Name: "process_refund"})
	require.NoError(t, err)
	assert.Contains(t, string(wire.Last()), strings.Trim(shown[0], "{}\n"))

	server := exec.Command("go", "run", "./server")
	session := testutil.ConnectTo(t, &mcp.CommandTransport{Command: server}, nil)
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{
		Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": 650},
	}))
	var after bytes.Buffer
	require.NoError(t, json.Compact(&after, []byte(shown[1])))
	id := regexp.MustCompile(`"correlationId":"\d{18}"`)
	require.Regexp(t, id, after.String())
	assert.Equal(t, id.ReplaceAllString(after.String(), ""), id.ReplaceAllString(out.Text(), ""))
}

// The agent and the server of the README, as the README starts them.
func TestREADME_QuickStart(t *testing.T) {
	t.Parallel()
	stdout, err := exec.Command("go", "run", "./agent", "go", "run", "./server").Output()
	require.NoError(t, err)
	lines := strings.Split(string(stdout), "\n")
	assert.Contains(t, lines[0], "to the customer: A colleague has to approve this refund. I am handing you over to one right now.")
	assert.Contains(t, lines[1], `"message":"The payment gateway did not answer."`)
	assert.Contains(t, lines[1], `"attempts":3`)
}

// The README is short, and its links and the paths of its commands exist.
func TestREADME_Links(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	assert.Less(t, bytes.Count(text, []byte("\n")), 200)
	text = regexp.MustCompile("(?s)```go\n.*?```").ReplaceAll(text, nil)
	for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)|go (?:run|test)(?: -race)? (\./[a-z/]+)|cd ([a-z/]+)`).FindAllSubmatch(text, -1) {
		target := string(bytes.Join(link[1:], nil))
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

// Each part of a -run pattern in the README matches a test, and the test program has the
// other flags of the command.
func TestREADME_Patterns(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	commands := regexp.MustCompile("`go test (\\S+) -run ('[^']+'|\\S+?)( [^`]*)?`").FindAllStringSubmatch(string(text), -1)
	require.Len(t, commands, bytes.Count(text, []byte(" -run ")), "commands that are understood")
	for _, command := range commands {
		for part := range strings.SplitSeq(strings.Trim(command[2], "'"), "|") {
			list := exec.Command("go", append([]string{"test", command[1], "-list", part}, strings.Fields(command[3])...)...)
			list.Dir = filepath.Dir(readme)
			out, err := list.CombinedOutput()
			require.NoError(t, err, "%s\n%s", command[0], out)
			assert.Regexp(t, `(?m)^Test`, string(out), "%s: no test matches %s", command[0], part)
		}
	}
}

// The README's answers of an existing server, before and after. The text is mcp-grafana's
// own.
func TestREADME_Adoption(t *testing.T) {
	t.Parallel()
	shown := blocks(t, "text")
	require.Len(t, shown, 1)
	before, after, ok := strings.Cut(strings.TrimSpace(shown[0]), "\n")
	require.True(t, ok)
	serve := func(add ...mcp.Middleware) string {
		server := mcp.NewServer(&mcp.Implementation{Name: "grafana"}, nil)
		server.AddReceivingMiddleware(add...)
		mcp.AddTool(server, &mcp.Tool{Name: "alerting_manage_rules"}, func(context.Context, *mcp.CallToolRequest, struct {
			Operation string `json:"operation"`
			RuleUID   string `json:"rule_uid,omitempty"`
		},
		) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New(before)
		})
		res, err := testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{
			Name: "alerting_manage_rules", Arguments: map[string]any{"operation": "get"},
		})
		require.NoError(t, err)
		require.Len(t, res.Content, 1)
		return res.Content[0].(*mcp.TextContent).Text //nolint:errcheck // else it panics
	}
	assert.Equal(t, before, serve())
	id := regexp.MustCompile(`"correlationId":"[^"]*"`)
	got := serve(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Reveal: result.RevealAll}))
	assert.Equal(t, id.ReplaceAllString(after, ""), id.ReplaceAllString(got, ""))
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	assert.Contains(t, string(text), "`server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Reveal: result.RevealAll}))`")
}
