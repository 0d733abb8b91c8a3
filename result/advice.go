package result

import (
	"strings"
	"sync"

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
	if isTypedNil(cause) && f.kinds.isNew(tool, typedNilAdvice) { // a typed handler's, whose output the SDK has dropped
		return typedNilAdvice
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

const (
	// maxKinds is the maximum number of stored kinds. Chosen: a program has a few dozen, but
	// texts that quote their input are unlimited.
	maxKinds = 1000
	// maxKind is how many bytes of an error's text identify its kind. Chosen: the beginning of
	// a sentence.
	maxKind = 64
)

// knownKinds stores for which kinds of errors advice was logged. A kind is a tool and the
// beginning of the error's text. The zero value is empty. It is safe for concurrent use.
type knownKinds struct {
	mu   sync.Mutex
	seen map[kind]bool
}

type kind struct{ tool, text string }

// isNew reports whether a kind of error is new, and stores it.
func (k *knownKinds) isNew(tool, text string) bool {
	of := kind{tool, withoutNumbers(text[:min(len(text), maxKind)])}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.seen[of] || len(k.seen) >= maxKinds {
		return false
	}
	if k.seen == nil {
		k.seen = map[kind]bool{}
	}
	k.seen[kind{of.tool, strings.Clone(of.text)}] = true // without the rest of the text
	return true
}

// withoutNumbers removes the digits of a text, so that texts that differ only in an identifier
// are of the same kind.
func withoutNumbers(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}
