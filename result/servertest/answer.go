package servertest

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A violation is one defect of one answer.
type violation struct {
	kind    Kind
	detail  string
	related []*answer // the answers it was compared with
}

func (v violation) says(o violation) bool { return v.detail == o.detail }

// An answer is the outcome of one call.
type answer struct {
	tool       string
	probe      probe
	position   int // among all answers
	elapsed    time.Duration
	result     *mcp.CallToolResult // nil if there is none
	err        error
	out        result.Outcome // the result and the error, as an agent reads them
	died       bool           // the session ended with the call
	late       bool
	promised   bool     // the statements in its failure were tested
	failed     bool     // it is a failure, with isError or without
	failure    *failure // of a result with isError, or nil
	tier       Tier     // of a failure
	violations []violation
}

func (a *answer) has(kind Kind) bool {
	return slices.ContainsFunc(a.violations, func(v violation) bool { return v.kind == kind })
}

func (a *answer) add(kind Kind, format string, args ...any) {
	a.violations = append(a.violations, violation{kind: kind, detail: fmt.Sprintf(format, args...)})
}

// breaks records, once per kind, that a statement is false, with the related answers that prove it.
func (a *answer) breaks(kind Kind, related []*answer, format string, args ...any) {
	a.promised = true
	if !a.has(kind) {
		a.violations = append(a.violations, violation{kind, fmt.Sprintf(format, args...), related})
	}
}

// again returns a repeat of the call, whose answer is compared but not checked.
func (a *answer) again(name string) probe {
	return probe{name: a.probe.name + ", " + name, arguments: a.probe.arguments, compared: true}
}

// succeeded reports whether the answer is data or an empty result. A nil answer, which means that
// no call was made, has not succeeded.
func (a *answer) succeeded() bool {
	return a != nil && (a.out.Kind == result.KindData || a.out.Kind == result.KindEmpty)
}

// text returns the server's text, or the error's.
func (a *answer) text() string {
	switch {
	case a.result != nil:
		return cmp.Or(strings.Join(texts(a.result), "\n"), "(no text)")
	case a.late, a.err == nil:
		return "(none)"
	}
	return a.err.Error()
}

// check adds the violations that this answer alone shows.
func (a *answer) check(output schema, timeout time.Duration) {
	var wire *jsonrpc.Error
	switch {
	case a.late:
		a.add(KindNoAnswer, "no answer within %v", timeout)
	case a.died:
		a.add(KindServerDied, "the session ended without an answer: %v", clip(a.err.Error(), 200))
	case errors.As(a.err, &wire):
		a.failed = true
		a.add(KindProtocolError, "the answer is protocol error %d: %s", wire.Code, clip(wire.Message, 200))
	case errors.Is(a.err, mcp.ErrConnectionClosed): // but the server is alive
		a.failed = true
		a.add(KindProtocolError, "the answer is a protocol error (-32003 or -32004) that clients treat as the end of the "+
			"session: %v", clip(a.err.Error(), 200))
	case a.result == nil:
		a.add(KindUnreadable, "the answer cannot be read: %s", clip(a.text(), 200))
	case a.result.IsError:
		a.checkFailure()
	case a.out.Kind != result.KindInputRequired:
		a.checkSuccess(output)
	}
	if c := a.probe.expected; c != nil && !a.died && !a.late {
		a.checkCase(c)
	}
}

func (a *answer) checkFailure() {
	a.failed = true
	f := a.failure
	if !a.probe.forbidden && f.isNothingFound(a.result, a.probe.arguments) {
		a.failure = nil // the other members are irrelevant: it should be a success
		a.add(KindEmptyAsFailure, "an empty result is marked as a failure")
		return
	}
	switch {
	case f.text == "":
		a.add(KindBareText, "the failure has no text")
	case f.members == nil:
		what := "the failure is plain text"
		if _, _, ok := sdktext.Refusal(strings.TrimPrefix(f.text, "MCP error -32602: ")); ok {
			what = "the SDK's own text about refused arguments, which a wrapper around tools/call can replace"
		}
		a.add(KindBareText, "%s", what)
	default:
		if defects := f.defects(); len(defects) > 0 {
			a.add(KindIncomplete, "the failure has %s", strings.Join(defects, ", "))
		}
		if f.get(spelling.Hint).isBlank() {
			a.add(KindNoHint, "the failure has no hint")
		}
	}
}

// isInternal reports whether the answer is a failure with code internal.
func (a *answer) isInternal() bool {
	return a.failure != nil && a.out.Err != nil && a.out.Err.Code == toolerr.CodeInternal
}

func (a *answer) checkSuccess(output schema) {
	text, failed := looksFailed(a.result, a.probe.arguments)
	if a.out.Kind == result.KindFailure {
		text, failed = a.out.Err.Message, true
	}
	if failed {
		a.failed = true
		a.add(KindFailureAsSuccess, "the answer reports a failure, but isError is not set: %s", clip(text, 120))
	} else if a.probe.forbidden {
		a.add(KindAccepted, "the call succeeded, although the input schema forbids its arguments: %s", a.probe.name)
	}
	if place := nullList(a.result, output); place != "" {
		a.add(KindNullList, "%s is null", place)
	}
}

// checkCase compares the answer with a case, unless another violation covers the difference.
func (a *answer) checkCase(c *Case) {
	want, got := c.Kind, a.out.Kind
	if want == 0 && (c.Category != "" || c.Code != "") {
		want = result.KindFailure
	}
	switch {
	case want == 0, a.has(KindEmptyAsFailure), a.has(KindFailureAsSuccess), a.has(KindProtocolError):
	case got != want:
		a.add(KindUnexpected, "the answer is %s instead of %s", got, want)
	case a.out.Err == nil:
	case c.Category != "" && a.out.Err.Category != c.Category:
		a.add(KindUnexpected, "the category is %q instead of %q", a.out.Err.Category, c.Category)
	case c.Code != "" && a.out.Err.Code != c.Code:
		a.add(KindUnexpected, "the code is %q instead of %q", a.out.Err.Code, c.Code)
	}
}
