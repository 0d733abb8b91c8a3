package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The text around an author's failure is shown too, and that of an error which a rule classifies
// without a message. RevealServices shows neither.
func TestReveal_AroundAuthored(t *testing.T) {
	t.Parallel()
	frozen := errors.New("account 7 is frozen")
	for _, test := range []struct {
		err          error
		shown, plain string
	}{
		{toolerr.Validation("The identifier is bad."), "The identifier is bad.", "The identifier is bad."},
		{fmt.Errorf("name of shard 7: %w", toolerr.Validation("The identifier is bad.")), "name of shard 7: The identifier is bad.", "The identifier is bad."},
		{toolerr.Wrap(errors.New("dial 10.0.0.7"), "No answer."), "No answer.", "No answer."},
		{fmt.Errorf("refund: %w", frozen), "refund: account 7 is frozen", "The tool failed."},
	} {
		for all, want := range map[bool]string{true: test.shown, false: test.plain} {
			opts := quiet()
			if opts.Reveal = result.RevealServices; all {
				opts.Reveal = result.RevealAll
			}
			opts.Rules = []toolerr.Rule{func(err error) (*toolerr.Error, bool) { return toolerr.Business(""), errors.Is(err, frozen) }}
			e := callT(t, failing(t, opts, func(context.Context) error { return test.err }))
			assert.Equal(t, want, e.Message)
			assert.NotEmpty(t, e.Category)
		}
	}
}

// Content that an author has set beside an error is the message, with what the error's type says.
func TestReveal_ContentBesideError(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Reveal = result.RevealAll
	server := serve(opts)
	addRaw(server, "t", func(context.Context) (*mcp.CallToolResult, error) {
		res := failed(`The wiki has no page "Home".`)
		res.SetError(&url.Error{Op: "Get", URL: "http://internal:8080/x", Err: context.DeadlineExceeded})
		res.Content = failed(`The wiki has no page "Home".`).Content
		return res, nil
	})
	e := callTool(t, testutil.Connect(t, server, nil), "t", nil).Err
	assert.Equal(t, `transient timeout The wiki has no page "Home".`, fmt.Sprint(e.Category, " ", e.Code, " ", e.Message))
}

// A rule does not hide what an author has stated: that something was done.
func TestRules_KeepStated(t *testing.T) {
	t.Parallel()
	opts := quiet()
	opts.Rules = []toolerr.Rule{func(error) (*toolerr.Error, bool) { return toolerr.RateLimited("Slow down.", 0), true }}
	for want, err := range map[string]error{
		"true none":     toolerr.Wrap(io.ErrUnexpectedEOF, "A guess is not stated."),
		"false applied": toolerr.Internal(nil).WithMessage("Charged, the receipt failed: 429").WithEffect(toolerr.EffectApplied),
		"false unknown": fmt.Errorf("step 2: %w", toolerr.Timeout("no answer")),
	} {
		e := callT(t, failing(t, opts, func(context.Context) error { return err }))
		assert.Equal(t, want, fmt.Sprint(e.Retryable, " ", e.Effect))
	}
	part := toolerr.RateLimited("m", 0).WithPartial(&toolerr.Partial{Processed: 1, Total: 2})
	assert.Equal(t, 1, callTool(t, failing(t, opts, func(context.Context) error { return part }), "t", nil).Err.Partial.Processed)
}

// With RevealAll an existing server loses no text: all that the SDK alone sends of a failure is
// in the envelope or follows it, and successes are the same.
func TestRevealAll_ExistingServer(t *testing.T) {
	t.Parallel()
	bare := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addFailingTools(bare)
	opts := quiet()
	opts.Reveal = result.RevealAll
	adopted := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	addTools(adopted, opts)
	wireBefore, wireAfter := new(testutil.Wire), new(testutil.Wire)
	before, after := testutil.Connect(t, bare, wireBefore), testutil.Connect(t, adopted, wireAfter)
	compared := 0
	for _, tool := range failingTools {
		if !answersWithoutMiddleware(tool) {
			continue
		}
		res, err := before.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		if strings.Contains(string(wireBefore.Last()), `\"isError\":true`) {
			continue // an envelope, which existing servers do not send
		}
		out := callTool(t, after, tool, nil)
		require.Equal(t, result.KindFailure, out.Kind, tool)
		kept := wordsOf(out.Result, nil)
		for word := range wordsOf(res, err) {
			assert.True(t, kept[word], "%s: %q is not in %s", tool, word, out.Text())
		}
		compared++
	}
	assert.GreaterOrEqual(t, compared, 12)
	for _, arguments := range complaints {
		res, err := before.CallTool(t.Context(), &mcp.CallToolParams{Name: "every_keyword", Arguments: json.RawMessage(arguments)})
		require.NoError(t, err, arguments)
		assert.Contains(t, callTool(t, after, "every_keyword", json.RawMessage(arguments)).Text(), textOf(res.Content[0]), arguments)
	}
	id := regexp.MustCompile(`"id":\d+`)
	for _, tool := range []string{"nil_list", "empty", "raw_ok", "raw_empty"} {
		_, err := before.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		require.NoError(t, err, tool)
		_, err = after.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
		require.NoError(t, err, tool)
		assert.JSONEq(t, id.ReplaceAllString(string(wireBefore.Last()), `"id":0`), id.ReplaceAllString(string(wireAfter.Last()), `"id":0`), tool)
	}
}

