package retry

import (
	"context"
	"reflect"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Session calls tools. It is a *[mcp.ClientSession], or a wrapper around one, and safe for
// concurrent use if CallTool is called concurrently.
type Session interface {
	CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) // as of [mcp.ClientSession]
}

// A sender makes the attempts of one call.
type sender interface {
	// ready prepares an attempt of a call, and sets the tool's safety.
	ready(context.Context, *attempts) error
	// send makes the prepared attempt, and may change params. It sets whether a person was asked, and the pause
	// before the next attempt.
	send(context.Context, *mcp.CallToolParams, *attempts) result.Outcome
}

type sessionSender struct{ session Session }

func (s sessionSender) ready(context.Context, *attempts) error {
	if isNil(s.session) {
		return errNoSession
	}
	return nil
}

// isNil reports whether an interface is nil or holds a nil pointer.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

func (s sessionSender) send(ctx context.Context, params *mcp.CallToolParams, c *attempts) result.Outcome {
	ctx, cancel := attemptContext(ctx, c.policy.AttemptTimeout)
	defer cancel()
	call := func() (*mcp.CallToolResult, error) { return s.session.CallTool(ctx, params) }
	if _, ok := s.session.(*mcp.ClientSession); ok {
		return result.Parse(session.Await(call))
	}
	return result.Parse(call()) // a panic reaches the caller
}

var errNoSession = toolerr.Transient("There is no session to call the tool on.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).
	WithHint("Connect to the server first.")

// lookUp sets the safety of a call: the policy's, or else the tool's by safetyFunc, but unknown if a keyed
// tool does not take the policy's key. An error means that the tool is needed but not known.
func (c *attempts) lookUp(safetyFunc func(*mcp.Tool) Safety, find func() (*mcp.Tool, error)) error {
	safety, tool := c.policy.Safety, (*mcp.Tool)(nil)
	if safety == SafetyKeyed || safety == SafetyUnknown && safetyFunc != nil {
		var err error
		if tool, err = find(); err != nil {
			return err
		}
	}
	if tool != nil && safety == SafetyUnknown {
		safety = safetyFunc(tool)
	}
	switch argument := c.policy.KeyArgument; { // which safetyFunc does not know
	case tool == nil, safety == SafetyReadOnly, safety != SafetyKeyed && argument == defaultKeyArgument:
	case takesKey(tool, argument):
		safety = SafetyKeyed
	case safety == SafetyKeyed: // by another argument
		safety = SafetyUnknown
	}
	c.state.Safety = safety
	return nil
}

// attemptContext returns ctx with an attempt's time limit, if any.
func attemptContext(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}
