package retry_test

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// bodies returns those of refusals in a file, by name. ID stands for the request's.
func bodies(t *testing.T, file string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for body, name := range testutil.Rows(t, file) {
		all[name] = body
	}
	return all
}

// page is a body that is no message.
const page = "<html><body>Sign in</body></html>"

// A restarting server forgets its sessions when it restarts.
type restarting struct {
	status  int
	body    string
	version string // of the protocol, or ""
	streams bool   // of notifications

	mu      sync.Mutex
	world   *world
	handler http.Handler
	wait    string        // Retry-After
	extra   string        // a tool that takes a key
	slow    time.Duration // until a refusal
	quirk   string
	n       atomic.Int64 // calls of tools, and session ids
	refuses string       // "calls" or "all" requests, also on sessions that it knows
	dials   atomic.Int64
	ran     atomic.Int64
}

func (s *restarting) restart() {
	w := newWorld(func(int64, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.ran.Add(1)
		return result.OK("done"), nil
	})
	if s.extra != "" {
		s.add(w, s.extra)
	}
	opts := &mcp.StreamableHTTPOptions{Logger: quiet, Stateless: s.version >= "2026-07-28"} // which has no sessions
	s.mu.Lock()
	old := s.world
	s.world, s.handler = w, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return w.server }, opts)
	s.mu.Unlock()
	if old != nil {
		closeSessions(old)
	}
}

// add adds a tool that is executed only with a key, so that a client has to know it.
func (s *restarting) add(w *world, name string) {
	w.server.AddTool(keyedTool(name), func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if bytes.Contains(req.Params.Arguments, []byte("idempotency_key")) {
			s.ran.Add(1)
		}
		return result.OK("done"), nil
	})
}

func closeSessions(w *world) {
	for session := range w.server.Sessions() {
		_ = session.Close()
	}
}

// set changes how the server behaves.
func (s *restarting) set(change func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	change()
}

func (s *restarting) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	id := r.Header.Get("Mcp-Session-Id")
	s.mu.Lock()
	handler, isKnown := s.handler, func(session *mcp.ServerSession) bool { return session.ID() == id }
	known := id == "" || slices.ContainsFunc(slices.Collect(s.world.server.Sessions()), isKnown)
	refused := !known || s.refuses == "all" || s.refuses == "calls" && bytes.Contains(body, []byte(`"tools/call"`))
	status, wait, slow, quirk := s.status, s.wait, s.slow, s.quirk
	s.mu.Unlock()
	if bytes.Contains(body, []byte(`"initialize"`)) {
		s.dials.Add(1)
	}
	switch r = s.odd(w, r, body, quirk, status); {
	case r == nil:
	case r.URL.Path == "/login":
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, page)
	case r.Method == http.MethodDelete: // the server would wait for its calls, and in a bubble for ever
	case r.Method == http.MethodGet && !s.streams:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case refused:
		time.Sleep(slow)
		requestID := "null"
		if _, after, ok := strings.Cut(string(body), `"id":`); ok {
			requestID = after[:strings.IndexAny(after, ",}")]
		}
		switch w.Header().Set("Content-Type", "text/html"); {
		case strings.HasPrefix(s.body, "{"):
			w.Header().Set("Content-Type", "application/json")
		case strings.HasPrefix(s.body, "event: "):
			w.Header().Set("Content-Type", "text/event-stream")
		}
		w.Header().Set("Location", "/login") // of a redirection
		if wait != "" {
			w.Header().Set("Retry-After", wait)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, strings.ReplaceAll(s.body, "ID", requestID))
	default:
		handler.ServeHTTP(w, r)
	}
}

