package faults_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
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

// answer is the service's reply without a fault.
const answer = `{"orders":["ORD-1"]}`

// replies are the client's views of a fault, and whether its request is executed.
var replies = map[faults.Fault]struct {
	reply

	arrives int64
}{
	faults.None:            {reply{http.StatusOK, "", answer, nil}, 1},
	faults.Stall:           {reply{err: context.DeadlineExceeded}, 0},
	faults.ResetBefore:     {reply{err: syscall.ECONNRESET}, 0},
	faults.ResetAfter:      {reply{err: syscall.ECONNRESET}, 1},
	faults.TooManyRequests: {reply{status: http.StatusTooManyRequests, retryAfter: "2"}, 0},
	faults.InternalError:   {reply{status: http.StatusInternalServerError}, 0},
	faults.Unavailable:     {reply{status: http.StatusServiceUnavailable, retryAfter: "2"}, 0},
	faults.HalfBody:        {reply{http.StatusOK, "", answer[:len(answer)/2], io.ErrUnexpectedEOF}, 1},
	faults.Garbage:         {reply{status: http.StatusOK}, 0},
}

// The transport and the server behave in the same way: in what the client sees, and in whether the
// request reaches the service.
func TestInjector_Faults(t *testing.T) {
	t.Parallel()
	for fault, want := range replies {
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
				got := post(ctx, client, url)
				require.ErrorIs(t, got.err, want.err)
				assert.Equal(t, want.status, got.status)
				assert.Equal(t, want.retryAfter, got.retryAfter)
				assert.True(t, got.body == want.body || want.body == "" && got.body != answer, got.body)
				assert.Equal(t, want.arrives, carriedOut.Load(), "whether it was carried out")
				assert.Equal(t, []faults.Fault{fault}, injector.Drawn())
			})
		}
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
	var number syscall.Errno
	if errors.As(err, &number) && slices.Contains([]syscall.Errno{syscall.EPIPE, 10053, 10054}, number) { // of Windows
		err = syscall.ECONNRESET
	}
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
