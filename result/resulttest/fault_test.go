package resulttest_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// everything is a leak that every answer has.
var everything = resulttest.Leak{Name: "text", Pattern: regexp.MustCompile(`.`)}

var everyFault = []resulttest.Fault{
	resulttest.FaultNone, resulttest.FaultStall, resulttest.FaultResetBefore, resulttest.FaultResetAfter, resulttest.FaultTooManyRequests,
	resulttest.FaultInternal, resulttest.FaultUnavailable, resulttest.FaultHalfBody, resulttest.FaultGarbage,
}

// arrived are the faults that let the request be carried out.
var arrived = map[resulttest.Fault]bool{resulttest.FaultNone: true, resulttest.FaultResetAfter: true, resulttest.FaultHalfBody: true}

// TestFaults holds both forms to the same: what the client sees, and whether the
// service was reached.
func TestFaults(t *testing.T) {
	t.Parallel()
	const answer = `{"orders":["ORD-1"]}`
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
				faults := &resulttest.Faults{Script: []resulttest.Fault{fault}, RetryAfter: 1500 * time.Millisecond}
				client, url := http.DefaultClient, ""
				if form == "as a service" {
					url = faults.Serve(t, work).URL
				} else {
					server := httptest.NewServer(work)
					defer server.Close()
					url, client = server.URL, &http.Client{Transport: faults}
				}
				ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
				defer cancel()
				start := time.Now()
				status, retryAfter, body, err := post(ctx, client, url)
				assert.Less(t, time.Since(start), 10*time.Second)
				switch fault {
				case resulttest.FaultNone:
					require.NoError(t, err)
					assert.JSONEq(t, answer, body)
				case resulttest.FaultStall:
					require.ErrorIs(t, err, context.DeadlineExceeded)
				case resulttest.FaultResetBefore, resulttest.FaultResetAfter:
					assert.True(t, errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE), "%v", err)
				case resulttest.FaultHalfBody:
					require.ErrorIs(t, err, io.ErrUnexpectedEOF)
					assert.Equal(t, answer[:len(answer)/2], body)
				case resulttest.FaultGarbage:
					require.NoError(t, err)
					assert.Equal(t, http.StatusOK, status)
					assert.NotEqual(t, answer, body)
				case resulttest.FaultTooManyRequests, resulttest.FaultInternal, resulttest.FaultUnavailable:
					require.NoError(t, err)
					assert.Equal(t, string(fault), strconv.Itoa(status))
					assert.Equal(t, map[bool]string{true: "2"}[fault != resulttest.FaultInternal], retryAfter)
				}
				want := int64(0)
				if arrived[fault] {
					want = 1
				}
				assert.Equal(t, want, carriedOut.Load(), "whether it was carried out")
				assert.Equal(t, []resulttest.Fault{fault}, faults.Drawn())
			})
		}
	}
}

func post(ctx context.Context, client *http.Client, url string) (status int, retryAfter, body string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader("order"))
	if err != nil {
		return 0, "", "", err
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", "", err
	}
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, resp.Header.Get("Retry-After"), string(raw), err
}

// What an author writes to test the error paths of a tool: the arguments, what its
// upstream does, and what the agent is to be told.
func TestTheErrorPathsOfATool(t *testing.T) {
	t.Parallel()
	orders := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/ORD-10001" {
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(orders.Close)
	for name, test := range map[string]struct {
		order    any
		fault    resulttest.Fault
		category toolerr.Category
		code     toolerr.Code
	}{
		"invalid":        {48291, resulttest.FaultNone, toolerr.CategoryValidation, toolerr.CodeInvalidArgument},
		"missing":        {"", resulttest.FaultNone, toolerr.CategoryValidation, toolerr.CodeMissingArgument},
		"not found":      {"ORD-7", resulttest.FaultNone, toolerr.CategoryValidation, toolerr.CodeNotFound},
		"upstream 500":   {"ORD-10001", resulttest.FaultInternal, toolerr.CategoryTransient, toolerr.CodeUnavailable},
		"upstream 429":   {"ORD-10001", resulttest.FaultTooManyRequests, toolerr.CategoryTransient, toolerr.CodeRateLimited},
		"upstream hangs": {"ORD-10001", resulttest.FaultStall, toolerr.CategoryTransient, toolerr.CodeTimeout},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			upstream := &http.Client{Timeout: 500 * time.Millisecond, Transport: &resulttest.Faults{Script: []resulttest.Fault{test.fault}}}
			server := mcp.NewServer(&mcp.Implementation{Name: "orders"}, nil)
			server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
			add(server, readOnly("find"), envelope, func(_ context.Context, in lookup) (*mcp.CallToolResult, error) {
				resp, err := upstream.Get(orders.URL + "/" + in.OrderID)
				if err != nil {
					return nil, err
				}
				if e := toolerr.FromResponse(resp); e != nil {
					return nil, e
				}
				return result.OK(in.OrderID), resp.Body.Close()
			})
			session := testutil.Connect(t, server, nil)
			find := func(order any) result.Outcome {
				return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "find", Arguments: map[string]any{"order_id": order}}))
			}
			resulttest.AssertFailure(t, find(test.order), test.category, test.code)
			if test.fault != resulttest.FaultNone {
				assert.Equal(t, result.KindData, find(test.order).Kind, "it is the fault that made it fail")
			}
		})
	}
}

