package result

import (
	"log/slog"
	"time"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// unknownTool replaces names that are not found in the tool list, in the log and OnCall, because
	// a client may send any number of them. Tool names have no parentheses.
	unknownTool = "(unknown)"
	// maxName is the maximum length, in bytes, of a name in the log: that of a tool's name in the MCP
	// specification. A longer session id, which a client may send to a stateless server, is not logged.
	maxName = 128
	// toolError is the error.type of a failed result.
	toolError = "tool_error"
)

// levelOf is the default of [MiddlewareOptions.Level].
func levelOf(e *toolerr.Error) slog.Level {
	switch {
	case e.Code == toolerr.CodeInternal:
		return slog.LevelError
	case e.Category == toolerr.CategoryBusiness, e.Category == toolerr.CategoryValidation:
		return slog.LevelInfo
	}
	return slog.LevelWarn
}

func (f *failedCall) knownTool() string {
	if f.tool == nil {
		return unknownTool
	}
	return f.name
}

// report logs a failed request. For a tool call, it calls OnCall. The
// attributes have the names that OpenTelemetry's conventions for MCP define, if any.
func (f *failedCall) report(e *toolerr.Error, found failure.Findings, errorType string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	what := "request failed"
	if f.method == methodCallTool {
		what = "tool call failed"
		done := FinishedCall{Tool: f.knownTool(), Kind: KindFailure, Err: e}
		if e.Partial != nil && errorType == toolError {
			done.Kind = KindPartial
		}
		f.finished(done)
	}
	if redact.Mask(e.Message) != e.Message {
		f.classifier.Warn(f.ctx, f.knownTool(), adviceCredential)
	}
	logger := f.classifier.Log()
	level := f.opts.Level(e)
	if !logger.Enabled(f.ctx, level) {
		return
	}
	r := slog.NewRecord(time.Now(), level, what, 0) // its source would be this line
	add := func(key, value string) {
		if value != "" {
			r.AddAttrs(slog.String(key, value))
		}
	}
	add("mcp.method.name", f.method)
	add(f.target())
	r.AddAttrs(slog.String("error.type", errorType), slog.Duration("duration", f.elapsed))
	if f.opts.Principal != nil {
		add("enduser.id", sanitize.Line(f.opts.Principal(f.req), maxName))
	}
	if session := f.req.GetSession(); session != nil && len(session.ID()) <= maxName {
		add("mcp.session.id", session.ID())
	}
	its, ok := found.Cause.(*toolerr.Error) //nolint:errorlint // of which e is a copy
	if found.Cause != nil && (!ok || its == nil || its.Message != e.Message) {
		e = e.WithCause(failure.WithText(found.Cause))
	}
	members := e.LogValue().Group()
	if claim := failure.CallOf(f.ctx).Claim; claim.ID != "" {
		members = append(members, slog.String("claim", claim.State), slog.String("key_id", claim.ID))
	}
	r.AddAttrs(slog.Attr{Key: "toolerr", Value: slog.GroupValue(members...)})
	if p, ok := classify.Find(found.Cause, classify.As[failure.PanicError]); ok {
		r.AddAttrs(slog.String("stack", string(p.Stack)))
	}
	_ = logger.Handler().Handle(f.ctx, r) // as a Logger does
}
