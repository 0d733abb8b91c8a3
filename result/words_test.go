package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// The text of an author is the message, whatever it says, and nothing stands beside it. Results
// and revealed errors are sent alike, also if the error is joined, wrapped or of an unknown type.
func TestMiddleware_Prose(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"path":{"type":"string"},"issue_number":{"type":"integer"}}}`
	for _, words := range []string{
		"The moon is in the way.", "order 17 not found", "issue_number is required", `open "/x": no such file or directory`,
		"rate limit exceeded, retry after 30 seconds", "the board answered 503 Service Unavailable", "permission denied",
		"invalid character '<' looking for beginning of value",
		"Use branch_unprotect first.", "ERROR: duplicate key (SQLSTATE 23505)",
		`API error: {"code":"not_found","retryable":true}`, "context deadline exceeded",
	} {
		for way, fail := range map[string]toolFunc{
			"result":        answers(failed(words)),
			"error":         fails(errors.New(words)),
			"wrapped":       fails(fmt.Errorf("%w", errors.New(words))), //nolint:err113 // its text is
			"joined":        fails(errors.Join(errors.New(words))),
			"unknown type":  fails(ownError{words}),
			"beside errors": answers(withError(errors.New("at 10.0.0.7"), block(words))),
		} {
			opts := quiet()
			opts.CorrelationID = func(context.Context) string { return "id" }
			opts.Reveal = result.RevealAll
			server := serve(opts)
			server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(schema)},
				func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return fail(ctx) })
			res, err := testutil.Connect(t, server, nil).
				CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(`{"path":"/x"}`)})
			require.NoError(t, err)
			message, err := jsonvalue.Marshal(words)
			require.NoError(t, err)
			assert.Equal(t, text(`{"isError":true,"isRetryable":false,"message":`+string(message)+`,"correlationId":"id"}`),
				res.Content, "%s, %s", words, way)
		}
	}
}

type ownError struct{ text string }

func (e ownError) Error() string { return e.text }

// Middleware around gets the cause of a failure, and a second result.Middleware does nothing.
func TestMiddleware_Twice(t *testing.T) {
	t.Parallel()
	var got []error
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	around := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := res.(*mcp.CallToolResult); ok {
				got = append(got, r.GetError())
			}
			return res, err
		}
	}
	inner, outer := new(bytes.Buffer), new(bytes.Buffer)
	server.AddReceivingMiddleware(around, result.Middleware(logged(outer)), around, result.Middleware(logged(inner)))
	addBrokenTools(server)
	addTyped(server, "sold_out", fails(errOverLimit.WithCause(errSoldOut)))
	session := testutil.Connect(t, server, nil)
	out := callTool(t, session, "sold_out", nil)
	for _, err := range got {
		require.ErrorIs(t, err, errSoldOut)
		assert.Equal(t, "Over the limit.", err.Error())
		assert.Contains(t, fmt.Sprint(slog.AnyValue(err).Resolve()), "limit_exceeded",
			"it is logged as it would be by itself")
	}
	assert.Len(t, got, 2)
	assert.Contains(t, outer.String(), out.Err.CorrelationID)
	assert.Contains(t, outer.String(), errSoldOut.Error())
	assert.Equal(t, 1, strings.Count(inner.String(), "\n"), "it says once that it does nothing")
	assert.Contains(t, inner.String(), "result.Middleware inside another one")
	out = callTool(t, session, "every_keyword", map[string]any{"no_such_argument": 1})
	assert.Equal(t, "no_such_argument", out.Err.Field)
}
