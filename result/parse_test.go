package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
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

func TestParse_Kinds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wire string
		want result.Kind
	}{
		"text":                  {`{"content":[{"type":"text","text":"hello"}]}`, result.KindData},
		"structured":            {`{"content":[],"structuredContent":{"a":1}}`, result.KindData},
		"marked empty":          {`{"content":[{"type":"text","text":"none"}],"_meta":{"io.github.mcp-toolerr/kind":"empty"}}`, result.KindEmpty},
		"mark dropped":          {`{"content":[{"type":"text","text":"none"}],"structuredContent":{"orders":[],"total":0}}`, result.KindEmpty},
		"no content":            {`{"content":[]}`, result.KindEmpty},
		"a receipt":             {`{"content":[{"type":"text","text":"x"}],"structuredContent":{"refund_id":"R1","warnings":[]}}`, result.KindData},
		"a user without roles":  {`{"content":[{"type":"text","text":"x"}],"structuredContent":{"user":{"id":1},"roles":[]}}`, result.KindData},
		"two lists, one filled": {`{"content":[],"structuredContent":{"a":[],"b":[1]}}`, result.KindData},
		"failure":               {`{"isError":true,"content":[{"type":"text","text":"{\"isError\":true,\"errorCategory\":\"business\",\"isRetryable\":false,\"message\":\"m\"}"}]}`, result.KindFailure},
		"partial":               {`{"isError":true,"content":[{"type":"text","text":"{\"errorCategory\":\"transient\",\"isRetryable\":true,\"message\":\"m\",\"partial\":{\"processed\":15,\"total\":50,\"continueFrom\":16}}"}]}`, result.KindPartial},
		"bare failure":          {`{"isError":true,"content":[{"type":"text","text":"nope"}]}`, result.KindFailure},
		"silent failure":        {`{"isError":true,"content":[]}`, result.KindFailure},
		"input required":        {`{"resultType":"input_required","requestState":"s"}`, result.KindInputRequired},
	} {
		out := result.Parse(wireResult(t, test.wire), nil)
		assert.Equal(t, test.want, out.Kind, name)
		assert.Equal(t, test.want == result.KindFailure || test.want == result.KindPartial, out.Err != nil, name)
		assert.NotEmpty(t, out.Text(), name)
		if out.Err != nil {
			assert.False(t, out.Err.Retryable, name)
			require.Error(t, out.AsError(), name)
		} else {
			require.NoError(t, out.AsError(), name)
		}
	}
	bare := result.Parse(wireResult(t, `{"isError":true,"content":[{"type":"text","text":"nope"}]}`), nil)
	assert.Equal(t, &toolerr.Error{Message: "nope"}, bare.Err, "not understood: no category, not retryable, its words kept")
}

func TestParse_WithoutResult(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err       error
		category  toolerr.Category
		code      toolerr.Code
		retryable bool
		effect    toolerr.Effect
		lost      bool
	}{
		"nothing at all":  {nil, "transient", "internal", false, "", false},
		"closed":          {fmt.Errorf("%w: calling", mcp.ErrConnectionClosed), "transient", "unavailable", true, "unknown", true},
		"peer died":       {fmt.Errorf("calling: %w", io.EOF), "transient", "unavailable", true, "unknown", true},
		"session missing": {fmt.Errorf("x: %w", mcp.ErrSessionMissing), "transient", "unavailable", true, "unknown", true},
		"client timeout":  {context.DeadlineExceeded, "transient", "timeout", true, "unknown", false},
		"client cancel":   {context.Canceled, "transient", "canceled", false, "unknown", false},
		"unknown tool":    {&jsonrpc.Error{Code: -32602, Message: `unknown tool "x"`}, "validation", "not_found", false, "none", false},
		"invalid params":  {&jsonrpc.Error{Code: -32602}, "validation", "invalid_argument", false, "none", false},
		"no such method":  {&jsonrpc.Error{Code: -32601}, "validation", "not_found", false, "none", false},
		"invalid request": {&jsonrpc.Error{Code: -32600}, "validation", "invalid_argument", false, "none", false},
		"internal":        {&jsonrpc.Error{Code: -32603, Message: "boom"}, "transient", "internal", false, "unknown", false},
		"code of its own": {fmt.Errorf("x: %w", &jsonrpc.Error{Code: -1}), "transient", "internal", false, "unknown", false},
		"a round tripper": {fmt.Errorf("%w: %w", &jsonrpc.Error{Code: -32005}, toolerr.Transient("m").WithCode("rate_limited").WithEffect("none")), "transient", "rate_limited", true, "none", false},
		"our own error":   {toolerr.Business("m").WithCode("c"), "business", "c", false, "none", false},
		"any other":       {errors.New("x"), "transient", "internal", false, "unknown", false},
	} {
		out := result.Parse(nil, test.err)
		require.Equal(t, result.KindFailure, out.Kind, name)
		assert.Equal(t, test.category, out.Err.Category, name)
		assert.Equal(t, test.code, out.Err.Code, name)
		assert.Equal(t, test.retryable, isTemporary(out.Err), name)
		assert.Equal(t, test.retryable && test.effect == "none", out.Err.Retryable, name)
		assert.Equal(t, test.effect, out.Err.Effect, name)
		assert.Equal(t, test.lost, out.SessionLost, name)
		if test.err != nil {
			require.ErrorIs(t, out.AsError(), test.err, name)
		}
	}
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
	out := result.Parse(wireResult(t, `{"content":[{"type":"text","text":"{\"id\":9007199254740993}"}],"structuredContent":{"id":9007199254740993}}`), nil)
	got, err := result.Decode[row](out)
	require.NoError(t, err)
	assert.Equal(t, int64(9007199254740993), got.ID, "the text has the integer whole")

	out = result.Parse(wireResult(t, `{"content":[{"type":"text","text":"Found one."}],"structuredContent":{"id":7}}`), nil)
	got, err = result.Decode[row](out)
	require.NoError(t, err)
	assert.Equal(t, int64(7), got.ID)
	text, err := result.Decode[string](out)
	require.NoError(t, err)
	assert.Equal(t, "Found one.", text)
	for in, want := range map[string]string{"null": "null", "5": "5", `"quoted"`: "quoted", `"`: `"`} {
		text, err = result.Decode[string](result.Parse(result.OK(in), nil))
		require.NoError(t, err)
		assert.Equal(t, want, text)
	}

	_, err = result.Decode[row](result.Parse(wireResult(t, `{"content":[{"type":"text","text":"{\"id\":\"seven\"}"}]}`), nil))
	require.ErrorContains(t, err, "id")
	_, err = result.Decode[row](result.Parse(wireResult(t, `{"content":[{"type":"text","text":"no JSON"}]}`), nil))
	require.Error(t, err, "never a zero value for data")
	_, err = result.Decode[row](result.Parse(wireResult(t, `{"resultType":"input_required","requestState":"s"}`), nil))
	require.Error(t, err)
	_, err = result.Decode[row](result.Parse(result.Failure(errOverLimit), nil))
	require.Error(t, err)
	assert.Equal(t, toolerr.CodeLimitExceeded, toolerr.CodeOf(err))
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
	assert.Equal(t, result.KindFailure, result.Parse(result.OK(make(chan int)), nil).Kind)
	assert.Equal(t, result.KindFailure, result.Parse(result.Empty("m", make(chan int)), nil).Kind)
	assert.Equal(t, result.KindData, result.Parse(result.OK(nil), nil).Kind)
	assert.Equal(t, "Nothing was found.", result.Parse(result.Empty("", nil), nil).Text())
	assert.Equal(t, "<&>", result.Parse(result.OK("<&>"), nil).Text())
}

