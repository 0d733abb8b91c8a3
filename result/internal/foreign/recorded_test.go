package foreign_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// reading is everything that the package reads from a result, a line for each function. A message
// that is the whole text is left out.
func reading(t *testing.T, res *mcp.CallToolResult) string {
	t.Helper()
	var b strings.Builder
	show := func(function string, e *toolerr.Error, marks ...any) {
		if e != nil && e.Message == foreign.FirstText(res) {
			c := *e
			c.Message, e = "", &c
		}
		fmt.Fprintln(&b, function+":", strings.Join(append(strings.Fields(fmt.Sprint(marks...)), testutil.Fields(e)), " "))
	}
	mark := map[bool]string{true: "whole"}
	failure, whole := foreign.Failure(res)
	show("failure", failure, mark[whole])
	written, whole := foreign.Written(res)
	show("written", written, mark[whole])
	mark[true] = "empty"
	success, empty := foreign.Success(res)
	show("success", success, mark[empty])
	if e := success; e != nil { // no other member of an unflagged result may influence the agent
		trusted := toolerr.Error{Category: e.Category, Code: e.Code, Message: e.Message, Effect: e.Effect, Partial: e.Partial}
		assert.Equal(t, &trusted, e)
		assert.True(t, e.Effect != toolerr.EffectNone && (e.Partial == nil || e.Partial.ContinueFrom == nil),
			foreign.FirstText(res))
	}
	encoded := *res // as on the server
	if res.StructuredContent != nil {
		encoded.StructuredContent = json.RawMessage(testutil.JSON(res.StructuredContent))
	}
	if mistaken, _ := foreign.Success(&encoded); testutil.Fields(mistaken) != testutil.Fields(success) {
		show("mistaken", mistaken)
	}
	if all := strings.Join(slices.Collect(foreign.Texts(res)), "\n"); all != foreign.FirstText(res) {
		fmt.Fprintf(&b, "texts: %q\n", all)
	}
	if beside := foreign.Beside(res); beside != "" {
		fmt.Fprintln(&b, "beside:", beside)
	}
	if report, ok := foreign.Object(foreign.FirstText(res)); ok {
		envelope, _ := jsonvalue.Object(string(failure.AppendJSON(nil)))
		fmt.Fprintln(&b, "rest:", testutil.JSON(foreign.Rest(report, envelope)))
	}
	return b.String()
}

// fields returns the fields of a failure, and whether a tool that is safe to repeat may be called again.
func fields(e *toolerr.Error) string {
	return testutil.Fields(e) + map[bool]string{true: " retryable if safe"}[e.Resolve(
		toolerr.ToolAnnotations{Idempotent: true}).Retryable]
}

// TestReadings checks all readings of texts, of whole results, and of protocol errors.
func TestReadings(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"texts", "flagged", "unflagged", "embedded"} {
		testutil.Recorded(t, "testdata/"+name+".txt", func(sample string) string {
			return reading(t, text(testutil.Repeat(sample)))
		})
	}
	testutil.Recorded(t, "testdata/results.txt", func(sample string) string {
		res := new(mcp.CallToolResult)
		require.NoError(t, json.Unmarshal([]byte(sample), res), sample)
		return reading(t, res)
	})
	testutil.Recorded(t, "testdata/protocol.txt", func(sample string) string {
		wire := new(jsonrpc.Error)
		require.NoError(t, json.Unmarshal([]byte(sample), wire), sample)
		return fields(foreign.ProtocolError(wire))
	})
}

// TestReadings_PublicServers checks all readings of the recorded results of public servers.
func TestReadings_PublicServers(t *testing.T) {
	t.Parallel()
	results := map[string]*mcp.CallToolResult{}
	files, err := filepath.Glob("../../testdata/*.jsonl")
	require.NoError(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range bytes.Lines(raw) {
			var c struct {
				ID     string              `json:"id"`
				Result *mcp.CallToolResult `json:"result"`
			}
			require.NoError(t, json.Unmarshal(line, &c))
			results[c.ID] = c.Result
		}
	}
	n := 0
	testutil.Recorded(t, "testdata/public.txt", func(id string) string {
		n++
		require.Contains(t, results, id)
		return reading(t, results[id])
	})
	assert.Len(t, results, n)
}

// A callError is an error of a client's call, with its text and what it wraps.
type callError struct {
	text   string
	causes []error
}

func (e *callError) Error() string   { return e.text }
func (e *callError) Unwrap() []error { return e.causes }

// TestCallError checks the readings of errors of a call. A sample is the error's text, and what it
// wraps: names, and numbers of protocol errors with their messages.
func TestCallError(t *testing.T) {
	t.Parallel()
	known := map[string]error{
		"closed": mcp.ErrConnectionClosed, "missing": mcp.ErrSessionMissing, "end": io.EOF, "cut": io.ErrUnexpectedEOF,
		"pipe": io.ErrClosedPipe, "closed file": os.ErrClosed,
		"broken pipe": syscall.EPIPE, "syntax": &json.SyntaxError{},
		"exchange":      &url.Error{Op: "Post", URL: "https://x.example", Err: syscall.ECONNREFUSED},
		"exchange, cut": &url.Error{Op: "Post", URL: "https://x.example", Err: io.ErrUnexpectedEOF},
		"canceled":      context.Canceled, "deadline": context.DeadlineExceeded,
		"own": toolerr.Business("Own words.").WithCode("c"), "own nil": (*toolerr.Error)(nil), "other": errors.New("other"),
	}
	testutil.Recorded(t, "testdata/errors.txt", func(sample string) string {
		text, names, _ := strings.Cut(sample, " | ")
		err := &callError{text: text}
		for name := range strings.SplitSeq(names, " & ") {
			number, message, _ := strings.Cut(name, " ")
			var status, refusal int64
			var session string
			if n, _ := fmt.Sscanf(name, "refused %d %s %d", &status, &session, &refusal); n == 3 {
				wire := map[bool]*jsonrpc.Error{true: {Code: refusal, Message: "x"}}[refusal != 0]
				resp := &http.Response{StatusCode: int(status), Body: http.NoBody}
				err.causes = append(err.causes, foreign.NewRefusal(resp, strings.Trim(session, "-"), wire))
			} else if code, isCode := strconv.ParseInt(number, 10, 64); isCode == nil {
				err.causes = append(err.causes, &jsonrpc.Error{Code: code, Message: message})
			} else if name != "" {
				require.Contains(t, known, name)
				err.causes = append(err.causes, known[name])
			}
		}
		e, status, lost := foreign.CallError(err)
		require.ErrorIs(t, e, err, sample)
		return fmt.Sprint(fields(e), map[bool]string{true: fmt.Sprint(" status=", status)}[status != 0],
			map[bool]string{true: " lost"}[lost])
	})
}
