package idempotency_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
)

// A repeat gets all content of the first answer.
func TestHandler_AuthorsContent(t *testing.T) {
	t.Parallel()
	ran := 0
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, nil, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, chargeOut, error) {
		ran++
		return &mcp.CallToolResult{
			IsError: true, StructuredContent: map[string]any{"bank": "B"},
			Content: []mcp.Content{&mcp.TextContent{Text: "The receipt is blank."}, &mcp.ImageContent{Data: []byte("PNG"), MIMEType: "image/png"}, &mcp.TextContent{Text: "See above."}},
		}, chargeOut{}, nil
	})
	session := testutil.Connect(t, server, nil)
	for _, key := range []string{"k", "k", "k"} {
		out := charge(t, session, "charge", 40, key)
		require.NotNil(t, out.Err)
		assert.Equal(t, "The receipt is blank.", out.Err.Message)
		assert.Equal(t, map[string]any{"bank": "B"}, out.Err.Details)
		assert.Equal(t, "k", out.Err.IdempotencyKey)
		require.Len(t, out.Result.Content, 3)
		assert.Equal(t, []byte("PNG"), out.Result.Content[1].(*mcp.ImageContent).Data) //nolint:errcheck // otherwise it panics
		assert.Equal(t, &mcp.TextContent{Text: "See above."}, out.Result.Content[2])
	}
	assert.Equal(t, 1, ran)
}

// Without the middleware there are no rules, and the default logger is used.
func TestHandler_WithoutMiddleware(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, nil, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, chargeOut, error) {
		return nil, chargeOut{}, errors.New(secret)
	})
	session := testutil.Connect(t, server, nil)
	for range 2 {
		e := charge(t, session, "charge", 1, "k").Err
		require.NotNil(t, e)
		assert.Equal(t, "internal k", fmt.Sprint(e.Code, " ", e.IdempotencyKey))
		assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2")
	}
}

// A payError is like that of a client library: a service names the argument at fault.
type payError struct {
	HTTPStatusCode int
	Msg, Param     string
}

func (e *payError) Error() string { return e.Msg }

// A tool with keys reads an error as the middleware does, and gets no advice to become one.
func TestHandler_LikeTheMiddleware(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		err    error
		field  string
		advice int
	}{
		"a service's argument": {&payError{HTTPStatusCode: 422, Msg: "too much", Param: "cents"}, "cents", 0},
		"another's argument":   {&payError{HTTPStatusCode: 422, Msg: "too much", Param: "card"}, "", 0},
		"a timeout":            {context.DeadlineExceeded, "", 1},
	} {
		var log bytes.Buffer
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(logged(&log)))
		h := func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, any, error) {
			return nil, nil, test.err
		}
		idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, &idempotency.Options{Rerun: true}, h)
		type noKey struct {
			Cents int `json:"cents"`
		}
		result.AddTool(server, &mcp.Tool{Name: "plain"}, func(context.Context, *mcp.CallToolRequest, noKey) (*mcp.CallToolResult, any, error) {
			return nil, nil, test.err
		})
		session := testutil.Connect(t, server, nil)
		e := charge(t, session, "charge", 1, "").Err
		assert.Equal(t, test.field, e.Field, name)
		assert.NotContains(t, log.String(), "idempotency.AddTool", name)
		plain := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "plain", Arguments: map[string]any{"cents": 1}})).Err
		assert.Equal(t, fmt.Sprint(plain.Category, plain.Code, plain.Field), fmt.Sprint(e.Category, e.Code, e.Field), name)
		assert.Equal(t, test.advice, bytes.Count(log.Bytes(), []byte("idempotency.AddTool")), name)
	}
}

// Errors of the store are logged by the middleware of the call.
func TestHandler_MiddlewareLogger(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	store := &failingStore{}
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, &idempotency.Options{Store: store}, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, chargeOut, error) {
		return nil, chargeOut{}, nil
	})
	_ = charge(t, testutil.Connect(t, server, nil), "charge", 1, "k")
	assert.Contains(t, log.String(), "an answer could not be kept")
}

// A failingStore cannot record an answer.
type failingStore struct{ idempotency.MemoryStore }

func (*failingStore) Finish(context.Context, string, string, idempotency.Ending) error {
	return errors.New("the disk is full")
}

// A tool with the argument for a key, but without this package, gets the advice once. It may
// pass the key on, so that its failures are as retryable as before.
func TestHandler_KeyWithoutHandler(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	result.AddTool(server, &mcp.Tool{Name: "charge"}, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, any, error) {
		return nil, nil, context.DeadlineExceeded
	})
	session := testutil.Connect(t, server, nil)
	for range 2 {
		assert.True(t, charge(t, session, "charge", 1, "k").Err.Retryable)
	}
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("does not keep its calls")), log.String())
}
