package harness_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
)

// host returns the address in a URL that a server prints.
func host(url string) string {
	return strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
}

func TestServe_Interrupt(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{"with an open stream of events": "2025-11-25", "without": "2026-07-28"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0")
			_, err := harnesstest.Connect(t, url, version).ListTools(t.Context(), nil)
			require.NoError(t, err)
			begun := time.Now()
			assert.Zero(t, interrupt())
			assert.Less(t, time.Since(begun), grace/2, "no call is under way")
			assert.Eventually(t, func() bool { // a child of another test has the listener until it is started
				conn, err := net.Dial("tcp", host(url))
				return err != nil || conn.Close() != nil
			}, 2*time.Second, time.Millisecond, "nobody listens any more")
		})
	}
	t.Run("at once", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		assert.Zero(t, run(ctx, []string{"-http", "127.0.0.1:0"}, io.Discard, io.Discard))
	})
}

func TestServe_AddressInUse(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = listener.Close() }()
	var stderr strings.Builder
	assert.Equal(t, 1, run(t.Context(), []string{"-http", listener.Addr().String()}, io.Discard, &stderr))
	assert.Regexp(t, `^small: cannot listen on 127\.0\.0\.1:\d+: [^\n]+\n$`, stderr.String())
}

func TestServe_PrintedAddress(t *testing.T) {
	t.Parallel()
	for addr, want := range map[string]string{
		":0":          `^http://127\.0\.0\.1:\d+/mcp$`,
		"127.0.0.1:0": `^http://127\.0\.0\.1:\d+/mcp$`,
		"localhost:0": `^http://(127\.0\.0\.1|\[::1\]):\d+/mcp$`,
		"0.0.0.0:0":   `^http://127\.0\.0\.1:\d+/mcp$`,
	} {
		url, _, interrupt := harnesstest.Serve(t, run, "-http", addr)
		assert.Regexp(t, want, url, addr)
		_, err := harnesstest.Connect(t, url, "").ListTools(t.Context(), nil)
		require.NoError(t, err, addr)
		assert.Zero(t, interrupt(), addr)
	}
}

func TestServe_ForeignPages(t *testing.T) {
	t.Parallel()
	url, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0")
	for name, change := range map[string]func(*http.Request){
		"a host name that leads here": func(r *http.Request) { r.Host = "rebound.example" },
		"a page of another site":      func(r *http.Request) { r.Header.Set("Origin", "http://elsewhere.example") },
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader("{}"))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		change(r)
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		_ = resp.Body.Close()
		assert.Equal(t, http.StatusForbidden, resp.StatusCode, name)
	}
	assert.Zero(t, interrupt())
}

// TestServe_UnusedConnection opens a connection without a request, as browsers do in advance.
func TestServe_UnusedConnection(t *testing.T) {
	t.Parallel()
	url, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0")
	unused, err := net.Dial("tcp", host(url))
	require.NoError(t, err)
	defer func() { _ = unused.Close() }()
	resp, err := http.Get(url) // which is accepted after it
	require.NoError(t, err)
	_ = resp.Body.Close()
	begun := time.Now()
	assert.Zero(t, interrupt())
	assert.Less(t, time.Since(begun), grace/2)
}
