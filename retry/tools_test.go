package retry_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// onList handles the requests for the tool list, unless f returns nothing.
func (w *world) onList(f func(ctx context.Context, asked int64) (*mcp.ListToolsResult, error)) {
	var asked atomic.Int64
	w.on("tools/list", func(ctx context.Context, _ mcp.Request) (mcp.Result, error) {
		if list, err := f(ctx, asked.Add(1)); list != nil || err != nil {
			return list, err
		}
		return nil, nil
	})
}

// TestClient_SlowList checks that a call of a keyed tool is never sent without its key because the list is slow, has
// no end, or cannot be read because the session or the first caller is lost.
func TestClient_SlowList(t *testing.T) {
	t.Parallel()
	type list = func(ctx context.Context, w *world, asked int64) (*mcp.ListToolsResult, error)
	takes := func(d time.Duration) list {
		return func(ctx context.Context, _ *world, _ int64) (*mcp.ListToolsResult, error) {
			limited, cancel := context.WithTimeout(ctx, d)
			defer cancel()
			<-limited.Done()
			return nil, ctx.Err()
		}
	}
	empty := func(_ context.Context, _ *world, asked int64) (*mcp.ListToolsResult, error) {
		time.Sleep(100 * time.Millisecond) // in a bubble
		return &mcp.ListToolsResult{Tools: []*mcp.Tool{}, NextCursor: fmt.Sprint(asked)}, nil
	}
	cuts := func(_ context.Context, w *world, asked int64) (*mcp.ListToolsResult, error) {
		if asked == 1 {
			w.cut()
		}
		return nil, nil
	}
	for name, test := range map[string]struct {
		list  list
		limit time.Duration
		sent  bool
	}{
		"over a second":                {takes(2500 * time.Millisecond), 0, true},
		"longer than an attempt":       {takes(900 * time.Millisecond), 400 * time.Millisecond, true},
		"longer than all the attempts": {takes(time.Minute), 400 * time.Millisecond, false},
		"silent":                       {takes(time.Hour), 300 * time.Millisecond, false},
		"empty pages":                  {empty, 300 * time.Millisecond, false},
		"the session is lost":          {cuts, 0, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(gives("done"))
			w.onList(func(ctx context.Context, asked int64) (*mcp.ListToolsResult, error) { return test.list(ctx, w, asked) })
			c := w.client(t)
			c.Policy = retry.Policy{BaseDelay: 2 * time.Second, AttemptTimeout: test.limit}
			var callers sync.WaitGroup
			for range 10 {
				callers.Go(func() {
					out, d := c.CallTool(t.Context(), tool("charge"))
					assert.Equal(t, test.sent, d.Action == retry.ActionAccept, name)
					if !test.sent && assert.NotNil(t, out.Err) {
						assert.Equal(t, "transient none propagate", testutil.Words(out.Err.Category, out.Err.Effect, d.Action))
					}
				})
			}
			callers.Wait()
			assert.Equal(t, test.sent, w.calls.Load() == 10)
			for n := range w.calls.Load() {
				assert.NotEmpty(t, keyOf(t, w, n+1))
			}
			if !test.sent {
				_, _ = w.plainSession(t, c.Policy).CallTool(t.Context(), tool("charge"))
				assert.Zero(t, w.calls.Load(), "a tool that is not known is not called")
			}
			_ = c.Close()
			time.Sleep(2 * time.Minute) // in a bubble, whose goroutines have to end
		})
	}
}

// TestClient_HostileLists checks that a keyed tool is never called without its key, whatever the server's list is like.
func TestClient_HostileLists(t *testing.T) {
	t.Parallel()
	var many []*mcp.Tool
	for i := range 10_010 {
		many = append(many, keyedTool(fmt.Sprint("tool-", i)))
	}
	// the list of a test returns the tools and the cursor of the nth page; no tools are an error
	type list = func(c *retry.Client, n int) ([]*mcp.Tool, string)
	whole := func(*retry.Client, int) ([]*mcp.Tool, string) { return many, "" }
	repeats := func(_ *retry.Client, n int) ([]*mcp.Tool, string) { return many[n : n+1], "next" }
	one := func(_ *retry.Client, n int) ([]*mcp.Tool, string) { return many[1:max(3-n, 1)], "2" }
	changes := func(c *retry.Client, _ int) ([]*mcp.Tool, string) {
		c.Options(nil).ToolListChangedHandler(t.Context(), nil)
		return many[:1], ""
	}
	for name, test := range map[string]struct {
		list  list
		tools []string
		sent  bool
	}{
		"too many tools":              {whole, []string{"tool-1", "tool-9999"}, true},
		"a repeated cursor":           {repeats, []string{"tool-40"}, false},
		"no second page":              {one, []string{"tool-2"}, false},
		"it changes with each answer": {changes, []string{"tool-1"}, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked, s := 0, &fakeSession{server: "fake v1"}
			c := clientOf(t, func(int) *fakeSession { return s })
			s.list = func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
				asked++
				tools, next := test.list(c, asked)
				if len(tools) == 0 {
					return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "no"}
				}
				return &mcp.ListToolsResult{Tools: tools, NextCursor: next}, nil
			}
			for _, tool := range test.tools {
				out, _ := call(t, c, tool)
				assert.Equal(t, test.sent, out.Err == nil, name)
				assert.True(t, test.sent || out.Err.Effect == toolerr.EffectNone, name)
				assert.True(t, !test.sent || s.key() != nil, "%s: %s has a key", name, tool)
			}
			assert.Equal(t, test.sent, s.calls.Load() > 0, name)
		})
	}
}

