package retry_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A gateway is a proxy in front of a real server that refuses the first tool call of each
// of its addresses, as the address says: /403/anything.
type gateway struct {
	*httptest.Server

	refused sync.Map // by path
}

func newGateway(t *testing.T, refuse func(w http.ResponseWriter, status string)) *gateway {
	t.Helper()
	server := newWorld(done).server
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Logger: slog.New(slog.DiscardHandler)})
	backend := httptest.NewServer(handler)
	target, err := url.Parse(backend.URL)
	require.NoError(t, err)
	proxy := &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		FlushInterval: -1, ErrorLog: log.New(io.Discard, "", 0),
	}
	g := new(gateway)
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPost && bytes.Contains(body, []byte(`"tools/call"`)) {
			if _, again := g.refused.LoadOrStore(r.URL.Path, true); !again {
				refuse(w, strings.Split(r.URL.Path, "/")[1])
				return
			}
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		g.CloseClientConnections()
		g.Close()
		backend.CloseClientConnections()
		backend.Close()
	})
	return g
}

// client returns a client that calls through the gateway with its own path.
func (g *gateway) client(address, version string, reads bool) *retry.Client {
	transport := &http.Transport{}
	h := &http.Client{Transport: transport}
	if reads {
		h.Transport = result.RoundTripper(transport)
	}
	c := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: 1, MaxRetryAfter: -1}}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, c.Options(nil)).Connect(ctx,
			&mcp.StreamableClientTransport{Endpoint: g.URL + address, HTTPClient: h, MaxRetries: -1},
			&mcp.ClientSessionOptions{ProtocolVersion: version})
	}
	return c
}

// plain answers with a page, like gateways.
func plain(w http.ResponseWriter, status string) {
	n := 0
	_, _ = fmt.Sscan(status, &n)
	w.Header().Set("Content-Type", "text/html")
	w.WriteHeader(n)
	_, _ = io.WriteString(w, "<html><body>It does not work.</body></html>")
}

// trace says what became of a call of write that a gateway has answered with a status, and
// of the next call.
func (g *gateway) trace(t *testing.T, status int, version string, reads bool) string {
	t.Helper()
	c := g.client(fmt.Sprintf("/%d/%s/%t", status, version, reads), version, reads)
	sessions, connect := 0, c.Connect
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		sessions++ // the calls follow one another
		return connect(ctx)
	}
	defer func() { _ = c.Close() }()
	var first string
	c.Policy.OnDecision = func(out result.Outcome, d retry.Decision) {
		if first != "" {
			return
		}
		if out.Err == nil {
			first = d.Action.String()
			return
		}
		alive := map[bool]string{true: "lost", false: "alive"}[out.SessionLost]
		first = fmt.Sprintf("%s %s effect=%s %s session=%s", cmpOr(out.Err.Category), cmpOr(out.Err.Code), cmpOr(out.Err.Effect), d.Action, alive)
	}
	_, _ = call(t, c, "write")
	_, d := call(t, c, "write")
	return fmt.Sprintf("%s next=%s on %d", first, d.Action, sessions)
}

func cmpOr[S ~string](s S) string {
	if s == "" {
		return "-"
	}
	return string(s)
}

// Every status that a gateway may answer a tool call with, with and without RoundTripper,
// in three versions of the protocol: what is read in it, what is done about it, whether
// the session lives, and how the next call ends. Without -storm it tests one of the
// statuses with the same outcome.
func TestClient_Statuses(t *testing.T) {
	t.Parallel()
	g := newGateway(t, plain)
	want := readStatuses(t)
	var selected []int
	tested := map[string]bool{}
	for i, text := range want {
		if *fullStorm || *updateStatuses || !tested[text] {
			tested[text] = true
			selected = append(selected, i)
		}
	}
	got := make([]string, len(want))
	var workers sync.WaitGroup
	for worker := range 8 {
		workers.Go(func() {
			for n := worker; n < len(selected); n += 8 {
				var with, without [3]string
				for v, version := range versions {
					with[v] = g.trace(t, 400+selected[n], version, true)
					without[v] = g.trace(t, 400+selected[n], version, false)
				}
				got[selected[n]] = lines("with", with) + lines("without", without)
			}
		})
	}
	workers.Wait()
	if *updateStatuses {
		writeStatuses(t, got)
		return
	}
	t.Logf("%d of %d statuses", len(selected), len(want))
	for _, i := range selected {
		assert.Equal(t, want[i], got[i], 400+i)
	}
}

// TestStatuses_Invariants checks what must hold for every status in the table.
func TestStatuses_Invariants(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile(goldenStatuses)
	require.NoError(t, err)
	var status string
	for line := range strings.Lines(string(golden)) {
		if !strings.HasPrefix(line, "\t") {
			status = strings.TrimSpace(line)
			continue
		}
		assert.Contains(t, line, " next=accept ", "next call")
		assert.NotContains(t, line, "effect=- ", line)
		if strings.Contains(line, "session=lost") {
			assert.Contains(t, line, "effect=unknown", "other running calls end with the same error")
			assert.True(t, status == "404" || strings.HasPrefix(line, "\twithout"), "session with RoundTripper: %s %s", status, line)
		}
		if strings.Contains(line, "effect=unknown") {
			assert.Contains(t, line, " verify ", line)
		}
	}
}

