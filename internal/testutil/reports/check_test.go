package reports

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// counts are how many checks ran, and how many failed.
var counts struct {
	sync.Mutex

	all, failed int
}

// most is the number of checks: one that does not run is no success.
const most = 570

func TestMain(m *testing.M) {
	code := m.Run()
	counts.Lock()
	defer counts.Unlock()
	if all := flag.Lookup("test.run").Value.String() == ""; all && counts.all != most {
		fmt.Printf("%d checks ran, want %d\n", counts.all, most)
		code = 1
	}
	if counts.failed > 0 {
		fmt.Printf("%d of %d checks failed\n", counts.failed, counts.all)
		code = 1
	}
	os.Exit(code)
}

// check counts a check, and prints what was wanted if it fails.
func check(name string, ok bool, wanted string, got any) {
	counts.Lock()
	defer counts.Unlock()
	if counts.all++; ok {
		return
	}
	counts.failed++
	said := []rune(fmt.Sprint(got))
	fmt.Println("FAIL", name, "| wanted", wanted, "| got",
		strings.ReplaceAll(string(said[:min(len(said), 420)]), "\n", " "))
}

// info logs with -v what does not count: what is the author's part, or where two answers are defensible.
func info(name string, ok bool, wanted string, got any) {
	if testing.Verbose() {
		fmt.Println("INFO", ok, name, "| wanted", wanted, "| got", got)
	}
}

// group runs a case; a panic or a stall is a failed sub-check.
func group(t *testing.T, name string, f func()) {
	const limit = 3 * time.Minute // for what hangs
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if r := recover(); r != nil {
				check(name+"/runs", false, "no panic", r)
			}
		}()
		f()
	}()
	select {
	case <-done:
	case <-time.After(limit):
		check(name+"/ends", false, "an end within "+limit.String(), "none")
	}
}

func init() { slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil))) }

var anyObject = json.RawMessage(`{"type":"object"}`)

var (
	readOnly   = &mcp.ToolAnnotations{ReadOnlyHint: true}
	idempotent = &mcp.ToolAnnotations{IdempotentHint: true}
)

func newServer(middleware ...mcp.Middleware) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
	s.AddReceivingMiddleware(middleware...)
	return s
}

// toolerrServer has the middleware with these options, and a logger that writes to log.
func toolerrServer(o result.MiddlewareOptions, log io.Writer) *mcp.Server {
	if log == nil {
		log = io.Discard
	}
	o.Logger = slog.New(slog.NewJSONHandler(log, nil))
	return newServer(result.Middleware(&o))
}

// asConnect is Client.Connect for a server in memory.
func asConnect(
	c *retry.Client, s *mcp.Server, o *mcp.ClientOptions,
) func(context.Context) (retry.ClientSession, error) {
	return func(ctx context.Context) (retry.ClientSession, error) {
		a, b := mcp.NewInMemoryTransports()
		if _, err := s.Connect(context.Background(), a, nil); err != nil {
			return nil, err
		}
		return mcp.NewClient(&mcp.Implementation{Name: "a", Version: "1"}, c.Options(o)).Connect(ctx, b, nil)
	}
}

// agent is a client that trusts the annotations of a server in memory.
func agent(s *mcp.Server) *retry.Client {
	c := &retry.Client{
		Safety: retry.SafetyOf,
		Policy: retry.Policy{BaseDelay: time.Millisecond, ThrottledDelay: time.Millisecond, Budget: &retry.Budget{Size: -1}},
	}
	c.Connect = asConnect(c, s, nil)
	return c
}

// httpAgent is the same over HTTP, with result.RoundTripper as the README says, or without.
func httpAgent(url string, reads bool, base http.RoundTripper) *retry.Client {
	return streamAgent(url, reads, base, false)
}

// streamAgent is the same with the SDK's standalone stream, which is its default.
func streamAgent(url string, reads bool, base http.RoundTripper, stream bool) *retry.Client {
	if base == nil {
		base = &http.Transport{MaxIdleConnsPerHost: 8}
	}
	if reads {
		base = result.RoundTripper(base)
	}
	c := &retry.Client{
		Safety: retry.SafetyOf,
		Policy: retry.Policy{BaseDelay: time.Millisecond, ThrottledDelay: time.Millisecond, AttemptTimeout: 8 * time.Second},
	}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: base}}
		if !stream {
			transport.MaxRetries, transport.DisableStandaloneSSE = -1, true
		}
		return mcp.NewClient(&mcp.Implementation{Name: "a", Version: "1"}, c.Options(nil)).
			Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
	}
	return c
}

// call makes one call of an agent.
func call(c *retry.Client, tool string, args map[string]any) (result.Outcome, retry.Decision) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	return c.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
}

func show(o result.Outcome, d retry.Decision) string {
	var err any
	if o.Err != nil {
		err = string(o.Err.AppendJSON(nil))
	}
	return fmt.Sprintf("%v (%s), %d attempts, %v %v text=%.200q", d.Action, d.Reason, d.Attempt, o.Kind, err, o.Text())
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func failed(s string) *mcp.CallToolResult { r := text(s); r.IsError = true; return r }

// over sends a result over a real session of a server without any middleware, as a foreign server would.
func over(res *mcp.CallToolResult, tool *mcp.Tool) (result.Outcome, retry.Decision, int) {
	s, n := newServer(), 0
	if tool.InputSchema == nil {
		tool.InputSchema = anyObject
	}
	s.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		n++
		sent := *res
		return &sent, nil
	})
	c := agent(s)
	defer func() { _ = c.Close() }()
	o, d := call(c, tool.Name, map[string]any{"q": "x"})
	return o, d, n
}

// wireOf is the result of a call as it goes over the wire.
func wireOf(s *mcp.Server, tool string, args map[string]any) (*mcp.CallToolResult, string) {
	a, b := mcp.NewInMemoryTransports()
	if _, err := s.Connect(context.Background(), a, nil); err != nil {
		return nil, err.Error()
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	sn, err := mcp.NewClient(&mcp.Implementation{Name: "a", Version: "1"}, nil).Connect(ctx, b, nil)
	if err != nil {
		return nil, err.Error()
	}
	defer func() { _ = sn.Close() }()
	res, err := sn.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return nil, err.Error()
	}
	var b2 bytes.Buffer
	enc := json.NewEncoder(&b2)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(res)
	return res, b2.String()
}

// envelope decodes the first text of a result.
func envelope(res *mcp.CallToolResult) map[string]any {
	m := map[string]any{}
	if res != nil && len(res.Content) > 0 {
		if t, ok := res.Content[0].(*mcp.TextContent); ok {
			_ = json.Unmarshal([]byte(t.Text), &m)
		}
	}
	return m
}

func contains(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

func containsAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}
