package resulttest

import (
	"context"
	"fmt"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// compareSessions repeats calls on the session of Options.Other and compares the answers:
// for each tool the first failure, and the first success if the tool is read-only.
func (c *checker) compareSessions(ctx context.Context) error {
	if c.opts.Other == nil || ctx.Err() != nil {
		return nil
	}
	other := &caller{connect: c.opts.Other, timeout: c.timeout, other: true}
	defer other.drop()
	err := other.ready(ctx)
	if err != nil {
		return fmt.Errorf("the other session: %w", err)
	}
	tools, _, err := other.list(ctx)
	if err != nil {
		return fmt.Errorf("the other session: %w", err)
	}
	late := 0
	for _, tool := range c.tools {
		if !slices.ContainsFunc(tools, func(t *mcp.Tool) bool { return t.Name == tool.Name }) {
			c.missing = append(c.missing, tool.Name)
			continue
		}
		for _, a := range c.comparable(tool) {
			if late == maxLate || other.ready(ctx) != nil || len(c.answers) >= maxCalls {
				return nil
			}
			if c.compare(ctx, a, other).late {
				late++
			}
		}
	}
	return nil
}

// comparable returns the answers of a tool that must not depend on the transport.
func (c *checker) comparable(tool *mcp.Tool) (list []*answer) {
	readOnly := tool.Annotations != nil && tool.Annotations.ReadOnlyHint
	var success, failed *answer
	for _, a := range c.answers {
		switch {
		case a.tool != tool.Name || a.probe.compared || a.late || a.died:
		case a.succeeded() && success == nil && readOnly:
			success = a
			list = append(list, a)
		case a.failed && failed == nil && (readOnly || a.probe.forbidden):
			failed = a
			list = append(list, a)
		}
	}
	return list
}

// compare makes a call on the other session and returns the answer. If it differs, the call
// is repeated on the check's own session, because the answers of some servers differ from
// call to call.
func (c *checker) compare(ctx context.Context, a *answer, other *caller) (there *answer) {
	there = other.call(ctx, a.tool, a.again("on the other session"))
	if ctx.Err() != nil {
		return there
	}
	c.record(there)
	difference := differs(a, there)
	if difference == "" {
		return there
	}
	if here, stopped := c.try(ctx, a.tool, a.again("repeated")); stopped == "" {
		c.record(here)
		if differs(a, here) == "" {
			a.add(KindDiffers, "%s", difference)
			a.violations[len(a.violations)-1].related = []*answer{there, here}
		}
	}
	return there
}

// differs describes how two answers of the same call differ for an agent, or returns "".
func differs(a, b *answer) string {
	one, two := result.Parse(a.result, a.err), result.Parse(b.result, b.err)
	switch {
	case b.late:
		return "the other session did not answer in time"
	case a.result == nil && b.result != nil:
		return fmt.Sprintf("the other session returned a result, this one did not: %v", clip(fmt.Sprint(a.err), 120))
	case a.result != nil && b.result == nil:
		return fmt.Sprintf("this session returned a result, the other one did not: %v", clip(fmt.Sprint(b.err), 120))
	}
	if one.Kind != two.Kind {
		return fmt.Sprintf("the answer is %s here and %s on the other session", one.Kind, two.Kind)
	}
	if one.Err == nil || two.Err == nil {
		return ""
	}
	for _, m := range []struct{ name, one, two string }{
		{"category", string(one.Err.Category), string(two.Err.Category)},
		{"code", string(one.Err.Code), string(two.Err.Code)},
		{"retryability", fmt.Sprint(one.Err.Retryable), fmt.Sprint(two.Err.Retryable)},
		{"effect", string(one.Err.Effect), string(two.Err.Effect)},
		{"field", one.Err.Field, two.Err.Field},
	} {
		if m.one != m.two {
			return fmt.Sprintf("the %s is %q here and %q on the other session", m.name, m.one, m.two)
		}
	}
	return ""
}
