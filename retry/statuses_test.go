package retry_test

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const goldenStatuses = "testdata/statuses.txt"

var (
	updateStatuses = flag.Bool("statuses", false, "write "+goldenStatuses)
	allStatuses    = flag.Bool("all", false, "test also statuses with the same outcome")
	versions       = []string{"2025-06-18", "2025-11-25", "2026-07-28"}
)

// readStatuses returns the lines of each status from 400.
func readStatuses(t *testing.T) []string {
	t.Helper()
	golden, err := os.ReadFile(goldenStatuses)
	require.NoError(t, err)
	rows := make([]string, 200)
	for _, m := range regexp.MustCompile(`(?m)^(\d+)(?:-(\d+))?\n((?:\t.*\n)+)`).FindAllStringSubmatch(string(golden), -1) {
		from, _ := strconv.Atoi(m[1])
		to, _ := strconv.Atoi(cmp.Or(m[2], m[1]))
		for status := from; status <= to; status++ {
			rows[status-400] = m[3]
		}
	}
	assert.NotContains(t, rows, "")
	return rows
}

// writeStatuses writes neighbours with the same lines as one.
func writeStatuses(t *testing.T, rows []string) {
	t.Helper()
	var text strings.Builder
	for i, end := 0, 0; i < len(rows); i = end {
		for end = i + 1; end < len(rows) && rows[end] == rows[i]; {
			end++
		}
		name := fmt.Sprint(400 + i)
		if end > i+1 {
			name += fmt.Sprint("-", 400+end-1)
		}
		fmt.Fprintf(&text, "%s\n%s", name, rows[i])
	}
	require.NoError(t, os.WriteFile(goldenStatuses, []byte(text.String()), 0o600))
}

// lines are those of a status with or without a RoundTripper, one for all versions if they are the same.
func lines(name string, byVersion [3]string) string {
	if byVersion[0] == byVersion[1] && byVersion[1] == byVersion[2] {
		return fmt.Sprintf("\t%s: %s\n", name, byVersion[0])
	}
	var b strings.Builder
	for v, line := range byVersion {
		fmt.Fprintf(&b, "\t%s, %s: %s\n", name, versions[v], line)
	}
	return b.String()
}

// newGateway returns the address of a proxy in front of a real server that refuses the first tool
// call of each of its addresses, as the address says: /403/anything.
func newGateway(t *testing.T, refuse func(w http.ResponseWriter, status string)) string {
	t.Helper()
	backend := httptest.NewServer(httpHandler(newWorld(gives("done")).server))
	var refused sync.Map // by path
	front := httptest.NewServer(intercept(newProxy(nil, backend.Listener.Addr().String), func(w http.ResponseWriter, r *http.Request) bool {
		_, again := refused.LoadOrStore(r.URL.Path, true)
		if !again {
			refuse(w, strings.Split(r.URL.Path, "/")[1])
		}
		return !again
	}))
	t.Cleanup(func() {
		for _, server := range []*httptest.Server{front, backend} {
			server.CloseClientConnections()
			server.Close()
		}
	})
	return front.URL
}

// gatewayClient returns a client that calls through a gateway with its own path.
func gatewayClient(gateway, address, version string, reads bool) *retry.Client {
	var transport http.RoundTripper = &http.Transport{}
	if reads {
		transport = result.RoundTripper(transport)
	}
	return httpClient(gateway+address, version, transport, retry.Policy{BaseDelay: 1, MaxRetryAfter: -1})
}

// trace says what became of a call of write that a gateway has answered with a status, and of the next call.
func trace(t *testing.T, gateway string, status int, version string, reads bool) string {
	t.Helper()
	c := gatewayClient(gateway, fmt.Sprintf("/%d/%s/%t", status, version, reads), version, reads)
	sessions, connect := 0, c.Connect
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		sessions++ // the calls follow one another
		return connect(ctx)
	}
	defer func() { _ = c.Close() }()
	var first string
	c.Policy.OnDecision = func(out result.Outcome, d retry.Decision) {
		switch {
		case first != "":
		case out.Err == nil:
			first = d.Action.String()
		default:
			alive := map[bool]string{true: "lost", false: "alive"}[out.SessionLost]
			first = fmt.Sprintf("%s %s effect=%s %s session=%s", cmp.Or(out.Err.Category, "-"), cmp.Or(out.Err.Code, "-"), cmp.Or(out.Err.Effect, "-"), d.Action, alive)
		}
	}
	_, _ = call(t, c, "write")
	_, d := call(t, c, "write")
	return fmt.Sprintf("%s next=%s on %d", first, d.Action, sessions)
}

