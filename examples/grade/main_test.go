package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/servertest"
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

// decoded is what the format json holds.
type decoded struct {
	Server   string                  `json:"server"`
	Overall  *int                    `json:"overall"`
	Error    string                  `json:"error"`
	Findings []servertest.Finding    `json:"findings"`
	Tools    []servertest.ToolReport `json:"tools"`
	Scores   []servertest.Score      `json:"scores"`
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
		"misleads":  {[]string{"--", os.Args[0], "-serve", "misleads"}, statusFindings, []string{"find bad_hint"}, []string{"find"}},
		"dies":      {[]string{"-tool", "make", "--", os.Args[0], "-serve", "dies"}, statusFindings, []string{"find server_died", "make server_died"}, []string{"find", "make"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := check(t, append([]string{"-format", "json"}, test.args...)...)
			require.Equal(t, test.status, status, "%s", stderr)
			got := decode(t, stdout)
			findings, called := []string{}, []string{}
			for _, f := range got.Findings {
				findings = append(findings, f.Tool+" "+string(f.Kind))
				assert.NotEmpty(t, f.Why)
				assert.NotEmpty(t, f.Fix)
			}
			for _, tool := range got.Tools {
				if tool.Calls > 0 {
					called = append(called, tool.Name)
				}
			}
			assert.Equal(t, test.findings, findings)
			assert.Equal(t, test.called, called)
			require.NotNil(t, got.Overall)
			assert.Equal(t, len(findings) == 0, *got.Overall == 100)
			assert.Empty(t, stderr, "no progress, since it is no terminal")

			status, stdout, _ = check(t, test.args...)
			assert.Equal(t, test.status, status)
			for _, f := range got.Findings {
				assert.Regexp(t, `(?m)^  `+f.Tool+` +`+string(f.Kind)+` +\d+ `, stdout)
				assert.Equal(t, 1, strings.Count(stdout, f.Fix), "said once for each kind")
				if f.Kind == servertest.KindMasked {
					assert.Contains(t, stdout, "    know  find was called order_id that does not exist\n")
				}
			}
			assert.Regexp(t, `(?m)^  overall +`+strconv.Itoa(*got.Overall)+`%$`, stdout)
			assert.NotContains(t, stdout, "\x1b", "nothing moves the terminal's cursor")
		})
	}
}

func TestGrade_NotCheckable(t *testing.T) {
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
			assert.NotContains(t, stdout, "%", "no score")
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

func TestParseFlags_Bad(t *testing.T) {
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
		{"-format", "pdf", "server"},
		{"-o", "", "server"},
		{"-min", "101", "server"},
		{"-min", "-1", "server"},
		{"-min", "most", "server"},
	} {
		status, stdout, stderr := check(t, args...)
		assert.Equal(t, statusUsage, status, "%q", args)
		assert.Empty(t, stdout)
		assert.Equal(t, 1, strings.Count(stderr, "\n"), "one sentence: %s", stderr)
	}
	status, stdout, _ := check(t, "-help")
	assert.Zero(t, status)
	for _, text := range []string{"  -format FORMAT", "  -o FILE", "  -min PERCENT", "  -source FILE", "  -version", "  -url URL", "  -header NAME:VALUE", "  -all", "  -tool NAME", "  -skip NAME", "  -timeout duration", "exit status is\n  0  "} {
		assert.Contains(t, stdout, text)
	}
	for _, area := range []servertest.Area{
		servertest.AreaAnswers, servertest.AreaStructure, servertest.AreaGuidance, servertest.AreaPromises, servertest.AreaSecrecy, servertest.AreaEmptiness, servertest.AreaValidation,
	} {
		assert.Contains(t, stdout, "  "+string(area)+" ")
		assert.NotEmpty(t, about(area))
	}
}
