package retry

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/nearmiss"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Client calls the tools of one server. It connects on first use, reconnects if the
// session is lost, learns which tools are safe to repeat, and limits the retries of all
// its callers together.
//
//	client := &retry.Client{Safety: retry.SafetyOf}
//	client.Connect = func(ctx context.Context) (retry.ClientSession, error) {
//		command := exec.CommandContext(ctx, "./server") // kills a server that hangs
//		command.Stderr = os.Stderr                      // the server's log
//		c := mcp.NewClient(implementation, client.Options(nil))
//		return c.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
//	}
//	defer client.Close()
//	out, decision := client.CallTool(ctx, &mcp.CallToolParams{Name: "lookup_order", Arguments: args})
//
// If a request is not answered in time, the client pings the server. It replaces the
// session if the ping is not answered, or if the server does not read. The ping may take as
// long as an attempt, but at least 500 ms and at most 2 s. Other calls on the replaced
// session have 5 s more to finish. Then the session's context ends, and with it the
// server's process, because the SDK cannot close a session whose server does not read.
//
// Do not copy a Client, and do not change its fields after its first use. It is safe for
// concurrent use; its callers share one session.
type Client struct {
	// Connect returns a new session. It is required. All waiting callers share one call
	// of it, but a new call may start while an abandoned one is still returning. After a
	// failure, or a session without a single answer, there is a pause before the next
	// call, which grows like the policy's delays. The context ends when no caller is
	// waiting, and when the session ends; start a server's process with it. Errors are
	// classified by [toolerr.From], with effect none.
	Connect func(context.Context) (ClientSession, error)
	// Policy applies to every call. Without a Budget, the client uses its own; without a
	// Safety, that of the tool applies.
	Policy Policy
	// Safety returns whether a tool is safe to repeat. Use [SafetyOf], which believes the
	// server's annotations and schemas, for a server that you trust. If nil, no call that
	// may have taken effect is repeated.
	Safety func(*mcp.Tool) Safety
	// Input answers the questions that a tool asks during a call, for example by asking a
	// person. A call that needed it is not repeated, so that nobody is asked twice. It must
	// be safe for concurrent use if CallTool is called concurrently. If nil, the call ends
	// with [ActionProvideInput], and the caller repeats it with InputResponses and the
	// result's RequestState.
	Input func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error)

	budget Budget
	asked  atomic.Int64 // questions to a person through Options

	mu      sync.Mutex
	current *session
	dialing *dial
	dials   pacer
	closed  bool
	life    context.Context    //nolint:containedctx // ends with the client
	endLife context.CancelFunc // nil before the first call
	ending  sync.WaitGroup     // dials, and sessions that are closing

	watched map[string]*watch // requests that progress prolongs, by token
	tokens  int

	tools knownTools
}

// CallTool is the package function [CallTool] on the client's session. If the session is
// lost, it connects again, and repeats the call if that is safe, as often as the policy
// allows. Connecting is part of an attempt, and a failure to connect has effect none.
func (c *Client) CallTool(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, Decision) {
	if params == nil {
		params = &mcp.CallToolParams{}
	}
	p := c.Policy
	if p.Budget == nil {
		p.Budget = &c.budget
	}
	open := c.open()
	if open == nil {
		return notSent(errClosed), Decision{Reason: ReasonNotRetryable}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(open, func() { cancel(errClosed) })()
	l := newLoop(ctx, p)
	l.state.reconnects = true
	return callTool(&l, params, &clientSender{client: c, asked: c.asked.Load()})
}

// open returns a context that ends when the client is closed, or nil if it is closed.
func (c *Client) open() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	if c.life == nil {
		c.life, c.endLife = context.WithCancel(context.Background())
	}
	return c.life
}

// closeTime is how long Close waits. Chosen: the SDK waits five seconds for a process to
// exit, and five more after a signal.
const closeTime = 12 * time.Second

// Close ends the running calls, the dial and the session, and waits for the server's
// process to exit. Later calls fail. It may be called more than once. It returns an error
// if the session has not ended after 12 s, which is as long as the SDK may need to end a
// process that hangs.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	if c.endLife != nil {
		c.endLife()
	}
	if c.dialing != nil {
		c.dialing.cancel()
		c.dialing = nil
	}
	if c.current != nil {
		c.end(c.current)
		c.current = nil
	}
	c.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		c.ending.Wait()
		close(ended)
	}()
	timer := time.NewTimer(closeTime)
	defer timer.Stop()
	select {
	case <-ended:
		return nil
	case <-timer.C:
		return errLeftOpen
	}
}

var errLeftOpen = errors.New("retry: the session did not end in time; its process may still be running")

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
	on, err := s.client.connected(ctx, l)
	if err != nil {
		return nil, err
	}
	name := serverOf(on.InitializeResult()).name
	if s.sentTo != "" && name != "" && name != s.sentTo && l.unsettled() && l.state.Safety != SafetyReadOnly {
		return nil, errKeyRefused // another server does not know the key
	}
	safety, err := s.client.tools.safety(ctx, on.source(), s.client.Safety, l)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			on.doubt()
		}
		return nil, err
	}
	l.state.Safety = safety
	return func(l *loop, params *mcp.CallToolParams) result.Outcome { return s.send(l, on, params) }, nil
}

// send calls the tool, and answers its questions.
func (s *clientSender) send(l *loop, on *session, params *mcp.CallToolParams) result.Outcome {
	s.sentTo = serverOf(on.InitializeResult()).name
	for range maxRounds {
		out := s.request(l, on, params)
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

// request makes one request.
func (s *clientSender) request(l *loop, on *session, params *mcp.CallToolParams) result.Outcome {
	ctx, cancel := on.attended(l, params)
	defer cancel()
	out := s.withNearMisses(on.request(l.ctx, ctx, params), params.Name)
	if out.SessionLost {
		l.state.pause = s.client.pause()
	}
	if s.client.asked.Load() != s.asked {
		l.state.Asked = true
	}
	return out
}

var errRounds = errors.New("a tool asked for input ten times in one call")

// withNearMisses adds similar tool names to a server's refusal if the client knows that the
// server has no such tool. The wording of the refusal differs between servers.
func (s *clientSender) withNearMisses(out result.Outcome, name string) result.Outcome {
	if out.Err == nil || out.Err.Category != toolerr.CategoryValidation || len(out.Err.Suggestions) > 0 {
		return out
	}
	if near := nearmiss.Find(name, s.client.tools.absent(name)); len(near) > 0 {
		out.Err = out.Err.WithSuggestions(near...)
	}
	return out
}
