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

// A Client calls the tools of one server. It connects when it is first used,
// reconnects when its session died, learns which tools are safe to repeat, and bounds
// the retries of all its callers together.
//
//	client := &retry.Client{Safety: retry.SafetyOf}
//	client.Connect = func(ctx context.Context) (retry.ClientSession, error) {
//		command := exec.CommandContext(ctx, "./server") // so that it can be killed when it hangs
//		command.Stderr = os.Stderr                      // the server's log
//		c := mcp.NewClient(implementation, client.Options(nil))
//		return c.Connect(ctx, &mcp.CommandTransport{Command: command}, nil)
//	}
//	defer client.Close()
//	out, decision := client.CallTool(ctx, &mcp.CallToolParams{Name: "lookup_order", Arguments: args})
//
// A session on which a request is not answered in time is in doubt: if the server gives no
// sign of life either, or does not read, the session is replaced. To know that, an attempt
// that has ended waits for as long again as an attempt may take, within half a second and
// two. The calls that are under way have five seconds more, then the session's context
// ends, with the process that was made with it: the SDK cannot close a session whose server
// does not read.
//
// Its fields must not be changed after its first use. It is then safe for
// concurrent use, and its callers share one session. It must not be copied.
type Client struct {
	// Connect returns a new session. It must be set: without it every call fails. It
	// is called once for all callers that wait, but maybe while one that was given up
	// is still returning. After a failure, or a session on which nothing was answered,
	// it is called again only after a pause, which grows as the policy's waits do. Its
	// context ends when no caller waits for it any longer and when the session is over;
	// a server's process is best made with it. Its errors are classified by
	// [toolerr.From], as those of a call that had no effect.
	Connect func(context.Context) (ClientSession, error)
	// Policy is that of every call. If it has no budget, the client has one of its
	// own; if it has no safety, that of the tool counts.
	Policy Policy
	// Safety says what a repeat of a tool may do. [SafetyOf] believes the server's
	// annotations and schemas, which is right for a server that you trust. If nil,
	// nothing is believed, and nothing is repeated that may have taken effect.
	Safety func(*mcp.Tool) Safety
	// Input answers what a tool asks for in the middle of a call, by asking a person
	// or a model. A call that it was needed for is not repeated, so that nobody is
	// asked twice. It must be safe for concurrent use if CallTool is used so. If nil,
	// the call ends with [ActionProvideInput], and the caller makes it again with
	// InputResponses and the result's RequestState.
	Input func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error)

	budget Budget
	asked  atomic.Int64 // how often a server asked a person through Options

	mu       sync.Mutex
	current  *session
	dialing  *dial
	dials    pacer
	connects int // sessions so far
	closed   bool
	running  map[*loop]context.CancelFunc
	ending   sync.WaitGroup // sessions that are being closed, and dials

	watched map[string]*watch // requests that progress prolongs, by their tokens
	tokens  int

	tools knownTools
}

// CallTool is the package's [CallTool] on the client's session. If the session is
// lost it gets a new one, once for each call, and repeats the call on it only if that
// is safe. Connecting is part of an attempt, and a failure to connect has no effect.
func (c *Client) CallTool(ctx context.Context, params *mcp.CallToolParams) (result.Outcome, Decision) {
	if params == nil {
		params = &mcp.CallToolParams{}
	}
	p := c.Policy
	if p.Budget == nil {
		p.Budget = &c.budget
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	l := newLoop(ctx, p)
	l.reconnects, l.sessions = 1, []int{}
	if !c.begin(&l, func() { cancel(errClosed) }) {
		return notSent(errClosed), Decision{Reason: ReasonNotRetryable}
	}
	defer c.done(&l)
	return callTool(&l, params, &clientSender{client: c, asked: c.asked.Load()})
}

// begin and done keep track of the calls that are running.
func (c *Client) begin(l *loop, cancel context.CancelFunc) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return false
	}
	if c.running == nil {
		c.running = map[*loop]context.CancelFunc{}
	}
	c.running[l] = cancel
	return true
}

func (c *Client) done(l *loop) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.running, l)
}

// closeTime is how long Close waits. Chosen from what the SDK does: it gives a
// process five seconds to end by itself, and then five more after asking it.
const closeTime = 12 * time.Second

// Close ends the calls that are running, a dial, and the session, and waits for its
// process to end. Later calls fail. It may be called more than once. It returns an
// error if the session has not ended after 12 s, which is what the SDK may need to
// end a process that hangs.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	for _, cancel := range c.running {
		cancel()
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

// maxRounds is how often a tool may ask for input in one call, as in the SDK.
const maxRounds = 10

// A clientSender makes the attempts of one call.
type clientSender struct {
	client *Client
	asked  int64  // Client.asked when the call began
	sentTo string // the name of the server that an attempt was sent to
}

func (s *clientSender) server() any { return s.client }

// ready connects if there is no session, and learns how safe the tool is.
func (s *clientSender) ready(ctx context.Context, l *loop) (request, error) {
	on, err := s.client.connected(ctx, l)
	if err != nil {
		return nil, err
	}
	name := serverOf(on.InitializeResult()).name
	if s.sentTo != "" && name != "" && name != s.sentTo && l.state.Unsettled && l.state.Safety != SafetyReadOnly {
		return nil, errKeyRefused // another server knows nothing of the key
	}
	safety, err := s.client.tools.safety(ctx, on.source(), s.client.Safety, l)
	if err != nil {
		if errors.Is(err, context.DeadlineExceeded) {
			on.doubt()
		}
		return nil, err
	}
	l.setSafety(safety)
	return func(l *loop, params *mcp.CallToolParams) result.Outcome { return s.send(l, on, params) }, nil
}

// send calls the tool, and gives it the input that it asks for.
func (s *clientSender) send(l *loop, on *session, params *mcp.CallToolParams) result.Outcome {
	l.on(on.number)
	s.sentTo = serverOf(on.InitializeResult()).name
	for range maxRounds {
		out := s.request(l, on, params)
		if out.Kind != result.KindInputRequired || isShed(out) || s.client.Input == nil {
			return out
		}
		l.state.Asked = true
		responses, err := s.client.Input(l.ctx, out.Result) // a person may take longer than an attempt
		if err != nil {
			return result.Outcome{Kind: result.KindFailure, Err: toolerr.From(err).WithMessage("The input that the tool asks for was not given.")}
		}
		params.InputResponses, params.RequestState = responses, out.Result.RequestState
	}
	return result.Outcome{Kind: result.KindFailure, Err: toolerr.Internal(errRounds).WithMessage("The tool asks for input again and again.")}
}

// request makes one request.
func (s *clientSender) request(l *loop, on *session, params *mcp.CallToolParams) result.Outcome {
	ctx, cancel := on.attended(l, params)
	defer cancel()
	out := s.withNearMisses(on.request(l.ctx, ctx, params), params.Name)
	if s.client.asked.Load() != s.asked {
		l.state.Asked = true
	}
	return out
}

var errRounds = errors.New("a tool asked for input ten times in one call")

// withNearMisses adds the names that were probably meant to a server's refusal of a call,
// if the client knows that it has no such tool. Servers word that as they like.
func (s *clientSender) withNearMisses(out result.Outcome, name string) result.Outcome {
	if out.Err == nil || out.Err.Category != toolerr.CategoryValidation || len(out.Err.Suggestions) > 0 {
		return out
	}
	if near := nearmiss.Find(name, s.client.tools.absent(name)); len(near) > 0 {
		out.Err = out.Err.WithSuggestions(near...)
	}
	return out
}