func TestFaultsComeInOrderAndThenByChance(t *testing.T) {
	t.Parallel()
	draw := func(seed uint64) []resulttest.Fault {
		faults := &resulttest.Faults{
			Script: []resulttest.Fault{resulttest.FaultInternal, resulttest.FaultNone, resulttest.FaultGarbage},
			Chance: map[resulttest.Fault]float64{resulttest.FaultUnavailable: 0.25, resulttest.FaultTooManyRequests: 0.25},
			Seed:   seed,
		}
		client, url := http.DefaultClient, faults.Serve(t, nil).URL
		for range 100 {
			_, _, _, err := post(t.Context(), client, url)
			require.NoError(t, err)
		}
		return faults.Drawn()
	}
	first := draw(7)
	assert.Equal(t, []resulttest.Fault{resulttest.FaultInternal, resulttest.FaultNone, resulttest.FaultGarbage}, first[:3])
	assert.Equal(t, first, draw(7), "the same seed, the same faults")
	assert.NotEqual(t, first, draw(8))
	counts := map[resulttest.Fault]int{}
	for _, fault := range first[3:] {
		counts[fault]++
	}
	assert.Len(t, counts, 3)
	assert.InDelta(t, 24, counts[resulttest.FaultUnavailable], 12)
	assert.InDelta(t, 24, counts[resulttest.FaultTooManyRequests], 12)
}

func TestAStallThatNobodyEnds(t *testing.T) {
	t.Parallel()
	stall := []resulttest.Fault{resulttest.FaultStall}
	faults := &resulttest.Faults{Script: stall, Stall: 20 * time.Millisecond}
	_, _, _, err := post(t.Context(), &http.Client{Transport: faults}, "http://127.0.0.1:1")
	require.ErrorIs(t, err, syscall.ECONNRESET)
	faults = &resulttest.Faults{Script: stall, Stall: 20 * time.Millisecond}
	_, _, _, err = post(t.Context(), http.DefaultClient, faults.Serve(t, nil).URL)
	require.ErrorIs(t, err, syscall.ECONNRESET)
}

func TestTheEndOfATestEndsAStall(t *testing.T) {
	start := time.Now()
	t.Run("a test", func(t *testing.T) {
		faults := &resulttest.Faults{Script: []resulttest.Fault{resulttest.FaultStall}}
		url := faults.Serve(t, nil).URL
		go func() { _, _, _, _ = post(context.Background(), http.DefaultClient, url) }()
		require.Eventually(t, func() bool { return len(faults.Drawn()) == 1 }, time.Second, time.Millisecond)
	})
	assert.Less(t, time.Since(start), 10*time.Second)
}

func TestAFaultThatDoesNotExist(t *testing.T) {
	t.Parallel()
	faults := &resulttest.Faults{Script: []resulttest.Fault{"flood", "flood"}}
	_, _, _, err := post(t.Context(), &http.Client{Transport: faults}, "http://127.0.0.1:1")
	require.ErrorContains(t, err, `no fault is called "flood"`)
	status, _, _, err := post(t.Context(), http.DefaultClient, faults.Serve(t, nil).URL)
	require.NoError(t, err)
	assert.Equal(t, http.StatusNotImplemented, status)
}
