package result_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func wireResult(t *testing.T, text string) *mcp.CallToolResult {
	t.Helper()
	var r mcp.CallToolResult
	require.NoError(t, json.Unmarshal([]byte(text), &r))
	return &r
}

func TestParse_WithoutResult(t *testing.T) {
	t.Parallel()
	for err, lost := range map[error]bool{io.EOF: true, context.DeadlineExceeded: false} {
		out := result.Parse(nil, err)
		assert.Equal(t, result.KindFailure, out.Kind, err)
		assert.Equal(t, lost, out.SessionLost, err)
		require.ErrorIs(t, out.AsError(), err)
	}
	assert.Equal(t, "transient internal", reads(result.Parse(nil, nil).Err))
}

func TestOutcome_Zero(t *testing.T) {
	t.Parallel()
	var o result.Outcome
	require.Error(t, o.AsError())
	assert.Contains(t, o.Text(), `"isError":true`)
	_, err := result.Decode[string](o)
	require.Error(t, err)
	assert.Equal(t, "none data empty partial failure input_required", fmt.Sprint(result.Kind(0), result.KindData, result.KindEmpty, result.KindPartial, result.KindFailure, result.KindInputRequired))
}

func TestDecode(t *testing.T) {
	t.Parallel()
	type row struct {
		ID int64 `json:"id"`
	}
	const found = `{"content":[{"type":"text","text":"Found one."}],"structuredContent":{"id":7}}`
	for wire, want := range map[string]int64{ // 0 for an error: never a zero value for data
		`{"content":[{"type":"text","text":"{\"id\":9007199254740993}"}],"structuredContent":{"id":9007199254740993}}`: 9007199254740993, // the text has it whole
		found: 7,
		`{"content":[{"type":"text","text":"{\"id\":\"seven\"}"}]}`: 0,
		`{"content":[{"type":"text","text":"no JSON"}]}`:            0,
		`{"resultType":"input_required","requestState":"s"}`:        0,
	} {
		got, err := result.Decode[row](result.Parse(wireResult(t, wire), nil))
		assert.Equal(t, want, got.ID, wire)
		if assert.Equal(t, want == 0, err != nil, wire); strings.Contains(wire, "seven") {
			require.ErrorContains(t, err, "id")
		}
	}
	text, err := result.Decode[string](result.Parse(wireResult(t, found), nil))
	require.NoError(t, err)
	assert.Equal(t, "Found one.", text)
	for in, want := range map[string]string{"null": "null", "5": "5", `"quoted"`: "quoted", `"`: `"`} {
		text, err = result.Decode[string](result.Parse(result.OK(in), nil))
		require.NoError(t, err)
		assert.Equal(t, want, text)
	}
	_, err = result.Decode[row](result.Parse(result.Failure(errOverLimit), nil))
	require.Error(t, err)
	assert.Equal(t, toolerr.CodeLimitExceeded, toolerr.CodeOf(err))
	for text, fits := range map[string]bool{`{}`: true, `{"id":0}`: true, `{"ID":0}`: true, `{"number":1}`: false} {
		_, err = result.Decode[row](result.Parse(result.OK(json.RawMessage(text)), nil))
		assert.Equal(t, fits, err == nil, "%s: %v", text, err)
	}
	none, err := result.Decode[[]row](result.Parse(result.Empty("None.", nil), nil))
	require.NoError(t, err)
	assert.Empty(t, none)
}

