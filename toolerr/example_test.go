package toolerr_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// print prints the envelope, which is what the model sees.
func print(e *toolerr.Error) { fmt.Println(string(e.AppendJSON(nil))) }

func ExampleTransient() {
	print(toolerr.Transient("The search index is being rebuilt.").WithCode(toolerr.CodeUnavailable).
		WithHint("Retry in a minute."))
	// Output:
	// {"isError":true,"errorCategory":"transient","isRetryable":true,"code":"unavailable","message":"The search index is being rebuilt.","hint":"Retry in a minute."}
}

func ExampleValidation() {
	print(toolerr.Validation(`Units must be "metric" or "imperial", got "celsius".`).
		WithCode(toolerr.CodeInvalidArgument).WithField("units").
		WithHint(`Call again with units "metric".`))
	// Output:
	// {"isError":true,"errorCategory":"validation","isRetryable":false,"code":"invalid_argument","message":"Units must be \"metric\" or \"imperial\", got \"celsius\".","hint":"Call again with units \"metric\".","field":"units","effect":"none"}
}

func ExampleBusiness() {
	print(toolerr.Business("The return window closed 12 days ago.").
		WithCustomerMessage("This item can no longer be returned."))
	// Output:
	// {"isError":true,"errorCategory":"business","isRetryable":false,"message":"The return window closed 12 days ago.","hint":"Do not retry; explain it to the user, or hand over to a person.","customerMessage":"This item can no longer be returned.","effect":"none"}
}

func ExamplePermission() {
	print(toolerr.Permission("The token may read orders, not change them.").WithCode(toolerr.CodeInsufficientScope))
	// Output:
	// {"isError":true,"errorCategory":"permission","isRetryable":false,"code":"insufficient_scope","message":"The token may read orders, not change them.","hint":"Do not retry; tell the user which scope must be granted.","effect":"none"}
}

func ExampleNotFound() {
	print(toolerr.NotFound("file", "src/auth/sesion.ts", "src/auth/login.ts", "src/auth/session.ts"))
	// Output:
	// {"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"There is no file \"src/auth/sesion.ts\".","hint":"Did you mean \"src/auth/session.ts\"? Call again with that, or ask the user.","suggestions":["src/auth/session.ts"],"effect":"none"}
}

func ExampleInvalidArgument() {
	e := toolerr.InvalidArgument("units", "metrc", `"metric" or "imperial"`, "metric", "imperial")
	fmt.Println(e.Message, e.Hint)
	// Output: units must be "metric" or "imperial", got "metrc". Call again with units "metric".
}

func ExampleOutOfRange() {
	day := func(year int, month time.Month, day int) time.Time {
		return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
	}
	e := toolerr.OutOfRange("travel_date", day(2024, 7, 31), day(2025, 7, 25), nil, day(2025, 7, 31))
	fmt.Println(e.Message)
	fmt.Println(e.Hint)
	// Output:
	// travel_date must be at least 2025-07-25, got 2024-07-31.
	// If 2025-07-31 was meant, call again with that; else with travel_date at least 2025-07-25.
}

func ExampleAmbiguous() {
	type file struct {
		Path string `json:"path"`
	}
	e := toolerr.Ambiguous("path", "session", file{"src/auth/session.ts"}, file{"src/db/session.ts"})
	fmt.Println(e.Message, e.Options)
	// Output: path "session" fits 2 things. [{src/auth/session.ts} {src/db/session.ts}]
}

func ExampleRateLimited() {
	e := toolerr.RateLimited("The export runs once a minute.", 40*time.Second)
	fmt.Println(e.Category, e.Retryable, e.RetryAfter)
	// Output: transient true 40s
}

func ExampleFailedPrecondition() {
	e := toolerr.FailedPrecondition("A running instance cannot be terminated.", "stop_instance")
	fmt.Println(e.Category, "-", e.Hint)
	// Output: business - Call stop_instance first, then call this tool again.
}

// A handle that a tool has returned, such as a basket's id, may expire. Since protocol version
// 2026-07-28 such handles take the place of sessions. The failure names the tool that makes a new one.
func ExampleFailedPrecondition_expiredHandle() {
	e := toolerr.FailedPrecondition("The basket b-17 has expired. Its items are gone.", "create_basket")
	fmt.Println(e.Code, e.Retryable, "-", e.Hint)
	// Output: failed_precondition false - Call create_basket first, then call this tool again.
}

func ExampleLimitExceeded() {
	e := toolerr.LimitExceeded("A refund of $650 exceeds the limit of $500.", "A colleague has to approve this refund.")
	fmt.Println(e.Category, e.Code, "-", e.CustomerMessage)
	// Output: business limit_exceeded - A colleague has to approve this refund.
}

func ExampleInternal() {
	e := toolerr.Internal(errors.New("nil pointer in the pricing table"))
	fmt.Println(e, e.Retryable)
	// Output: The tool failed unexpectedly. false
}

func show(e *toolerr.Error) { fmt.Println(e.Category, e.Code, e.Retryable, e.Effect) }

func ExampleTimeout() {
	e := toolerr.Timeout("The bank did not answer within 10 s.")
	show(e)
	show(e.Resolve(toolerr.ToolAnnotations{Idempotent: true}))
	// Output:
	// transient timeout false unknown
	// transient timeout true unknown
}

func ExampleUnavailable() {
	show(toolerr.Unavailable("The bank is closed for maintenance.", time.Minute))
	// Output: transient unavailable true none
}

func ExampleMissingArgument() {
	e := toolerr.MissingArgument("start", "a date such as 2026-07-31")
	fmt.Println(e.Message, e.Hint)
	// Output: The argument start is missing. Call again with start as a date such as 2026-07-31.
}

func ExampleConflict() {
	show(toolerr.Conflict("The ticket was changed since it was read."))
	// Output: business conflict false none
}

func ExampleAlreadyExists() {
	fmt.Println(toolerr.AlreadyExists("branch", "main"))
	// Output: There is already a branch "main".
}

func ExampleUnauthenticated() {
	show(toolerr.Unauthenticated("The token has expired."))
	// Output: permission unauthenticated false none
}

func ExampleInsufficientScope() {
	e := toolerr.InsufficientScope("repo:write")
	fmt.Println(e.Message, e.Details)
	// Output: The credentials lack the scope repo:write. map[scope:repo:write]
}
