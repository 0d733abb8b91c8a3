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
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
)

// TestMain lets the test binary be a server, as "-serve KIND".
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-serve" {
		serve(os.Args[2:])
		os.Exit(0)
	}
	os.Exit(m.Run())
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
	_ = newServer(how[0]).Run(context.Background(), &mcp.StdioTransport{})
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
		return nil, out{Orders: []string{in.OrderID}}, nil
	}
	result.AddTool(server, &mcp.Tool{Name: "find", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: how != "writes"}}, handler)
	makes := &mcp.Tool{Name: "make", Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}
	if how == "mute" {
		makes.Annotations = nil
	}
	result.AddTool(server, makes, handler)
	return server
}

func check(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var o, e bytes.Buffer
	status = run(t.Context(), args, &o, &e)
	return status, o.String(), e.String()
}

func TestGrade(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args     []string
		status   int
		findings []string
		called   []string
	}{
		"good":      {[]string{"--", os.Args[0], "-serve", "good"}, statusGood, []string{}, []string{"find"}},
		"all":       {[]string{"-all", "--", os.Args[0], "-serve", "good"}, statusGood, []string{}, []string{"find", "make"}},
		"by name":   {[]string{"-tool", "make", "-skip", "find", "--", os.Args[0], "-serve", "good"}, statusGood, []string{}, []string{"make"}},
		"mute":      {[]string{"--", os.Args[0], "-serve", "mute"}, statusFindings, []string{"make no_annotations"}, []string{"find"}},
		"bare text": {[]string{"--", os.Args[0], "-serve", "bare"}, statusFindings, []string{"find bare_text"}, []string{"find"}},
		"masks":     {[]string{"--", os.Args[0], "-serve", "masks"}, statusFindings, []string{"find masked"}, []string{"find"}},
		"dies":      {[]string{"-tool", "make", "--", os.Args[0], "-serve", "dies"}, statusFindings, []string{"find server_died", "make server_died"}, []string{"find", "make"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := check(t, append([]string{"-json"}, test.args...)...)
			require.Equal(t, test.status, status, "%s", stderr)
			var got graded
			require.NoError(t, json.Unmarshal([]byte(stdout), &got))
			findings, called := []string{}, []string{}
			for _, f := range got.Findings {
				findings = append(findings, f.Tool+" "+string(f.Kind))
				assert.NotEmpty(t, f.Why)
				assert.NotEmpty(t, f.Mend)
			}
			for _, tool := range got.Tools {
				if tool.Calls > 0 {
					called = append(called, tool.Name)
				}
			}
			assert.Equal(t, test.findings, findings)
			assert.Equal(t, test.called, called)
			assert.Equal(t, len(findings) == 0, got.Overall == 100)
			assert.Contains(t, stderr, "grade: 1 of 2, find\n")

			status, stdout, _ = check(t, test.args...)
			assert.Equal(t, test.status, status)
			for _, f := range got.Findings {
				assert.Regexp(t, `(?m)^  `+f.Tool+` +`+string(f.Kind)+` +\d+ `, stdout)
				assert.Equal(t, 1, strings.Count(stdout, f.Mend), "said once for each kind")
				if f.Kind == resulttest.KindMasked {
					assert.Contains(t, stdout, "    know  find was called order_id naming nothing that exists\n")
				}
			}
			assert.Regexp(t, `(?m)^  overall +`+strconv.Itoa(got.Overall)+`%$`, stdout)
			assert.NotContains(t, stdout, "\x1b", "nothing moves the terminal's cursor")
		})
	}
}

func TestWhatCannotBeChecked(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		args []string
		want string
	}{
		"no such program":   {[]string{"--", "/no/such/program"}, "grade: cannot connect to the server: "},
		"it ends at once":   {[]string{"--", os.Args[0], "-serve", "nothing"}, "\n    [31mno database[0m\n"},
		"nothing to call":   {[]string{"--", os.Args[0], "-serve", "writes"}, "none of the 2 tools was called"},
		"no such tool":      {[]string{"-tool", "fund", "--", os.Args[0], "-serve", "good"}, `the server has no tool "fund"`},
		"nobody at the URL": {[]string{"-url", "http://127.0.0.1:1/mcp"}, "grade: cannot connect to the server: "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := check(t, test.args...)
			assert.Equal(t, statusFailed, status)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, test.want)
		})
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
	assert.Equal(t, statusFailed, run(ctx, []string{"--", os.Args[0], "-serve", "good"}, io.Discard, &stderr))
	assert.Contains(t, stderr.String(), "grade: interrupted\n")
}

func TestBadFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{},
		{"--"},
		{"-nonsense"},
		{"-url", "localhost:80"},
		{"-url", "http://"},
		{"-url", "http://x", "server"},
		{"-header", "A:b", "server"},
		{"-url", "http://x", "-header", "A"},
		{"-url", "http://x", "-header", ":b"},
		{"-url", "http://x", "-header", "A: b\nC: d"},
		{"-timeout", "0s", "server"},
		{"-timeout", "soon", "server"},
		{"-tool", "", "server"},
		{"-skip=", "server"},
		{"-json=maybe", "server"},
	} {
		status, stdout, stderr := check(t, args...)
		assert.Equal(t, statusUsage, status, "%q", args)
		assert.Empty(t, stdout)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
	}
	status, stdout, _ := check(t, "-help")
	assert.Zero(t, status)
	for _, text := range []string{"  -json", "  -url URL", "  -header NAME:VALUE", "  -all", "  -tool NAME", "  -skip NAME", "  -timeout duration", "exit status is 0"} {
		assert.Contains(t, stdout, text)
	}
	for _, area := range []resulttest.Area{
		resulttest.AreaAnswers, resulttest.AreaStructure, resulttest.AreaGuidance, resulttest.AreaSecrecy, resulttest.AreaEmptiness, resulttest.AreaValidation,
	} {
		assert.Contains(t, stdout, "  "+string(area)+" ")
	}
}

// TestOurOwnServers holds the other examples to what they teach.
func TestOurOwnServers(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"support":  {"-serve"},
		"research": {"-agent", "papers"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			program := filepath.Join(t.TempDir(), name)
			out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../"+name).CombinedOutput()
			require.NoError(t, err, "%s", out)
			status, stdout, stderr := check(t, append([]string{"-all", "--", program}, args...)...)
			assert.Equal(t, statusGood, status, "%s%s", stdout, stderr)
		})
	}
}
