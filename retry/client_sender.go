package retry

import (
	"context"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// maxRounds is how often a tool may ask for input in one call: the SDK's limit.
const maxRounds = 10

// A clientSender makes the attempts of one call.
type clientSender struct {
	client *Client
	asked  int64  // Client.asked at the start of the call
	sentTo string // the name of the server that got an attempt
}

func (s *clientSender) server() any { return s.client }

// ready connects if there is no session, and looks up the tool's safety.
func (s *clientSender) ready(ctx context.Context, l *loop) (request, error) {
	server := s.client.server()
	if s.client.Connect == nil {
		return nil, errNoSession
	}
	on, err := server.Session(ctx)
	if err != nil {
		l.state.pause = server.Pause()
		return nil, err
	}
	name := on.ServerName()
	if s.sentTo != "" && name != "" && name != s.sentTo && l.unsettled() && l.state.Safety != SafetyReadOnly {
		return nil, errKeyRefused // another server does not know the key
	}
	safety, err := l.policy.safetyOf(s.client.Safety, func() (*session.Tool, error) { return on.Tool(ctx, l.tool) })
	if err != nil {
		l.state.pause = server.ToolsPause()
		return nil, err
	}
	l.state.Safety = safety
	return func(l *loop, params *mcp.CallToolParams) result.Outcome { return s.send(l, on, params) }, nil
}

// send calls the tool, and answers its questions.
func (s *clientSender) send(l *loop, on *session.Session, params *mcp.CallToolParams) result.Outcome {
	s.sentTo = on.ServerName()
	for range maxRounds {
		out := on.Call(l.ctx, params)
		if out.SessionLost {
			l.state.pause = s.client.server().Pause()
		}
		if s.client.asked.Load() != s.asked {
			l.state.Asked = true
		}
		if out.Kind != result.KindInputRequired || isShed(out) || s.client.Input == nil {
			return out
		}
		l.state.Asked = true
		responses, err := s.client.Input(l.ctx, out.Result) // a person may take longer than an attempt
		if err != nil {
			return result.Outcome{Kind: result.KindFailure, Err: noInput(err)}
		}
		params.InputResponses, params.RequestState = responses, out.Result.RequestState
	}
	return result.Outcome{Kind: result.KindFailure, Err: toolerr.Internal(errRounds).WithMessage("The tool asks for input again and again.")}
}

// noInput returns the failure of a call whose input was not given. Unless it is the program's
// own tool error, it is unrelated to the call, of which a part was carried out.
func noInput(err error) *toolerr.Error {
	const message = "The input that the tool asks for was not given."
	var authored *toolerr.Error
	e := toolerr.From(err).WithMessage(message)
	switch {
	case errors.As(err, &authored):
		return e
	case e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryBusiness:
		e = toolerr.Internal(err).WithMessage(message)
	}
	return e.WithEffect(toolerr.EffectUnknown)
}

var errRounds = errors.New("a tool asked for input ten times in one call")
