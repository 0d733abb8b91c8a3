package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A payError is like that of stripe.
type payError struct {
	HTTPStatusCode int
	Msg, Param     string
}

func (e *payError) Error() string { return "GET https://api.example.com/?token=hunter2: " + e.Msg }

// answered returns the failure for a response with status 400.
func answered(body string) error {
	return toolerr.FromResponse(&http.Response{StatusCode: http.StatusBadRequest, Body: io.NopCloser(strings.NewReader(body))})
}

// With RevealServices a service's message, sanitized and truncated, becomes the message. No
// other text does.
func TestRevealServices(t *testing.T) {
	t.Parallel()
	long := numbered(1000)
	var err error
	connect := func(opts *result.MiddlewareOptions) *mcp.ClientSession {
		server := serve(opts)
		server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object","properties":{"title":{},"owner":{},"repo":{},"due_date":{}}}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return nil, err })
		return testutil.Connect(t, server, nil)
	}
	opts := quiet()
	opts.Reveal = result.RevealServices
	masked, shown := connect(quiet()), connect(opts)
	for name, test := range map[string]struct {
		err                   error
		category, code, field string
		message               string // empty for From's message
	}{
		"a member":             {&payError{400, "No such title.", "title"}, "validation", "", "title", "No such title."},
		"of no argument":       {&payError{400, "No such id.", "id"}, "validation", "", "", "No such id."},
		"wrapped":              {fmt.Errorf("list: %w", &payError{404, "Not Found", ""}), "validation", "not_found", "", "Not Found"},
		"secrets":              {&payError{401, "Bad token: abcdef123456 at https://u:p@h/x?k=v\x1b[31m", ""}, "permission", "unauthenticated", "", "Bad token: [masked] at https://u:[masked]@h/x?k=v"},
		"long":                 {&payError{400, long, ""}, "validation", "invalid_argument", "", "line0"},
		"an answer":            {answered(`{"message":"No such title."}`), "validation", "invalid_argument", "", "No such title."},
		"an answer's member":   {answered(`{"errors":[{"field":"title","message":"Too long."}]}`), "validation", "invalid_argument", "title", "title: Too long."},
		"an answer's loc":      {answered(`{"detail":[{"loc":["body","title"],"msg":"Too long."}]}`), "validation", "invalid_argument", "title", "title: Too long."},
		"an answer's camel":    {answered(`{"violations":[{"field":"dueDate","description":"dueDate is required"}]}`), "validation", "invalid_argument", "due_date", "dueDate is required"},
		"an answer's other":    {answered(`{"errors":[{"field":"body.title","message":"Too long."}]}`), "validation", "invalid_argument", "", "body.title: Too long."},
		"an answer by name":    {answered(`{"errors":{"owner":["is too long"]}}`), "validation", "invalid_argument", "owner", "owner: is too long"},
		"an answer, no text":   {answered(`{"message":{"base":["Fork exists"]}}`), "validation", "invalid_argument", "", `{"message":{"base":["Fork exists"]}}`},
		"a page":               {&payError{502, "<html>Bad Gateway</html>", ""}, "transient", "unavailable", "", ""},
		"no status":            {&payError{0, "hunter2", ""}, "transient", "internal", "", ""},
		"a status alone":       {&payError{404, "", ""}, "validation", "not_found", "", ""},
		"a nil pointer":        {(*payError)(nil), "transient", "internal", "", ""},
		"of no service":        {errors.New("dial " + secret), "transient", "internal", "", ""},
		"the author's":         {toolerr.Wrap(&payError{404, "Not Found", ""}, "No such order."), "validation", "not_found", "", "No such order."},
		"the author's alone":   {(&toolerr.Error{Message: "No such order."}).WithCause(&payError{404, "Not Found", ""}), "validation", "not_found", "", "No such order."},
		"the author's, around": {fmt.Errorf("x: %w", errors.Join(errOverLimit, &payError{404, "Not Found", ""})), "business", "limit_exceeded", "", "Over the limit."},
	} {
		err = test.err
		arguments := map[string]any{"owner": "acme", "repo": "shop"}
		out, hidden := callTool(t, shown, "t", arguments), callTool(t, masked, "t", arguments)
		require.NotNil(t, out.Err, name)
		assert.Equal(t, test.category, string(out.Err.Category), name)
		if test.code != "" {
			assert.Equal(t, test.code, string(out.Err.Code), name)
		}
		assert.Equal(t, test.field, out.Err.Field, name)
		require.Len(t, out.Result.Content, 1, name)
		assert.NotContains(t, out.Text(), "hunter2", name)
		switch {
		case strings.HasPrefix(name, "the author's"):
			assert.Equal(t, test.message, hidden.Err.Message, name)
			fallthrough
		case test.message != "line0" && test.message != "":
			assert.Equal(t, test.message, out.Err.Message, name)
		case test.message == "":
			assert.Equal(t, hidden.Err.Message, out.Err.Message, name)
		default:
			assert.True(t, strings.HasPrefix(out.Err.Message, "line0: "), name)
			assert.True(t, strings.HasSuffix(out.Err.Message, "x999\n"), name)
		}
		if hidden.Err.Code != toolerr.CodeInternal || test.message == "" {
			assert.Equal(t, hidden.Err.Category, out.Err.Category, name)
		} else {
			assert.NotContains(t, hidden.Text(), test.message, name)
		}
	}
}
