package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The text of an author is the message, whatever it says, and nothing stands beside it. Results
// and revealed errors are sent alike, also if the error is joined, wrapped or of an unknown type.
func TestMiddleware_Prose(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"path":{"type":"string"},"issue_number":{"type":"integer"}}}`
	for _, words := range []string{
		"The moon is in the way.", "order 17 not found", "issue_number is required", `open "/x": no such file or directory`,
		"rate limit exceeded, retry after 30 seconds", "the board answered 503 Service Unavailable", "permission denied", "invalid character '<' looking for beginning of value",
		"Use branch_unprotect first.", "ERROR: duplicate key (SQLSTATE 23505)", `API error: {"code":"not_found","retryable":true}`, "context deadline exceeded",
	} {
		for way, fail := range map[string]func() (*mcp.CallToolResult, error){
			"result": func() (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{IsError: true, Content: text(words)}, nil
			},
			"error":        func() (*mcp.CallToolResult, error) { return nil, errors.New(words) },
			"wrapped":      func() (*mcp.CallToolResult, error) { return nil, fmt.Errorf("%w", errors.New(words)) }, //nolint:err113 // its text is
			"joined":       func() (*mcp.CallToolResult, error) { return nil, errors.Join(errors.New(words)) },
			"unknown type": func() (*mcp.CallToolResult, error) { return nil, ownError{words} },
			"beside errors": func() (*mcp.CallToolResult, error) {
				r := &mcp.CallToolResult{Content: text(words)}
				r.SetError(errors.New("at 10.0.0.7"))
				return r, nil
			},
		} {
			opts := quiet()
			opts.CorrelationID = func(context.Context) string { return "id" }
			opts.Reveal = result.RevealAll
			server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
			server.AddReceivingMiddleware(result.Middleware(opts))
			server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(schema)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return fail() })
			res, err := testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(`{"path":"/x"}`)})
			require.NoError(t, err)
			message, err := jsonvalue.Marshal(words)
			require.NoError(t, err)
			assert.Equal(t, text(`{"isError":true,"isRetryable":false,"message":`+string(message)+`,"correlationId":"id"}`), res.Content, "%s, %s", words, way)
		}
	}
}

// A failure as plain text is logged as a warning, with advice once for each tool.
func TestMiddleware_AdviceOnWords(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	words := ""
	session := answering(t, &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(&log, nil))}, nil, func() *mcp.CallToolResult {
		return &mcp.CallToolResult{IsError: true, Content: text(words)}
	})
	for _, words = range []string{"The moon is in the way.", "user 17 not found", "The sun is too.", "user 18 not found"} {
		_ = callT(t, session)
	}
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	require.Len(t, lines, 4)
	for i, line := range lines {
		assert.Contains(t, line, "level=WARN")
		assert.Equal(t, i == 0, strings.Contains(line, "return an error made with toolerr.Business"), line)
	}
}

// The members of a revealed error that its type classifies stand beside its text, without a
// hint that may contradict it.
func TestReveal_Types(t *testing.T) {
	t.Parallel()
	const shown = "Read the message to decide what to do next."
	var err error
	opts := quiet()
	opts.Reveal = result.RevealAll
	session := branchTools(t, opts, func() error { return err })
	for name, test := range map[string]struct {
		err        error
		want, hint string
	}{
		"a timeout":             {context.DeadlineExceeded, "transient timeout  unknown", "The call may have taken effect."},
		"a status":              {fmt.Errorf("protected: use branch_unprotect: %w", &statusError{http.StatusForbidden}), "permission permission_denied  none", shown},
		"a file, sent":          {fmt.Errorf("Read: %w", &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist}), "validation not_found path none", shown},
		"a file of the tool":    {&fs.PathError{Op: "open", Path: "/etc/board.yaml", Err: fs.ErrNotExist}, "transient internal  unknown", "The call may have taken effect."},
		"an author's own hint":  {toolerr.Permission("Use branch_unprotect first.").WithHint("Ask."), "permission   none", "Ask."},
		"what may be repeated":  {toolerr.Transient("Busy.").WithEffect(toolerr.EffectNone), "transient   none", "Retry the same call"},
		"what names nothing":    {fmt.Errorf("read: %w", syscall.ENOTDIR), "   ", ""},
		"a position in a text":  {json.Unmarshal([]byte("{"), new(any)), "   ", ""},
		"an author's, revealed": {toolerr.NotFound("branch", "x"), "validation not_found  none", "Check"},
	} {
		err = test.err
		res, callErr := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "branch_delete", Arguments: json.RawMessage(`{"branch":"main","path":"/x"}`)})
		require.NoError(t, callErr)
		e := new(toolerr.Error)
		require.NoError(t, e.UnmarshalJSON([]byte(res.Content[0].(*mcp.TextContent).Text)), name) //nolint:errcheck // otherwise it panics
		assert.Equal(t, test.want, fmt.Sprint(e.Category, " ", e.Code, " ", e.Field, " ", e.Effect), name)
		assert.Equal(t, test.err.Error(), e.Message, name)
		assert.Equal(t, test.hint == "", e.Hint == "", name)
		assert.True(t, strings.HasPrefix(e.Hint, test.hint), "%s: %s", name, e.Hint)
	}
}

type ownError struct{ text string }

func (e ownError) Error() string { return e.text }

// A statusError is a client library's error with an HTTP status and no message.
type statusError struct{ status int }

func (e *statusError) Error() string   { return fmt.Sprint("status ", e.status) }
func (e *statusError) StatusCode() int { return e.status }
