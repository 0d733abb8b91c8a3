// Package quickstart_test checks the code, texts, links, commands and length of the README and its pages.
package quickstart_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/format"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
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

const readme, adopt = "../../README.md", "../adopt/README.md"

// pages have the documents whose length, code and links are checked.
var pages = []string{
	readme, "README.md", adopt, "../compare/README.md", "../../retry/LAYERS.md", "../../result/GLOSSARY.md",
}

// texts have no long paragraphs either.
var texts = []string{
	"../../toolerr/doc.go", "../../result/doc.go", "../../retry/doc.go", "../../result/idempotency/doc.go",
	"../../retry/handoff/doc.go", "../../result/resulttest/doc.go", "../../result/resulttest/faults/faults.go",
	"../../result/servertest/doc.go", "../../result/mcpotel/doc.go",
	"../../result/PARTIAL.md", "../../result/idempotency/OPERATIONS.md", "../../.github/SECURITY.md",
	"../../.github/CONTRIBUTING.md", "../../.github/CHANGELOG.md", "../../toolerr/toolerrlint/README.md",
}

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

// blocks returns a page's blocks of code in a language.
func blocks(t *testing.T, page, language string) (found []string) {
	t.Helper()
	for _, block := range regexp.MustCompile("(?s)```"+language+"\n(.*?)```").FindAllStringSubmatch(read(t, page), -1) {
		found = append(found, block[1])
	}
	return found
}

// correlationID matches a member that differs from call to call.
var correlationID = regexp.MustCompile(`"correlationId":"[^"]*"`)

// The pages' Go code is part of a program of the page's folder that is compiled and run, apart
// from directives for the linter. The README's is whole programs: see TestREADME_Programs.
func TestREADME_Code(t *testing.T) {
	t.Parallel()
	programs := regexp.MustCompile(` //nolint:.*`).ReplaceAllString(read(t, "*/*.go"), "")
	shown := blocks(t, "README.md", "go")
	require.Len(t, shown, 3)
	for _, code := range shown {
		assert.Contains(t, programs, "\n"+code, "not in examples/quickstart")
	}
	for _, page := range pages[2:] {
		assert.Empty(t, blocks(t, page, "go"), "%s: code that is not checked", page)
	}
}

// The README's server and agent compile and run as they stand, against a stand-in for GitHub.
func TestREADME_Programs(t *testing.T) {
	t.Parallel()
	github := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/repos/golang/go/issues/2/comments":
			_, _ = w.Write([]byte(`[{"body": "So it is.", "id": 1}]`))
		case "/repos/golang/go/issues/3/comments":
			_, _ = w.Write([]byte(`[]`))
		case "/repos/golang/go/issues/4/comments":
			w.WriteHeader(http.StatusUnauthorized)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(github.Close)
	shown, dir := blocks(t, readme, "go"), t.TempDir()
	require.Len(t, shown, 2)
	build := func(name, code string, replace ...string) string {
		formatted, err := format.Source([]byte(code))
		require.NoError(t, err)
		assert.Equal(t, string(formatted), code, "not formatted")
		source := filepath.Join(dir, name+".go")
		require.NoError(t, os.WriteFile(source, []byte(strings.NewReplacer(replace...).Replace(code)), 0o600))
		out, err := exec.Command("go", "build", "-o", filepath.Join(dir, name), source).CombinedOutput()
		require.NoError(t, err, string(out))
		return filepath.Join(dir, name)
	}
	server := build("server", shown[0], "https://api.github.com", github.URL)
	agent := build("agent", shown[1], "75804", "len(os.Args)") // of four issues
	for i, want := range []string{
		`accept {"Comments":[{"Body":"So it is."}]}`, "accept No comments yet.", `reauthorize {"isError":true,`,
		`fix_input {"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found",`,
	} {
		out, err := exec.Command(agent, slices.Repeat([]string{server}, i+1)...).Output()
		require.NoError(t, err)
		assert.True(t, strings.HasPrefix(string(out), want), "issue %d: got %s, want %s", i+2, out, want)
	}
}

