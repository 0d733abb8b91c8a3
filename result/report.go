package result

import (
	"cmp"
	"log/slog"
	"reflect"
	"runtime"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// unknownTool replaces names that are not tools of the server in counts and OnCall, because a
	// client may send any number of them. Tool names have no parentheses.
	unknownTool = "(unknown)"
	// maxToolName is the maximum length of a tool's name in the MCP specification.
	maxToolName = 128
	// maxSessionID is the longest session id that is logged, in bytes. A client may send any id
	// to a stateless server. Chosen: UUIDs have 36 bytes, and the SDK's ids 26.
	maxSessionID = 128
)

// report logs a failed request. It counts that of a tool and calls OnCall. The attributes have
// the names of OpenTelemetry's conventions for MCP, if there is one.
func (f *failedCall) report(e *toolerr.Error, found failure.Findings, errorType string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	what := "request failed"
	if f.method == methodCallTool {
		what = "tool call failed"
		call := FinishedCall{Tool: f.countedTool(), Kind: KindFailure, Err: e, Duration: f.elapsed}
		if e.Partial != nil {
			call.Kind = KindPartial
		}
		f.finished(f.ctx, call)
	}
	logger := f.classifier.Log()
	level := slog.LevelWarn
	if e.Code == toolerr.CodeInternal {
		level = slog.LevelError
	}
	if !logger.Enabled(f.ctx, level) {
		return
	}
	r := slog.NewRecord(time.Now(), level, what, recordSource())
	r.AddAttrs(slog.String("mcp.method.name", f.method))
	if a := target(f.req); a.Key != "" {
		r.AddAttrs(a)
	}
	r.AddAttrs(slog.String("error.type", errorType), slog.Duration("duration", f.elapsed))
	if session := f.req.GetSession(); session != nil {
		if id := session.ID(); id != "" && len(id) <= maxSessionID {
			r.AddAttrs(slog.String("mcp.session.id", id))
		}
	}
	if shown := f.rules.WithText(found.Cause); shown != nil && !hasCause(e, shown) {
		e = e.WithCause(shown)
	}
	if claim := failure.ClaimOf(f.ctx); claim.ID != "" {
		r.AddAttrs(slog.String("idempotency.id", claim.ID), slog.String("idempotency.state", claim.State))
	}
	r.AddAttrs(slog.Attr{Key: "error", Value: e.LogValue()})
	if text := f.advice(f.countedTool(), e, found); text != "" {
		r.AddAttrs(slog.String("advice", text))
	}
	p, _ := found.Cause.(*failure.PanicError) //nolint:errorlint // ours, and never wrapped
	if p = cmp.Or(p, f.panicked); p != nil {
		r.AddAttrs(slog.String("stack", string(p.Stack)))
	}
	_ = logger.Handler().Handle(f.ctx, r) // as a Logger does
}

// recordSource returns the source of all records, which is this file. A Logger would search
// the stack for it each time.
var recordSource = sync.OnceValue(func() uintptr {
	var source [1]uintptr
	runtime.Callers(1, source[:])
	return source[0]
})

// hasCause reports whether the log value of e includes a cause: it is e's, or it is the
// failure that e is a copy of, whose own cause is e's.
func hasCause(e *toolerr.Error, cause error) bool {
	if original, ok := cause.(*toolerr.Error); ok && original != nil { //nolint:errorlint // the failure itself
		return original.Message == e.Message && isSame(original.Unwrap(), e.Unwrap())
	}
	return isSame(cause, e.Unwrap())
}

// isSame reports whether two errors are both nil or the same pointer. Other types need not be
// comparable.
func isSame(a, b error) bool {
	t := reflect.TypeOf(a)
	return t == reflect.TypeOf(b) && (t == nil || t.Kind() == reflect.Pointer && a == b) //nolint:errorlint // identity
}
