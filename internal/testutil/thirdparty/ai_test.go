package thirdparty

import (
	"errors"
	"net/http"
	"net/url"
	"testing"

	cohere "github.com/cohere-ai/cohere-go/v2"
	"github.com/cohere-ai/cohere-go/v2/core"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/server"
	"github.com/ollama/ollama/api"
)

var ollamaCases = []testCase{
	{"ollama/api", "404 model", "5", show(404, `{"error":"model 'llama9' not found"}`), validation, no, 0},
	{"ollama/api", "503 busy", "5", show(503, `{"error":"server busy, please try again.  maximum pending requests `+
		`exceeded"}`), transient, yesUnproven, 0},
	{"ollama/api", "400", "5", show(400, `{"error":"invalid options: temperatur"}`), validation, no, 0},
	{"ollama/api", "500 memory", "5", show(500, `{"error":"model requires more system memory (12.3 GiB) than is `+
		`available (4.0 GiB)"}`), or(business, transient), nil, 0},
	{"ollama/api", "refused", "1", func(t *testing.T) error { return showAt(t, "http://"+refused(t)) }, transient, yes, 0},
	{
		"ollama/api", "AuthorizationError", "5", value(api.AuthorizationError{StatusCode: 401, Status: "401 Unauthorized"}),
		permission, no, 0,
	},
}

func show(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error { return showAt(t, answer(t, status, nil, body)) }
}

func showAt(t *testing.T, address string) error {
	base, err := url.Parse(address)
	must(t, err)
	_, err = api.NewClient(base, http.DefaultClient).Show(t.Context(), &api.ShowRequest{Model: "llama9"})
	return err
}

var cohereCases = []testCase{
	{"cohere-go", "429", "5", value(&cohere.TooManyRequestsError{APIError: ofCohere(429,
		"You are using a Trial key, which is limited to 10 API calls / minute.")}), transient, yes, 0},
	{
		"cohere-go", "401", "5", value(&cohere.UnauthorizedError{APIError: ofCohere(401, "invalid api token")}), permission,
		no, 0,
	},
	{
		"cohere-go", "404", "5", value(&cohere.NotFoundError{APIError: ofCohere(404, "model 'x' not found")}), validation, no,
		0,
	},
	{
		"cohere-go", "503", "5", value(&cohere.ServiceUnavailableError{APIError: ofCohere(503, "unavailable")}), transient,
		yesUnproven, 0,
	},
	{
		"cohere-go", "504", "5", value(&cohere.GatewayTimeoutError{APIError: ofCohere(504, "timeout")}), transient,
		yesUnproven, 0,
	},
	{"cohere-go", "499", "5", value(&cohere.ClientClosedRequestError{APIError: ofCohere(499,
		"request cancelled by the client")}), transient, no, 0},
	{
		"cohere-go", "498 invalid token", "5",
		value(&cohere.InvalidTokenError{APIError: ofCohere(498, "blocked input token")}), or(validation, permission), no, 0,
	},
}

func ofCohere(status int, text string) *core.APIError {
	return core.NewAPIError(status, errors.New(text))
}

var mark3labsCases = []testCase{
	{"mark3labs/mcp-go", "ErrToolNotFound", "8", wrapped("tool 'x' not found", server.ErrToolNotFound), validation, no, 0},
	{"mark3labs/mcp-go", "ErrResourceNotFound", "8", value(server.ErrResourceNotFound), validation, no, 0},
	{"mark3labs/mcp-go", "ErrUnauthorized", "8", value(transport.ErrUnauthorized), permission, no, 0},
	{
		"mark3labs/mcp-go", "ErrSessionTerminated", "8", value(transport.ErrSessionTerminated), or(transient, validation),
		nil, 0,
	},
	{"mark3labs/mcp-go", "transport refused", "1", func(t *testing.T) error {
		_, err := http.Get("http://" + refused(t)) //nolint:noctx // a test
		return transport.NewError(err)
	}, transient, yes, 0},
	{"mark3labs/mcp-go", "ErrUnsupported", "8", value(server.ErrUnsupported), or(business, validation, transient), no, 0},
	{"mark3labs/mcp-go", "ErrSessionExists", "8", value(server.ErrSessionExists), business, no, 0},
}