// answersWithoutMiddleware reports whether the answer of a tool can be compared: it neither
// ends the server nor hangs, and the middleware neither translates nor masks its text.
func answersWithoutMiddleware(tool string) bool {
	for _, part := range []string{"panic", "nil", "method", "map", "structured", "number", "raw_repeated", "broken_raw", "marshal", "meta", "block", "priority", "slow", "gave_up"} {
		if strings.Contains(tool, part) {
			return false
		}
	}
	return tool != "wrapped" && tool != "broken_joined"
}

// wordsOf returns the words of an answer.
func wordsOf(res *mcp.CallToolResult, err error) map[string]bool {
	words := map[string]bool{}
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		addWords(words, wire.Message)
	} else if res != nil {
		for _, content := range res.Content {
			addWords(words, textOf(content))
		}
	}
	return words
}

// The middleware loses no word of a public server's failure, and Parse reads the same category.
func TestMiddleware_PublicServers(t *testing.T) {
	t.Parallel()
	n := 0
	for _, c := range wildCases(t, "wild.jsonl") {
		if !c.Result.IsError {
			continue
		}
		n++
		before := result.Parse(c.Result, nil)
		after := callTool(t, raw(t, quiet(), nil, answers(c.Result)), "t", nil)
		require.NotNil(t, after.Err, c.ID)
		assert.Equal(t, before.Err.Category, after.Err.Category, c.ID)
		kept := wordsOf(after.Result, nil)
		for word := range wordsOf(c.Result, nil) {
			assert.True(t, kept[word] || isFrame(word), "%s: %q is not in %.600s", c.ID, word, after.Text())
		}
	}
	assert.Greater(t, n, 100)
}

// addWords adds the words of a text, or of the texts and numbers in it if it is JSON.
func addWords(words map[string]bool, text string) {
	var value any
	if start := strings.IndexByte(text, '{'); start >= 0 && start < 60 {
		d := json.NewDecoder(strings.NewReader(text[start:]))
		d.UseNumber()
		if d.Decode(&value) == nil {
			addLeaves(words, value)
			text = text[:start]
		}
	}
	text = sanitize.Text(text, len(text))
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[word] = true
	}
}

func addLeaves(words map[string]bool, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			addLeaves(words, member)
		}
	case []any:
		for _, item := range v {
			addLeaves(words, item)
		}
	case string:
		addWords(words, v)
	case json.Number:
		words[v.String()] = true
	}
}

// isFrame reports whether a word is from an adapter's frame around JSON.
func isFrame(word string) bool {
	return strings.Contains(" Error executing tool calling MCP error ", " "+word+" ")
}

// Errors like those of client libraries.
type (
	forgeError struct { // go-github
		Response *http.Response
		Message  string
		Errors   []forgeItem
	}
	forgeItem  struct{ Resource, Field, Code, Message string }
	cloudError struct { // googleapi
		Code    int
		Message string
		Errors  []struct{ Reason, Message string }
	}
	payError struct { // stripe
		HTTPStatusCode   int
		Msg, Param, Type string
	}
	chatError struct { // discordgo
		Response *http.Response
		Message  *struct {
			Code    int
			Message string
		}
	}
	trackerError struct { // go-jira
		StatusCode    int
		ErrorMessages []string
		Errors        map[string]string
	}
	awsError    struct{ code, message string }
	clusterInfo struct { // k8s.io/apimachinery
		Message string
		Reason  string
		Code    int32
		Details *struct {
			Causes []struct{ Field, Message string }
		}
	}
	clusterError struct{ ErrStatus clusterInfo }
	swaggerError struct { // go-swagger
		Payload *struct{ Message *string }
	}
	graphError []struct {
		Message   string
		Locations []struct{ Line int }
	}
)

func (e *forgeError) Error() string {
	return "GET https://api.example.com/?token=hunter2: " + e.Message
}
func (e *cloudError) Error() string         { return "googleapi: " + e.Message }
func (e *payError) Error() string           { return e.Msg }
func (e *chatError) Error() string          { return "HTTP 403" }
func (e *trackerError) Error() string       { return "request failed" }
func (e awsError) Error() string            { return "api error " + e.code }
func (e awsError) ErrorCode() string        { return e.code }
func (e awsError) ErrorMessage() string     { return e.message }
func (e *clusterError) Error() string       { return e.ErrStatus.Message }
func (e *clusterError) Status() clusterInfo { return e.ErrStatus }
func (e *swaggerError) Error() string {
	return "[POST /dashboards/db][412] dashboardsPreconditionFailed"
}
func (e *swaggerError) Code() int  { return 412 }
func (e graphError) Error() string { return e[0].Message }