// odd plays the server's quirk. It returns the request, or nil if it has answered it.
func (s *restarting) odd(w http.ResponseWriter, r *http.Request, body []byte, quirk string, status int) *http.Request {
	is := func(played string, condition bool) bool { return quirk == played && condition }
	calls, n := bytes.Contains(body, []byte(`"tools/call"`)), int64(0)
	if calls {
		n = s.n.Add(1)
	}
	switch {
	case is("404 to each second call", calls && n%2 == 0):
		w.WriteHeader(http.StatusNotFound)
	case is("first call refused", calls && n == 1):
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		_, _ = io.WriteString(w, page)
	case is("slow calls", calls):
		time.Sleep(3 * time.Second) // in a bubble
		return r
	case is("refused writes", bytes.Contains(body, []byte(`"write"`))):
		w.WriteHeader(status)
	case is("400 to pings", bytes.Contains(body, []byte(`"ping"`))):
		w.WriteHeader(http.StatusBadRequest)
	case is("stream of no events", r.Method == http.MethodGet):
		w.Header().Set("Content-Type", "text/event-stream")
	case is("stream of text", r.Method == http.MethodGet):
		_, _ = io.WriteString(w, "Use POST.")
	case is("stream exists", r.Method == http.MethodGet):
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "Session registration failed: session already exists")
	case is("headers hang", calls):
		<-r.Context().Done()
	case is("endless body", calls):
		w.WriteHeader(status)
		for r.Context().Err() == nil {
			time.Sleep(100 * time.Millisecond) // in a bubble
			if _, err := w.Write(make([]byte, 1<<16)); err != nil {
				break
			}
		}
	case is("other session ids", true):
		w.Header().Set("Mcp-Session-Id", fmt.Sprint("id-", s.n.Add(1)))
		return r
	default:
		return r
	}
	return nil
}

// within runs f with a client of the server, in a bubble.
func (s *restarting) within(t *testing.T, version string, reads bool, f func(*testing.T, *retry.Client)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s.restart()
		listener := serveInMemory(s)
		inMemory := &http.Transport{DialContext: listener.dial}
		var transport http.RoundTripper = inMemory
		if reads {
			transport = result.RoundTripper(transport)
		}
		c := &retry.Client{Safety: retry.SafetyOf}
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			on := &mcp.StreamableClientTransport{Endpoint: "http://in.memory/", HTTPClient: &http.Client{Transport: transport}}
			return newClient(c.Options(nil)).Connect(ctx, on, &mcp.ClientSessionOptions{ProtocolVersion: version})
		}
		f(t, c)
		_ = c.Close()
		closeSessions(s.world)
		time.Sleep(time.Minute) // in a bubble, until the SDK gives up
		inMemory.CloseIdleConnections()
		_ = listener.server.Close()
	})
}

// ending says how a call ended.
func ending(out result.Outcome, d retry.Decision) string {
	if out.Err == nil {
		return d.Action.String()
	}
	return fmt.Sprintf("%s %s %s effect=%s", d.Action, cmp.Or(out.Err.Category, "-"), cmp.Or(out.Err.Code, "-"),
		cmp.Or(out.Err.Effect, "-"))
}

// back makes a read each second until it succeeds, and returns after how long, or "never" in half a minute.
func back(t *testing.T, c *retry.Client) string {
	t.Helper()
	start := time.Now()
	for ; time.Since(start) < 30*time.Second; time.Sleep(time.Second) {
		if _, d := call(t, c, "read"); d.Action == retry.ActionAccept {
			return "back=" + time.Since(start).Round(time.Second).String()
		}
	}
	return "back=never"
}

