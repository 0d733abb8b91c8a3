package result_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A localLimitError is the error of client libraries that reject calls locally until a limit is
// reset. It has the status of the previous answer.
type localLimitError struct {
	Response *http.Response
	Reset    time.Time
	Message  string
}

func (e *localLimitError) Error() string { return "403 " + e.Message }

type RateLimitError struct{ localLimitError }

// The text after the last colon takes precedence over a subordinate clause, and a type named
// after a rate limit over a status, whether the text is revealed or masked.
func TestMiddleware_WrongClaims(t *testing.T) {
	t.Parallel()
	limited := &RateLimitError{localLimitError{
		Response: &http.Response{StatusCode: http.StatusForbidden}, Reset: time.Now().Add(time.Minute),
		Message: "API rate limit of 60 still exceeded until 2030-01-01, not making remote request.",
	}}
	for name, test := range map[string]struct {
		err error
		not []toolerr.Code
	}{
		"exists, asked":    {errors.New("failed to check if file exists: 500"), []toolerr.Code{toolerr.CodeAlreadyExists, toolerr.CodeNotFound}},
		"found, asked":     {errors.New("could not verify whether the user was found: unexpected status 502"), []toolerr.Code{toolerr.CodeNotFound}},
		"denied, asked":    {errors.New("cannot tell if access is denied: 500 Internal Server Error"), []toolerr.Code{toolerr.CodePermissionDenied}},
		"quota":            {errors.New(`pods "web" is forbidden: exceeded quota: compute, requested: cpu=2, limited: cpu=1`), []toolerr.Code{toolerr.CodePermissionDenied, toolerr.CodeInsufficientScope}},
		"host":             {errors.New("dial tcp: lookup api.internal: no such host"), []toolerr.Code{toolerr.CodeNotFound, toolerr.CodeInvalidArgument}},
		"local limit":      {limited, []toolerr.Code{toolerr.CodePermissionDenied, toolerr.CodeUnauthenticated}},
		"local limit, two": {fmt.Errorf("list issues: %w", limited), []toolerr.Code{toolerr.CodePermissionDenied, toolerr.CodeUnauthenticated}},
	} {
		for mode, opts := range map[string]*result.MiddlewareOptions{
			"masked": quiet(), "shown": {Reveal: result.RevealAll, Logger: quiet().Logger}, "service": {ServiceMessages: true, Logger: quiet().Logger},
		} {
			server := mcp.NewServer(&mcp.Implementation{Name: "claims"}, nil)
			server.AddReceivingMiddleware(result.Middleware(opts))
			result.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
				return nil, nil, test.err
			})
			out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
			assert.NotContains(t, test.not, out.Err.Code, "%s, %s: %s", name, mode, out.Text())
		}
	}
}
