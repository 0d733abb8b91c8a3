// Package agree compares what the wire, the client, the idempotency store, the log, the counts and
// the telemetry say about a failed call.
package agree

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Shape is an error that a handler returns, with a name.
type Shape struct {
	Name string
	Err  error
}

// Did reports whether the handler may have done its work before it failed.
func (s Shape) Did() bool { return toolerr.From(s.Err).Effect != toolerr.EffectNone }

// IsWord reports whether the author allows a repeat without stating an effect.
func (s Shape) IsWord() bool {
	e := toolerr.From(s.Err)
	return e.Effect == "" && e.Retryable
}

// Shapes returns errors of constructors and common causes, each unchanged and with every change.
// The errors named in pairs also get every two changes of different kinds, in both orders.
func Shapes() (shapes []Shape) {
	pairs := []string{"Transient", "RateLimited", "Business", "timeout"}
	for name, err := range errs() {
		shapes = append(shapes, Shape{name, err})
		for i, first := range changes {
			shapes = append(shapes, Shape{name + ", " + first.name, first.of(toolerr.From(err))})
			for _, second := range changes[i+1:] {
				if first.kind != second.kind && slices.Contains(pairs, name) {
					shapes = append(shapes,
						Shape{name + ", " + first.name + ", " + second.name, second.of(first.of(toolerr.From(err)))},
						Shape{name + ", " + second.name + ", " + first.name, first.of(second.of(toolerr.From(err)))})
				}
			}
		}
	}
	slices.SortFunc(shapes, func(a, b Shape) int { return strings.Compare(a.Name, b.Name) })
	return shapes
}

func errs() map[string]error {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	read := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	return map[string]error{
		"Transient":           toolerr.Transient("m"),
		"Validation":          toolerr.Validation("m"),
		"Business":            toolerr.Business("m"),
		"Permission":          toolerr.Permission("m"),
		"NotFound":            toolerr.NotFound("order", "7"),
		"InvalidArgument":     toolerr.InvalidArgument("amount", -1, "positive"),
		"OutOfRange":          toolerr.OutOfRange("amount", -1, 0, 500, nil),
		"Ambiguous":           toolerr.Ambiguous("order", "7", "17", "27"),
		"RateLimited":         toolerr.RateLimited("m", time.Millisecond),
		"FailedPrecondition":  toolerr.FailedPrecondition("m", "stop"),
		"LimitExceeded":       toolerr.LimitExceeded("m", "c"),
		"Internal":            toolerr.Internal(nil),
		"literal":             &toolerr.Error{Message: "m"},
		"a literal refusal":   &toolerr.Error{Category: toolerr.CategoryBusiness, Message: "m"},
		"wrapped":             fmt.Errorf("refund: %w", toolerr.Transient("m")),
		"an unexpected error": errors.New("m"),
		"timeout":             context.DeadlineExceeded,
		"refused":             &url.Error{Op: "Post", URL: "http://gateway", Err: dial},
		"reset":               &url.Error{Op: "Post", URL: "http://gateway", Err: read},
		"no reply":            &url.Error{Op: "Post", URL: "http://gateway", Err: io.EOF},
		"no file":             &fs.PathError{Op: "open", Path: "/x", Err: fs.ErrNotExist},
		"no row":              sql.ErrNoRows,
		"joined":              errors.Join(toolerr.RateLimited("m", 0), read),
		"status 429":          toolerr.FromResponse(&http.Response{StatusCode: http.StatusTooManyRequests}),
		"status 502":          toolerr.FromResponse(&http.Response{StatusCode: http.StatusBadGateway}),
		"Wrap":                toolerr.Wrap(context.DeadlineExceeded, "m"),
	}
}

// A change is something that an author states about an error.
type change struct {
	kind, name string
	of         func(*toolerr.Error) *toolerr.Error
}

var errRetried = fmt.Errorf("refund: %w", toolerr.Transient("m").WithAttempted(toolerr.Attempt{Tool: "t", Attempts: 3}))

var changes = []change{
	{"effect", "effect none", func(e *toolerr.Error) *toolerr.Error { return e.WithEffect(toolerr.EffectNone) }},
	{"effect", "effect applied", func(e *toolerr.Error) *toolerr.Error { return e.WithEffect(toolerr.EffectApplied) }},
	{"effect", "effect unknown", func(e *toolerr.Error) *toolerr.Error { return e.WithEffect(toolerr.EffectUnknown) }},
	{"partial", "two done", func(e *toolerr.Error) *toolerr.Error {
		return e.WithPartial(&toolerr.Partial{Processed: 2, Total: 3, ContinueFrom: 3})
	}},
	{"partial", "none done", func(e *toolerr.Error) *toolerr.Error {
		return e.WithPartial(&toolerr.Partial{Total: 3, ContinueFrom: 1})
	}},
	{"retryable", "retryable", func(e *toolerr.Error) *toolerr.Error { return e.WithRetryable(true) }},
	{"retryable", "not retryable", func(e *toolerr.Error) *toolerr.Error { return e.WithRetryable(false) }},
	{"cause", "a cause", func(e *toolerr.Error) *toolerr.Error { return e.WithCause(io.ErrUnexpectedEOF) }},
	{"cause", "a cause retried", func(e *toolerr.Error) *toolerr.Error { return e.WithCause(errRetried) }},
}
