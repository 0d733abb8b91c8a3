package resulttest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A violation is one defect of one answer.
type violation struct {
	kind    Kind
	detail  string
	related []*answer // the answers it was compared with
}

// An answer is the outcome of one call.
type answer struct {
	tool       string
	probe      probe
	position   int  // among all answers
	other      bool // on the session of Options.Other
	elapsed    time.Duration
	result     *mcp.CallToolResult // nil if there is none
	err        error
	died       bool // the session ended with the call
	late       bool
	promised   bool     // the statements in its failure were tested
	failed     bool     // it is a failure, with isError or without
	failure    *failure // of a result with isError
	violations []violation
}

func (a *answer) has(kind Kind) bool {
	return slices.ContainsFunc(a.violations, func(v violation) bool { return v.kind == kind })
}

func (a *answer) add(kind Kind, format string, args ...any) {
	a.violations = append(a.violations, violation{kind: kind, detail: fmt.Sprintf(format, args...)})
}

// succeeded reports whether the answer is data or an empty result.
func (a *answer) succeeded() bool {
	kind := result.Parse(a.result, a.err).Kind
	return kind == result.KindData || kind == result.KindEmpty
}

// check finds the violations that do not need a comparison with other answers.
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
		a.add(KindProtocolError, "the answer is a protocol error (-32003 or -32004) that clients treat as the end of the session: %v", clip(a.err.Error(), 200))
	case a.err != nil:
		a.add(KindUnreadable, "the answer cannot be read: %v", clip(a.err.Error(), 200))
	case a.result == nil:
		a.add(KindUnreadable, "the answer is neither a result nor an error")
	case a.result.IsError:
		a.checkFailure()
	default:
		a.checkSuccess(output)
	}
	if c := a.probe.expected; c != nil && !a.died && !a.late {
		a.checkCase(c)
	}
}

func (a *answer) checkFailure() {
	a.failed = true
	f := readFailure(a.result)
	if !a.probe.forbidden && f.isNothingFound() {
		// The other members are irrelevant: it should be a success.
		a.add(KindEmptyAsFailure, "an empty result is marked as a failure")
		return
	}
	a.failure = &f
	a.violations = append(a.violations, f.violations()...)
	if a.probe.forbidden && a.isInternal() {
		a.addMasked()
	}
}

// isInternal reports whether the answer is a failure with code internal.
func (a *answer) isInternal() bool {
	out := result.Parse(a.result, a.err)
	return a.failure != nil && out.Err != nil && out.Err.Code == toolerr.CodeInternal
}

// addMasked adds the violation of an internal failure for invalid input.
func (a *answer) addMasked() {
	a.add(KindMasked, "the code is internal, which hides the mistake in the input: %s", a.probe.name)
}

func (a *answer) checkSuccess(output schema) {
	out := result.Parse(a.result, nil)
	if out.Kind == result.KindInputRequired {
		return
	}
	text, failed := looksFailed(a.result, textsIn(nil, plain(a.probe.arguments)))
	if out.Kind == result.KindFailure {
		text, failed = out.Err.Message, true
	}
	switch {
	case failed:
		a.failed = true
		a.add(KindFailureAsSuccess, "the answer reports a failure, but isError is not set: %s", clip(text, 120))
	case a.probe.forbidden && !a.reportsUnknown():
		a.add(KindAccepted, "the call succeeded, although the input schema forbids its arguments: %s", a.probe.name)
	}
	if place := nullList(a.result, output); place != "" {
		a.add(KindNullList, "%s is null", place)
	}
}

// reportsUnknown reports whether a success mentions the unknown argument of its call, for
// example as ignored.
func (a *answer) reportsUnknown() bool {
	arguments := jsonOf(a.probe.arguments)
	return strings.Contains(arguments, unknownArgument) && slices.ContainsFunc(texts(a.result), func(text string) bool {
		return strings.Contains(text, unknownArgument)
	})
}

// checkLeaks looks for leaks in a failure. Text that the server publishes anyway is not a
// leak.
func (a *answer) checkLeaks(leaks []Leak, public string) {
	var wire *jsonrpc.Error
	var list []string
	switch {
	case !a.failed:
		return
	case errors.As(a.err, &wire):
		list = []string{wire.Message, string(wire.Data)}
	case a.result != nil:
		list = texts(a.result)
	}
	for _, m := range findLeaks(list, jsonOf(a.probe.arguments), public, leaks) {
		a.add(KindLeak, "the failure shows a %s: %s", m.Name, m.shown())
	}
}

// checkCase compares the answer with the expectation of a case. Violations that were found
// already are not repeated.
func (a *answer) checkCase(c *Case) {
	out := result.Parse(a.result, a.err)
	want := c.wants()
	isFailure := func(k result.Kind) bool { return k == result.KindFailure || k == result.KindPartial }
	switch {
	case want == 0 || a.has(KindEmptyAsFailure) || a.has(KindFailureAsSuccess) || a.has(KindProtocolError):
	case out.Kind == want:
		if c.Category != "" && out.Err != nil && out.Err.Category != c.Category {
			a.add(KindUnexpected, "the category is %q instead of %q", out.Err.Category, c.Category)
		} else if c.Code != "" && out.Err != nil && out.Err.Code != c.Code {
			a.add(KindUnexpected, "the code is %q instead of %q", out.Err.Code, c.Code)
		}
	case want == result.KindEmpty && isFailure(out.Kind):
		a.violations = nil
		a.add(KindEmptyAsFailure, "the answer is a failure instead of an empty result")
	case isFailure(want) && !isFailure(out.Kind):
		a.add(KindFailureAsSuccess, "the call should have failed, but the answer is %s", out.Kind)
	default:
		a.add(KindUnexpected, "the answer is %s instead of %s", out.Kind, want)
	}
}

// shown returns the answer as text for a finding.
func (a *answer) shown(leaks []Leak) string {
	text := ""
	switch {
	case a.result != nil:
		text = cmp.Or(strings.Join(texts(a.result), "\n"), "(no text)")
	case errors.Is(a.err, context.DeadlineExceeded), a.err == nil:
		return "(none)"
	default:
		text = a.err.Error()
	}
	return clip(withoutSecrets(text, leaks), 300)
}