// TestClient_Refusals records what becomes of a call on a session that the server refuses: a status, what is refused,
// and the tool. Refused are the sessions of the time before a restart, all tool calls, or all requests. The line is
// the ending, with the numbers of attempts, dials and executions, and the time until a read succeeds after refusals of
// calls and requests have ended. If it depends on the body, the transport or the stream of notifications, there are
// several. Without -all it tests two bodies, with a stream.
func TestClient_Refusals(t *testing.T) { //nolint:gocognit // loops around one call
	t.Parallel()
	bodies, tested := bodies(t, "testdata/bodies.txt"), []string{"json", "text"}
	if *allStatuses {
		tested = slices.Sorted(maps.Keys(bodies))
	}
	testutil.Recorded(t, "testdata/refusals.txt", func(sample string) string {
		var status int
		var refused, name string
		_, err := fmt.Sscan(sample, &status, &refused, &name)
		require.NoError(t, err, sample)
		by := map[string][]string{}
		for _, body := range tested {
			for _, reads := range []bool{true, false} {
				for _, streams := range map[bool][]bool{false: {true}, true: {true, false}}[*allStatuses] {
					s := &restarting{status: status, body: bodies[body], streams: streams}
					s.within(t, "2025-06-18", reads, func(t *testing.T, c *retry.Client) { //nolint:thelper // the test itself
						_, _ = call(t, c, name)
						if s.restart(); refused != "session" {
							s.set(func() { s.refuses = refused })
						}
						dials, ran := s.dials.Load(), s.ran.Load()
						out, d := call(t, c, name)
						got := fmt.Sprint(ending(out, d), " attempts=", d.Attempt, " dials=", s.dials.Load()-dials, " ran=",
							s.ran.Load()-ran)
						if refused != "session" {
							time.Sleep(30 * time.Second) // in a bubble
							s.set(func() { s.refuses = "" })
						}
						got += " " + back(t, c)
						by[got] = append(by[got], fmt.Sprintf("\t%s, RoundTripper %t, GET %t", body, reads, streams))
					})
				}
			}
		}
		var lines []string
		for _, got := range slices.Sorted(maps.Keys(by)) {
			if lines = append(lines, got); len(by) > 1 {
				lines = append(lines, by[got]...)
			}
		}
		return strings.Join(lines, "\n")
	})
}

// TestClient_ErrorsWithStatus checks that protocol errors about a call, which have a status since 2026-07-28, are its
// answers, and others refuse the session.
func TestClient_ErrorsWithStatus(t *testing.T) {
	t.Parallel()
	answers := []int{-32601, -32602, -32020, -32042}
	for _, version := range versions {
		for _, code := range append(answers, -32019, -32043, -32600) {
			for _, status := range []int{http.StatusBadRequest, http.StatusNotFound} {
				body := fmt.Sprintf(`{"jsonrpc":"2.0","id":ID,"error":{"code":%d,"message":"Odd."}}`, code)
				s := &restarting{status: status, version: version, refuses: "calls", body: body}
				s.within(t, version, true, func(t *testing.T, c *retry.Client) { //nolint:thelper // the test itself
					_, d := call(t, c, "read")
					isAnswer := version == "2026-07-28" && slices.Contains(answers, code)
					assert.Equal(t, isAnswer, d.Attempt == 1, "%s, %d with %d", version, code, status)
				})
			}
		}
	}
}

// A story is a client of a server to which several things happen.
type story struct {
	*restarting
	client   *retry.Client
	accepted int // calls in the last step
}

// call makes a number of calls at the same time, or a gap apart, and says how they ended. Of several names, the last is
// repeated.
func (s *story) call(t *testing.T, name string, n int, gap time.Duration) string {
	t.Helper()
	names := strings.Fields(name)
	ends := map[string]int{}
	var mu sync.Mutex
	var callers sync.WaitGroup
	for i := range n {
		time.Sleep(gap) // in a bubble
		callers.Go(func() {
			out, d := call(t, s.client, names[min(i, len(names)-1)])
			mu.Lock()
			defer mu.Unlock()
			ends[ending(out, d)]++
			s.accepted += map[bool]int{true: 1}[out.Err == nil]
		})
	}
	callers.Wait()
	return strings.Join(slices.Sorted(maps.Keys(ends)), ", ")
}

