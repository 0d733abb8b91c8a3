package servertest

import (
	"context"
	"fmt"
	"slices"
)

// compareSessions repeats calls on the session of Options.Other and compares the answers:
// for each tool the first failure, and the first success if the tool is read-only.
func (c *checker) compareSessions(ctx context.Context) error {
	if c.opts.Other == nil || ctx.Err() != nil {
		return nil
	}
	other := &client{connect: c.opts.Other, timeout: c.timeout, other: true}
	defer other.drop()
	var tools []*tool
	err := other.ready(ctx)
	if err == nil {
		tools, _, err = other.list(ctx)
	}
	if err != nil {
		return fmt.Errorf("the other session: %w", err)
	}
	late := 0
	for _, own := range c.tools {
		if !slices.ContainsFunc(tools, func(t *tool) bool { return t.Name == own.Name }) {
			c.reportGeneral(own.Name, KindDiffers, "the other session has no such tool")
			continue
		}
		for _, a := range c.comparable(own) {
			if late == maxLost || other.ready(ctx) != nil || len(c.answers) >= maxCalls {
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
func (c *checker) comparable(t *tool) (list []*answer) {
	var success, failed bool
	for _, a := range c.answers {
		switch {
		case a.tool != t.Name || a.probe.compared || a.late || a.died:
		case a.succeeded() && !success && t.hints.ReadOnlyHint:
			success = true
			list = append(list, a)
		case a.failed && !failed && (t.hints.ReadOnlyHint || a.probe.forbidden):
			failed = true
			list = append(list, a)
		}
	}
	return list
}

// compare makes a call on the other session and returns the answer. If it differs, the call
// is repeated on the check's own session, because the answers of some servers differ from
// call to call.
func (c *checker) compare(ctx context.Context, a *answer, other *client) (there *answer) {
	there = other.call(ctx, a.tool, a.again("on the other session"))
	if ctx.Err() != nil {
		return there
	}
	c.record(there)
	if difference := differs(a, there); difference != "" {
		if here, err := c.try(ctx, a.tool, a.again("repeated")); err == nil && differs(a, here) == "" {
			a.violations = append(a.violations, violation{KindDiffers, difference, []*answer{there, here}})
		}
	}
	return there
}

// differs describes how two answers of the same call differ for an agent, or returns "".
func differs(a, b *answer) string {
	one, two := a.out, b.out
	switch {
	case b.late:
		return "the other session did not answer in time"
	case a.result == nil && b.result != nil:
		return "the other session returned a result, this one did not: " + clip(a.text(), 120)
	case a.result != nil && b.result == nil:
		return "this session returned a result, the other one did not: " + clip(b.text(), 120)
	case one.Kind != two.Kind:
		return fmt.Sprintf("the answer is %s here and %s on the other session", one.Kind, two.Kind)
	case one.Err == nil || two.Err == nil:
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
