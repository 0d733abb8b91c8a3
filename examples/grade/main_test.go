package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestMain lets the test binary be a server, as "-serve KIND".
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-serve" {
		serve(os.Args[2:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func check(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, &o, &e)
	return status, o.String(), e.String()
}

// serving returns a command line that checks a server of that kind.
func serving(how string, flags ...string) []string {
	return append(flags, "--", os.Args[0], "-serve", how)
}

// decoded is what the format json holds.
type decoded struct {
	Server   string                  `json:"server"`
	Tier     servertest.Tier         `json:"tier"`
	Score    int                     `json:"score"`
	Error    string                  `json:"error"`
	Findings []servertest.Finding    `json:"findings"`
	Notes    []servertest.Finding    `json:"notes"`
	Causes   []*cause                `json:"causes"`
	Tools    []servertest.ToolReport `json:"tools"`
	Calls    []struct {
		Seen     string            `json:"seen"`
		Action   string            `json:"action"`
		Reason   string            `json:"reason"`
		Findings []servertest.Kind `json:"findings"`
	} `json:"calls"`
}

func decode(t *testing.T, report string) (got decoded) {
	t.Helper()
	require.NoError(t, json.Unmarshal([]byte(report), &got), "%s", report)
	return got
}

func TestGrade_NotCheckable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no such program":   {[]string{"--", "/no/such/program"}, "grade: cannot connect to the server: "},
		"it ends at once":   {serving("nothing"), "\n    [31mno database[0m\n"},
		"nothing to call":   {serving("writes"), "none of the 2 tools was called"},
		"no such tool":      {serving("good", "-tool", "fund"), `the server has no tool "fund"`},
		"nobody at the URL": {[]string{"-url", "http://127.0.0.1:1/mcp"}, "grade: cannot connect to the server: "},
	} {
		status, stdout, stderr := check(t, test.args...)
		assert.Equal(t, statusFailed, status, name)
		assert.NotContains(t, stdout, "%", "%s: no score", name)
		assert.Contains(t, stderr, test.want, name)
	}
}

func TestURL(t *testing.T) {
	t.Parallel()
	server := newServer("bare")
	mcpHandler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)
	var refused int
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer 7" {
			refused++
			http.Error(w, "no", http.StatusUnauthorized)
			return
		}
		mcpHandler.ServeHTTP(w, r)
	}))
	defer front.Close()
	status, stdout, stderr := check(t, "-url", front.URL, "-header", "Authorization: Bearer 7")
	assert.Equal(t, statusFindings, status, "%s", stderr)
	assert.Contains(t, stdout, "bare_text")
	assert.Zero(t, refused)
	status, _, _ = check(t, "-url", front.URL)
	assert.Equal(t, statusFailed, status)
}

func TestInterrupt(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	assert.Equal(t, statusFailed, run(ctx, serving("good"), io.Discard, &stderr))
	assert.Contains(t, stderr.String(), "grade: interrupted\n")
}

func TestParseFlags_Bad(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"", "--", "-nonsense", "-url localhost:80", "-url http://", "-url http://x server",
		"-header A:b server", "-url http://x -header A", "-url http://x -header :b", "-url http://x -header A:b\nC:d",
		"-timeout 0s server", "-timeout soon server", "-tool= server", "-skip= server", "-format pdf server", "-o= server",
		"-min 101 server", "-min -1 server", "-min most server",
	} {
		args := strings.FieldsFunc(line, func(r rune) bool { return r == ' ' })
		status, stdout, stderr := check(t, args...)
		assert.Equal(t, statusUsage, status, "%q", args)
		assert.Empty(t, stdout)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
	}
	status, stdout, _ := check(t, "-help")
	assert.Zero(t, status)
	for _, text := range []string{
		"  -format FORMAT", "  -o FILE", "  -min SCORE", "  -allow KIND", "  -baseline FILE", "  -config FILE",
		"  -source FILE", "  -version", "  -url URL", "  -header NAME:VALUE", "  -all", "  -tool NAME",
		"  -skip NAME", "  -timeout duration", "exit status is\n  0  ",
	} {
		assert.Contains(t, stdout, text)
	}
	for _, tier := range tiers {
		assert.Contains(t, stdout, "  "+string(tier.Tier)+" ")
		assert.NotEmpty(t, says(tier.Tier))
	}
}

func TestMin(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		how, min string
		status   int
	}{
		{"bare", "0", statusGood},
		{"bare", "49", statusGood},
		{"bare", "50", statusFindings},
		{"dies", "0", statusFindings}, // an error
		{"good", "79", statusGood},
		{"good", "80", statusFindings}, // one of two tools was called
		{"writes", "0", statusFailed},
		{"nothing", "0", statusFailed},
	} {
		status, _, stderr := check(t, serving(test.how, "-min", test.min)...)
		assert.Equal(t, test.status, status, "%s %s: %s", test.how, test.min, stderr)
	}
}

