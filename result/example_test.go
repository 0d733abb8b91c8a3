package result_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type orders struct {
	Orders []string `json:"orders"`
}

func ExampleOK() {
	fmt.Println(result.Parse(result.OK(map[string]int{"celsius": 21}), nil).Text())
	// Output: {"celsius":21}
}

func ExampleEmpty() {
	r := result.Empty("No orders for CUS-48291 in the last 90 days.", orders{})
	fmt.Println(r.IsError, result.Parse(r, nil).Kind, result.Parse(r, nil).Text())
	// Output: false empty No orders for CUS-48291 in the last 90 days.
}

func ExampleFailure() {
	r := result.Failure(toolerr.Business("The account is frozen."))
	fmt.Println(r.IsError, result.Parse(r, nil).Err.Category)
	// Output: true business
}

func ExampleParse() {
	out := result.Parse(nil, context.DeadlineExceeded) // what CallTool returns when its context ends
	fmt.Println(out.Kind, out.Err.Code, out.Err.Effect)
	// Output: failure timeout unknown
}

func ExampleDecode() {
	found, err := result.Decode[orders](result.Parse(result.OK(orders{Orders: []string{"ORD-7"}}), nil))
	fmt.Println(found.Orders, err)
	// Output: [ORD-7] <nil>
}

// A kind is a word in JSON, as in a log record.
func ExampleKind_MarshalText() {
	raw, err := json.Marshal(map[string]any{"kind": result.KindInputRequired, "unread": result.Kind(0)})
	fmt.Println(string(raw), err)
	// Output: {"kind":"input_required","unread":"none"} <nil>
}

// The kind of an outcome determines how to handle it.
func ExampleKind() {
	read := func(res *mcp.CallToolResult) {
		switch out := result.Parse(res, nil); out.Kind {
		case result.KindData:
			fmt.Println("use", out.Text())
		case result.KindEmpty:
			fmt.Println("there is none:", out.Text())
		case result.KindPartial:
			fmt.Println("use", string(out.Err.Partial.Results), "and go on from", out.Err.Partial.ContinueFrom)
		case result.KindFailure:
			fmt.Println(out.Err.Category, "failure:", out.Err)
		case result.KindInputRequired:
			fmt.Println("ask a person")
		}
	}
	read(result.OK(orders{Orders: []string{"ORD-7"}}))
	read(result.Empty("No orders for CUS-48291 in the last 90 days.", orders{}))
	read(result.Failure(toolerr.Transient("The export stopped.").WithPartial(&toolerr.Partial{
		Processed: 15, Total: 50, ContinueFrom: 16, Results: json.RawMessage(`["ORD-1"]`),
	})))
	read(result.Failure(toolerr.Permission("The token has expired.")))
	// Output:
	// use {"orders":["ORD-7"]}
	// there is none: No orders for CUS-48291 in the last 90 days.
	// use ["ORD-1"] and go on from 16
	// permission failure: The token has expired.
}

// The model gets the same text whether the server sends JSON or plain text.
func ExampleOutcome_Text() {
	res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "Error: rate limit exceeded"}}}
	fmt.Println(result.Parse(res, nil).Text())
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":false,"code":"rate_limited","message":"Error: rate limit exceeded","hint":"Before calling again, check whether the call took effect.","effect":"unknown"}
}

// The log has a server's words only if this module knows them.
func ExampleOutcome_CallToolResult() {
	out := result.Parse(nil, context.DeadlineExceeded)
	// what an agent that keeps the SDK's types shows the model
	res := out.CallToolResult()
	fmt.Println(res.IsError, res.Content[0].(*mcp.TextContent).Text) //nolint:errcheck // otherwise it panics
	// Output: true {"isError":true,"errorCategory":"transient","isRetryable":false,"code":"timeout","message":"The server did not answer in time.","hint":"Before calling again, check whether the call took effect. Wait a minute first.","effect":"unknown"}
}

func ExampleKind_UnmarshalText() {
	var k result.Kind
	fmt.Println(k.UnmarshalText([]byte("empty")), k)
	fmt.Println(k.UnmarshalText([]byte("nothing")))
	// Output:
	// <nil> empty
	// result: "nothing" is no kind of an outcome: use one of none, data, empty, partial, failure, input_required
}

func ExampleOutcome_LogValue() {
	e := toolerr.Transient("No seat 12A for jane@example.com.").WithCode("seat_12A").WithEffect(toolerr.EffectNone)
	out := result.Parse(result.Failure(e), nil)
	noTime := func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}
	slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{ReplaceAttr: noTime})).Info("called", "outcome", out)
	// Output: level=INFO msg=called outcome.kind=failure outcome.category=transient outcome.code=other outcome.retryable=true outcome.effect=none
}

// AsError is nil if the call succeeded.
func ExampleOutcome_AsError() {
	lookup := func() error { return result.Parse(result.Empty("No orders.", nil), nil).AsError() }
	fmt.Println(lookup() == nil)
	// Output: true
}

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
