package toolerr_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// AppendJSON does not escape < and >. json.Marshal does.
func ExampleError_AppendJSON() {
	e := toolerr.Validation("The query must have <= 100 letters.").WithField("query").WithHint("Shorten it.")
	fmt.Println(string(e.AppendJSON(nil)))
	// Output:
	// {"isError":true,"errorCategory":"validation","isRetryable":false,"message":"The query must have <= 100 letters.","hint":"Shorten it.","field":"query","effect":"none"}
}

// Envelopes of other servers are read leniently. Without isRetryable, a timeout is
// retryable, and its effect is unknown.
func ExampleError_UnmarshalJSON() {
	var e toolerr.Error
	err := json.Unmarshal([]byte(`{"errorCategory":"transient","code":"timeout","message":"Too slow.","new":1}`), &e)
	fmt.Println(err, e.Category, e.Code, e.Retryable, e.Effect)
	// Output: <nil> transient timeout true unknown
}

// The log has the cause, without the credentials in its URL.
func ExampleError_LogValue() {
	logger := slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Key == slog.TimeKey {
				return slog.Attr{}
			}
			return a
		},
	}))
	e := toolerr.Wrap(errors.New("GET https://api.example/v1?token=s3cret: refused"), "The rates are not available.")
	logger.Warn("tool call failed", "error", e)
	// Output:
	// level=WARN msg="tool call failed" error.category=transient error.code=internal error.retryable=false error.message="The rates are not available." error.effect=unknown error.cause="GET https://api.example/v1?token=[masked]: refused"
}
