package replay_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ourCodes are the codes of this module; any other code is an author's.
var ourCodes = codes(toolerr.CodeTimeout, toolerr.CodeRateLimited, toolerr.CodeUnavailable, toolerr.CodeCanceled,
	toolerr.CodeInternal, toolerr.CodeNotFound, toolerr.CodeInvalidArgument, toolerr.CodeMissingArgument,
	toolerr.CodeAmbiguous, toolerr.CodeOutOfRange, toolerr.CodeConflict, toolerr.CodeAlreadyExists,
	toolerr.CodeFailedPrecondition, toolerr.CodeLimitExceeded, toolerr.CodeUnauthenticated,
	toolerr.CodePermissionDenied, toolerr.CodeInsufficientScope)

// An observation is what the model and the operators see of a failed call.
type observation struct {
	envelope *toolerr.Error
	level    slog.Level
	readOnly bool            // the tool is read-only
	typed    bool            // the failure is a client library's error, not text
	prose    bool            // the failure has no members: a text that is no JSON object, alone
	schema   json.RawMessage // of the tool's input
}

// unclassified reports whether an envelope only says that the tool failed.
func (o *observation) unclassified() bool {
	e := o.envelope
	return !e.Retryable && (e.Category == "" ||
		e.Category == toolerr.CategoryTransient && (e.Code == toolerr.CodeInternal || e.Code == ""))
}

// unexpected reports whether an envelope is that of an unexpected error, which tells nothing
// else, and is logged for the operators.
func (o *observation) unexpected() bool {
	e := o.envelope
	return e.Category == toolerr.CategoryTransient && e.Code == toolerr.CodeInternal && !e.Retryable && e.Field == "" &&
		o.generic() && o.level == slog.LevelError
}

// wrong returns the claims of the envelope and the log that contradict a label.
func (o *observation) wrong(want label) []string {
	var all []string
	claim := func(isWrong bool, format string, args ...any) {
		if isWrong {
			all = append(all, fmt.Sprintf(format, args...))
		}
	}
	e := o.envelope
	if !o.unclassified() {
		claim(!slices.Contains(want.categories, e.Category), "category %s", e.Category)
		claim(slices.Contains(ourCodes, e.Code) && !slices.Contains(want.codes, e.Code), "code %s", e.Code)
		claim(o.level == slog.LevelError && !want.internal, "logged as an error of the tool")
	}
	if want.internal && len(want.categories) == 1 {
		claim(o.level < slog.LevelError && e.Code == toolerr.CodeInternal, "an error of the tool logged as a warning")
	}
	claim(e.Retryable && !want.retry, "retryable")
	claim(e.RetryAfter > 0 && !want.retry, "a delay")
	claim(e.Effect == toolerr.EffectApplied, "applied")
	claim(e.Effect == toolerr.EffectUnknown && o.readOnly, "an unknown effect of a tool that has none")
	claim(e.Effect == toolerr.EffectNone && !o.readOnly && (!o.typed || !want.rejected), "no effect")
	claim(e.CustomerMessage != "", "words for the customer")
	claim(e.Field != "" && !o.hasArgument(e.Field), "field %s", e.Field)
	return all
}

// read reports whether an envelope has members that must have been read out of prose.
func (o *observation) read() bool {
	e := o.envelope
	return o.prose && (e.Category != "" || e.Code != "" || e.Hint != "" || e.Field != "" || e.Retryable ||
		e.RetryAfter > 0)
}

// generic reports whether the message is that of the code, and so none of the author's words.
func (o *observation) generic() bool {
	return o.envelope.Message == hint.Sentence(string(o.envelope.Code))
}

// hasArgument reports whether a path begins with an argument of the tool.
func (o *observation) hasArgument(path string) bool {
	var schema struct {
		Properties map[string]any `json:"properties"`
	}
	if json.Unmarshal(o.schema, &schema) != nil {
		return false
	}
	for name := range schema.Properties {
		if rest, ok := strings.CutPrefix(path, name); ok && (rest == "" || strings.ContainsAny(rest[:1], ".[")) {
			return true
		}
	}
	return false
}

// misdirects returns the step in the hint if the label excludes it, or "".
func (o *observation) misdirects(want label) step {
	s := stepOf(o.envelope.Hint)
	switch {
	case o.generic() && strings.Contains(o.envelope.Hint, "message"):
		return stepNone // the words that it refers to are not there
	case s == stepWords, slices.Contains(want.steps, s):
		return ""
	case s == stepVerify && (o.unclassified() || slices.Contains(want.categories, toolerr.CategoryTransient)) &&
		!o.readOnly:
		return "" // the effect is not stated
	}
	return s
}

// better reports whether an envelope has a correct member that a program can act on, and
// that the text alone lacks.
func (o *observation) better(want label) bool {
	switch {
	case want.silent:
		return false
	case o.unclassified():
		return want.internal && o.envelope.Code == toolerr.CodeInternal
	}
	return slices.Contains(want.categories, o.envelope.Category)
}