func TestParse_RoundTrip(t *testing.T) {
	t.Parallel()
	e := toolerr.Transient("m").WithCode("c").WithHint("h").WithRetryAfter(time.Second).WithEffect(toolerr.EffectNone).
		WithDetails(map[string]any{"a": []any{1.5, "x"}}).WithCorrelationID("id")
	out := result.Parse(result.Failure(e), nil)
	assert.Equal(t, string(e.AppendJSON(nil)), out.Text())
	assert.Equal(t, e.Details, out.Err.Details)
	for name, value := range map[string]any{"object": map[string]any{"n": 1.0}, "list": []any{"a"}, "number": 5.0, "string": "words"} {
		out := result.Parse(result.OK(value), nil)
		require.Equal(t, result.KindData, out.Kind, name)
		got, err := result.Decode[any](out)
		if name == "string" {
			got, err = result.Decode[string](out)
		}
		require.NoError(t, err, name)
		assert.Equal(t, value, got, name)
	}
	assert.Equal(t, result.KindData, result.Parse(result.OK(nil), nil).Kind)
	assert.Equal(t, "Nothing was found.", result.Parse(result.Empty("", nil), nil).Text())
	assert.Equal(t, "<&>", result.Parse(result.OK("<&>"), nil).Text())
}

func TestParse_ClientTimeout(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addRaw(server, "slow", waits(context.Context.Err))
	session := testutil.Connect(t, server, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	out := result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: "slow"}))
	assert.Equal(t, "transient timeout unknown", reads(out.Err))
	require.NoError(t, session.Close())
	out = callTool(t, session, "slow", nil)
	assert.True(t, out.SessionLost)
	assert.True(t, isTemporary(out.Err))
}

// isTemporary reports whether a failure is retryable for a tool that is safe to repeat.
func isTemporary(e *toolerr.Error) bool {
	return e.Resolve(toolerr.ToolAnnotations{Idempotent: true}).Retryable
}

// A failure as a result has the envelope and the server's other blocks; a success is unchanged.
func TestOutcome_CallToolResult(t *testing.T) {
	t.Parallel()
	image := &mcp.ImageContent{Data: []byte("PNG"), MIMEType: "image/png"}
	failed := &mcp.CallToolResult{IsError: true, Meta: mcp.Meta{"a": 1}, Content: append(text("Rate limit exceeded."), image, &mcp.TextContent{Text: "See the manual."})}
	res := result.Parse(failed, nil).CallToolResult()
	require.Len(t, res.Content, 3)
	assert.True(t, res.IsError)
	again := result.Parse(res, nil)
	assert.Equal(t, toolerr.CodeRateLimited, again.Err.Code)
	assert.False(t, again.Err.Retryable, "its effect is unknown")
	assert.Equal(t, image, res.Content[1])
	assert.Equal(t, mcp.Meta{"a": 1}, res.Meta)
	assert.Equal(t, result.Parse(failed, nil).Text(), again.Text())
	fine := &mcp.CallToolResult{Content: text("x")}
	assert.Same(t, fine, result.Parse(fine, nil).CallToolResult())
	assert.False(t, result.Outcome{Kind: result.KindData}.CallToolResult().IsError)
	assert.True(t, result.Outcome{}.CallToolResult().IsError)
}

// reads returns category, code, retryability and effect of a failure as read by Parse.
func reads(e *toolerr.Error) string {
	if e == nil {
		return "no failure"
	}
	s := fmt.Sprintf("%s %s", e.Category, e.Code)
	if e.Retryable {
		s += " retryable"
	}
	if e.RetryAfter > 0 {
		s += " " + e.RetryAfter.String()
	}
	if e.Effect != "" {
		s += " " + string(e.Effect)
	}
	return s
}

// Further spellings are in the test data of package foreign.
func TestParse_NotBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) { // in which no time passes
		res := failed("m")
		res.Meta = mcp.Meta{"io.modelcontextprotocol/toolFailure": map[string]any{
			"class": "transient", "code": "overloaded", "retryable": true,
			"retryNotBefore": time.Now().Add(40 * time.Second).UTC().Format(time.RFC3339), "correlationId": "c1", "agentGuidance": "wait",
		}}
		e := result.Parse(res, nil).Err
		assert.Equal(t, "40s c1 wait m", fmt.Sprint(e.RetryAfter, " ", e.CorrelationID, " ", e.Hint, " ", e.Message))
	})
}
