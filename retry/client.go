package retry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/guard"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A ClientSession is the session of a [Client]: a *[mcp.ClientSession], a wrapper around one, or a
// fake that behaves the same. It is safe for concurrent use.
type ClientSession interface {
	Session
	ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) // a page of the list
	// InitializeResult identifies the server. If it returns nil, each session reads the tool list.
	InitializeResult() *mcp.InitializeResult
	Ping(context.Context, *mcp.PingParams) error // an error response shows that the server responds, too
	Wait() error                                 // returns when the session has ended
	Close() error                                // ends the session
}

// A Client calls the tools of one server. It connects on first use, replaces a lost session (see
// LAYERS.md), learns which tools are safe to repeat, and limits the retries of all its callers
// together. It is safe for concurrent use. Do not copy it, nor change its fields after first use.
//
// Over HTTP, use [result.RoundTripper]: a gateway's 403 then fails one call, not the session, and a
// 429 keeps its wait. Do not declare the extension io.modelcontextprotocol/tasks: SDK v1.8.0 drops
// the id of a task, and the call fails with an unknown effect.
type Client struct {
	// Connect returns a new session. It is required. Waiting callers share one call, but a new one
	// may start while an abandoned one runs. The client pauses, like the policy's delays, after a
	// failure or a session that answered no caller or was lost soon after a refusal. The context
	// ends with the last waiting caller or the session: start a server's process with it. Errors
	// are as for [result.Parse], with effect none; only a tool error can blame the call.
	Connect func(context.Context) (ClientSession, error)
	// Policy applies to every call. If it has no Budget, the client has its own.
	Policy Policy
	// Safety returns whether a tool is safe to repeat. For a server that you trust use [SafetyOf]. If
	// nil, only Policy.Safety allows the repeat of a call that may have taken effect.
	Safety func(*mcp.Tool) Safety
	// Key, if not nil, takes precedence over Policy.Key. It decides also after a look-up that found
	// nothing: return another key then, or put one into the arguments. A Guard lets that pass only if
	// the server has answered the call: otherwise it may still run.
	Key func(context.Context, *mcp.CallToolParams) string
	// Input answers the questions that a tool asks, also to open URLs (mode url), for example by asking
	// a person. Servers of a protocol before 2026-07-28, such as the SDK's over HTTP unless Stateless,
	// ask the ElicitationHandler that you give to Options: set both. After consent to all URLs the call
	// is made once more; otherwise such a call is not repeated. It must be safe for concurrent use. If
	// nil, URLs are a permission failure, and a question ends the call with [ActionProvideInput]:
	// repeat it with InputResponses and RequestState.
	Input func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error)

	budget   Budget
	kept     guard.Guard  // keeps the keys of calls that may have taken effect
	asked    atomic.Int64 // questions to a person, counted by Options
	start    sync.Once
	sessions *session.Server // use the method server
}

// server returns the client's [session.Server], and creates it on first use.
func (c *Client) server() *session.Server {
	c.start.Do(func() {
		connect := func(ctx context.Context) (session.Conn, error) {
			if c.Connect == nil {
				return nil, errNoConnect
			}
			conn, err := c.Connect(ctx)
			if !isNil(err) {
				return conn, err
			}
			if isNil(conn) {
				return nil, errNoSession
			}
			return conn, nil
		}
		c.sessions = session.New(connect, c.Policy.pauseAfter, c.Policy.IdleTimeout)
	})
	return c.sessions
}

// CallTool is like the package's [CallTool], on the client's session. If that is lost, the call is
// repeated on a new one if that is safe. A failure to connect has effect none.
func (c *Client) CallTool(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, Decision) {
	return c.call(ctx, c.policy(), params)
}

func (c *Client) policy() Policy {
	p := c.Policy
	p.Budget = cmp.Or(p.Budget, &c.budget)
	if c.Key != nil {
		p.Key = c.Key
	}
	return p
}

func (c *Client) call(ctx context.Context, p Policy, params *mcp.CallToolParams) (result.Outcome, Decision) {
	of := guard.Identity{Server: c, Params: cmp.Or(params, new(mcp.CallToolParams))}
	life := c.server().Life
	if life.Err() != nil {
		return notSent(session.ErrClosed), Decision{Reason: ReasonNotRetryable, Tool: of.Params.Name}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(life, func() { cancel(session.ErrClosed) })()
	sender := &clientSender{client: c, asked: c.asked.Load()}
	call := attempts{loop: newLoop(ctx, p), of: of, kept: &c.kept, sender: sender}
	call.state.Reconnects = true
	return call.run()
}

// Close ends the running calls, the dial and the session, and waits for the server's process to
// exit. After 12 s, longer than the SDK takes to kill it, it returns an error. Later calls fail.
func (c *Client) Close() error { return c.server().Close() }

// Options returns a copy of opts, which may be nil, for the [mcp.Client] that [Client.Connect]
// uses: a changed tool list is read again, progress and questions to a person extend an IdleTimeout,
// no call with such a question is repeated, and the SDK's loop for input is off. Handlers of opts run.
func (c *Client) Options(opts *mcp.ClientOptions) *mcp.ClientOptions {
	with := *cmp.Or(opts, new(mcp.ClientOptions))
	with.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	with.ToolListChangedHandler = before(with.ToolListChangedHandler,
		func(*mcp.ToolListChangedRequest) { c.server().Tools.Forget() })
	with.ProgressNotificationHandler = before(with.ProgressNotificationHandler,
		func(req *mcp.ProgressNotificationClientRequest) {
			c.server().Progressed(req.Params)
		})
	if theirs := with.ElicitationHandler; theirs != nil {
		with.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			c.asked.Add(1)
			c.server().Questions(1)
			defer c.server().Questions(-1)
			return theirs(ctx, req)
		}
	}
	return &with
}

