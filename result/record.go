package result

import (
	"log/slog"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// unknownTool replaces names that are not tools of the server, because a client may send
	// any number of them. Tool names have no parentheses.
	unknownTool = "(unknown)"
	// maxToolName is the maximum length of a tool's name in the MCP specification.
	maxToolName = 128
	// maxSessionID is the longest session id that is logged, in bytes. A client may send any id
	// to a stateless server. Chosen: UUIDs have 36 bytes, and the SDK's ids 26.
	maxSessionID = 128
)

// record logs and counts a failed call, and calls OnCall. The attributes have the names of
// OpenTelemetry's conventions for MCP, if there is one.
func (f *failedCall) record(e *toolerr.Error, cause error, errorType string) {
	defer func() { _ = recover() }() // a panic in a logger must not replace the answer
	f.failed(e)
	logger := f.classifier.Log()
	level := slog.LevelWarn
	if e.Code == toolerr.CodeInternal {
		level = slog.LevelError
	}
	if !logger.Enabled(f.ctx, level) {
		return
	}
	r := slog.NewRecord(time.Now(), level, "tool call failed", recordSource())
	r.AddAttrs(
		slog.String("mcp.method.name", methodCallTool),
		slog.String("gen_ai.tool.name", strings.ToValidUTF8(f.name[:min(len(f.name), maxToolName)], "")),
		slog.String("error.type", errorType),
		slog.Duration("duration", f.elapsed),
	)
	if session := f.req.GetSession(); session != nil {
		if id := session.ID(); id != "" && len(id) <= maxSessionID {
			r.AddAttrs(slog.String("mcp.session.id", id))
		}
	}
	if cause != nil && !hasCause(e, cause) {
		e = e.WithCause(cause)
	}
	r.AddAttrs(slog.Attr{Key: "error", Value: e.LogValue()})
	if text := f.advice(f.countedTool(), e, cause); text != "" {
		r.AddAttrs(slog.String("advice", text))
	}
	if p, ok := cause.(*failure.PanicError); ok { //nolint:errorlint // ours, and never wrapped
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

// advice returns the log's advice to the tool's author how to classify an error, or "". It
// does so once for each tool and kind of error.
func (f *failedCall) advice(tool string, e *toolerr.Error, cause error) string {
	switch {
	case cause == nil:
		return ""
	case f.authored != nil && e.Category == "" || cause == failure.ErrBareText: //nolint:errorlint // compared by identity
		return f.adviseWords(tool, e)
	case e.Code != toolerr.CodeInternal:
		return ""
	}
	switch cause.(type) { //nolint:errorlint // only the outermost error
	case *failure.PanicError, *toolerr.Error:
		return ""
	}
	switch {
	case toolerr.CodeOf(cause) != "" || cause == failure.ErrEnvelope || cause == failure.ErrNilResult: //nolint:errorlint // compared by identity
		return "" // it is classified, or the cause says what is wrong
	case !f.kinds.isNew(tool, failure.Text(cause)):
		return ""
	case isOutputError(cause):
		return "The output does not fit the tool's output schema; add the tool with result.AddTool, and return failures as errors."
	case failure.MayBeCallers(cause):
		return "The name in the error is not in the call's arguments, so it is treated as a fault of the tool. If the caller is at fault, " +
			"return an error made with " + constructorFor(foreign.Text(failure.Text(cause)).Code) + "."
	}
	return "This error is unclassified; return one made with " + constructorFor(foreign.Text(failure.Text(cause)).Code) +
		", or classify it with a rule in MiddlewareOptions.Rules."
}

// adviseWords returns the advice for a failure that is only text, once for each tool and
// kind.
func (f *failedCall) adviseWords(tool string, e *toolerr.Error) string {
	constructor := constructorFor(e.Code)
	if f.tool == nil || !f.kinds.isNew(tool, constructor) {
		return ""
	}
	return "The tool returned a failure as plain text; return an error made with " + constructor + ", so that agents can act on it."
}

// constructorFor returns the names of the constructors for a code.
func constructorFor(code toolerr.Code) string {
	if name, ok := constructors[code]; ok {
		return name
	}
	return "toolerr.Business, Validation, Permission or Transient"
}

var constructors = map[toolerr.Code]string{
	toolerr.CodeTimeout:            "toolerr.Transient",
	toolerr.CodeUnavailable:        "toolerr.Transient",
	toolerr.CodeRateLimited:        "toolerr.RateLimited",
	toolerr.CodeNotFound:           "toolerr.NotFound",
	toolerr.CodeInvalidArgument:    "toolerr.InvalidArgument",
	toolerr.CodeMissingArgument:    "toolerr.InvalidArgument",
	toolerr.CodeAmbiguous:          "toolerr.Ambiguous",
	toolerr.CodeOutOfRange:         "toolerr.OutOfRange",
	toolerr.CodeConflict:           "toolerr.Business",
	toolerr.CodeAlreadyExists:      "toolerr.Business",
	toolerr.CodeFailedPrecondition: "toolerr.FailedPrecondition",
	toolerr.CodeLimitExceeded:      "toolerr.LimitExceeded",
	toolerr.CodeUnauthenticated:    "toolerr.Permission",
	toolerr.CodePermissionDenied:   "toolerr.Permission",
	toolerr.CodeInsufficientScope:  "toolerr.Permission",
}
