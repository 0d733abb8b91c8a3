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

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Fate is how a call ends.
type Fate struct {
	// Before says that this is before anything is booked, and happens to the first call
	// with these arguments alone.
	Before bool
	// Always says that it happens to every call.
	Always bool
	// End ends the call.
	End func(context.Context) (*mcp.CallToolResult, any, error)
}

var (
	errCharged = errors.New("card was charged")
	errBusy    = toolerr.Transient("Busy.").WithEffect(toolerr.EffectNone)
	errRefused = &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", classify.ErrRefused)}
)

// An unwritable cannot be encoded, for a reason of its own.
type unwritable struct{ err error }

// MarshalJSON implements [json.Marshaler].
func (u unwritable) MarshalJSON() ([]byte, error) { return nil, u.err }

// failing is a fate after the booking.
func failing(err func() error) Fate {
	return Fate{End: func(context.Context) (*mcp.CallToolResult, any, error) { return nil, nil, err() }}
}

// saying is a fate after the booking, as a result with a text.
func saying(text string) Fate {
	return Fate{End: func(context.Context) (*mcp.CallToolResult, any, error) { return Said(text), nil, nil }}
}

// Said returns a failed result with a text.
func Said(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// first is a fate before the booking.
func first(f Fate) Fate {
	f.Before = true
	return f
}

// Fates are how calls end, by name. But for those that are before the booking, all of
// them have booked, and none says so in a way that a program could rely on.
var Fates = map[string]Fate{
	// What an author returns without saying anything of the effect.
	"bare error":           failing(func() error { return errors.New("the receipt printer is on fire") }),
	"bare words":           failing(func() error { return errors.New("mail: 503 Service Unavailable, connection refused") }),
	"transient":            failing(func() error { return toolerr.Transient("The receipt could not be sent.") }),
	"unavailable":          failing(func() error { return toolerr.Transient("m").WithCode(toolerr.CodeUnavailable) }),
	"rate limited by word": failing(func() error { return toolerr.Transient("m").WithCode(toolerr.CodeRateLimited) }),
	"retryable":            failing(func() error { return toolerr.Transient("m").WithRetryable(true) }),
	"wrapped transient":    failing(func() error { return fmt.Errorf("mail: %w", toolerr.Transient("m")) }),
	"not retryable":        failing(func() error { return toolerr.Transient("m").WithRetryable(false) }),
	"deadline":             failing(func() error { return context.DeadlineExceeded }),
	"unexpected EOF":       failing(func() error { return fmt.Errorf("mail: %w", io.ErrUnexpectedEOF) }),
	"reset": failing(func() error {
		return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", classify.ErrReset)}
	}),
	"handed up": failing(func() error {
		return toolerr.Transient("m").WithEffect(toolerr.EffectUnknown).WithAttempted(toolerr.Attempt{Tool: "mail", Attempts: 3})
	}),
	"panic": {End: func(context.Context) (*mcp.CallToolResult, any, error) { panic("after the booking") }},

	// Several errors, one of which proves nothing.
	"named refusal":           failing(func() error { return fmt.Errorf("%w, but: %w", errCharged, errRefused) }),
	"named refusal, reversed": failing(func() error { return fmt.Errorf("%w after %w", errRefused, errCharged) }),
	"joined with words":       failing(func() error { return errors.Join(errRefused, errCharged) }),
	"lost and invalid": failing(func() error {
		return errors.Join(io.ErrUnexpectedEOF, toolerr.Validation("The address is not valid.").WithEffect(toolerr.EffectNone))
	}),
	"denied and late": failing(func() error {
		return errors.Join(toolerr.Permission("No."), fmt.Errorf("charge: %w", context.DeadlineExceeded))
	}),
	"refused and lost": failing(func() error {
		return errors.Join(errRefused, toolerr.Business("No.").WithEffect(toolerr.EffectNone), io.EOF)
	}),
	"nested": failing(func() error {
		return fmt.Errorf("both: %w", errors.Join(errRefused, fmt.Errorf("%w: %w", toolerr.Validation("m"), io.ErrUnexpectedEOF)))
	}),

	// Output that does not reach anybody.
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
	"breaks the schema": {End: func(context.Context) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"receipt": 7}, nil
	}},
	"breaks the schema by absence": {End: func(context.Context) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"number": "R-7"}, nil
	}},

	// What an author writes as a result.
	"claims by itself": saying(`{"error": "mail server down", "retryable": true}`),

	// Before the booking, and said so.
	"refused at first":    first(failing(func() error { return errBusy })),
	"dial fails at first": first(failing(func() error { return fmt.Errorf("bank: %w", errRefused) })),
	"claims at first":     first(saying(`{"error": "The bank is closed for a moment.", "retryable": true}`)),
	"always refused":      {Before: true, Always: true, End: failing(func() error { return errBusy }).End},
	"over the limit": {Before: true, Always: true, End: failing(func() error {
		return toolerr.LimitExceeded("The amount is over the limit.", "A person will look at it.")
	}).End},
	"step first": first(failing(func() error { return toolerr.FailedPrecondition("The cart is empty.", Set) })),
}