// TestClient_RefusedBesideAnother checks that without RoundTripper, a refused call ends the
// session and its running calls. A call with a key is made again.
func TestClient_RefusedBesideAnother(t *testing.T) {
	t.Parallel()
	began, release := make(chan struct{}), make(chan struct{})
	w := newWorld(func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if n == 1 {
			close(began)
			<-release
		}
		return result.OK("done"), nil
	})
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return w.server }, &mcp.StreamableHTTPOptions{Logger: slog.New(slog.DiscardHandler)})
	g := &gateway{Server: httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if bytes.Contains(body, []byte(`"write"`)) {
			plain(rw, "403")
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		handler.ServeHTTP(rw, r)
	}))}
	t.Cleanup(func() {
		close(release)
		g.CloseClientConnections()
		g.Close()
	})
	{
		c := g.client("/", versions[0], false)
		charged := make(chan retry.Decision, 1)
		go func() {
			_, d := c.CallTool(context.Background(), tool("charge"))
			charged <- d
		}()
		<-began
		out, d := call(t, c, "write")
		assert.Equal(t, "verify permission_denied true", fmt.Sprint(d.Action, " ", out.Err.Code, " ", out.SessionLost))
		d = <-charged
		assert.Equal(t, "accept 2", fmt.Sprint(d.Action, " ", d.Attempt))
		assert.Equal(t, keyOf(t, w, 1), keyOf(t, w, 2))
		require.NoError(t, c.Close())
	}
}

// TestRoundTripper_Scope checks that the missing scope is named over every version, and
// that an OAuth handler still sees the response.
func TestRoundTripper_Scope(t *testing.T) {
	t.Parallel()
	g := newGateway(t, func(w http.ResponseWriter, status string) {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="orders:write"`)
		plain(w, status)
	})
	for _, version := range versions {
		c := g.client("/403/"+version, version, true)
		out, d := call(t, c, "write")
		assert.Equal(t, toolerr.CodeInsufficientScope, out.Err.Code)
		assert.Equal(t, "orders:write", out.Err.Details["scope"])
		assert.Contains(t, out.Err.Message, "orders:write")
		assert.Equal(t, retry.ActionReauthorize, d.Action)
		assert.False(t, out.SessionLost)
		require.NoError(t, c.Close())
	}
}

// TestRoundTripper_PassesThrough checks the responses that RoundTripper leaves to the SDK.
func TestRoundTripper_PassesThrough(t *testing.T) {
	t.Parallel()
	const rpc = `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool: x"}}`
	for name, test := range map[string]struct {
		method, session string
		status          int
		body            string
		passes          bool
	}{
		"an error of JSON-RPC": {"POST", "", 400, rpc, true},
		"an ended session":     {"POST", "s", 404, "gone", true},
		"no session":           {"POST", "", 404, "not here", false},
		"opening the stream":   {"GET", "", 405, "", true},
		"ending the session":   {"DELETE", "s", 405, "", true},
		"a page":               {"POST", "s", 400, "<html>", false},
		"unauthorized":         {"POST", "s", 401, "", true},
		"forbidden":            {"POST", "s", 403, "", true},
		"a success":            {"POST", "s", 200, rpc, true},
		"throttled":            {"GET", "s", 429, "", false},
	} {
		req := httptest.NewRequest(test.method, "http://127.0.0.1/", nil)
		if test.session != "" {
			req.Header.Set("Mcp-Session-Id", test.session)
		}
		resp, err := result.RoundTripper(answers(func() *http.Response {
			return &http.Response{
				StatusCode: test.status, Request: req, Header: http.Header{"Www-Authenticate": {`Bearer scope="a"`}},
				Body: io.NopCloser(strings.NewReader(test.body)),
			}
		})).RoundTrip(req)
		assert.Equal(t, test.passes, err == nil, name)
		if err != nil {
			var e *toolerr.Error
			require.ErrorAs(t, err, &e, name)
			continue
		}
		assert.Equal(t, test.status, resp.StatusCode, name)
		assert.NotEmpty(t, resp.Header.Get("WWW-Authenticate"), name)
		body, _ := io.ReadAll(resp.Body)
		if test.status == 401 || test.status == 403 {
			assert.Contains(t, string(body), `"errorCategory":"permission"`, name)
		} else {
			assert.Equal(t, test.body, string(body), name)
		}
		require.NoError(t, resp.Body.Close())
	}
}

type answers func() *http.Response

func (a answers) RoundTrip(*http.Request) (*http.Response, error) { return a(), nil }
