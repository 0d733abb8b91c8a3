package retry_test

import (
	"context"
	"io"
	"log/slog"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var (
	quick      = retry.Policy{BaseDelay: time.Millisecond}
	errRefused = toolerr.Transient("refused").WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	// errLost is what the server of a tool that is safe to repeat sends.
	errLost = toolerr.Transient("lost").WithCode(toolerr.CodeTimeout).WithEffect(toolerr.EffectUnknown).
		Resolve(toolerr.ToolAnnotations{Idempotent: true})
	errPath = toolerr.Validation("There is no such file.").WithCode(toolerr.CodeNotFound).WithField("path").
		WithSuggestions("session.ts")

	object      = map[string]any{"type": "object"}
	text        = map[string]any{"type": "string"}
	keyedObject = map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": text}}
	readOnly    = &mcp.ToolAnnotations{ReadOnlyHint: true}
	quiet       = slog.New(slog.DiscardHandler)
	safeties    = []retry.Safety{retry.SafetyUnknown, retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed}

	order = map[string]any{"order": "ORD-7", "amount": 40}
	// randoms match what differs between two runs.
	randoms = regexp.MustCompile(`[0-9a-f-]{36}|,?"(correlation(Id|_id)":"\d{18}"|elapsedMs":\d+)`)
)

func guarded() retry.Policy {
	return retry.Policy{Guard: new(retry.Guard), BaseDelay: time.Microsecond}
}

func keyedTool(name string) *mcp.Tool { return &mcp.Tool{Name: name, InputSchema: keyedObject} }

// logTo returns a logger of all levels, as text.
func logTo(w io.Writer) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func tool(name string, args ...any) *mcp.CallToolParams {
	p := &mcp.CallToolParams{Name: name}
	if args != nil {
		p.Arguments = args[0]
	}
	return p
}

func failure(e *toolerr.Error) result.Outcome {
	return result.Outcome{Kind: result.KindFailure, Err: e}
}

func part(e *toolerr.Error) result.Outcome { return result.Outcome{Kind: result.KindPartial, Err: e} }

func fails(err error) (*mcp.CallToolResult, error) { return result.Failure(err), nil }

// textFailure returns a failure of a foreign server.
func textFailure(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// sent returns the result of a server that sends a failure as it is, also without an effect.
func sent(e *toolerr.Error) *mcp.CallToolResult { return textFailure(string(e.AppendJSON(nil))) }

// asks returns the answer of a tool that needs a person, and sheds that of a server that sheds load.
func asks() *mcp.CallToolResult {
	return &mcp.CallToolResult{RequestState: "s", InputRequests: mcp.InputRequestMap{
		"confirm": &mcp.ElicitParams{Message: "Really?", RequestedSchema: object},
	}}
}

func sheds(state string) *mcp.CallToolResult {
	return &mcp.CallToolResult{RequestState: state, InputRequests: mcp.InputRequestMap{}}
}

func first[T, U any](value T, _ U) T { return value }

// A script is a session that answers a tool in one way, or its calls in order. The last answer is repeated.
type script struct {
	tools   map[string]any
	answers []any // *toolerr.Error, error, *mcp.CallToolResult, or an argument of result.OK
	calls   []mcp.CallToolParams
	at      []time.Time
}

func (s *script) CallTool(_ context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.calls, s.at = append(s.calls, *params), append(s.at, time.Now())
	if params.Meta != nil {
		params.Meta["touched"] = true // as the SDK does
	}
	if arguments, _ := params.Arguments.(map[string]any); arguments != nil {
		arguments["touched"] = true
	}
	answer, ok := s.tools[params.Name]
	if !ok {
		answer = s.answers[min(len(s.calls), len(s.answers))-1]
	}
	if e, ok := answer.(*toolerr.Error); ok {
		return sent(e), nil
	}
	return answered(answer)
}

func answered(answer any) (*mcp.CallToolResult, error) {
	switch a := answer.(type) {
	case *mcp.CallToolResult:
		return a, nil
	case error:
		return nil, a
	}
	return result.OK(answer), nil
}

type (
	lister   = func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)
	answerer = func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error)
	dialer   = func(context.Context) (retry.ClientSession, error)
)

// lists returns a tool list of one page.
func lists(tools ...*mcp.Tool) lister {
	return func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		return &mcp.ListToolsResult{Tools: tools}, nil
	}
}

// A fakeSession is a session without a connection.
type fakeSession struct {
	list   lister
	answer answerer                    // nil means success
	ping   func(context.Context) error // nil means a response
	server string                      // name and version; "" means none
	exits  bool                        // ends at the next call
	killed <-chan struct{}             // if not nil, Close waits for it

	calls      atomic.Int64
	begin, end sync.Once
	over       chan struct{} // closed at the end
	mu         sync.Mutex
	last       *mcp.CallToolParams
}

// clientOf returns a client whose nth session, from 1, is what connect returns.
func clientOf(t *testing.T, connect func(n int) *fakeSession) *retry.Client {
	t.Helper()
	n := 0
	return newRetryClient(t, func(context.Context) (retry.ClientSession, error) {
		n++
		return connect(n), nil
	})
}

// newRetryClient returns a client that trusts its server, and is closed at the end of the test.
func newRetryClient(t *testing.T, connect dialer) *retry.Client {
	t.Helper()
	c := &retry.Client{Connect: connect, Safety: retry.SafetyOf, Policy: quick}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func (s *fakeSession) CallTool(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	s.calls.Add(1)
	s.mu.Lock()
	s.last = params
	s.mu.Unlock()
	switch {
	case s.exits:
		return nil, io.EOF
	case s.answer != nil:
		return s.answer(ctx, params)
	}
	return result.OK("done"), nil
}

// key returns the key of the last call.
func (s *fakeSession) key() any {
	s.mu.Lock()
	defer s.mu.Unlock()
	arguments, _ := s.last.Arguments.(map[string]any)
	return arguments["idempotency_key"]
}

func (s *fakeSession) ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	return s.list(ctx, params)
}

func (s *fakeSession) InitializeResult() *mcp.InitializeResult {
	name, version, ok := strings.Cut(s.server, " ")
	if !ok {
		return nil
	}
	return &mcp.InitializeResult{ServerInfo: &mcp.Implementation{Name: name, Version: version}}
}

func (s *fakeSession) Ping(ctx context.Context, _ *mcp.PingParams) error {
	if s.ping != nil {
		return s.ping(ctx)
	}
	return nil
}

func (s *fakeSession) ended() chan struct{} {
	s.begin.Do(func() { s.over = make(chan struct{}) })
	return s.over
}

func (s *fakeSession) Wait() error { <-s.ended(); return nil }

func (s *fakeSession) Close() error {
	if s.killed != nil { // a process that does not read, so that nothing ends before
		<-s.killed
	}
	s.end.Do(func() { close(s.ended()) })
	return nil
}
