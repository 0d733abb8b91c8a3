package faults_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest/faults"
)

var everyFault = []faults.Fault{
	faults.None, faults.Stall, faults.ResetBefore, faults.ResetAfter, faults.TooManyRequests,
	faults.InternalError, faults.Unavailable, faults.HalfBody, faults.Garbage,
}

// arrived are the faults whose requests are executed.
var arrived = map[faults.Fault]bool{faults.None: true, faults.ResetAfter: true, faults.HalfBody: true}

// answer is the service's reply without a fault.
const answer = `{"orders":["ORD-1"]}`

// The transport and the server behave in the same way: in what the client sees, and in whether the
// request reaches the service.
func TestInjector_Faults(t *testing.T) {
	t.Parallel()
	for _, fault := range everyFault {
		for _, form := range []string{"as a service", "as a round tripper"} {
			t.Run(string(fault)+" "+form, func(t *testing.T) {
				t.Parallel()
				var carriedOut atomic.Int64
				work := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, err := io.ReadAll(r.Body)
					if err == nil && string(body) == "order" {
						carriedOut.Add(1)
					}
					_, _ = io.WriteString(w, answer)
				})
				injector := &faults.Injector{Script: []faults.Fault{fault}, RetryAfter: 1500 * time.Millisecond}
				client, url := http.DefaultClient, ""
				if form == "as a service" {
					url = injector.Serve(t, work).URL
				} else {
					server := httptest.NewServer(work)
					defer server.Close()
					url, client = server.URL, &http.Client{Transport: injector}
				}
				ctx := t.Context()
				if fault == faults.Stall {
					var pass func()
					ctx, pass = testutil.Deadline(ctx)
					go func() {
						defer pass()
						assert.Eventually(t, func() bool { return len(injector.Drawn()) == 1 }, testutil.Patience, time.Millisecond)
					}()
				}
				reply := post(ctx, client, url)
				assertReply(t, fault, reply)
				want := int64(0)
				if arrived[fault] {
					want = 1
				}
				assert.Equal(t, want, carriedOut.Load(), "whether it was carried out")
				assert.Equal(t, []faults.Fault{fault}, injector.Drawn())
			})
		}
	}
}

// assertReply asserts the client's view of a fault.
func assertReply(t *testing.T, fault faults.Fault, r reply) {
	t.Helper()
	switch fault {
	case faults.None:
		require.NoError(t, r.err)
		assert.JSONEq(t, answer, r.body)
	case faults.Stall:
		require.ErrorIs(t, r.err, context.DeadlineExceeded)
	case faults.ResetBefore, faults.ResetAfter:
		assert.True(t, errors.Is(r.err, syscall.ECONNRESET) || errors.Is(r.err, syscall.EPIPE), "%v", r.err)
	case faults.HalfBody:
		require.ErrorIs(t, r.err, io.ErrUnexpectedEOF)
		assert.Equal(t, answer[:len(answer)/2], r.body)
	case faults.Garbage:
		require.NoError(t, r.err)
		assert.Equal(t, http.StatusOK, r.status)
		assert.NotEqual(t, answer, r.body)
	case faults.TooManyRequests, faults.InternalError, faults.Unavailable:
		require.NoError(t, r.err)
		assert.Equal(t, string(fault), strconv.Itoa(r.status))
		assert.Equal(t, map[bool]string{true: "2"}[fault != faults.InternalError], r.retryAfter)
	}
}

// A reply is the client's view of one request.
type reply struct {
	status     int
	retryAfter string
	body       string
	err        error
}

func post(ctx context.Context, client *http.Client, url string) reply {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("order"))
	if err != nil {
		return reply{err: err}
	}
	resp, err := client.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	return reply{resp.StatusCode, resp.Header.Get("Retry-After"), string(raw), err}
}

func TestInjector_AfterScript(t *testing.T) {
	t.Parallel()
	injector := &faults.Injector{Script: []faults.Fault{faults.InternalError, faults.None}}
	url := injector.Serve(t, nil).URL
	for range 4 {
		require.NoError(t, post(t.Context(), http.DefaultClient, url).err)
	}
	assert.Equal(t, []faults.Fault{faults.InternalError, faults.None, faults.None, faults.None}, injector.Drawn())
}

func TestInjector_MaxStall(t *testing.T) {
	t.Parallel()
	stall := []faults.Fault{faults.Stall}
	injector := &faults.Injector{Script: stall, MaxStall: 20 * time.Millisecond}
	require.ErrorIs(t, post(t.Context(), &http.Client{Transport: injector}, "http://127.0.0.1:1").err, syscall.ECONNRESET)
	injector = &faults.Injector{Script: stall, MaxStall: 20 * time.Millisecond}
	require.ErrorIs(t, post(t.Context(), http.DefaultClient, injector.Serve(t, nil).URL).err, syscall.ECONNRESET)

	for limit, want := range map[time.Duration]error{0: syscall.ECONNRESET, -1: context.DeadlineExceeded} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			injector := &faults.Injector{Script: stall, MaxStall: limit}
			require.ErrorIs(t, post(ctx, &http.Client{Transport: injector}, "http://127.0.0.1:1").err, want)
		})
	}
}

func TestInjector_StallEndsWithTest(t *testing.T) {
	start := time.Now()
	t.Run("a test", func(t *testing.T) {
		injector := &faults.Injector{Script: []faults.Fault{faults.Stall}, MaxStall: -1}
		url := injector.Serve(t, nil).URL
		go func() { _ = post(context.Background(), http.DefaultClient, url) }()
		require.Eventually(t, func() bool { return len(injector.Drawn()) == 1 }, testutil.Patience, time.Millisecond)
	})
	assert.Less(t, time.Since(start), testutil.Patience)
}

func TestInjector_UnknownFault(t *testing.T) {
	t.Parallel()
	injector := &faults.Injector{Script: []faults.Fault{"flood", "flood"}}
	for _, r := range []reply{
		post(t.Context(), &http.Client{Transport: injector}, "http://127.0.0.1:1"),
		post(t.Context(), http.DefaultClient, injector.Serve(t, nil).URL),
	} {
		require.NoError(t, r.err)
		assert.Equal(t, http.StatusNotImplemented, r.status)
		assert.Contains(t, r.body, "unknown fault flood")
	}
}
