package retry

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/guard"
	"github.com/mcp-toolerr/toolerr-go/retry/internal/session"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A ClientSession is the session of a [Client]: a *[mcp.ClientSession], a wrapper around one, or a
// fake. Its methods behave like those of *mcp.ClientSession, and are safe for concurrent use.
type ClientSession interface {
	Session

	// ListTools returns a page of the tool list.
	ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
	// InitializeResult identifies the server. If it returns nil, each session reads the tool list.
	InitializeResult() *mcp.InitializeResult
	// Ping checks that the server responds. An error response counts, too.
	Ping(context.Context, *mcp.PingParams) error
	// Wait returns when the session has ended.
	Wait() error
	// Close ends the session.
	Close() error
}

// A Client calls the tools of one server. It connects on first use, reconnects if the session is
// lost, learns which tools are safe to repeat, and limits the retries of all its callers together.
// The module's README shows a complete agent.
//
// If a request is not answered in time, the client pings the server. It replaces the session if the
// server answers nothing within 2 s, or does not read. Other calls on the replaced session have
// another 5 s to finish. If the server does not read, the session's context ends at once, and with
// it the server's process: the SDK cannot close such a session.
//
// A restarted server may refuse an old session with HTTP status 400, 401, 404, 410 or 503, or a ping too with
// any other than 413 and 429, or with a protocol error. The client makes a new session and, if that is safe, the
// request again; refused again, the status means what it says. With [result.RoundTripper], one refused call
// does not end the others; without it, each ends the session, so that the next waits for the pause.
//
// Do not declare the tasks extension (io.modelcontextprotocol/tasks) in the capabilities of the
// client: SDK v1.8.0 drops the id of a task, so that nobody can ask for its result. A task is a
// failure with an unknown effect.
//
// Do not copy a Client, and do not change its fields after its first use. It is safe for
// concurrent use; its callers share one session.
type Client struct {
	// Connect returns a new session. It is required. All waiting callers share one call of Connect,
	// but a new one may start while an abandoned one is still running. After a failure, or a session
	// that answered no caller or was lost soon after another, there is a pause before the next call of
	// Connect, which grows like the policy's delays. The context ends when no caller is waiting any longer, or
	// when the session ends; start a server's process with it. Errors are classified as by
	// [result.Parse], with effect none; only a tool error can blame the caller.
	Connect func(context.Context) (ClientSession, error)
	// Policy applies to every call. Without a Budget, the client uses its own; without a Safety, the
	// tool's safety applies.
	Policy Policy
	// Safety returns whether a tool is safe to repeat. Use [SafetyOf], which believes the server's
	// annotations and schemas, for a server that you trust. If nil, only Policy.Safety allows the
	// repeat of a call that may have taken effect.
	Safety func(*mcp.Tool) Safety
	// Key, if not nil, takes precedence over Policy.Key.
	Key func(context.Context, *mcp.CallToolParams) string
	// Input answers the questions that a tool asks during a call, for example by asking a person. The
	// URLs that a server requires the user to open first are questions too, of mode url; once all are
	// accepted, the call is made again, once. Apart from that, a call that needed Input is not
	// repeated, so that nobody is asked twice. Input must be safe for
	// concurrent use if CallTool is called concurrently. If nil, such a call ends with
	// [ActionProvideInput], and the caller repeats it with InputResponses and the result's
	// RequestState.
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
			if err == nil && isNil(conn) {
				return nil, errNoSession
			}
			return conn, err
		}
		c.sessions = session.New(session.Settings{
			Connect: connect, Delay: c.Policy.pauseAfter, AttemptTimeout: c.Policy.AttemptTimeout, IdleTimeout: c.Policy.IdleTimeout,
		})
	})
	return c.sessions
}

