package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	var server *mcp.Server
	var err error
	connect := func(opts *result.MiddlewareOptions) *mcp.ClientSession {
		server = mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(opts))
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
		"the author's, around": {fmt.Errorf("x: %w", errors.Join(errOverLimit, &forgeError{Response: status(404), Message: "Not Found"})), "business", "limit_exceeded", "", "Over the limit."},
	} {
		err = test.err
		arguments := map[string]any{"owner": "acme", "repo": "shop"}
		out := result.Parse(shown.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: arguments}))
		hidden := result.Parse(masked.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: arguments}))
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