// Errors can be excepted by name, a baseline excepts what was there before, and a configuration
// allows and makes calls.
func TestExceptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	before := filepath.Join(dir, "before.json")
	status, _, stderr := check(t, serving("bare", "-o", before)...)
	require.Equal(t, statusFindings, status, stderr)
	config := file("config.json", `{"tools":{"make":[{"order_id":"ORD-10001"}]}}`)
	for _, test := range []struct {
		how    string
		flags  []string
		status int
	}{
		{"dies", []string{"-min", "0", "-allow", "server_died"}, statusGood},
		{"dies", []string{"-allow", "server_died"}, statusFindings}, // without -min every finding fails
		{"bare", []string{"-baseline", before}, statusGood},
		{"mute", []string{"-baseline", before}, statusFindings},
		{"writes", []string{"-config", config, "-min", "60"}, statusGood},
		{"good", []string{"-allow", "leak"}, statusUsage},
		{"good", []string{"-baseline", config}, statusUsage},
		{"good", []string{"-config", before}, statusUsage},
	} {
		status, stdout, stderr := check(t, serving(test.how, test.flags...)...)
		assert.Equal(t, test.status, status, "%s %s: %s%s", test.how, test.flags, stdout, stderr)
		assert.True(t, test.how != "writes" || strings.Contains(stdout, "1 of 2 tools called"), stdout)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	status, stdout, stderr := check(t, "-version")
	assert.Equal(t, statusGood, status)
	assert.Regexp(t, `^grade \S+ \(go1\S+ \w+/\w+\)\n$`, stdout)
	assert.Empty(t, stderr)
}

// serve is a server of some kind, on stdin and stdout.
func serve(how []string) {
	switch how[0] {
	case "nothing":
		_, _ = os.Stderr.WriteString("\x1b[31mno database\x1b[0m\n")
		os.Exit(1)
	case "family": // starts a child that outlives it, and writes its id to a file
		child := exec.Command(os.Args[0], "-serve", "sleep")
		if child.Start() != nil || os.WriteFile(how[1], []byte(strconv.Itoa(child.Process.Pid)), 0o600) != nil {
			os.Exit(1)
		}
	case "sleep":
		time.Sleep(time.Minute) // until it is killed, which is what the test sees to
	}
	server := newServer(how[0])
	if how[0] == "hostile" {
		server = newHostileServer()
	}
	_ = server.Run(context.Background(), &mcp.StdioTransport{})
}

type in struct {
	OrderID string `json:"order_id" jsonschema:"such as ORD-10001"`
}

type out struct {
	Orders []string `json:"orders"`
}

// newServer has a tool that reads and one that writes. How says what is wrong.
func newServer(how string) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "orders", Version: "v1\x1b[31m"}, nil)
	if how != "bare" {
		server.AddReceivingMiddleware(result.Middleware(nil))
	}
	handler := func(_ context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, out, error) {
		if how == "dies" && in.OrderID != "ORD-10001" {
			os.Exit(7)
		}
		if how == "masks" && in.OrderID != "ORD-10001" {
			return nil, out{}, errors.New("the shelf is bare")
		}
		if how == "misleads" && in.OrderID != "ORD-10001" {
			return nil, out{}, toolerr.NotFound("order", in.OrderID).WithHint("Call list_orders first.")
		}
		return nil, out{Orders: []string{in.OrderID}}, nil
	}
	result.AddTool(server, &mcp.Tool{Name: "find", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: how != "writes"}},
		handler)
	makes := &mcp.Tool{Name: "make", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}
	if how == "mute" {
		makes.Annotations = nil
	}
	result.AddTool(server, makes, handler)
	return server
}

// hostileText wants out of every place that a report may put it in.
const hostileText = `</pre></style></title>"'><script>pwned=1</script><img src=x onerror=pwned=1><svg onload=pwned=1>` +
	`<a href="javascript:pwned=1">{{.}}${{ '$(pwned)' }}]]>--><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">` +
	"\x1b[31m\u202egnihton\u2066\x00\x07\r\n"

// newHostileServer returns a server whose texts attack the reader of a report.
func newHostileServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: hostileText, Version: hostileText}, nil)
	schema, err := json.Marshal(map[string]any{
		"type": "object", "required": []string{hostileText},
		"properties": map[string]any{hostileText: map[string]any{"type": "string", "enum": []string{hostileText}}},
	})
	if err != nil {
		panic(err)
	}
	for i, name := range []string{hostileText, strings.Repeat("long", 2000), "\u202e\x1b[2J"} {
		tool := &mcp.Tool{
			Name: name, InputSchema: json.RawMessage(schema),
			Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
		}
		server.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			text := hostileText + strings.Repeat("wide", 1<<15)
			return &mcp.CallToolResult{IsError: i > 0, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil
		})
	}
	server.AddTool(&mcp.Tool{Name: "unseen" + hostileText, InputSchema: json.RawMessage(schema)}, nil)
	return server
}