// paged returns a list of two pages, which counts the requests for the first. The tool on the second takes a key.
func paged(asked *atomic.Int64) lister {
	return func(_ context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		if params.Cursor == "2" {
			return &mcp.ListToolsResult{Tools: []*mcp.Tool{keyedTool("charge")}}, nil
		}
		asked.Add(1)
		return &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "tool"}}, NextCursor: "2"}, nil
	}
}

// TestClient_KnownTools checks how long a list of tools is current, for those that it has and for others, and that it
// is kept across sessions until the server reports a change or another version. Each session asks for it again. A call
// that may have taken effect is not repeated if its tool no longer takes a key.
func TestClient_KnownTools(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		var last *fakeSession
		servers := []string{"fake v1", "fake v1", "fake v2", "", "fake v3"}
		c := clientOf(t, func(n int) *fakeSession {
			list := paged(&asked)
			last = &fakeSession{list: list, server: servers[n-1]}
			switch n {
			case 2: // the list of the first session is used meanwhile
				last.list = func(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
					read, err := list(ctx, params)
					select {
					case <-time.After(time.Second):
					case <-ctx.Done():
					}
					return read, err
				}
			case 5:
				last.list = lists(&mcp.Tool{Name: "charge", InputSchema: object})
			}
			return last
		})
		for n, test := range []struct {
			why   string
			after time.Duration
			tool  string
			want  string // the attempts, and the lists so far
		}{
			{"the first call", 0, "charge", "1 1"},
			{"still current", 5 * time.Minute, "charge", "1 1"},
			{"too old", 1, "charge", "1 2"},
			{"still current for others", time.Minute, "dream", "1 2"},
			{"too old for others", 1, "dream", "1 3"},
			{"the same server", 0, "charge", "2 4"},
			{"another version", 0, "charge", "2 5"},
			{"changed list", 0, "charge", "1 6"},
			{"server without an identity", 0, "charge", "2 7"},
		} {
			time.Sleep(test.after) // in a bubble
			if last != nil {
				last.exits = strings.HasPrefix(test.want, "2")
			}
			if test.why == "changed list" {
				c.Options(nil).ToolListChangedHandler(t.Context(), nil)
			}
			start := time.Now()
			_, d := call(t, c, test.tool)
			assert.Less(t, time.Since(start), time.Second, "%s: the call waits for a list", test.why)
			synctest.Wait()
			assert.Equal(t, test.want, testutil.Words(d.Attempt, asked.Load()), "%d: %s", n, test.why)
			assert.Equal(t, retry.ActionAccept, d.Action, test.why)
			assert.Equal(t, test.tool == "charge", last.key() != nil, test.why)
		}
		last.exits = true
		_, d := call(t, c, "charge")
		assert.Equal(t, "verify 0", testutil.Words(d.Action, last.calls.Load()), "no key in the new version")
	})
}

// TestClient_FailedList checks that a listing that fails removes no tools, and that a session whose server neither
// lists its tools nor answers a ping is replaced.
func TestClient_FailedList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		last, waits := new(fakeSession), func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		fails := func(as func(context.Context) error) lister {
			return func(ctx context.Context, _ *mcp.ListToolsParams) (*mcp.ListToolsResult, error) { return nil, as(ctx) }
		}
		c := clientOf(t, func(n int) *fakeSession {
			if last = (&fakeSession{list: lists(keyedTool("charge"))}); n == 1 {
				last.ping, last.list = waits, fails(waits)
			}
			return last
		})
		c.Policy = retry.Policy{AttemptTimeout: 4 * time.Second, BaseDelay: time.Second}
		for range 4 {
			_, d := call(t, c, "charge")
			assert.Equal(t, retry.ActionAccept, d.Action)
			synctest.Wait()
			last.list = fails(func(context.Context) error { return errRefused })
			time.Sleep(6 * time.Minute) // in a bubble, until the list is outdated
		}
	})
}
