package idempotency_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type chargeIn struct {
	Cents          int64  `json:"cents"`
	IdempotencyKey string `json:"idempotency_key,omitempty"`
}

type chargeOut struct {
	Number int64    `json:"number"`
	Lines  []string `json:"lines"`
}

// A till counts the runs of its handler, whose outcome a test can set.
type till struct {
	ran  atomic.Int64
	keys sync.Map // seen by the handler
	ends func(ctx context.Context, run int64) error
}

func (c *till) charge(ctx context.Context, _ *mcp.CallToolRequest, in chargeIn) (*mcp.CallToolResult, chargeOut, error) {
	run := c.ran.Add(1)
	c.keys.Store(in.IdempotencyKey, true)
	if c.ends != nil {
		if err := c.ends(ctx, run); err != nil {
			return nil, chargeOut{}, err
		}
	}
	return nil, chargeOut{Number: 9007199254740993 + run}, nil
}

// server has the tools charge and charge_twice.
func (c *till) server(opts *idempotency.Options) *mcp.Server {
	return c.serverWith(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}, opts)
}

func (c *till) serverWith(middleware *result.MiddlewareOptions, opts *idempotency.Options) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(middleware))
	for _, name := range []string{"charge", "other_charge"} {
		idempotency.AddTool(server, &mcp.Tool{Name: name}, opts, c.charge)
	}
	return server
}

func charge(t *testing.T, session *mcp.ClientSession, tool string, cents int, key string) result.Outcome {
	t.Helper()
	arguments := map[string]any{"cents": cents}
	if key != "" {
		arguments["idempotency_key"] = key
	}
	return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments}))
}

func TestHandler_FirstAnswer(t *testing.T) {
	t.Parallel()
	c, wire := new(till), new(testutil.Wire)
	session := testutil.Connect(t, c.server(new(idempotency.Options)), wire)
	reply := func(tool string, cents int, key string) string {
		require.NoError(t, charge(t, session, tool, cents, key).AsError())
		_, text, _ := strings.Cut(string(wire.Last()), `"result":`)
		return text
	}
	first := reply("charge", 40, "k")
	assert.Contains(t, first, `"structuredContent":{"lines":[],"number":9007199254740994}`)
	assert.Equal(t, first, reply("charge", 40, "k"))
	assert.Equal(t, int64(1), c.ran.Load())

	out := charge(t, session, "charge", 41, "k")
	assert.Equal(t, "validation conflict none idempotency_key", string(out.Err.Category)+" "+string(out.Err.Code)+" "+string(out.Err.Effect)+" "+out.Err.Field)
	assert.NotEqual(t, first, reply("other_charge", 40, "k"), "another tool's key is another key")
	assert.NotEqual(t, first, reply("charge", 40, "other"))
	keyless := reply("charge", 40, "")
	assert.NotEqual(t, keyless, reply("charge", 40, ""), "calls without a key are not repeats")
	assert.Equal(t, int64(5), c.ran.Load())

	out = charge(t, session, "charge", 1, strings.Repeat("k", 256))
	assert.Equal(t, "idempotency_key", out.Err.Field)
}

func TestHandler_EmptyAnswer(t *testing.T) {
	t.Parallel()
	runs := 0
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	opts := new(idempotency.Options)
	idempotency.AddTool(server, &mcp.Tool{Name: "typed"}, opts, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, items, error) {
		runs++
		return result.Empty("Nothing was due.", nil), items{}, nil
	})
	idempotency.AddTool(server, &mcp.Tool{Name: "any"}, opts, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
		runs++
		return result.OK(map[string]any{"n": int64(9007199254740993)}), nil, nil
	})
	wire := new(testutil.Wire)
	session := testutil.Connect(t, server, wire)
	for _, tool := range []string{"typed", "any"} {
		var replies []string
		for range 2 {
			require.NoError(t, charge(t, session, tool, 1, "k").AsError())
			_, text, _ := strings.Cut(string(wire.Last()), `"result":`)
			replies = append(replies, text)
		}
		assert.Equal(t, replies[0], replies[1])
	}
	assert.Equal(t, 2, runs)
}