func TestParse_ClientTimeout(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "slow"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
		<-ctx.Done()
		return nil, nil, ctx.Err()
	})
	session := testutil.Connect(t, server, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	out := result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: "slow"}))
	assert.Equal(t, toolerr.CodeTimeout, out.Err.Code)
	assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)

	require.NoError(t, session.Close())
	out = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "slow"}))
	assert.True(t, out.SessionLost)
	assert.True(t, isTemporary(out.Err))
}

// isTemporary reports whether a failure is retryable for a tool that is safe to repeat.
func isTemporary(e *toolerr.Error) bool {
	return e.Resolve(toolerr.ToolHints{Idempotent: true}).Retryable
}

type (
	base struct {
		Tags []string `json:"tags"`
	}
	nested struct {
		base
		Rows   []row            `json:"rows"`
		ByName map[string][]row `json:"by_name"`
		Any    any              `json:"any"`
		Ptr    *row             `json:"ptr"`
		Array  [1][]int         `json:"array"`
		Raw    json.RawMessage  `json:"raw,omitempty"`
		When   time.Time        `json:"when"`
		hidden []string
	}
	row struct {
		Cells []string `json:"cells"`
	}
)

func TestOK_NilLists(t *testing.T) {
	t.Parallel()
	shared := row{}
	v := nested{Rows: []row{{}}, ByName: map[string][]row{"a": nil, "b": {{}}}, Any: []string(nil), Ptr: &shared}
	out := result.OK(v)
	text := result.Parse(out, nil).Text()
	assert.JSONEq(t, `{"tags":[],"rows":[{"cells":[]}],"by_name":{"a":[],"b":[{"cells":[]}]},"any":[],"ptr":{"cells":[]},"array":[[]],"when":"0001-01-01T00:00:00Z"}`, text)
	assert.Nil(t, shared.Cells, "what is shared is not changed")
	assert.Nil(t, v.Rows[0].Cells)
	assert.Nil(t, v.hidden)
	assert.Nil(t, v.ByName["a"])

	type address struct {
		Lines []string `json:"lines"`
	}
	optional := struct {
		Ship address  `json:"ship,omitzero"`
		Tags []string `json:"tags,omitzero"`
		Bill address  `json:"bill"`
	}{}
	assert.JSONEq(t, `{"bill":{"lines":[]}}`, result.Parse(result.OK(optional), nil).Text(), "what is left out stays so")

	cycle := map[string]any{}
	cycle["a"], cycle["b"] = cycle, cycle
	assert.True(t, result.OK(cycle).IsError)
	type loop struct {
		Next *loop
		List []int
	}
	l := &loop{}
	l.Next = l
	assert.True(t, result.OK(l).IsError, "what has no end cannot be encoded")
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
