package retry

import (
	"context"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Session calls tools. It is a *[mcp.ClientSession], or a wrapper of one.
type Session interface {
	// CallTool behaves like that of a [mcp.ClientSession]. It must be safe for concurrent
	// use if CallTool of this package is called concurrently.
	CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error)
}

// A sender makes the attempts of one call.
type sender interface {
	// server identifies the server by ==.
	server() any
	// ready prepares an attempt, sets the tool's safety if the policy has none, and returns
	// the function that makes the attempt. It does not call the tool.
	ready(context.Context, *loop) (request, error)
}

// A request sends a call on the session that it was prepared for, even if the sender has
// another session now. Each exchange may take as long as one attempt. It may change
// params.
type request func(*loop, *mcp.CallToolParams) result.Outcome

type sessionSender struct{ session Session }

func (s sessionSender) server() any { return s.session }

func (s sessionSender) ready(context.Context, *loop) (request, error) {
	if isNil(s.session) {
		return nil, errNoSession
	}
	return s.send, nil
}

// isNil reports whether an interface is nil or holds a nil pointer.
func isNil(v any) bool {
	value := reflect.ValueOf(v)
	return !value.IsValid() || value.Kind() == reflect.Pointer && value.IsNil()
}

func (s sessionSender) send(l *loop, params *mcp.CallToolParams) result.Outcome {
	ctx, cancel := l.attemptContext()
	defer cancel()
	call := func() (*mcp.CallToolResult, error) { return s.session.CallTool(ctx, params) }
	if _, ok := s.session.(*mcp.ClientSession); ok {
		return result.Parse(session.Await(call))
	}
	return result.Parse(call()) // a panic is the program's own
}

var errNoSession = toolerr.Transient("There is no session to call the tool on.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).WithHint("Connect to the server first.")

// safetyOfCall returns the safety of a call: the policy's, or else that of the tool according
// to the caller's function. It is unknown if that is nil, or the tool is not listed. It returns
// an error if the tool is needed and not known yet, because it would be called without its key.
func safetyOfCall(p *Policy, safetyFunc func(*mcp.Tool) Safety, find func() (*mcp.Tool, error)) (Safety, error) {
	if p.Safety != SafetyKeyed && (p.Safety != SafetyUnknown || safetyFunc == nil) {
		return p.Safety, nil
	}
	tool, err := find()
	if err != nil || tool == nil {
		return p.Safety, err
	}
	switch {
	case p.Safety == SafetyUnknown:
		return safetyHere(tool, safetyFunc, p.keyArgument()), nil
	case takesKey(tool, p.keyArgument()):
		return SafetyKeyed, nil
	}
	return SafetyUnknown, nil
}