// The README's texts are the answers of the SDK alone and of the quick start's server.
func TestREADME_Wire(t *testing.T) {
	t.Parallel()
	shown := blocks(t, readme, "json")
	require.Len(t, shown, 1)
	bare := mcp.NewServer(&mcp.Implementation{Name: "bare"}, nil)
	mcp.AddTool(bare, &mcp.Tool{Name: "process_refund"},
		func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
			return nil, nil, errors.New("refund exceeds limit")
		})
	res, err := testutil.Connect(t, bare, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "process_refund"})
	require.NoError(t, err)
	require.Len(t, res.Content, 1)
	assert.Contains(t, read(t, readme), "The SDK alone sends a text, `"+res.Content[0].(*mcp.TextContent).Text+"`") //nolint:errcheck // else it panics

	server := exec.Command("go", "run", "./server")
	session := testutil.ConnectTo(t, &mcp.CommandTransport{Command: server}, nil)
	refund := &mcp.CallToolParams{Name: "process_refund", Arguments: map[string]any{"order_id": "ORD-7", "amount": 650}}
	out := result.Parse(session.CallTool(t.Context(), refund))
	var after bytes.Buffer
	require.NoError(t, json.Compact(&after, []byte(shown[0])))
	require.Regexp(t, `"correlationId":"\d{18}"`, after.String())
	assert.Equal(t, correlationID.ReplaceAllString(after.String(), ""), correlationID.ReplaceAllString(out.Text(), ""))
}

