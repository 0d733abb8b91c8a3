package harness_test

import (
	"context"
	"errors"
	"flag"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// TestMain lets the test binary be the program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && (os.Args[1] == "-serve" || os.Args[1] == "-http") {
		harness.Main(run)
	}
	os.Exit(m.Run())
}

// longest is how long the program lets a call take, longer than any test waits.
const longest = 2 * testutil.Patience

// run is a program that is a server, and nothing else.
var run = runWith(testutil.Patience)

// runWith is run with a time limit for the bodies of requests.
func runWith(body time.Duration) func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return func(ctx context.Context, args []string, stdout, stderr io.Writer) int {
		var serving harness.Serving
		flags := flag.NewFlagSet("small", flag.ContinueOnError)
		if err := serving.ParseFlags(flags, args, "Usage: small -serve", stdout); err != nil {
			return harness.UsageStatus("small", err, stderr)
		}
		server := mcp.NewServer(&mcp.Implementation{Name: "small", Version: "v0"}, nil)
		return harness.Status("small",
			serving.Serve(ctx, server, harness.HTTPOptions{Program: "small", Stderr: stderr, Longest: longest, Body: body}),
			stderr)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	var stderr strings.Builder
	assert.Zero(t, harness.Status("small", nil, &stderr))
	assert.Zero(t, harness.UsageStatus("small", flag.ErrHelp, &stderr))
	assert.Empty(t, stderr.String())
	assert.Equal(t, 1, harness.Status("small", errors.Join(errors.New("one"), errors.New("two")), &stderr))
	assert.Equal(t, 2, harness.UsageStatus("small", errors.New("no such flag"), &stderr))
	assert.Equal(t, "small: one; two\nsmall: no such flag; run with -help to see the flags\n", stderr.String())
}

// host returns the address in a URL that a server prints.
func host(url string) string {
	return strings.TrimSuffix(strings.TrimPrefix(url, "http://"), "/mcp")
}

func TestServe_Interrupt(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{"with an open stream of events": "2025-11-25", "without": "2026-07-28"} {
		url, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0")
		_, err := harnesstest.Connect(t, url, version).ListTools(t.Context(), nil)
		require.NoError(t, err, name)
		assert.Zero(t, interrupt(), "%s: no call is under way that it waits for", name)
		assert.Eventually(t, func() bool { // a child of another test has the listener until it is started
			conn, err := net.Dial("tcp", host(url))
			return err != nil || conn.Close() != nil
		}, testutil.Patience, time.Millisecond, "%s: nobody listens any more", name)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	assert.Zero(t, run(ctx, []string{"-http", "127.0.0.1:0"}, io.Discard, io.Discard), "at once")
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

func TestServe_ForeignPages(t *testing.T) {
	t.Parallel()
	url, _, interrupt := harnesstest.Serve(t, run, "-http", "127.0.0.1:0")
	for name, test := range map[string]struct {
		change func(*http.Request)
		served bool
	}{
		"a host name that leads here": {func(r *http.Request) { r.Host = "rebound.example" }, false},
		"the same with a port": {func(r *http.Request) {
			r.Host = "rebound.example:" + strings.Split(host(url), ":")[1]
		}, false},
		"a page of another site": {
			func(r *http.Request) { r.Header.Set("Origin", "http://elsewhere.example") },
			false,
		},
		"a page without an origin":        {func(r *http.Request) { r.Header.Set("Origin", "null") }, false},
		"a page of another port":          {func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, false},
		"an image of another site":        {func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, false},
		"a program":                       {func(*http.Request) {}, true},
		"its own page":                    {func(r *http.Request) { r.Header.Set("Origin", "http://"+host(url)) }, true},
		"by the name that it has for all": {func(r *http.Request) { r.Host = "localhost" }, true},
	} {
		for method, path := range map[string]string{
			http.MethodPost: url, http.MethodGet: strings.TrimSuffix(url, "/mcp") + "/other",
		} {
			r, err := http.NewRequestWithContext(t.Context(), method, path, strings.NewReader("{}"))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Accept", "application/json, text/event-stream")
			test.change(r)
			resp, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			_ = resp.Body.Close()
			assert.Equal(t, test.served, resp.StatusCode != http.StatusForbidden, "%s: %s", name, method)
		}
	}
	assert.Zero(t, interrupt())
}

// TestServe_SlowBody holds a connection without sending the body.
func TestServe_SlowBody(t *testing.T) {
	t.Parallel()
	url, _, interrupt := harnesstest.Serve(t, runWith(time.Second), "-http", "127.0.0.1:0")
	stream, err := net.Dial("tcp", host(url))
	require.NoError(t, err)
	defer func() { _ = stream.Close() }()
	_, err = io.WriteString(stream, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, "+
		"text/event-stream\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
	require.NoError(t, err)
	session := harnesstest.Connect(t, url, "2025-11-25") // with a stream of events
	_, err = io.ReadAll(stream)                          // ends when the server closes it
	require.NoError(t, err)
	_, err = session.ListTools(t.Context(), nil)
	require.NoError(t, err, "a session that has been open for as long")
	assert.Zero(t, interrupt())
}
