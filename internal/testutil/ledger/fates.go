package ledger

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net"
	"os"
	"syscall"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Fate determines how a call ends.
type Fate struct {
	// Before means that the call ends before the booking. Unless Always is set, only the first call
	// with these arguments has this fate.
	Before bool
	// Always means that Before applies to every call with these arguments.
	Always bool
	// End ends the call.
	End func(context.Context) (*mcp.CallToolResult, any, error)
}

var (
	errCharged = errors.New("card was charged")
	part       = &toolerr.Partial{Processed: 1, Total: 2, ContinueFrom: "2"}
	errBusy    = toolerr.Transient("Busy.").WithEffect(toolerr.EffectNone)
	errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
)

// An unwritable value cannot be encoded: encoding returns err.
type unwritable struct{ err error }

// MarshalJSON implements [json.Marshaler].
func (u unwritable) MarshalJSON() ([]byte, error) { return nil, u.err }

// failWith returns a fate that makes a call return an error after the booking.
func failWith(err func() error) Fate {
	return Fate{End: func(context.Context) (*mcp.CallToolResult, any, error) { return nil, nil, err() }}
}

// failWithText returns a fate that makes a call return a failed result after the booking.
func failWithText(text string) Fate {
	return Fate{End: func(context.Context) (*mcp.CallToolResult, any, error) { return FailedResult(text), nil, nil }}
}

// FailedResult returns a failed result with this text as its content.
func FailedResult(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// first returns f with Before set.
func first(f Fate) Fate {
	f.Before = true
	return f
}

// Fates holds the ways in which calls end, by name. All calls book first, except if Before is set.
// A failure after a booking does not disprove the booking.
var Fates = map[string]Fate{
	// These errors do not state whether anything was done.
	"bare error": failWith(func() error { return errors.New("the receipt printer is on fire") }),
	"bare words": failWith(func() error {
		return errors.New(
			"mail: 503 Service Unavailable, connection refused")
	}),
	"transient":            failWith(func() error { return toolerr.Transient("The receipt could not be sent.") }),
	"unavailable":          failWith(func() error { return toolerr.Transient("m").WithCode(toolerr.CodeUnavailable) }),
	"rate limited by word": failWith(func() error { return toolerr.Transient("m").WithCode(toolerr.CodeRateLimited) }),
	"retryable":            failWith(func() error { return toolerr.Transient("m").WithRetryable(true) }),
	"wrapped transient":    failWith(func() error { return fmt.Errorf("mail: %w", toolerr.Transient("m")) }),
	"not retryable":        failWith(func() error { return toolerr.Transient("m").WithRetryable(false) }),
	"deadline":             failWith(func() error { return context.DeadlineExceeded }),
	"unexpected EOF":       failWith(func() error { return fmt.Errorf("mail: %w", io.ErrUnexpectedEOF) }),
	"reset": failWith(func() error {
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	}),
	"handed up": failWith(func() error {
		return toolerr.Transient("m").WithEffect(toolerr.EffectUnknown).
			WithAttempted(toolerr.Attempt{Tool: "mail", Attempts: 3})
	}),
	"panic": {End: func(context.Context) (*mcp.CallToolResult, any, error) { panic("after the booking") }},

	// Part of the work was done, although the failure alone may mean that none was.
	"part, busy":    failWith(func() error { return toolerr.RateLimited("m", 0).WithPartial(part) }),
	"part, refused": failWith(func() error { return toolerr.Business("m").WithPartial(part) }),
	"part, missing": failWith(func() error {
		return toolerr.NotFound("order", "7").WithEffect(toolerr.EffectNone).
			WithPartial(part)
	}),

	// Several errors, at least one of which proves nothing.
	"named refusal":           failWith(func() error { return fmt.Errorf("%w, but: %w", errCharged, errRefused) }),
	"named refusal, reversed": failWith(func() error { return fmt.Errorf("%w after %w", errRefused, errCharged) }),
	"joined with words":       failWith(func() error { return errors.Join(errRefused, errCharged) }),
	"lost and invalid": failWith(func() error {
		return errors.Join(io.ErrUnexpectedEOF,
			toolerr.Validation("The address is not valid.").WithEffect(toolerr.EffectNone))
	}),
	"denied and late": failWith(func() error {
		return errors.Join(toolerr.Permission("No."), fmt.Errorf("charge: %w", context.DeadlineExceeded))
	}),
	"refused and lost": failWith(func() error {
		return errors.Join(errRefused, toolerr.Business("No.").WithEffect(toolerr.EffectNone), io.EOF)
	}),
	"nested": failWith(func() error {
		return fmt.Errorf("both: %w", errors.Join(errRefused,
			fmt.Errorf("%w: %w", toolerr.Validation("m"), io.ErrUnexpectedEOF)))
	}),

	// Output that cannot be sent.
	"NaN": {End: func(context.Context) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"sum": math.NaN()}, nil
	}},
	"channel": {End: func(context.Context) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"c": make(chan int)}, nil
	}},
	"output without its file": {End: func(context.Context) (*mcp.CallToolResult, any, error) {
		return nil, unwritable{fs.ErrNotExist}, nil
	}},
	"output with a refusal inside": {End: func(context.Context) (*mcp.CallToolResult, any, error) {
		return nil, unwritable{toolerr.Validation("The address is not valid.").WithEffect(toolerr.EffectNone)}, nil
	}},

	// Results that an author writes.
	"claims by itself": failWithText(`{"error": "mail server down", "retryable": true}`),

	// Failures before the booking.
	"refused at first": first(failWith(func() error { return errBusy })),
	"claims at first": first(failWithText(`{"isError":true,"errorCategory":"transient","isRetryable":true,` +
		`"message":"The bank is closed for a moment."}`)),
	"over the limit": {Before: true, Always: true, End: failWith(func() error {
		return toolerr.LimitExceeded("The amount is over the limit.", "A person will look at it.")
	}).End},
}
