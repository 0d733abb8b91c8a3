package harness_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// throttled is an answer that is an envelope.
func throttled() *mcp.CallToolResult {
	return result.Failure(toolerr.RateLimited("Busy.", time.Second).WithDetails(map[string]any{"queue": 7}))
}

func ExampleTranscript() {
	print := &harness.Transcript{W: os.Stdout}
	print.Title(1, "A title")
	print.Call("find", map[string]any{"query": "<b>"})
	print.Decided(result.Parse(throttled(), nil),
		retry.Decision{Action: retry.ActionRetry, Reason: "why", Delay: 1500400 * time.Microsecond})
	text := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "100%"}}}
	print.Decided(result.Parse(text, nil), retry.Decision{Action: retry.ActionAccept, Reason: "why"})
	print.Say("to the user: %s", "100%")
	// Output:
	// 1. A title
	//    call     find {"query":"<b>"}
	//    failure  transient rate_limited, retryable, effect none
	//             message: Busy.
	//             hint: Wait for retryAfterMs, then retry the same call.
	//             retryAfterMs: 1000
	//             details: {"queue":7}
	//    decide   retry after 1.5s: why
	//    data     100%
	//    decide   accept: why
	//    then     to the user: 100%
}

func TestLayout(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 200)
	for name, test := range map[string]struct {
		text, head string
		members    []harness.Member
	}{
		"empty":     {"", "", nil},
		"data":      {`{"orders":[]}`, `{"orders":[]}`, nil},
		"long data": {long, long[:300] + "... (400 bytes)", nil},
		"without effect": {
			`{"isError":true,"errorCategory":"business","isRetryable":false,"message":"No."}`, "business, not retryable",
			[]harness.Member{{"message", "No."}},
		},
		"without a category": {
			`{"isError":true,"errorCategory":"","isRetryable":false,"message":"No."}`, "not retryable",
			[]harness.Member{{"message", "No."}},
		},
		"words before": {
			`Error: {"isError":true,"errorCategory":"transient","isRetryable":true,"code":"timeout","message":"Late.","effect":"none","suggestions":["a","b"]}`,
			"Error: transient timeout, retryable, effect none",
			[]harness.Member{{"message", "Late."}, {"suggestions", `["a","b"]`}},
		},
		"a long member": {
			`{"isError":true,"message":"` + long + `"}`, "not retryable",
			[]harness.Member{{"message", long[:300] + "... (400 bytes)"}},
		},
		"cut off":     {`{"isError":true,"message":"No.`, `{"isError":true,"message":"No.`, nil},
		"a key alone": {`{"isError":true,"message`, `{"isError":true,"message`, nil},
	} {
		head, members := harness.Layout(test.text)
		assert.Equal(t, test.head, head, name)
		assert.Equal(t, test.members, members, name)
	}
}

// What is piped has neither colours nor line breaks within a text; the wire stands there only
// if it was asked for.
func TestTranscript_Piped(t *testing.T) {
	t.Parallel()
	out := result.Parse(throttled(), nil)
	for _, wire := range []bool{false, true} {
		var b bytes.Buffer
		shown := harness.Output{Wire: wire}
		shown.Transcript(&b, harness.NewPen(&b)).Decided(out, retry.Decision{})
		assert.NotContains(t, b.String(), "\x1b")
		assert.Contains(t, b.String(), "hint: Wait for retryAfterMs, then retry the same call.\n")
		assert.Equal(t, wire, strings.Contains(b.String(), "\n   wire     "+harness.WireText(out)+"\n"))
	}
}

func TestTranscript_Sending(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	print := &harness.Transcript{W: &b}
	send := print.Sending(func(context.Context, string, mcp.Request) (mcp.Result, error) { return throttled(), nil })
	for range 2 {
		_, err := send(t.Context(), "tools/call", &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Name: "raw"}})
		require.NoError(t, err)
		_, err = send(t.Context(), "tools/call", &mcp.ClientRequest[*mcp.CallToolParams]{Params: &mcp.CallToolParams{
			Name: "find", Arguments: map[string]any{"n": 1},
		}})
		require.NoError(t, err)
	}
	assert.Equal(t, strings.Repeat("   call     find {\"n\":1}\n", 2), b.String())
}