// step does one thing, and says how it ended.
func (s *story) step(t *testing.T, what string) string {
	t.Helper()
	session := s.client.AsSession()
	s.accepted = 0
	word, rest, _ := strings.Cut(what, " ")
	n, _ := strconv.Atoi(word)
	many := map[bool]int{false: 100, true: 500}[*allStatuses]
	switch word {
	case "storm":
		return s.call(t, rest, many, 0)
	case "trickle": // each new session has time to list its tools
		s.set(func() { s.slow = 3 * time.Millisecond })
		return s.call(t, rest, many, time.Millisecond)
	case "beside": // reads during a call's attempts
		return s.call(t, rest+" read", 50, 10*time.Millisecond)
	case "restart":
		s.restart()
	case "refuse":
		s.set(func() { s.refuses = rest })
	case "wait":
		d, err := time.ParseDuration(rest)
		require.NoError(t, err, what)
		time.Sleep(d) // in a bubble
	case "status":
		s.set(func() { s.status, _ = strconv.Atoi(rest) })
	case "retry-after":
		s.set(func() { s.wait = rest })
	case "quirk":
		s.set(func() { s.quirk = rest })
	case "timeout":
		s.client.Policy.AttemptTimeout, _ = time.ParseDuration(rest)
	case "new": // the server has a new tool after the next restart
		s.extra = rest
	case "add": // and the server notifies its sessions
		s.add(s.world, rest)
		time.Sleep(time.Second) // in a bubble
	case "list":
		list, err := session.ListTools(t.Context(), nil)
		if err != nil {
			return "failed"
		}
		return fmt.Sprint(len(list.Tools), " tools")
	case "ping":
		return map[bool]string{true: "pong", false: "failed"}[session.Ping(t.Context(), nil) == nil]
	case "agent":
		res, err := session.CallTool(t.Context(), tool(rest))
		require.NoError(t, err)
		s.accepted = map[bool]int{false: 1}[res.IsError]
		return map[bool]string{true: "isError", false: "done"}[res.IsError]
	default:
		if n > 0 {
			return s.call(t, rest, min(n, many), 0)
		}
		return s.call(t, word, 1, 0)
	}
	return ""
}

// TestClient_Stories records what happens to a client with RoundTripper or without, of a server that refuses with a
// status and a body: the endings of each step, and the number of dials in it. What succeeded was executed, and no more.
func TestClient_Stories(t *testing.T) {
	t.Parallel()
	bodies, others := bodies(t, "testdata/bodies.txt"), bodies(t, "testdata/other_bodies.txt")
	testutil.Recorded(t, "testdata/stories.txt", func(sample string) string {
		how, steps, _ := strings.Cut(sample, ": ")
		is := strings.SplitN(how, " ", 3) // transport, status and body
		server := &restarting{streams: true, body: cmp.Or(bodies[is[2]], others[is[2]])}
		server.status, _ = strconv.Atoi(is[1])
		var lines []string
		server.within(t, "2025-06-18", is[0] == "RoundTripper", func(t *testing.T, c *retry.Client) { //nolint:thelper // the test itself
			s := &story{server, c, 0}
			for what := range strings.SplitSeq(steps, ", ") {
				dials, ran, start := s.dials.Load(), s.ran.Load(), time.Now()
				if ended := s.step(t, what); ended != "" {
					dialed := s.dials.Load() - dials
					if word, _, _ := strings.Cut(what, " "); word == "storm" || word == "trickle" { // of which more depends on chance
						assert.NotContains(t, ended, "fix_input", sample)
						// of sessions that answer some
						paced := map[bool]int64{true: int64(time.Since(start) / (time.Second / 4))}[s.quirk != ""]
						assert.LessOrEqual(t, dialed, 4+paced, sample)
					} else {
						lines = append(lines, fmt.Sprintf("%s: %s dials=%d", what, ended, dialed))
					}
					assert.Equal(t, int64(s.accepted), s.ran.Load()-ran, sample)
					assert.Less(t, time.Since(start), time.Minute, sample)
				}
			}
		})
		return strings.Join(lines, "\n")
	})
}

