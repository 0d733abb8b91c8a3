package result

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const (
	// unknownTool stands for every name that the server has no tool of, since a
	// client may make up as many as it likes. No tool has parentheses in its name.
	unknownTool = "(unknown)"
	// maxToolName is the longest name of a tool that the specification allows.
	maxToolName = 128
)

// record logs and counts a failed call, and tells OnCall. The names of attributes are those of
// OpenTelemetry's conventions for MCP, as far as they go. What is logged of an
// error is the business of its LogValue.
func (f *failedCall) record(e *toolerr.Error, cause error, errorType string) {
	defer func() { _ = recover() }() // a logger, which must not cost the answer
	f.failed(e)
	logger := f.classifier.Log()
	level := slog.LevelWarn
	if e.Code == toolerr.CodeInternal {
		level = slog.LevelError
	}
	if !logger.Enabled(f.ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("mcp.method.name", methodCallTool),
		slog.String("gen_ai.tool.name", strings.ToValidUTF8(f.name[:min(len(f.name), maxToolName)], "")),
		slog.String("error.type", errorType),
		slog.Duration("duration", f.elapsed),
	}
	if session := f.req.GetSession(); session != nil {
		if id := session.ID(); id != "" {
			attrs = append(attrs, slog.String("mcp.session.id", id))
		}
	}
	if cause != nil {
		e = e.WithCause(withoutValue(cause)) // one that is e itself adds what is behind e
	}
	attrs = append(attrs, slog.Attr{Key: "error", Value: f.withoutArguments(e)})
	if text := f.advice(f.countedTool(), e, cause); text != "" {
		attrs = append(attrs, slog.String("advice", text))
	}
	if p, ok := cause.(*failure.PanicError); ok { //nolint:errorlint // ours, and never wrapped
		attrs = append(attrs, slog.String("stack", string(p.Stack)))
	}
	logger.LogAttrs(f.ctx, level, "tool call failed", attrs...)
}

// withoutArguments takes the values of the call's arguments, names that the tool
// does not have, and the key out of what is logged of a failure: errors quote what
// they were given.
func (f *failedCall) withoutArguments(e *toolerr.Error) slog.Value {
	in := f.tool.Input()
	named := len(in.Properties()) > 0 || in.Closed()
	return e.LogValueWithout(f.arguments, func(name string, depth int) bool {
		return depth == 1 && !named || in.Mentions(name) // a tool that names none may have any
	})
}

// withoutValue is a cause without the piece of JSON that some decoders quote.
func withoutValue(cause error) error {
	if m, ok := cause.(*json.UnmarshalTypeError); ok && m != nil { //nolint:errorlint // as the SDK returns it
		return fmt.Errorf("json: a value does not fit the field %q of type %v", m.Field, m.Type)
	}
	return cause
}

// advice says to the tool's author how a failure that the agent learned nothing
// of would be said better, or nothing. It says so once for each tool and kind of error.
func (f *failedCall) advice(tool string, e *toolerr.Error, cause error) string {
	switch {
	case cause == nil:
		return ""
	case f.said != nil && e.Category == "" || cause == failure.ErrBareText: //nolint:errorlint // the very value
		return f.adviseWords(tool, e)
	case e.Code != toolerr.CodeInternal:
		return ""
	}
	switch cause.(type) { //nolint:errorlint // the outermost one says it
	case *failure.PanicError, *toolerr.Error:
		return ""
	}
	switch {
	case toolerr.CodeOf(cause) != "" || cause == failure.ErrEnvelope || cause == failure.ErrNilResult: //nolint:errorlint // the very values
		return "" // an author has classified it, or the cause says what is wrong
	case !f.kinds.isNew(tool, failure.Text(cause)):
		return ""
	case isOutputError(cause):
		return "The output does not fit the tool's output schema; add the tool with result.AddTool, and return failures as errors."
	case failure.MayBeCallers(cause):
		return "What the error names does not stand in the call's arguments, so that it counts as the tool's own. If it is the caller's, " +
			"return one made with " + constructorFor(foreign.Text(failure.Text(cause)).Code) + "."
	}
	return "No author has classified this error; return one made with " + constructorFor(foreign.Text(failure.Text(cause)).Code) +
		", or recognise it with a rule in MiddlewareOptions.Rules."
}

// adviseWords says once for each tool and kind of failure what says more than words do.
func (f *failedCall) adviseWords(tool string, e *toolerr.Error) string {
	constructor := constructorFor(e.Code)
	if f.tool == nil || !f.kinds.isNew(tool, constructor) {
		return ""
	}
	return "The tool has reported a failure in words; return one made with " + constructor + ", so that agents can act on it."
}

// constructorFor names what makes a failure of this code.
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