func TestHandler_Failures(t *testing.T) {
	t.Parallel()
	rule := func(err error) (*toolerr.Error, bool) {
		return toolerr.Business("Sold out.").WithEffect(toolerr.EffectNone), errors.Is(err, errSoldOut)
	}
	for name, test := range map[string]struct {
		err         error
		rerun       bool
		again       bool // whether the repeat runs
		retryable   bool // what the first failure says
		description string
	}{
		"no effect":            {err: toolerr.Transient("m").WithEffect(toolerr.EffectNone), again: true, retryable: true},
		"stated by nobody":     {err: toolerr.Transient("m")},
		"refused":              {err: toolerr.LimitExceeded("m", "c"), again: true},
		"by rule":              {err: errSoldOut, again: true},
		"final":                {err: toolerr.Business("m").WithEffect(toolerr.EffectUnknown)},
		"lost":                 {err: context.DeadlineExceeded},
		"lost, passed on":      {err: context.DeadlineExceeded, rerun: true, again: true},
		"unknown":              {err: errors.New(secret)},
		"unknown, passed on":   {err: errors.New(secret), rerun: true, again: true},
		"applied":              {err: toolerr.Transient("m").WithEffect(toolerr.EffectApplied)},
		"applied, passed on":   {err: toolerr.Transient("m").WithEffect(toolerr.EffectApplied), rerun: true},
		"unknown, with a hint": {err: toolerr.Transient("m").WithEffect(toolerr.EffectUnknown).WithHint("Ask.")},
	} {
		c := &till{ends: func(_ context.Context, run int64) error {
			if run == 1 {
				return test.err
			}
			return nil
		}}
		session := testutil.Connect(t, c.serverWith(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler), Rules: []toolerr.Rule{rule}}, &idempotency.Options{Rerun: test.rerun}), nil)
		first := charge(t, session, "charge", 40, "") // the server makes the key
		require.NotNil(t, first.Err, name)
		assert.Equal(t, first.Err.Effect != toolerr.EffectUnknown, first.Err.IdempotencyKey == "", name)
		if first.Err.Effect == toolerr.EffectApplied {
			assert.Equal(t, int64(1), c.ran.Load(), name)
			continue
		}
		assert.Equal(t, test.retryable, first.Err.Retryable, name)
		second := charge(t, session, "charge", 40, first.Err.IdempotencyKey)
		if test.again {
			require.NoError(t, second.AsError(), name)
			assert.Equal(t, int64(2), c.ran.Load(), name)
		} else {
			assert.Equal(t, int64(1), c.ran.Load(), name)
			assert.Equal(t, correlation.ReplaceAllString(first.Text(), ""), correlation.ReplaceAllString(second.Text(), ""), name)
			assert.NotContains(t, first.Text(), "hunter2")
		}
		c.keys.Range(func(key, _ any) bool {
			return assert.NotEmpty(t, key) && (first.Err.IdempotencyKey == "" || assert.Equal(t, first.Err.IdempotencyKey, key, "the handler sees the key that was made"))
		})
	}
}

// Names in an error are looked up in the call's arguments, as by the middleware.
func TestHandler_InvalidArgument(t *testing.T) {
	t.Parallel()
	c := new(till)
	c.ends = func(context.Context, int64) error {
		_, err := strconv.ParseInt("1000", 10, 8)
		return err
	}
	session := testutil.Connect(t, c.server(new(idempotency.Options)), nil)
	for cents, want := range map[int]string{1000: "validation out_of_range cents", 5: "transient internal "} {
		e := charge(t, session, "charge", cents, fmt.Sprint("k", cents)).Err
		assert.Equal(t, want, fmt.Sprint(e.Category, " ", e.Code, " ", e.Field))
	}
}

// An answer that cannot be parsed may be the reply to an executed request, even with an author's
// own message.
func TestHandler_UnreadableAnswer(t *testing.T) {
	t.Parallel()
	c := new(till)
	c.ends = func(_ context.Context, run int64) error {
		var number int64
		err := json.Unmarshal([]byte("<html>"), &number)
		if run == 3 {
			return toolerr.From(err).WithMessage("The amount is no number.").WithEffect(toolerr.EffectNone)
		}
		return toolerr.Wrap(err, "The bank's answer cannot be read.")
	}
	session := testutil.Connect(t, c.server(new(idempotency.Options)), nil)
	for range 2 {
		e := charge(t, session, "charge", 1, "k").Err
		assert.Equal(t, "transient unknown false", fmt.Sprint(e.Category, " ", e.Effect, " ", e.Retryable))
	}
	assert.Equal(t, int64(1), c.ran.Load())
	_ = charge(t, session, "charge", 1, "l")
	assert.Equal(t, toolerr.EffectNone, charge(t, session, "charge", 1, "m").Err.Effect, "its author says so")
}