// TestClient_Pipes records what becomes of a call whose server, over pipes, dies, hangs, or writes half a message and
// then does so, during one call or all: the ending, with the numbers of attempts and dials.
func TestClient_Pipes(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/pipes.txt", func(sample string) (got string) {
		var how, calls, name string
		_, err := fmt.Sscan(sample, &how, &calls, &name)
		require.NoError(t, err, sample)
		synctest.Test(t, func(t *testing.T) {
			release, failing := make(chan struct{}), atomic.Bool{}
			var hung sync.Map // sessions
			w := newWorld(nil)
			w.on("ping", func(_ context.Context, req mcp.Request) (mcp.Result, error) {
				if _, ok := hung.Load(req.GetSession()); ok {
					<-release
				}
				return nil, nil
			})
			w.handle = func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if !failing.Load() {
					return result.OK("done"), nil
				}
				failing.Store(calls == "all")
				if strings.HasPrefix(how, "half") {
					synctest.Wait() // until the answer to a listing that runs beside the call is written
					_, _ = (*w.line.Load()).Write([]byte(`{"jsonrpc":"2.0","id":`))
				}
				if strings.HasSuffix(how, "dies") {
					w.cut()
				} else {
					hung.Store(req.GetSession(), true)
					<-release
				}
				return result.OK("done"), nil
			}
			c := w.client(t)
			c.Policy = retry.Policy{AttemptTimeout: 10 * time.Second}
			_, _ = call(t, c, "read")
			failing.Store(true)
			dials := w.connects.Load()
			out, d := call(t, c, name)
			got = fmt.Sprint(ending(out, d), " attempts=", d.Attempt, " dials=", w.connects.Load()-dials)
			failing.Store(false)
			assert.NotEqual(t, "back=never", back(t, c), sample)
			close(release)
			_ = c.Close()
			closeSessions(w)
		})
		return got
	})
}

// TestMiddleware_Refused checks that a program is told by the SDK's sentinel to reconnect if a server refuses its
// session, and what the status means if it does so again.
func TestMiddleware_Refused(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]toolerr.Code{
		400: "internal", 401: "unauthenticated", 410: "internal", 403: "permission_denied",
	} {
		s := &restarting{status: status, body: "Unauthorized: Session not found", streams: true}
		s.within(t, "2025-06-18", true, func(t *testing.T, c *retry.Client) { //nolint:thelper // the test itself
			inner, err := c.Connect(t.Context())
			require.NoError(t, err)
			session, _ := inner.(*mcp.ClientSession)
			calls := 0
			next := func(ctx context.Context, _ string, req mcp.Request) (mcp.Result, error) {
				if calls++; calls == 3 {
					return nil, context.DeadlineExceeded
				}
				params, _ := req.GetParams().(*mcp.CallToolParams)
				return session.CallTool(ctx, params)
			}
			program := retry.Middleware(retry.Policy{}, nil)(next)
			call := func() error {
				req := &mcp.ClientRequest[*mcp.CallToolParams]{Session: session, Params: tool("write")}
				_, err := program(t.Context(), "tools/call", req)
				return err
			}
			require.NoError(t, call())
			s.restart()
			if status != http.StatusForbidden {
				require.ErrorIs(t, call(), mcp.ErrSessionMissing)
				_ = call() // without an answer, so the next refusal is the second in a row
			}
			err = call()
			e := toolerr.From(err)
			require.NotErrorIs(t, err, mcp.ErrSessionMissing, status)
			assert.Equal(t, testutil.Words(want, "none"), testutil.Words(e.Code, e.Effect), status)
			assert.Equal(t, map[bool]int{true: 2, false: 4}[status == http.StatusForbidden], calls)
			_ = session.Close()
		})
	}
}