// before returns a handler that calls ours and then, unless it is nil, theirs.
func before[T any](theirs func(context.Context, T), ours func(T)) func(context.Context, T) {
	return func(ctx context.Context, req T) {
		if ours(req); theirs != nil {
			theirs(ctx, req)
		}
	}
}

// maxRounds limits the requests of an attempt that needs input. It is the SDK's limit.
const maxRounds = 10

// A clientSender makes the attempts of one call.
type clientSender struct {
	client *Client
	asked  int64  // Client.asked at the start of the call
	sentTo string // the name of the server that got the last attempt
	on     *session.Session
	gone   bool // a session refused the call, and was replaced
}

// ready connects if there is no session, and looks up the tool's safety.
func (s *clientSender) ready(ctx context.Context, c *attempts) error {
	server := s.client.server()
	defer func() { c.state.pause = server.Pause() }()
	on, err := server.Session(ctx)
	if err != nil {
		return err
	}
	name := on.ServerName()
	if s.sentTo != "" && name != "" && name != s.sentTo && c.state.unsettled() && c.state.Safety != SafetyReadOnly {
		return errKeyRefused // the new server does not know the key
	}
	s.on = on
	return c.lookUp(s.client.Safety, func() (*mcp.Tool, error) { return on.Tool(ctx, c.state.tool) })
}

func (s *clientSender) send(ctx context.Context, params *mcp.CallToolParams, c *attempts) (out result.Outcome) {
	s.sentTo = s.on.ServerName()
	consented := false
	for round := 1; ; round++ {
		out = s.on.Call(ctx, params, c.policy.AttemptTimeout, s.gone)
		s.gone = s.gone || out.SessionLost && out.Status != 0
		c.state.pause = s.client.server().Pause()
		c.state.Asked = c.state.Asked || s.client.asked.Load() != s.asked
		urls := urlsIn(out)
		if s.client.Input == nil || urls == nil && out.Kind != result.KindInputRequired || isShed(out) ||
			urls != nil && consented {
			return out
		}
		c.state.Asked = true
		if round == maxRounds {
			return result.Outcome{Kind: result.KindFailure, Err: errRounds}
		}
		responses, err := s.client.Input(ctx, cmp.Or(urls, out.Result)) // a person may take longer than an attempt
		if urls != nil {
			if consented = err == nil && isConsent(urls, responses); !consented {
				out.Err = cmp.Or(toolErrorIn(err), errNoConsent).WithEffect(toolerr.EffectNone).WithDetails(out.Err.Details)
				return out
			}
			continue
		}
		if err != nil || len(responses) == 0 { // part of the call may have been executed
			e := toolerr.Internal(cmp.Or(err, errNoInput)).WithMessage("The input that the tool asks for was not given.")
			return result.Outcome{Kind: result.KindFailure, Err: cmp.Or(toolErrorIn(err), e)}
		}
		params.InputResponses, params.RequestState = responses, out.Result.RequestState
	}
}

// urlsIn returns the URLs that the user has to open before the server accepts the call, as questions
// to the user, or nil.
func urlsIn(out result.Outcome) *mcp.CallToolResult {
	var wire *jsonrpc.Error
	if out.Err == nil || !errors.As(out.Err, &wire) || wire.Code != mcp.CodeURLElicitationRequired {
		return nil
	}
	requests := mcp.InputRequestMap{}
	list, _ := out.Err.Details["elicitations"].([]any) // as package result reads it
	for i, item := range list {
		entry, _ := item.(map[string]any)
		text := func(name string) string { s, _ := entry[name].(string); return s }
		requests[fmt.Sprint("url-", i+1)] = &mcp.ElicitParams{
			Mode: "url", Message: text("message"), URL: text("url"), ElicitationID: text("elicitationId"),
		}
	}
	if len(requests) == 0 {
		return nil
	}
	return &mcp.CallToolResult{InputRequests: requests}
}

func isConsent(urls *mcp.CallToolResult, responses mcp.InputResponseMap) bool {
	for name := range urls.InputRequests {
		if r, ok := responses[name].(*mcp.ElicitResult); !ok || r == nil || r.Action != "accept" {
			return false
		}
	}
	return true
}

// errNoConsent is the failure of a call whose URLs the user did not open: a person's no.
var errNoConsent = toolerr.Business("The user did not open the URL that the server asks for.").
	WithCode(toolerr.CodeCanceled)

// toolErrorIn returns the program's own tool error, or nil.
func toolErrorIn(err error) (e *toolerr.Error) {
	_ = errors.As(err, &e)
	return e
}

var errNoConnect = toolerr.Transient("The tool's server is not set up: Client.Connect is nil.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).
	WithHint("Tell the user that the program has to set Client.Connect.")

var (
	errNoInput = errors.New("Client.Input returned no response")
	errRounds  = toolerr.Internal(errors.New("a tool asked for input ten times in one call")).
			WithMessage("The tool asks for input again and again.")
)
