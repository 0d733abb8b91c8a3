package retry

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/guard"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Middleware retries the tool calls of programs you cannot change. Add it last to the program's
// client as sending middleware, so that it is the outermost:
//
//	client.AddSendingMiddleware(retry.Middleware(policy, retry.SafetyOf))
//
// Policy and safety are as in [Client]; a nil safety trusts no annotations. Calls made by
// [CallTool] or a Client pass through. On a server it only logs one WARN, and as receiving
// middleware it does nothing. It is safe for concurrent use by any number of sessions, which share
// a Budget. LAYERS.md has its limits.
//
// The program gets the server's result. If a call was retried without success, was retryable but
// not retried, repeats one that may have taken effect, or was stopped by the [Guard] after a
// failure, it gets an envelope of this module with the attempts made. That is not retryable,
// because a repeat by the program would not carry the idempotency key. A connection or protocol
// error, or a panic of the SDK's, is returned as an *[Error] if the call was not sent or changed
// nothing; otherwise it too becomes such a result, because programs repeat calls after an error.
func Middleware(p Policy, safety func(*mcp.Tool) Safety) mcp.Middleware {
	p.Budget = cmp.Or(p.Budget, new(Budget))
	var observed session.Observed
	var misplaced sync.Once
	var kept guard.Guard
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			params, _ := req.GetParams().(*mcp.CallToolParams)
			inner, isClient := req.GetSession().(*mcp.ClientSession)
			if !isClient {
				misplaced.Do(func() { cmp.Or(p.Logger, slog.Default()).WarnContext(ctx, misplacedAdvice) })
			}
			if inner == nil || params == nil || attempt.In(params.Meta) {
				return next(ctx, method, req)
			}
			m := &requestSender{next: next, session: inner, known: observed.Of(inner), safety: safety}
			of := guard.Identity{Server: inner, Params: params}
			call := attempts{loop: newLoop(ctx, p), of: of, kept: &kept, sender: m}
			out, d := call.run()
			return m.answer(&call, out, d)
		}
	}
}

// misplacedAdvice is logged by a middleware that sees no calls.
const misplacedAdvice = "retry.Middleware does nothing here: call client.AddSendingMiddleware, and on a server add " +
	"result.Middleware"

// A requestSender makes the attempts of one request.
type requestSender struct {
	next    mcp.MethodHandler
	session *mcp.ClientSession
	known   *session.Observation
	safety  func(*mcp.Tool) Safety
	res     mcp.Result // the result of the last attempt
	err     error
	out     result.Outcome
}

func (m *requestSender) ready(ctx context.Context, c *attempts) error {
	m.res, m.err = nil, nil
	if m.known.Life.Err() != nil {
		return errEnded
	}
	return c.lookUp(m.safety, func() (*mcp.Tool, error) { return m.known.Tool(ctx, m.session, c.state.tool) })
}

func (m *requestSender) send(ctx context.Context, params *mcp.CallToolParams, c *attempts) result.Outcome {
	limited, cancel := attemptContext(ctx, c.policy.AttemptTimeout)
	defer cancel()
	m.res, m.err = session.Await(func() (mcp.Result, error) {
		return m.next(limited, "tools/call", &mcp.ClientRequest[*mcp.CallToolParams]{Session: m.session, Params: params})
	})
	called, ok := m.res.(*mcp.CallToolResult)
	if m.out = result.Parse(called, m.err); !ok && m.err == nil && m.res != nil { // a result type of another middleware
		m.out = result.Outcome{Kind: result.KindData}
	}
	if m.out = m.known.Ended(m.out, m.session.InitializeResult()); m.out.SessionLost &&
		errors.Is(m.out.Err, mcp.ErrSessionMissing) {
		m.err = m.out.Err
	}
	return m.out
}

func (m *requestSender) answer(call *attempts, out result.Outcome, d Decision) (mcp.Result, error) {
	if m.err == nil && m.res == nil && d.Attempt > 0 {
		m.err = cmp.Or(call.ctx.Err(), error(out.Err)) // nothing was sent
	}
	e := out.Err
	notSent := call.firstSent.IsZero() ||
		d.Attempt == 1 && m.out.SessionLost && m.out.Err.Effect == toolerr.EffectNone // the session had just ended
	switch {
	case e == nil:
		return cmp.Or(m.res, mcp.Result(out.Result)), nil // the second of a call that was stopped
	// the program may repeat it
	case m.err != nil && (notSent || d.Action != ActionVerify && e.Effect != toolerr.EffectApplied):
		return nil, &Error{Err: m.err, Decision: d, tool: e, ctx: contextError(call.ctx)}
	case out.Result != nil && (!out.Result.IsError ||
		d.Attempt == 1 && m.out.Err != nil && !m.out.Err.Retryable && !call.state.unsettled()):
		return m.res, nil
	}
	// already resolved for the tool
	return &mcp.CallToolResult{
		Meta: cmp.Or(out.Result, new(mcp.CallToolResult)).Meta, IsError: true,
		Content: []mcp.Content{&mcp.TextContent{Text: string(e.AppendJSON(nil))}},
	}, nil
}

// errEnded is the failure of a call on a session that had already ended. The program may reconnect.
var errEnded = toolerr.Unavailable("The session has ended.", 0).WithRetryable(false).WithCause(mcp.ErrConnectionClosed)