// With RevealServices a service's message, sanitized and truncated, becomes the message. No
// other text does.
func TestRevealServices(t *testing.T) {
	t.Parallel()
	status := func(n int) *http.Response {
		return &http.Response{StatusCode: n, Request: &http.Request{Method: http.MethodGet}}
	}
	long := numbered(1000)
	cluster := &clusterError{clusterInfo{Message: "Pod is invalid", Reason: "Invalid", Code: 422}}
	cluster.ErrStatus.Details = &struct {
		Causes []struct{ Field, Message string }
	}{[]struct{ Field, Message string }{{"title", "is too long"}}}
	chat := &chatError{Response: status(403)}
	chat.Message = &struct {
		Code    int
		Message string
	}{50013, "Missing Permissions"}
	changed := "It has been changed by someone else."
	swagger := &swaggerError{&struct{ Message *string }{&changed}}
	graph := make(graphError, 1)
	graph[0].Message = "Could not resolve to a Repository with the name 'acme/shop'."
	var err error
	connect := func(opts *result.MiddlewareOptions) *mcp.ClientSession {
		server := serve(opts)
		server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object","properties":{"title":{},"owner":{},"repo":{}}}`)},
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
		"go-github":            {&forgeError{Response: status(410), Message: "Issues has been disabled in this repository."}, "validation", "not_found", "", "Issues has been disabled in this repository."},
		"go-github, wrapped":   {fmt.Errorf("list: %w", &forgeError{Response: status(404), Message: "Not Found"}), "validation", "not_found", "", "Not Found"},
		"go-github 422":        {&forgeError{Response: status(422), Message: "Validation Failed", Errors: []forgeItem{{"Issue", "title", "missing_field", ""}}}, "validation", "missing_argument", "title", "Validation Failed: title missing_field"},
		"a field of its own":   {&forgeError{Response: status(422), Message: "Validation Failed", Errors: []forgeItem{{"Issue", "head", "", "head is gone"}}}, "validation", "", "", "Validation Failed: head is gone"},
		"googleapi":            {&cloudError{Code: 403, Message: "The caller does not have access."}, "permission", "permission_denied", "", "The caller does not have access."},
		"stripe":               {&payError{HTTPStatusCode: 400, Msg: "No such title.", Param: "title"}, "validation", "", "title", "No such title."},
		"discord":              {chat, "permission", "permission_denied", "", "Missing Permissions"},
		"jira":                 {&trackerError{StatusCode: 400, ErrorMessages: []string{"It cannot be created."}, Errors: map[string]string{"title": "is required"}}, "validation", "", "title", "It cannot be created. title: is required"},
		"AWS":                  {awsError{"NoSuchBucket", "The specified bucket does not exist"}, "validation", "not_found", "", "The specified bucket does not exist"},
		"Kubernetes":           {cluster, "validation", "", "title", "Pod is invalid: title: is too long"},
		"GraphQL":              {graph, "validation", "", "", "Could not resolve to a Repository with the name 'acme/shop'."},
		"go-swagger":           {fmt.Errorf("save: %w", swagger), "business", "", "", changed},
		"secrets":              {&forgeError{Response: status(401), Message: "Bad token: abcdef123456 at https://u:p@h/x?k=v\x1b[31m"}, "permission", "unauthenticated", "", "Bad token: [masked] at https://u:[masked]@h/x?k=v"},
		"long":                 {&forgeError{Response: status(400), Message: long}, "validation", "invalid_argument", "", "line0"},
		"a page":               {&forgeError{Response: status(502), Message: "<html>Bad Gateway</html>"}, "transient", "unavailable", "", ""},
		"no status":            {&forgeError{Message: "hunter2"}, "transient", "internal", "", ""},
		"a status alone":       {&forgeError{Response: status(404)}, "validation", "not_found", "", ""},
		"a nil pointer":        {(*forgeError)(nil), "transient", "internal", "", ""},
		"of no service":        {errors.New("dial " + secret), "transient", "internal", "", ""},
		"the author's":         {toolerr.Wrap(&forgeError{Response: status(404), Message: "Not Found"}, "No such order."), "validation", "not_found", "", "No such order."},
		"the author's alone":   {(&toolerr.Error{Message: "No such order."}).WithCause(&forgeError{Response: status(404), Message: "Not Found"}), "validation", "not_found", "", "No such order."},
		"the author's, around": {fmt.Errorf("x: %w", errors.Join(errOverLimit, &forgeError{Response: status(404), Message: "Not Found"})), "business", "limit_exceeded", "", "Over the limit."},
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