// The agent and the server of this folder, as its page starts them.
func TestREADME_QuickStart(t *testing.T) {
	t.Parallel()
	stdout, err := exec.Command("go", "run", "./agent", "go", "run", "./server").Output()
	require.NoError(t, err)
	lines := strings.Split(string(stdout), "\n")
	assert.Contains(t, lines[0], "to the customer: A colleague has to approve this refund. I am handing you over to one "+
		"right now.")
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
	idempotency.AddTool(server, &mcp.Tool{Name: "process_refund"}, &idempotency.Options{UpstreamDedupes: true},
		func(_ context.Context, _ *mcp.CallToolRequest, in refund) (*mcp.CallToolResult, any, error) {
			if !seen[in.IdempotencyKey] {
				seen[in.IdempotencyKey] = true
				return nil, nil, errors.New("the ledger said something new")
			}
			return nil, map[string]string{"refund": fmt.Sprint("the same key, for ", in.Amount)}, nil
		})
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

// The agent repeats a call that may have been done with its key.
func TestREADME_Verify(t *testing.T) {
	t.Parallel()
	agent := exec.Command("go", "run", "./agent", os.Args[0])
	agent.Env = append(os.Environ(), "FAIL_ONCE=1")
	stdout, err := agent.Output()
	require.NoError(t, err)
	assert.Equal(t, "done: {the same key, for 650} <nil>\ndone: {the same key, for 40} <nil>\n", string(stdout))
}

// The pages and texts have no long paragraphs, the pages no long cells or lines of code, and the README is short.
func TestREADME_Length(t *testing.T) {
	t.Parallel()
	assert.LessOrEqual(t, strings.Count(read(t, readme), "\n"), 120, "lines")
	assert.LessOrEqual(t, len(read(t, readme)), 8<<10, "bytes")
	item := regexp.MustCompile(`^ *(?:-|#+|\d+\.) `)
	comment := regexp.MustCompile(`(?m)^// ?`)
	for _, page := range slices.Concat(pages, texts) {
		paragraph, width, cells, code := "", 120, 120, false
		if page == readme {
			width = 100
		}
		if slices.Contains(texts, page) { // tables of promises, and statements to be copied
			width, cells = math.MaxInt, math.MaxInt
		}
		text := read(t, page)
		require.NotEmpty(t, text, page)
		if strings.HasSuffix(page, ".go") {
			text = comment.ReplaceAllString(text, "")
		}
		for line := range strings.SplitSeq(text, "\n") {
			switch fence := strings.HasPrefix(line, "```"); {
			case fence:
				paragraph, code = "", !code
			case code:
				assert.LessOrEqual(t, len(line), width, "%s: a line of code: %s", page, line)
			case strings.HasPrefix(line, "\t"):
				paragraph = ""
			case strings.HasPrefix(line, "|"):
				paragraph = ""
				for cell := range strings.SplitSeq(line, "|") {
					assert.LessOrEqual(t, len(strings.TrimSpace(cell)), cells, "%s: a cell: %s", page, cell)
				}
			case line == "" || strings.HasPrefix(paragraph, "#") || item.MatchString(line):
				paragraph = line
			default:
				paragraph += " " + strings.TrimSpace(line)
			}
			assert.LessOrEqual(t, len(paragraph), 350, "%s: a paragraph: %s", page, paragraph)
		}
	}
}

// The pages' links and the paths of their commands exist.
func TestREADME_Links(t *testing.T) {
	t.Parallel()
	for _, page := range pages {
		text := regexp.MustCompile("(?s)```go\n.*?```").ReplaceAllString(read(t, page), "")
		for _, link := range regexp.MustCompile(`\]\(([^)#]+)\)|go (?:run|test)(?: -race)? (\./[a-z/]+)|cd ([./a-z]+)`).
			FindAllStringSubmatch(text, -1) {
			target := strings.Join(link[1:], "")
			if strings.HasPrefix(target, "https://") || target == "./..." {
				continue
			}
			_, err := os.Stat(filepath.Join(filepath.Dir(page), target))
			if err != nil && link[1] == "" { // a command in a clone
				_, err = os.Stat(filepath.Join("../..", target))
			}
			assert.NoError(t, err, "%s: %s does not exist", page, target)
		}
	}
}

// Each part of a -run pattern in SECURITY matches a test, and the packages' tests have the
// other flags of the command.
func TestREADME_Patterns(t *testing.T) {
	t.Parallel()
	text := read(t, "../../.github/SECURITY.md")
	commands := regexp.MustCompile("`go test (\\S+) -run ('[^']+'|\\S+?)( [^`]*)?`").FindAllStringSubmatch(text, -1)
	require.Len(t, commands, strings.Count(text, " -run "), "commands that are understood")
	for _, command := range commands {
		list := exec.Command("go", "list", "-f", "{{if or .TestGoFiles .XTestGoFiles}}{{.Dir}}{{end}}", command[1])
		list.Dir = "../.."
		dirs, err := list.Output()
		require.NoError(t, err, command[0])
		var tests []string
		for dir := range strings.SplitSeq(strings.TrimSpace(string(dirs)), "\n") {
			tests = append(tests, read(t, dir+"/*_test.go"))
		}
		for part := range strings.SplitSeq(strings.Trim(command[2], "'"), "|") {
			assert.Regexp(t, `\nfunc Test\w*`+part, strings.Join(tests, ""), "%s: no test matches %s", command[0], part)
		}
		for _, name := range regexp.MustCompile(` -(\w+)`).FindAllStringSubmatch(command[3], -1) {
			for _, source := range tests {
				assert.True(t, name[1] == "v" || strings.Contains(source, `("`+name[1]+`", `), "%s: there is no -%s", command[0],
					name[1])
			}
		}
	}
}

// The adoption page's answers of an existing server, before and after. The text is mcp-grafana's
// own.
func TestREADME_Adoption(t *testing.T) {
	t.Parallel()
	shown := blocks(t, adopt, "text")
	require.Len(t, shown, 2)
	before, after, ok := strings.Cut(strings.TrimSpace(shown[1]), "\n")
	require.True(t, ok)
	type in struct {
		Operation string `json:"operation"`
		RuleUID   string `json:"rule_uid,omitempty"`
	}
	serve := func(add ...mcp.Middleware) string {
		server := mcp.NewServer(&mcp.Implementation{Name: "grafana"}, nil)
		server.AddReceivingMiddleware(add...)
		mcp.AddTool(server, &mcp.Tool{Name: "alerting_manage_rules"},
			func(context.Context, *mcp.CallToolRequest, in) (*mcp.CallToolResult, any, error) {
				return nil, nil, errors.New(before)
			})
		get := &mcp.CallToolParams{Name: "alerting_manage_rules", Arguments: map[string]any{"operation": "get"}}
		res, err := testutil.Connect(t, server, nil).CallTool(t.Context(), get)
		require.NoError(t, err)
		require.Len(t, res.Content, 1)
		return res.Content[0].(*mcp.TextContent).Text //nolint:errcheck // else it panics
	}
	assert.Equal(t, before, serve())
	got := serve(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.DiscardHandler), Reveal: result.RevealAll,
	}))
	var compact bytes.Buffer
	require.NoError(t, json.Compact(&compact, []byte(after)))
	assert.Equal(t, correlationID.ReplaceAllString(compact.String(), ""), correlationID.ReplaceAllString(got, ""))
	assert.Equal(t, "server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Reveal: "+
		"result.RevealAll}))\n", shown[0])
	assert.Contains(t, read(t, readme),
		"`server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Reveal: result.RevealAll}))`")
}