// TestClient_Statuses gets every status that a gateway may answer a tool call with, with and without RoundTripper, in
// three versions of the protocol: what is read in it, what is done about it, whether the session lives, and how the
// next call ends. Without -all it tests one of the statuses with the same outcome.
func TestClient_Statuses(t *testing.T) {
	t.Parallel()
	gateway := newGateway(t, plain)
	want := readStatuses(t)
	got := make([]string, len(want))
	tested := map[string]bool{}
	var tests sync.WaitGroup
	several := make(chan bool, 8)
	for i, text := range want {
		if tested[text] && !*allStatuses && !*updateStatuses {
			continue
		}
		tested[text] = true
		several <- true
		tests.Go(func() {
			var with, without [3]string
			for v, version := range versions {
				with[v] = trace(t, gateway, 400+i, version, true)
				without[v] = trace(t, gateway, 400+i, version, false)
			}
			got[i] = lines("with", with) + lines("without", without)
			<-several
		})
	}
	tests.Wait()
	if *updateStatuses {
		writeStatuses(t, got)
		return
	}
	for i, text := range got {
		assert.True(t, text == "" && tested[want[i]] || text == want[i], "%d: %s", 400+i, text)
	}
}

// TestStatuses_Invariants checks what must hold for every status in the table.
func TestStatuses_Invariants(t *testing.T) {
	t.Parallel()
	for i, text := range readStatuses(t) {
		for line := range strings.Lines(text) {
			lost := strings.Contains(line, "session=lost")
			assert.Contains(t, line, " next=accept ", "next call")
			assert.NotContains(t, line, "effect=- ", line)
			refused := slices.Contains([]int{400, 401, 404, 410, 503}, 400+i)
			assert.Equal(t, refused || strings.HasPrefix(line, "\twithout") && lost, lost, "session with RoundTripper: %d %s", 400+i, line)
			assert.True(t, strings.Contains(line, " verify ") || !strings.Contains(line, "effect=unknown"), line)
		}
	}
}

// TestClient_RefusedBesideAnother checks that without RoundTripper, a refused call ends the
// session and its running calls. A call with a key is made again.
func TestClient_RefusedBesideAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		w := newWorld(func(n int64, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if n == 1 {
				<-release
			}
			return result.OK("done"), nil
		})
		gateway := intercept(httpHandler(w.server), func(rw http.ResponseWriter, r *http.Request) bool {
			body, _ := io.ReadAll(r.Body)
			r.Body = io.NopCloser(bytes.NewReader(body))
			refused := bytes.Contains(body, []byte(`"write"`))
			if refused {
				plain(rw, "403")
			}
			return refused
		})
		listener := serveInMemory(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if r.Method != http.MethodDelete { // the server would wait for its call, and in a bubble for ever
				gateway.ServeHTTP(rw, r)
			}
		}))
		transport := &http.Transport{DialContext: listener.dial}
		c := httpClient("http://in.memory/", versions[0], transport, quick)
		charged := make(chan retry.Decision, 1)
		go func() {
			_, d := c.CallTool(context.Background(), tool("charge"))
			charged <- d
		}()
		synctest.Wait()
		out, d := call(t, c, "write")
		assert.Equal(t, "verify unavailable true", fmt.Sprint(d.Action, " ", out.Err.Code, " ", out.SessionLost))
		d = <-charged
		assert.Equal(t, "accept 2", fmt.Sprint(d.Action, " ", d.Attempt))
		assert.Equal(t, keyOf(t, w, 1), keyOf(t, w, 2))
		close(release)
		require.NoError(t, c.Close())
		for s := range w.server.Sessions() {
			require.NoError(t, s.Close())
		}
		transport.CloseIdleConnections()
		listener.end()
	})
}

// TestRoundTripper_Scope checks that the missing scope is named over every version, and
// that an OAuth handler still sees the response.
func TestRoundTripper_Scope(t *testing.T) {
	t.Parallel()
	gateway := newGateway(t, func(w http.ResponseWriter, status string) {
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="orders:write"`)
		plain(w, status)
	})
	for _, version := range versions {
		c := gatewayClient(gateway, "/403/"+version, version, true)
		out, d := call(t, c, "write")
		assert.Equal(t, "insufficient_scope orders:write reauthorize false", fmt.Sprint(out.Err.Code, " ", out.Err.Details["scope"], " ", d.Action, " ", out.SessionLost))
		assert.Contains(t, out.Err.Message, "orders:write")
		require.NoError(t, c.Close())
	}
}

// TestRoundTripper_PassesThrough records which responses RoundTripper leaves to the SDK, and how it
// reads the others.
func TestRoundTripper_PassesThrough(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/responses.txt", func(sample string) string {
		of := strings.SplitN(sample, "|", 4) // method, session, status and body
		req := httptest.NewRequest(of[0], "http://127.0.0.1/", nil)
		if of[1] != "" {
			req.Header.Set("Mcp-Session-Id", of[1])
		}
		status, err := strconv.Atoi(of[2])
		require.NoError(t, err, sample)
		resp, err := result.RoundTripper(answers(func() *http.Response {
			return &http.Response{StatusCode: status, Header: http.Header{"Www-Authenticate": {`Bearer scope="a"`}}, Body: io.NopCloser(strings.NewReader(of[3]))}
		})).RoundTrip(req)
		if err != nil {
			return randoms.ReplaceAllString(string(toolerr.From(err).AppendJSON(nil)), "")
		}
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		return fmt.Sprint("passes: ", resp.StatusCode, resp.Header["Www-Authenticate"], " ", randoms.ReplaceAllString(string(body), ""), err)
	})
}
