package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestMiddleware_Envelopes(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	wire := new(testutil.Wire)
	session := testutil.Connect(t, newServer(&log), wire)
	limit := `"errorCategory":"business","isRetryable":false,"code":"limit_exceeded","message":"Over the limit.",`
	internal := `"errorCategory":"transient","isRetryable":false,"code":"internal","message":`
	for tool, want := range map[string]string{
		"direct": limit, "wrapped": limit, "failure_result": limit, "strict": limit, "raw_failure": limit, "raw_error": limit,
		"unknown": internal, "raw_unknown": internal, "panic": internal, "raw_panic": internal, "raw_nil": internal,
		"raw_failure_nil": internal, "raw_failure_typed_nil": internal, "raw_typed_nil": internal,
		"raw_typed_nil_std": internal, "raw_typed_nil_protocol": internal, "raw_asks_and_fails": limit, "raw_result_and_error": internal,
		"raw_shared": limit, "set_error": internal, "echo": internal,
		"raw_text":                   `{"isError":true,"isRetryable":false,"message":"no luck","correlationId":`,
		"raw_words_beside_the_error": `"code":"limit_exceeded","message":"Too much.",`,
		"read_only":                  `"effect":"none"`,
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
		require.Equal(t, result.KindFailure, out.Kind, "%s: %+v", tool, out.Err)
		var reply struct {
			Result struct {
				ResultType        string           `json:"resultType"`
				IsError           bool             `json:"isError"`
				Content           []map[string]any `json:"content"`
				StructuredContent any              `json:"structuredContent"`
				InputRequests     any              `json:"inputRequests"`
			} `json:"result"`
		}
		require.NoError(t, json.Unmarshal(wire.Last(), &reply), tool)
		assert.Equal(t, "complete", reply.Result.ResultType, tool)
		assert.True(t, reply.Result.IsError, tool)
		assert.Nil(t, reply.Result.StructuredContent, tool)
		assert.Nil(t, reply.Result.InputRequests, tool)
		require.Len(t, reply.Result.Content, blocks[tool]+1, tool)
		text, ok := reply.Result.Content[0]["text"].(string)
		require.True(t, ok, tool)
		assert.Contains(t, text, want, tool)
		assert.True(t, strings.HasPrefix(text, `{"isError":true,"`), "%s: %s", tool, text)
		assert.Contains(t, text, `"correlationId":"`+out.Err.CorrelationID+`"`, tool)
		assert.NotContains(t, text, "hunter2", tool)
		assert.NotContains(t, text, "10.0.0.7", tool)
		assert.NotContains(t, text, "echoed", tool)
	}
	assert.Contains(t, log.String(), "10.0.0.7", "the cause is in the log")
	assert.NotContains(t, log.String(), "hunter2")
	assert.Contains(t, log.String(), "tools_test.go", "so is the stack")
	assert.Contains(t, log.String(), "gen_ai.tool.name=raw_panic")
}

func TestMiddleware_Successes(t *testing.T) {
	t.Parallel()
	wire := new(testutil.Wire)
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), wire)
	for tool, want := range map[string]result.Kind{
		"typed_nil": result.KindEmpty, "nil_list": result.KindEmpty, "empty": result.KindEmpty,
		"raw_ok": result.KindEmpty, "raw_empty": result.KindEmpty,
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
		require.NoError(t, out.AsError(), tool)
		assert.Equal(t, want, out.Kind, tool)
		assert.Contains(t, string(wire.Last()), `"structuredContent":{"items":[]}`, tool)
		got, err := result.Decode[items](out)
		require.NoError(t, err, tool)
		assert.NotNil(t, got.Items, tool)
		if strings.Contains(tool, "empty") {
			assert.Equal(t, "No items.", out.Text(), tool)
			assert.Contains(t, string(wire.Last()), `"io.github.mcp-toolerr/kind":"empty"`, tool)
		}
	}
}

func TestMiddleware_ArgumentsAtFault(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), nil)
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "arguments"}))
	require.Equal(t, result.KindFailure, out.Kind)
	assert.Equal(t, toolerr.CategoryValidation, out.Err.Category)
	assert.Equal(t, toolerr.CodeMissingArgument, out.Err.Code)
	assert.Equal(t, "id", out.Err.Field)

	out = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "arguments", Arguments: map[string]any{"id": "x", "count": "many"}}))
	require.Equal(t, result.KindFailure, out.Kind)
	assert.Equal(t, toolerr.CodeInvalidArgument, out.Err.Code)
	assert.NotContains(t, out.Text(), "many", "the value may be a secret")
}

func TestMiddleware_ChangedTool(t *testing.T) {
	t.Parallel()
	server := newServer(new(bytes.Buffer))
	session := testutil.Connect(t, server, nil)
	effect := func() toolerr.Effect {
		return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "late"})).Err.Effect
	}
	call := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		return nil, nil, context.DeadlineExceeded
	}
	_ = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "direct"})) // the list is known
	mcp.AddTool(server, &mcp.Tool{Name: "late", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, call)
	assert.Equal(t, toolerr.EffectNone, effect(), "a tool that was added later is seen")
}

func TestMiddleware_ProtocolErrors(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), nil)
	for tool, want := range map[string]struct {
		code     int64
		category toolerr.Category
	}{"raw_protocol": {-32042, "permission"}, "no_such_tool": {-32602, "validation"}} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
		require.Equal(t, result.KindFailure, out.Kind)
		assert.Nil(t, out.Result)
		var protocol *jsonrpc.Error
		require.ErrorAs(t, out.AsError(), &protocol)
		assert.Equal(t, want.code, protocol.Code)
		assert.Equal(t, want.category, out.Err.Category)
		assert.False(t, out.Err.Retryable)
	}
}

func TestHandler_WithoutMiddleware(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	result.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, strict, error) {
		return result.Failure(errOverLimit), strict{}, nil
	})
	out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
	require.Equal(t, result.KindFailure, out.Kind)
	assert.Equal(t, toolerr.CodeLimitExceeded, out.Err.Code)
	assert.Nil(t, out.Result.StructuredContent)
}

func TestMiddleware_ErrorTemplate(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), nil)
	ids := map[string]bool{}
	for range 3 {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "direct"}))
		ids[out.Err.CorrelationID] = true
	}
	assert.Len(t, ids, 3)
	assert.Empty(t, errOverLimit.CorrelationID)
}
