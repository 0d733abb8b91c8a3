package result_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// A server behind a gateway that requests a delay of half a minute.
func ExampleRoundTripper() {
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer gateway.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v1"}, nil)
	_, err := client.Connect(context.Background(), &mcp.StreamableClientTransport{
		Endpoint:   gateway.URL,
		HTTPClient: &http.Client{Transport: result.RoundTripper(nil)},
	}, nil)
	out := result.Parse(nil, err)
	fmt.Println(out.Err.Code, out.Err.RetryAfter)
	// Output: rate_limited 30s
}
