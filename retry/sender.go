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

// A sender makes the attempts of one call. A State is passed by value, because a pointer would allocate.
type sender interface {
	// server returns a value that identifies the server by ==.
	server() any
	// ready prepares an attempt. It sets the tool's safety, and State.Now if it takes time.
	ready(context.Context, State) (State, error)
	// send makes the prepared attempt, and may change params. Pause is that before the next attempt.
	send(context.Context, *mcp.CallToolParams) (out result.Outcome, asked bool, pause time.Duration)
}

type sessionSender struct {
	session Session
	limit   time.Duration // of an attempt
}

func (s *sessionSender) server() any { return s.session }

func (s *sessionSender) ready(_ context.Context, state State) (_ State, err error) {
	if isNil(s.session) {
		err = errNoSession
	}
	return state, err
}

// isNil reports whether an interface is nil or holds a nil pointer.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

func (s *sessionSender) send(
	ctx context.Context, params *mcp.CallToolParams,
) (out result.Outcome, asked bool, pause time.Duration) {
	ctx, cancel := attemptContext(ctx, s.limit)
	defer cancel()
	call := func() (*mcp.CallToolResult, error) { return s.session.CallTool(ctx, params) }
	if _, ok := s.session.(*mcp.ClientSession); ok {
		return result.Parse(session.Await(call)), false, 0
	}
	return result.Parse(call()), false, 0 // a panic reaches the caller
}

var errNoSession = toolerr.Transient("There is no session to call the tool on.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).
	WithHint("Connect to the server first.")

// safetyOfCall returns the safety of a call: the policy's, or else the tool's by safetyFunc, but unknown
// if a keyed tool does not take the policy's key. An error means that the tool is needed but not known.
func safetyOfCall(p *Policy, safetyFunc func(*mcp.Tool) Safety, find func() (*mcp.Tool, error)) (Safety, error) {
	if p.Safety != SafetyKeyed && (p.Safety != SafetyUnknown || safetyFunc == nil) {
		return p.Safety, nil
	}
	tool, err := find()
	if err != nil || tool == nil {
		return p.Safety, err
	}
	s := p.Safety
	if s == SafetyUnknown {
		s = safetyFunc(tool)
	}
	switch argument := keyArgumentOf(p); { // which safetyFunc does not know
	case s == SafetyReadOnly, s != SafetyKeyed && argument == defaultKeyArgument:
	case takesKey(tool, argument):
		s = SafetyKeyed
	case s == SafetyKeyed: // by another argument
		s = SafetyUnknown
	}
	return s, nil
}

// attemptContext returns ctx with an attempt's time limit, if any.
func attemptContext(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if limit <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, limit)
}