// CallTool calls a tool like the package function [CallTool], on the client's session. If the
// session is lost, it connects again, and repeats the call if that is safe, as often as the policy
// allows. Connecting has its own AttemptTimeout, and a failure to connect has effect none.
func (c *Client) CallTool(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, Decision) {
	params = cmp.Or(params, new(mcp.CallToolParams))
	p := c.Policy
	p.Budget = cmp.Or(p.Budget, &c.budget)
	if c.Key != nil {
		p.Key = c.Key
	}
	life := c.server().Life
	if life.Err() != nil {
		return notSent(session.ErrClosed), Decision{Reason: ReasonNotRetryable, Tool: params.Name}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(life, func() { cancel(session.ErrClosed) })()
	call := attempts{loop: loop{ctx: ctx, policy: p}, params: params, kept: &c.kept, sender: &clientSender{client: c, tool: params.Name, asked: c.asked.Load()}}
	call.state.Reconnects = true
	return call.run()
}

// Close ends the running calls, the dial and the session, and waits for the server's process to
// exit. Later calls fail. It may be called more than once. It returns an error if the session has
// not ended after 12 s, which is longer than the SDK takes to kill a process that hangs.
func (c *Client) Close() error { return c.server().Close() }

// Options returns the options for the [mcp.Client] that [Client.Connect] uses: a copy of opts,
// which may be nil, with handlers for the server's notifications and requests.
//
//   - A changed tool list is read again.
//   - Progress extends a call if the policy has an IdleTimeout.
//   - A call during which the server asked a person is not repeated.
//
// The handlers of opts are called as well. The SDK's own loop for input is disabled, because it
// calls an overloaded server three times without a pause, unseen by Policy and Budget.
//
//	mcp.NewClient(implementation, client.Options(nil))
//
// A Client also works without these options, but gets no notifications.
func (c *Client) Options(opts *mcp.ClientOptions) *mcp.ClientOptions {
	var with mcp.ClientOptions
	if opts != nil {
		with = *opts
	}
	with.MultiRoundTrip = &mcp.MultiRoundTripOptions{Disabled: true}
	with.ToolListChangedHandler = before(with.ToolListChangedHandler, func(*mcp.ToolListChangedRequest) { c.server().Tools.Forget() })
	with.ProgressNotificationHandler = before(with.ProgressNotificationHandler, func(req *mcp.ProgressNotificationClientRequest) {
		c.server().Progressed(req.Params)
	})
	if theirs := with.ElicitationHandler; theirs != nil {
		with.ElicitationHandler = func(ctx context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			c.asked.Add(1)
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
	tool   string
	asked  int64  // Client.asked at the start of the call
	sentTo string // the name of the server that got the last attempt
	on     *session.Session
	gone   bool // a session was refused, and replaced
}

func (s *clientSender) server() any { return s.client }

// ready connects if there is no session, and looks up the tool's safety.
func (s *clientSender) ready(ctx context.Context, state State) (State, error) {
	server := s.client.server()
	on, err := server.Session(ctx)
	if err != nil {
		state.pause = server.Pause()
		return state, err
	}
	name := on.ServerName()
	if s.sentTo != "" && name != "" && name != s.sentTo && state.unsettled() && state.Safety != SafetyReadOnly {
		return state, errKeyRefused // the new server does not know the key
	}
	safety, err := safetyOfCall(&s.client.Policy, s.client.Safety, func() (*mcp.Tool, error) { return on.Tool(ctx, s.tool) })
	if err != nil {
		state.pause = server.Tools.Pause()
		return state, err
	}
	state.Safety, state.Now = safety, time.Now()
	s.on = on
	return state, nil
}

// send calls the tool, and answers its questions.
func (s *clientSender) send(ctx context.Context, params *mcp.CallToolParams) (out result.Outcome, asked bool, pause time.Duration) {
	s.sentTo = s.on.ServerName()
	consented := false
	for round := 1; ; round++ {
		out = s.on.Call(ctx, params, s.gone)
		s.gone = s.gone || out.SessionLost && out.Status != 0
		if out.SessionLost {
			pause = s.client.server().Pause()
		}
		asked = asked || s.client.asked.Load() != s.asked
		urls := urlsIn(out)
		if s.client.Input == nil || urls == nil && out.Kind != result.KindInputRequired || isShed(out) || urls != nil && consented {
			return out, asked, pause
		}
		asked = true
		if round == maxRounds {
			return result.Outcome{Kind: result.KindFailure, Err: toolerr.Internal(errRounds).WithMessage("The tool asks for input again and again.")}, asked, pause
		}
		responses, err := s.client.Input(ctx, cmp.Or(urls, out.Result)) // a person may take longer than an attempt
		if urls != nil {
			if consented = err == nil && isConsent(urls, responses); !consented {
				out.Err = cmp.Or(toolErrorIn(err), errNoConsent).WithEffect(toolerr.EffectNone).WithDetails(out.Err.Details)
				return out, asked, pause
			}
			continue
		}
		if err != nil || len(responses) == 0 {
			return result.Outcome{Kind: result.KindFailure, Err: noInput(cmp.Or(err, errNoInput))}, asked, pause
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
		requests[fmt.Sprint("url-", i+1)] = &mcp.ElicitParams{Mode: "url", Message: text("message"), URL: text("url"), ElicitationID: text("elicitationId")}
	}
	if len(requests) == 0 {
		return nil
	}
	return &mcp.CallToolResult{InputRequests: requests}
}

// isConsent reports whether all questions were accepted.
func isConsent(urls *mcp.CallToolResult, responses mcp.InputResponseMap) bool {
	for name := range urls.InputRequests {
		if r, ok := responses[name].(*mcp.ElicitResult); !ok || r == nil || r.Action != "accept" {
			return false
		}
	}
	return true
}

// errNoConsent is the failure of a call whose URLs the user did not open: a person's no.
var errNoConsent = toolerr.Business("The user did not open the URL that the server asks for.").WithCode(toolerr.CodeCanceled)

// toolErrorIn returns the program's own tool error, or nil.
func toolErrorIn(err error) (e *toolerr.Error) {
	_ = errors.As(err, &e)
	return e
}

// noInput returns the failure of a call whose input was not given. Unless err is a tool error of
// the program, its category does not describe the call, part of which may have been executed.
func noInput(err error) *toolerr.Error {
	e := toolerr.From(err)
	if toolErrorIn(err) != nil {
		return e
	}
	if e.Category == toolerr.CategoryValidation || e.Category == toolerr.CategoryBusiness {
		e = toolerr.Internal(err)
	}
	return e.WithMessage("The input that the tool asks for was not given.").WithEffect(toolerr.EffectUnknown)
}

// errNoConnect is the failure of every call to a Client without Connect.
var errNoConnect = toolerr.Transient("The tool's server is not set up: Client.Connect is nil.").
	WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectNone).WithHint("Tell the user that the program has to set Client.Connect.")

var (
	errNoInput = errors.New("Client.Input returned no response")
	errRounds  = errors.New("a tool asked for input ten times in one call")
)