// parsed returns the output of a program with these arguments.
func parsed(t *testing.T, args ...string) (out harness.Output, flags *flag.FlagSet) {
	t.Helper()
	flags = flag.NewFlagSet("small", flag.ContinueOnError)
	out.AddFlags(flags)
	out.AddJSON(flags, "scenario")
	require.NoError(t, flags.Parse(args))
	return out, flags
}

func TestOutput_Check(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":            "<nil>",
		"-json":       "-json does not go with -serve",
		"-wire":       "-wire does not go with -serve",
		"-log x":      "-log does not go with -serve",
		"-json -wire": "-json and -wire do not go together",
	} {
		out, flags := parsed(t, strings.Fields(args)...)
		assert.Contains(t, fmt.Sprint(out.Check(flags, "-serve")), want, args)
		if args != "-json -wire" {
			assert.NoError(t, out.Check(flags, ""), args)
		}
	}
}

func TestOutput_OpenLog(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	named := filepath.Join(dir, "named.log")
	for _, test := range []struct {
		name   string
		args   []string
		pieces int // in the file; 0 is none
	}{
		{"a new file", nil, 1},
		{"a file", []string{"-log", named}, 1},
		{"the same", []string{"-log", named}, 2},
		{"stderr", []string{"-log", "-"}, 0},
	} {
		out, _ := parsed(t, test.args...)
		var stderr bytes.Buffer
		log, closeLog, err := out.OpenLog("small", &stderr)
		require.NoError(t, err, test.name)
		_, err = io.WriteString(log, "piece\n")
		require.NoError(t, err, test.name)
		require.NoError(t, closeLog(), test.name)
		path := named
		if _, after, ok := strings.Cut(strings.TrimSpace(stderr.String()), "log is in "); ok {
			path = after
		}
		if test.pieces == 0 {
			assert.Equal(t, "piece\n", stderr.String(), test.name)
			continue
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err, test.name)
		assert.Equal(t, test.pieces, strings.Count(string(text), "piece\n"), test.name)
	}
	out, _ := parsed(t, "-log", dir)
	_, _, err := out.OpenLog("small", io.Discard)
	require.ErrorContains(t, err, "cannot write the servers' log")
}

// The null device stands for a terminal: it is a character device too.
func TestNewPen(t *testing.T) {
	device, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer func() { _ = device.Close() }()
	file, err := os.Create(t.TempDir() + "/file")
	require.NoError(t, err)
	defer func() { _ = file.Close() }()
	for name, test := range map[string]struct {
		w             *os.File
		term, noColor string
		want          string
	}{
		"terminal":      {device, "xterm", "", "\x1b[31mx\x1b[0m"},
		"NO_COLOR":      {device, "xterm", "1", "x"},
		"dumb":          {device, "dumb", "", "x"},
		"no TERM":       {device, "", "", "x"},
		"file":          {file, "xterm", "", "x"},
		"closed stdout": {nil, "xterm", "", "x"},
	} {
		t.Setenv("TERM", test.term)
		t.Setenv("NO_COLOR", test.noColor)
		assert.Equal(t, test.want, harness.NewPen(test.w).In(harness.Red, "x"), name)
	}

	t.Setenv("TERM", "dumb")
	var b bytes.Buffer
	new(harness.Output).Transcript(&b, harness.NewPen(device)).Decided(result.Parse(result.Failure(
		toolerr.Transient("Busy.").WithHint("Wait for retryAfterMs, or some seconds if it is absent, then retry the same "+
			"call.")), nil), retry.Decision{})
	assert.Contains(t, b.String(), "hint: Wait for retryAfterMs, or some seconds if it is absent, then\n            retry")
	for line := range bytes.Lines(b.Bytes()) {
		assert.LessOrEqual(t, utf8.RuneCount(line), 81, "%s", line)
	}
}