// While a call may run again, its key cannot be used for another call.
func TestHandler_OtherArguments(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opts *idempotency.Options
		fail *toolerr.Error
		want toolerr.Code // of another call under the key
	}{
		"a lost reply":         {&idempotency.Options{Rerun: true}, toolerr.Transient("m").WithEffect(toolerr.EffectUnknown), toolerr.CodeConflict},
		"there was no effect":  {new(idempotency.Options), toolerr.Transient("m").WithEffect(toolerr.EffectNone), ""},
		"it may not run again": {new(idempotency.Options), toolerr.Transient("m").WithEffect(toolerr.EffectUnknown), toolerr.CodeConflict},
	} {
		c := &till{ends: func(_ context.Context, run int64) error {
			if run == 1 {
				return test.fail
			}
			return nil
		}}
		session := testutil.Connect(t, c.server(test.opts), nil)
		require.Error(t, charge(t, session, "charge", 40, "k").AsError(), name)
		assert.Equal(t, test.want, toolerr.CodeOf(charge(t, session, "charge", 9900, "k").AsError()), name)
		again := charge(t, session, "charge", 40, "k")
		switch name {
		case "there was no effect":
			assert.Equal(t, toolerr.CodeConflict, again.Err.Code, "the key belongs to the call that succeeded")
		case "it may not run again":
			assert.Equal(t, toolerr.EffectUnknown, again.Err.Effect)
		default:
			require.NoError(t, again.AsError(), name)
			assert.Equal(t, int64(2), c.ran.Load(), name)
			assert.Equal(t, toolerr.CodeConflict, toolerr.CodeOf(charge(t, session, "charge", 9900, "k").AsError()), name)
		}
	}
}

func TestHandler_Panic(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	c := &till{ends: func(context.Context, int64) error { panic("at " + secret) }}
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, nil, c.charge)
	session := testutil.Connect(t, server, nil)
	for range 2 {
		out := charge(t, session, "charge", 1, "k")
		assert.Equal(t, "internal unknown k", string(out.Err.Code)+" "+string(out.Err.Effect)+" "+out.Err.IdempotencyKey)
	}
	assert.Equal(t, int64(1), c.ran.Load())
	assert.Contains(t, log.String(), "handler_test.go", "the stack is in the log")
}

// Many concurrent calls: one runs, and the others wait for its answer.
func TestHandler_ParallelCalls(t *testing.T) {
	t.Parallel()
	c := &till{ends: func(context.Context, int64) error { <-time.After(50 * time.Millisecond); return nil }}
	session := testutil.Connect(t, c.server(new(idempotency.Options)), nil)
	var texts sync.Map
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			out := charge(t, session, "charge", 40, "k")
			if assert.NoError(t, out.AsError()) {
				texts.Store(out.Text(), true)
			}
		})
	}
	wg.Wait()
	assert.Equal(t, int64(1), c.ran.Load())
	n := 0
	texts.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, 1, n)
}

func TestHandler_StillRunning(t *testing.T) {
	t.Parallel()
	started, end := make(chan bool), make(chan bool)
	c := &till{ends: func(context.Context, int64) error { started <- true; <-end; return nil }}
	session := testutil.Connect(t, c.server(&idempotency.Options{Wait: -1}), nil)
	var wg sync.WaitGroup
	wg.Go(func() { assert.NoError(t, charge(t, session, "charge", 40, "k").AsError()) })
	<-started
	out := charge(t, session, "charge", 40, "k")
	assert.Equal(t, "transient unavailable unknown 1s", string(out.Err.Category)+" "+string(out.Err.Code)+" "+string(out.Err.Effect)+" "+out.Err.RetryAfter.String())
	assert.True(t, out.Err.Retryable)
	assert.Equal(t, toolerr.CodeConflict, charge(t, session, "charge", 41, "k").Err.Code)
	close(end)
	wg.Wait()
	require.NoError(t, charge(t, session, "charge", 40, "k").AsError())
	assert.Equal(t, int64(1), c.ran.Load())
}

// A key belongs to the user of the request's token.
func TestHandler_Principals(t *testing.T) {
	t.Parallel()
	c := new(till)
	server := c.server(new(idempotency.Options))
	verify := func(_ context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{UserID: token, Expiration: time.Now().Add(time.Hour)}, nil
	}
	front := httptest.NewServer(auth.RequireBearerToken(verify, nil)(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)))
	t.Cleanup(front.Close)
	texts := map[string]bool{}
	for _, user := range []string{"ann", "bob", "ann"} {
		client := &http.Client{Transport: bearer(user)}
		session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, HTTPClient: client, DisableStandaloneSSE: true}, nil)
		out := charge(t, session, "charge", 40, "k")
		require.NoError(t, out.AsError())
		texts[out.Text()] = true
	}
	assert.Len(t, texts, 2)
	assert.Equal(t, int64(2), c.ran.Load())

	c = new(till)
	session := testutil.Connect(t, c.server(&idempotency.Options{Principal: func(req *mcp.CallToolRequest) string {
		who, _ := req.Params.Meta["who"].(string)
		return who
	}}), nil)
	for _, who := range []string{"ann", "bob", "ann"} {
		_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "charge", Meta: mcp.Meta{"who": who}, Arguments: map[string]any{"cents": 1, "idempotency_key": "k"}})
		require.NoError(t, err)
	}
	assert.Equal(t, int64(2), c.ran.Load())
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}
