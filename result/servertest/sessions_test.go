package servertest_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A limiter is a server that rejects calls after the first few for some time.
func limiter(free int, wait, real time.Duration) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "limiter"}, nil)
	var mu sync.Mutex
	var until time.Time
	add(server, readOnly("find"), envelope, func(ctx context.Context, in lookup) (*mcp.CallToolResult, error) {
		mu.Lock()
		defer mu.Unlock()
		if free--; free == 0 {
			until = time.Now().Add(real)
		}
		if free <= 0 && time.Now().Before(until) {
			return result.Failure(toolerr.RateLimited("Too many calls.", wait)), nil
		}
		return found(ctx, in)
	})
	return server
}

func TestCheck_Waits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		wait, real time.Duration
		want       []string
	}{
		"true":           {time.Second, time.Second, []string{}},
		"too short":      {time.Second, time.Hour, []string{"find false_wait"}},
		"short at first": {time.Second, 2 * time.Second, []string{}},
		"too long":       {time.Hour, time.Hour, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				report, err := servertest.Check(t.Context(), testutil.Connect(t, limiter(2, test.wait, test.real), nil), nil)
				require.NoError(t, err)
				assert.Equal(t, test.want, kinds(report), "%s", report.Findings)
				assert.Less(t, time.Since(start), 5*time.Second, "it waits no longer than it says")
			})
		})
	}
}

func TestCheck_OtherSession(t *testing.T) {
	t.Parallel()
	server := func(fail func(error) (*mcp.CallToolResult, error), answer answerer, tools ...string) *mcp.Server {
		s := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
		for _, name := range append(tools, "find") {
			add(s, readOnly(name), fail, answer)
		}
		return s
	}
	flaky := 0
	for name, test := range map[string]struct {
		one, other *mcp.Server
		want       []string
		detail     string
	}{
		"alike":            {server(envelope, found), server(envelope, found), []string{}, ""},
		"a failure":        {server(envelope, found), server(envelope, failing("Internal error")), []string{"find differs"}, "the answer is data here and failure on the other session"},
		"another code":     {server(envelope, found), server(saying(`{"isError":true,"errorCategory":"validation","isRetryable":false,"message":"m","hint":"h"}`), found), []string{"find differs"}, `the code is "missing_argument"`},
		"no such tool":     {server(envelope, found, "more"), server(envelope, found), []string{"more differs"}, "the other session has no such tool"},
		"a protocol error": {server(envelope, found), server(func(err error) (*mcp.CallToolResult, error) { return nil, err }, found), []string{"find differs"}, "this session returned a result"},
		"from call to call": {server(envelope, func(ctx context.Context, in lookup) (*mcp.CallToolResult, error) {
			if flaky++; flaky > 1 {
				return envelope(toolerr.Transient("It is away."))
			}
			return found(ctx, in)
		}), server(envelope, failing(`{"isError":true,"errorCategory":"transient","code":"unavailable","isRetryable":true,"effect":"none","message":"m","hint":"h"}`)), []string{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := servertest.Check(t.Context(), testutil.Connect(t, test.one, nil), &servertest.Options{
				Other: func(context.Context) (*mcp.ClientSession, error) { return testutil.Connect(t, test.other, nil), nil },
			})
			require.NoError(t, err)
			require.Equal(t, test.want, kinds(report), "%s", report.Findings)
			if test.detail != "" {
				assert.Contains(t, report.Findings[len(test.want)-1].Detail, test.detail)
			}
		})
	}
	_, err := servertest.Check(t.Context(), testutil.Connect(t, server(envelope, found), nil), &servertest.Options{
		Other: func(context.Context) (*mcp.ClientSession, error) { return nil, context.Canceled },
	})
	require.ErrorContains(t, err, "the other session: ")
}
