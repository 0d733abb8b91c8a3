package toolerr_test

import (
	"fmt"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func show(e *toolerr.Error) { fmt.Println(e.Category, e.Code, e.Retryable, e.Effect) }

func ExampleTimeout() {
	e := toolerr.Timeout("The bank did not answer within 10 s.")
	show(e)
	show(e.Resolve(toolerr.ToolHints{Idempotent: true}))
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
