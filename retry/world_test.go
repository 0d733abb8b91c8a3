package retry_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// beServer has the file of serveChild, if this process is its server.
const beServer = "RETRY_TEST_BE_A_SERVER"

func TestMain(m *testing.M) {
	if file, isServer := os.LookupEnv(beServer); isServer {
		serveChild(file)
		return
	}
	slog.SetDefault(slog.New(slog.DiscardHandler)) // to keep the output short
	os.Exit(m.Run())
}

// serveChild runs a server over stdio that records each call, and answers when a file exists.
func serveChild(file string) {
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		calls, err := os.OpenFile(file+".calls", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, err
		}
		_, _ = calls.WriteString(".")
		_ = calls.Close()
		for {
			if _, err := os.Stat(file); err == nil {
				return result.OK("done"), nil
			}
			time.Sleep(5 * time.Millisecond) // another process creates the file
		}
	})
	_ = w.server.Run(context.Background(), &mcp.StdioTransport{})
}

type handler = func(n int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error)

// gives returns a handler that answers the calls in order. The last answer is repeated.
func gives(answers ...any) handler {
	return func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return answered(answers[min(int(n), len(answers))-1])
	}
}

// A world is a server in memory, whose tools end as the test defines, with a function to connect to it.
type world struct {
	server   *mcp.Server
	calls    atomic.Int64
	connects atomic.Int64
	refuse   atomic.Int64 // number of dials that fail first
	line     atomic.Pointer[net.Conn]
	params   sync.Map // *mcp.CallToolParamsRaw by number of the call
	handle   handler
}

func newWorld(handle handler) *world {
	w := &world{server: mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil), handle: handle}
	w.server.AddReceivingMiddleware(result.Middleware(nil))
	for _, tool := range []*mcp.Tool{
		{Name: "read", InputSchema: object, Annotations: readOnly},
		{Name: "write", InputSchema: object},
		{Name: "note", InputSchema: object},
		keyedTool("charge"),
	} {
		w.server.AddTool(tool, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			n := w.calls.Add(1)
			w.params.Store(n, req.Params)
			return w.handle(n, req)
		})
	}
	return w
}

type receiver = func(context.Context, mcp.Request) (mcp.Result, error)

// on handles the requests of a method with f, unless it returns nothing.
func (w *world) on(method string, f receiver) {
	w.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, m string, req mcp.Request) (mcp.Result, error) {
			if m == method {
				if r, err := f(ctx, req); r != nil || err != nil {
					return r, err
				}
			}
			return next(ctx, m, req)
		}
	})
}

func newClient(options *mcp.ClientOptions) *mcp.Client {
	return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, options)
}

// dial connects with a version of the protocol; "" is the newest.
func (w *world) dial(ctx context.Context, client *mcp.Client, version string) (*mcp.ClientSession, error) {
	if w.connects.Add(1) <= w.refuse.Load() {
		return nil, errRefused
	}
	serverSide, clientSide := net.Pipe()
	if _, err := w.server.Connect(ctx, &mcp.IOTransport{Reader: serverSide, Writer: serverSide}, nil); err != nil {
		return nil, err
	}
	w.line.Store(&serverSide)
	return client.Connect(ctx, &mcp.IOTransport{Reader: clientSide, Writer: clientSide},
		&mcp.ClientSessionOptions{ProtocolVersion: version})
}

func (w *world) connect(ctx context.Context) (retry.ClientSession, error) {
	return w.connectWith(new(retry.Client), nil, "")(ctx) // without the SDK's own loop for input
}

// connectWith returns a connect function for a client with options and a version of the protocol.
func (w *world) connectWith(c *retry.Client, options *mcp.ClientOptions, version string) dialer {
	return func(ctx context.Context) (retry.ClientSession, error) {
		return w.dial(ctx, newClient(c.Options(options)), version)
	}
}

// cut closes the last session abruptly.
func (w *world) cut() { _ = (*w.line.Load()).Close() }

// cuts closes the session, and returns an answer that does not arrive.
func (w *world) cuts(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	w.cut()
	return result.OK("done"), nil
}

func (w *world) client(t *testing.T) *retry.Client { t.Helper(); return newRetryClient(t, w.connect) }

// plainSession returns the session of a program that uses this package only through Middleware.
func (w *world) plainSession(t *testing.T, p retry.Policy) *mcp.ClientSession {
	t.Helper()
	client := newClient(nil)
	client.AddSendingMiddleware(retry.Middleware(p, retry.SafetyOf))
	session, err := w.dial(t.Context(), client, "")
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// A program calls tools.
type program func(context.Context, *mcp.CallToolParams) result.Outcome

// programs start a program with a policy, which knows that charge takes a key, in every way.
var programs = map[string]func(*testing.T, *world, retry.Policy) program{
	"CallTool": func(t *testing.T, w *world, p retry.Policy) program {
		t.Helper()
		session, err := w.connect(t.Context())
		require.NoError(t, err)
		return func(ctx context.Context, params *mcp.CallToolParams) result.Outcome {
			p := p
			p.Safety = map[string]retry.Safety{"charge": retry.SafetyKeyed}[params.Name]
			return first(retry.CallTool(ctx, p, session, params))
		}
	},
	"CallTool, AsSession": func(t *testing.T, w *world, p retry.Policy) program {
		t.Helper()
		session := w.client(t).AsSession()
		return func(ctx context.Context, params *mcp.CallToolParams) result.Outcome {
			return first(retry.CallTool(ctx, p, session, params))
		}
	},
	"AsSession": func(t *testing.T, w *world, p retry.Policy) program {
		t.Helper()
		c := w.client(t)
		c.Policy, c.Key = p, p.Key
		c.Policy.Key = nil
		return parsed(c.AsSession())
	},
	"Middleware": func(t *testing.T, w *world, p retry.Policy) program { t.Helper(); return parsed(w.plainSession(t, p)) },
}

func parsed(s retry.Session) program {
	return func(ctx context.Context, params *mcp.CallToolParams) result.Outcome {
		return result.Parse(s.CallTool(ctx, params))
	}
}

// got returns the params of the nth call.
func (w *world) got(t *testing.T, n int64) *mcp.CallToolParamsRaw {
	t.Helper()
	v, _ := w.params.Load(n)
	params, ok := v.(*mcp.CallToolParamsRaw)
	require.True(t, ok, "call %d", n)
	return params
}

func keyOf(t *testing.T, w *world, n int64) string {
	t.Helper()
	var arguments map[string]any
	require.NoError(t, json.Unmarshal(w.got(t, n).Arguments, &arguments))
	key, _ := arguments["idempotency_key"].(string)
	return key
}

func call(t *testing.T, c *retry.Client, name string) (result.Outcome, retry.Decision) {
	t.Helper()
	return c.CallTool(t.Context(), tool(name))
}

// A pipeListener accepts connections in memory, so that HTTP idles in a bubble.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	server *http.Server
}

func serveInMemory(handler http.Handler) *pipeListener {
	l := &pipeListener{make(chan net.Conn), make(chan struct{}), &http.Server{Handler: handler}} //nolint:gosec // a pipe
	go func() { _ = l.server.Serve(l) }()
	return l
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Addr() net.Addr { return &net.TCPAddr{} }
func (l *pipeListener) Close() error   { close(l.closed); return nil } // once, as the server does

func (l *pipeListener) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	select {
	case l.conns <- there:
		return here, nil
	case <-l.closed:
		return nil, syscall.ECONNREFUSED
	}
}
