package retry_test

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// keys counts the calls of charge with and without a key.
type keys struct{ with, without atomic.Int64 }

func (k *keys) handle(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Params.Name == "charge" {
		if string(req.Params.Arguments) == "{}" {
			k.without.Add(1)
		} else {
			k.with.Add(1)
		}
	}
	return result.OK("done"), nil
}

// TestClient_SlowList checks that a call of a keyed tool is never sent without its key
// because the list is slow.
func TestClient_SlowList(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		list, limit time.Duration
		sent        bool
	}{
		"over a second":                {2500 * time.Millisecond, 0, true},
		"longer than an attempt":       {900 * time.Millisecond, 400 * time.Millisecond, true},
		"longer than all the attempts": {time.Minute, 400 * time.Millisecond, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var got keys
				w := newWorld(got.handle)
				w.onList(func(ctx context.Context) (*mcp.ListToolsResult, error) {
					select {
					case <-time.After(test.list):
						return nil, nil
					case <-ctx.Done():
						return nil, ctx.Err()
					}
				})
				c := &retry.Client{Connect: w.connect, Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: 2 * time.Second, AttemptTimeout: test.limit}}
				var callers sync.WaitGroup
				for range 10 {
					callers.Go(func() {
						out, d := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "charge"})
						assert.Equal(t, test.sent, d.Action == retry.ActionAccept, d.Reason)
						if !test.sent && assert.NotNil(t, out.Err) {
							assert.Equal(t, "transient none propagate", fmt.Sprint(out.Err.Category, " ", out.Err.Effect, " ", d.Action))
						}
					})
				}
				callers.Wait()
				assert.Zero(t, got.without.Load(), "calls without a key")
				_ = c.Close()
			})
		})
	}
}

// paged returns a server with many tools, a hundred on a page. The last tool takes a key.
func paged(pages int, asked *atomic.Int64) func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	keyed := map[string]any{"type": "object", "properties": map[string]any{"idempotency_key": map[string]any{"type": "string"}}}
	return func(_ context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		asked.Add(1)
		page, _ := strconv.Atoi(params.Cursor)
		list := &mcp.ListToolsResult{}
		for i := range 100 {
			list.Tools = append(list.Tools, &mcp.Tool{Name: fmt.Sprint("tool-", page*100+i), InputSchema: map[string]any{"type": "object"}})
		}
		if page+1 < pages {
			list.NextCursor = strconv.Itoa(page + 1)
		} else {
			list.Tools[99] = &mcp.Tool{Name: "charge", InputSchema: keyed}
		}
		return list, nil
	}
}

// TestClient_BigList checks that a list of many pages is read once.
func TestClient_BigList(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		s := &fakeSession{list: paged(90, &asked)}
		c := s.client()
		_, _ = call(t, c, "tool-205")
		_, _ = call(t, c, "charge")
		assert.NotEmpty(t, s.key(), "key of the last of 9,000 tools")
		for range 100 { // invented names
			_, _ = call(t, c, "tool-of-dreams")
		}
		assert.Equal(t, int64(90), asked.Load(), "pages")
		_ = c.Close()
	})
}

// TestClient_MadeUpNames checks that the duration of a list limits how often it is read for
// unknown names.
func TestClient_MadeUpNames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int64
		list := paged(10, &asked)
		s := &fakeSession{list: func(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
			time.Sleep(300 * time.Millisecond) // in a bubble
			return list(ctx, params)
		}}
		c := s.client()
		for range 120 {
			_, _ = call(t, c, "dream")
			time.Sleep(time.Second) // in a bubble
		}
		assert.LessOrEqual(t, asked.Load(), int64(30), "pages in two minutes; a list has ten and takes 3 s")
		_ = c.Close()
	})
}

// TestClient_KnownTools checks that the tools of a server are cached across sessions until
// it reports a change or another version.
func TestClient_KnownTools(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	sessions := make(chan *fakeSession, 9)
	next := func(version string) *fakeSession {
		s := &fakeSession{list: paged(1, &asked), version: version, over: make(chan struct{})}
		sessions <- s
		return s
	}
	c := &retry.Client{Safety: retry.SafetyOf, Policy: quick, Connect: func(context.Context) (retry.ClientSession, error) { return <-sessions, nil }}
	defer func() { _ = c.Close() }()
	first := next("v1")
	_, _ = call(t, c, "charge")
	assert.Equal(t, int64(1), asked.Load())

	first.exits = true
	second := next("v1")
	_, d := call(t, c, "charge")
	assert.Equal(t, retry.ActionAccept, d.Action)
	assert.Equal(t, int64(1), asked.Load(), "the same server")
	assert.NotEmpty(t, second.key())
	assert.Equal(t, 2, d.Attempt)

	second.exits = true
	third := next("v2")
	_, d = call(t, c, "charge")
	assert.Equal(t, int64(2), asked.Load(), "another version")
	assert.Equal(t, 2, d.Attempt)

	c.Options(nil).ToolListChangedHandler(t.Context(), nil)
	_, _ = call(t, c, "charge")
	assert.Equal(t, int64(3), asked.Load(), "changed list")

	third.exits = true
	_ = next("")
	_, _ = call(t, c, "charge")
	assert.Equal(t, int64(4), asked.Load(), "server without an identity")
}

// TestClient_KeyGoneInNewVersion checks that a call that may have taken effect is not
// repeated if its tool no longer takes a key.
func TestClient_KeyGoneInNewVersion(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	old := &fakeSession{list: paged(1, &asked), version: "v1", exits: true, over: make(chan struct{})}
	now := &fakeSession{version: "v2", over: make(chan struct{}), list: func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
		return &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "charge", InputSchema: map[string]any{"type": "object"}}}}, nil
	}}
	sessions := []*fakeSession{old, now}
	c := &retry.Client{Safety: retry.SafetyOf, Policy: quick, Connect: func(context.Context) (retry.ClientSession, error) {
		s := sessions[0]
		sessions = sessions[1:]
		return s, nil
	}}
	defer func() { _ = c.Close() }()
	_, d := call(t, c, "charge")
	assert.Equal(t, retry.ActionVerify, d.Action)
	assert.Zero(t, now.calls.Load())
}

// TestClient_ToolsAlwaysChange checks that a server that reports a change with each list
// does not block callers.
func TestClient_ToolsAlwaysChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var c *retry.Client
		s := &fakeSession{list: func(ctx context.Context, _ *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
			c.Options(nil).ToolListChangedHandler(ctx, nil)
			return &mcp.ListToolsResult{}, nil
		}}
		c = s.client()
		out, d := call(t, c, "charge")
		assert.Equal(t, "no_attempts_left none", fmt.Sprint(d.Reason, " ", out.Err.Effect))
		assert.Zero(t, s.calls.Load())
		_ = c.Close()
	})
}
