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
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

var (
	allStatuses = flag.Bool("all", false, "test also statuses with the same outcome")
	versions    = []string{"2025-06-18", "2025-11-25", "2026-07-28"}
)

// newGateway returns the address of a server that refuses the first tool call of each of its addresses with a status
// and HTML, as the address says: /403/2025-11-25/anything.
func newGateway(t *testing.T) string {
	t.Helper()
	handlers := map[string]http.Handler{}
	for _, version := range versions {
		handlers[version] = httpHandler(newWorld(gives("done")).server, version)
	}
	var refused sync.Map // by path
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if bytes.Contains(body, []byte(`"tools/call"`)) {
			if _, again := refused.LoadOrStore(r.URL.Path, true); !again {
				status, _ := strconv.Atoi(strings.Split(r.URL.Path, "/")[1])
				w.Header().Set("Content-Type", "text/html")
				w.WriteHeader(status)
				_, _ = io.WriteString(w, "<html><body>It does not work.</body></html>")
				return
			}
		}
		handlers[strings.Split(r.URL.Path, "/")[2]].ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
	})
	return front.URL
}

// trace says what became of a call of write that a gateway has answered with a status, and of the next call.
func trace(t *testing.T, gateway string, status int, version string, reads bool) string {
	t.Helper()
	address := fmt.Sprintf("%s/%d/%s/%t", gateway, status, version, reads)
	client := &http.Client{Transport: &http.Transport{}}
	transport := &mcp.StreamableClientTransport{Endpoint: address, HTTPClient: client, MaxRetries: -1}
	if reads {
		client.Transport = result.RoundTripper(client.Transport)
	}
	sessions, c := 0, &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: 1, MaxRetryAfter: -1}}
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		sessions++ // the calls follow one another
		on, err := newClient(c.Options(nil)).Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
		assert.Equal(t, version, on.InitializeResult().ProtocolVersion)
		return on, err
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
			first = fmt.Sprintf("%s %s effect=%s %s session=%s", cmp.Or(out.Err.Category, "-"), cmp.Or(out.Err.Code, "-"),
				cmp.Or(out.Err.Effect, "-"), d.Action, alive)
		}
	}
	_, _ = call(t, c, "write")
	_, d := call(t, c, "write")
	return fmt.Sprintf("%s next=%s on %d", first, d.Action, sessions)
}

// TestClient_Statuses records what becomes of a tool call that a gateway answers with a status, with and without
// RoundTripper, the same in three versions of the protocol: what is read in it, what is done about it, whether the
// session lives, and how the next call ends. A row is the statuses with one outcome; without -all it tests the first.
func TestClient_Statuses(t *testing.T) {
	t.Parallel()
	gateway, statuses := newGateway(t), 0
	testutil.Recorded(t, "testdata/statuses.txt", func(sample string) (got string) {
		for part := range strings.FieldsSeq(sample) {
			low, high, _ := strings.Cut(part, "-")
			from, err := strconv.Atoi(low)
			require.NoError(t, err, sample)
			to, _ := strconv.Atoi(cmp.Or(high, low))
			for status := from; status <= to; status++ {
				if statuses++; got != "" && !*allStatuses {
					continue
				}
				var ends [3][2]string
				var all sync.WaitGroup
				for v, version := range versions {
					all.Go(func() { ends[v][0] = trace(t, gateway, status, version, true) })
					all.Go(func() { ends[v][1] = trace(t, gateway, status, version, false) })
				}
				all.Wait()
				assert.Equal(t, [2][2]string{ends[0], ends[0]}, [2][2]string(ends[1:]), "%d in the versions", status)
				text := fmt.Sprintf("with: %s\nwithout: %s\n", ends[0][0], ends[0][1])
				assert.Equal(t, cmp.Or(got, text), text, status)
				got = text
			}
		}
		for line := range strings.Lines(got) { // what must hold for every status
			assert.Contains(t, line, " next=accept ", sample)
			assert.NotContains(t, line, "effect=- ", sample)
			assert.True(t, strings.Contains(line, " verify ") || !strings.Contains(line, "effect=unknown"), sample)
		}
		return got
	})
	assert.Equal(t, 200, statuses)
}
