package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// branchTools connects to a server with a tool that fails with an error, and another tool that
// the error may name.
func branchTools(t *testing.T, opts *result.MiddlewareOptions, fail func() error) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	schema := json.RawMessage(`{"type":"object","properties":{"branch":{},"project":{},"issue_iid":{},"path":{}}}`)
	for _, name := range []string{"branch_delete", "branch_unprotect"} {
		server.AddTool(&mcp.Tool{Name: name, InputSchema: schema}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, fail()
		})
	}
	return testutil.Connect(t, server, nil)
}

func deleteBranch(t *testing.T, session *mcp.ClientSession, arguments string) *toolerr.Error {
	t.Helper()
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "branch_delete", Arguments: json.RawMessage(arguments)}))
	require.NotNil(t, out.Err)
	return out.Err
}

// If the message states the next step, the default hint of the code, which may contradict it, is
// not sent.
func TestMiddleware_Steps(t *testing.T) {
	t.Parallel()
	const steps = "Read the message, which names a next step; do not repeat the call unchanged."
	opts := quiet()
	opts.Reveal = result.RevealAll
	var err error
	session := branchTools(t, opts, func() error { return err })
	forbidden := &statusError{http.StatusForbidden}
	for name, test := range map[string]struct {
		err  error
		hint string
	}{
		"a tool is named":       {fmt.Errorf("protected: branch_unprotect comes before: %w", forbidden), steps},
		"the tool itself":       {fmt.Errorf("branch_delete: %w", forbidden), "Do not retry or work"},
		"an imperative":         {fmt.Errorf("protected. Ask a maintainer: %w", forbidden), steps},
		"a suggestion":          {fmt.Errorf("no such branch. Suggestion: list them: %w", &statusError{http.StatusNotFound}), steps},
		"an alternative":        {errors.New("permission denied: only owners delete; close it instead"), steps},
		"no step":               {errors.New("permission denied"), "Do not retry or work"},
		"no word of ours":       {forbidden, "Do not retry or work"},
		"an author's own hint":  {toolerr.Permission("Use branch_unprotect first.").WithHint("Ask."), "Ask."},
		"an author's sentence":  {toolerr.Permission("Use branch_unprotect first."), steps},
		"what may be repeated":  {toolerr.Transient("Busy. Try another branch.").WithEffect(toolerr.EffectNone), "Retry the same call"},
		"what may be done":      {toolerr.Transient("It broke. Try another branch."), "The call may have taken effect"},
		"what nobody has known": {errors.New("the moon is in the way; use another one"), "Read the message to decide"},
	} {
		err = test.err
		assert.Contains(t, deleteBranch(t, session, `{"branch":"main"}`).Hint, test.hint, name)
	}
}

// An argument that a text names only in its advice is not at fault. If the text names two
// arguments, the field is not set.
func TestMiddleware_FieldOfWords(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Reveal = result.RevealAll
	var err error
	session := branchTools(t, opts, func() error { return err })
	for words, want := range map[string]string{
		"The issue #4711 of acme/shop does not exist. Use issue_list with project to list them.": "validation not_found ",
		"branch main-7 not found. Check project too.":                                            "validation not_found branch",
		`branch "main-7" not found in project "acme/shop"`:                                       "validation not_found ",
		`"main-7" conflicts with a branch of that name`:                                          "business already_exists ",
		"this branch conflicts with the one below":                                               "business conflict ",
		"line 312 is out of range":                                                               "  ",
		"failed to parse the answer of the board":                                                "  ",
		"permission denied on /var/cache/board":                                                  "  ",
	} {
		err = errors.New(words)
		e := deleteBranch(t, session, `{"branch":"main-7","project":"acme/shop","issue_iid":4711}`)
		assert.Equal(t, want, fmt.Sprint(e.Category, " ", e.Code, " ", e.Field), words)
		assert.Equal(t, words, e.Message)
	}
}

// With a fixed correlation id whole answers can be compared.
func TestMiddlewareOptions_CorrelationID(t *testing.T) {
	t.Parallel()
	next := func(context.Context) string { return "trace-7" }
	for name, test := range map[string]struct {
		err  error
		id   func(context.Context) string
		want string // empty for a random one
	}{
		"the author's":   {errors.New("x"), next, "trace-7"},
		"the failure's":  {toolerr.Business("x").WithCorrelationID("own"), next, "own"},
		"none":           {errors.New("x"), func(context.Context) string { return "" }, ""},
		"one that fails": {errors.New("x"), func(context.Context) string { panic("no trace") }, ""},
		"not set":        {errors.New("x"), nil, ""},
	} {
		opts := quiet()
		opts.CorrelationID = test.id
		e := deleteBranch(t, branchTools(t, opts, func() error { return test.err }), `{}`)
		if test.want == "" {
			assert.Regexp(t, `^\d{18}$`, e.CorrelationID, name)
			continue
		}
		assert.Equal(t, test.want, e.CorrelationID, name)
	}
}

// A service's message is read even if it is masked.
func TestMiddleware_ServiceMasked(t *testing.T) {
	t.Parallel()
	var err error
	session := branchTools(t, quiet(), func() error { return err })
	answered := func(status int, message string) error {
		return fmt.Errorf("delete: %w", &forgeError{Response: &http.Response{StatusCode: status}, Message: message})
	}
	graph := make(graphError, 1)
	graph[0].Message = "Something about 'main-7' is not right."
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"exists":                {answered(400, "A branch with this name already exists"), "business already_exists "},
		"denied":                {answered(400, "Cannot move it due to insufficient permissions!"), "permission permission_denied "},
		"vague":                 {answered(422, "It was not taken"), "validation invalid_argument "},
		"gone":                  {answered(422, "Cannot rebase: the source has been deleted"), "validation not_found "},
		"no status, a value":    {graph, "validation  branch"},
		"no status, no meaning": {graphError{{Message: "Something went wrong."}}, "transient internal "},
	} {
		err = test.err
		e := deleteBranch(t, session, `{"branch":"main-7"}`)
		assert.Equal(t, test.want, fmt.Sprint(e.Category, " ", e.Code, " ", e.Field), name)
		assert.NotContains(t, e.Message, "branch with this name")
		assert.NotContains(t, e.Message, "main-7")
	}
}

// A statusError is a client library's error with an HTTP status and no message.
type statusError struct{ status int }

func (e *statusError) Error() string   { return fmt.Sprint("status ", e.status) }
func (e *statusError) StatusCode() int { return e.status }
