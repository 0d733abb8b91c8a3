package result

import (
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// constructors are those of an author's failures.
const constructors = "toolerr.Business, Validation, Permission or Transient"

// advice returns the log's advice to the tool's author how to classify an error, or "". It
// does so once for each tool and kind of error.
func (f *failedCall) advice(tool string, e *toolerr.Error, cause error) string {
	if cause == nil {
		return ""
	}
	if e.Category == "" && f.said != nil {
		if f.tool == nil || !f.kinds.isNew(tool, "") {
			return ""
		}
		return "The tool returned a failure as plain text; return an error made with " + constructors + ", so that agents can act on it."
	}
	if e.Code != toolerr.CodeInternal {
		return ""
	}
	switch cause.(type) { //nolint:errorlint // only the outermost error
	case *failure.PanicError, *toolerr.Error:
		return ""
	}
	text := f.rules.TextOf(cause)
	switch {
	case toolerr.CodeOf(cause) != "" || cause == failure.ErrEnvelope || cause == failure.ErrNilResult: //nolint:errorlint // compared by identity
		return "" // it is classified, or the cause says what is wrong
	case !f.kinds.isNew(tool, text):
		return ""
	case sdktext.IsOutput(text):
		return "The output does not fit the tool's output schema; add the tool with result.AddTool, and return failures as errors."
	case failure.MayBeCallers(cause):
		return "The name in the error is not in the call's arguments, so it is treated as a fault of the tool. If the caller is at fault, " +
			"return an error made with toolerr.NotFound or InvalidArgument."
	}
	return "This error is unclassified; return one made with " + constructors + ", or classify it with a rule in MiddlewareOptions.Rules."
}
