package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// Connect connects a client to a server.
type Connect func(context.Context, *mcp.Client) (*mcp.ClientSession, error)

// NewClient returns a client in which the SDK's loop for input requests is disabled.
func NewClient() *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "v0"}, &mcp.ClientOptions{
		Logger: silent, MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
	})
}

// Answer is what a caller learns about a call.
type Answer struct {
	Outcome result.Outcome
	// Decision is the caller's decision, or zero if Decided is false.
	Decision retry.Decision
	// Decided reports whether the caller made a decision.
	Decided bool
}

// AllowsRetry reports whether a host that reads only isRetryable would repeat the call. It reads
// the text for the model and, if the caller made no decision, the texts from the server.
func (t Answer) AllowsRetry() bool {
	if t.Outcome.AsError() == nil {
		return false
	}
	texts := []string{t.Outcome.Text()}
	if t.Outcome.Result != nil && !t.Decided {
		for _, c := range t.Outcome.Result.Content {
			if text, ok := c.(*mcp.TextContent); ok {
				texts = append(texts, text.Text)
			}
		}
	}
	for _, text := range texts {
		var flag struct {
			IsRetryable bool `json:"isRetryable"`
		}
		if json.Unmarshal([]byte(text), &flag) == nil && flag.IsRetryable {
			return true
		}
	}
	return false
}

// A Caller calls tools in one of several ways: see [Callers].
type Caller interface {
	Call(ctx context.Context, tool string, args map[string]any) Answer
	Close()
}

// TestPolicy returns a policy with very short waits.
func TestPolicy() retry.Policy {
	return retry.Policy{BaseDelay: time.Millisecond, ThrottledDelay: time.Millisecond, Logger: silent}
}

// Callers holds a constructor for each kind of Caller, by name.
var Callers = map[string]func(Connect, retry.Policy) Caller{
	"Client": func(connect Connect, p retry.Policy) Caller {
		return clientCaller{&retry.Client{
			Policy: p, Safety: retry.SafetyOf, Connect: func(ctx context.Context) (retry.ClientSession, error) {
				return connect(ctx, NewClient())
			},
		}}
	},
	"CallTool": func(connect Connect, p retry.Policy) Caller {
		return &sessionCaller{connect: connect, policy: p, call: callTool}
	},
	"naive host": func(connect Connect, p retry.Policy) Caller {
		return &sessionCaller{connect: connect, policy: p, call: bare}
	},
	"Middleware": func(connect Connect, p retry.Policy) Caller {
		return &sessionCaller{
			policy: p, call: reconnecting, connect: func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
				c.AddSendingMiddleware(retry.Middleware(p, retry.SafetyOf))
				return connect(ctx, c)
			},
		}
	},
}

type clientCaller struct{ *retry.Client }

// Call implements [Caller].
func (c clientCaller) Call(ctx context.Context, tool string, args map[string]any) Answer {
	out, d := c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	return Answer{out, d, true}
}

// Close implements [Caller].
func (c clientCaller) Close() { _ = c.Client.Close() }

// A sessionCaller calls tools on a session of its own, which it replaces if it is lost.
type sessionCaller struct {
	connect Connect
	policy  retry.Policy
	call    func(context.Context, *sessionCaller, *mcp.ClientSession, *mcp.CallToolParams) Answer

	mu      sync.Mutex
	session *mcp.ClientSession
	tools   map[string]*mcp.Tool // of the server, shared by all sessions
}

// Call implements [Caller].
func (s *sessionCaller) Call(ctx context.Context, tool string, args map[string]any) Answer {
	session, err := s.current(ctx)
	if err != nil {
		out := result.Parse(nil, err)
		out.Err = out.Err.WithEffect("none").WithRetryable(false) // not sent
		return Answer{Outcome: out}
	}
	told := s.call(ctx, s, session, &mcp.CallToolParams{Name: tool, Arguments: args})
	if told.Outcome.SessionLost {
		s.drop(session)
	}
	return told
}

// current returns the current session, or a new one, which outlives ctx.
func (s *sessionCaller) current(ctx context.Context) (*mcp.ClientSession, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		return s.session, nil
	}
	ctx = context.WithoutCancel(ctx)
	session, err := s.connect(ctx, NewClient())
	if err != nil {
		return nil, err
	}
	if s.tools == nil {
		tools, err := toolinfo.List(ctx, session.ListTools)
		if err != nil {
			_ = session.Close()
			return nil, err
		}
		s.tools = tools
	}
	s.session = session
	return session, nil
}

func (s *sessionCaller) drop(session *mcp.ClientSession) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == session {
		s.session = nil
		go func() { _ = session.Close() }()
	}
}

// Close implements [Caller].
func (s *sessionCaller) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session != nil {
		_ = s.session.Close()
		s.session = nil
	}
}

func callTool(ctx context.Context, s *sessionCaller, session *mcp.ClientSession, params *mcp.CallToolParams) Answer {
	p := s.policy
	p.Safety = retry.SafetyOf(s.tools[params.Name])
	if p.KeyArgument == OtherKey && params.Name == PayAs {
		p.Safety = retry.SafetyKeyed
	}
	out, d := retry.CallTool(ctx, p, session, params)
	return Answer{out, d, true}
}

// reconnecting repeats a call on a new session if the connection was closed, as Google's adk-go
// does.
func reconnecting(
	ctx context.Context, s *sessionCaller, session *mcp.ClientSession, params *mcp.CallToolParams,
) Answer {
	res, err := session.CallTool(ctx, params)
	if errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, io.EOF) {
		s.drop(session)
		if next, again := s.current(ctx); again == nil {
			res, err = next.CallTool(ctx, params)
		}
	}
	return Answer{Outcome: result.Parse(res, err)}
}

func bare(ctx context.Context, _ *sessionCaller, session *mcp.ClientSession, params *mcp.CallToolParams) Answer {
	return Answer{Outcome: result.Parse(session.CallTool(ctx, params))}
}
