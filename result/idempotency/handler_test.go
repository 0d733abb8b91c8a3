package idempotency_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type items struct {
	Items []string `json:"items"`
}

// random matches what differs between the replies to a call and its repeat.
var random = regexp.MustCompile(`"id":\d+|\d{18}`)

func TestHandler_FirstAnswer(t *testing.T) {
	t.Parallel()
	c, wire := new(till), new(testutil.Wire)
	server := c.server(nil, new(idempotency.Options))
	idempotency.AddTool(server, &mcp.Tool{Name: "empty"}, fresh(nil),
		func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, items, error) {
			c.ran.Add(1)
			return result.Empty("Nothing was due.", nil), items{}, nil
		})
	idempotency.AddTool(server, &mcp.Tool{Name: "any"}, fresh(nil),
		func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			return nil, struct{ Z, A int64 }{9007199254740993 + c.ran.Add(1), 1}, nil
		})
	idempotency.AddTool(server, &mcp.Tool{Name: "content"}, fresh(nil),
		func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			return result.OK(map[string]any{"n": 9007199254740992 + c.ran.Add(1)}), nil, nil
		})
	session := testutil.Connect(t, server, wire)
	reply := func(tool string, cents int, key string) string {
		require.NoError(t, charge(t, session, tool, cents, key).AsError())
		return random.ReplaceAllString(string(wire.Last()), "")
	}
	first := map[string]string{}
	for _, tool := range []string{"charge", "other_charge", "empty", "any", "content"} {
		first[tool] = reply(tool, 40, "k")
		assert.Equal(t, first[tool], reply(tool, 40, "k"))
	}
	assert.Equal(t, int64(5), c.ran.Load(), "another tool's key is another key")
	assert.Contains(t, first["charge"], `"structuredContent":{"lines":[],"number":9007199254740994}`)
	assert.Contains(t, first["any"], `"structuredContent":{"Z":9007199254740997,"A":1}`)
	e := charge(t, session, "charge", 41, "k").Err
	assert.Equal(t, "business conflict none idempotency_key",
		fmt.Sprint(e.Category, " ", e.Code, " ", e.Effect, " ", e.Field))
	assert.NotEqual(t, first["charge"], reply("charge", 40, "other"))
	for range 2 {
		reply("charge", 40, "")
	}
	assert.Equal(t, int64(8), c.ran.Load(), "calls without a key are not repeats")
}

// TestHandler_Repeat checks the answer to a call and to its repeats, which is the same. A failure without
// a stated effect has an unknown effect, whatever it looks like, and the repeat only runs if the handler's
// author has stated that nothing was done.
func TestHandler_Repeat(t *testing.T) {
	t.Parallel()
	var number int64
	unreadable := json.Unmarshal([]byte("<html>"), &number)
	receipt := &mcp.ImageContent{Data: []byte("PNG"), MIMEType: "image/png"}
	broken := func(error) (*toolerr.Error, bool) { panic("a bug of the rule") }
	cases := map[string]struct {
		err   error
		res   *mcp.CallToolResult
		panic string
		rules []toolerr.Rule
		logs  string
	}{
		"decoding the reply":         {err: fmt.Errorf("reading: %w", json.Unmarshal([]byte(`{"cents":"x"}`), new(chargeIn)))},
		"unreadable":                 {err: toolerr.Wrap(unreadable, "The bank's answer cannot be read.")},
		"unreadable, with an effect": {err: toolerr.From(unreadable).WithMessage("No number.").WithEffect(toolerr.EffectNone)},
		"no such host":               {err: &net.DNSError{Err: "no such host", IsNotFound: true}},
		"words":                      {res: failedWith("Paid rate limit exceeded. The receipt is missing", receipt)},
		"an author's content":        {res: failedWith("The receipt is blank.", receipt, &mcp.TextContent{Text: "See above."})},
		"a protocol error":           {err: &jsonrpc.Error{Code: -32042, Message: "open the URL first"}},
		"one of the SDK":             {err: &jsonrpc.Error{Message: "it broke"}},
		"no protocol error":          {err: (*jsonrpc.Error)(nil), logs: "is unclassified"},
		"a panic":                    {panic: "at " + secret, logs: "handler_test.go"},
		"a rule that panics":         {err: errors.New("lost"), rules: []toolerr.Rule{broken}, logs: "a bug of the rule"},
	}
	seen := 0
	testutil.Recorded(t, "testdata/repeats.txt", func(name string) string {
		c, known := cases[name]
		require.True(t, known, name)
		seen++
		var log bytes.Buffer
		opts, ran, wire := logged(&log), 0, new(testutil.Wire)
		opts.Rules = c.rules
		server := keyed(opts, &idempotency.Options{Wait: -1},
			func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, chargeOut, error) {
				if ran++; c.panic != "" {
					panic(c.panic)
				}
				return c.res, chargeOut{}, c.err
			})
		session, replies, answer := testutil.Connect(t, server, wire), make([]string, 3), ""
		for i := range replies {
			out := charge(t, session, "charge", 1, "k")
			require.NotNil(t, out.Err, name)
			replies[i] = random.ReplaceAllString(string(wire.Last()), "")
			e, sent := out.Err, replies[i]
			if out.Result != nil {
				sent = random.ReplaceAllString(testutil.JSON(out.Result.Content), "")
			}
			answer = fmt.Sprintln(e.Category, e.Code, e.Effect, e.Retryable, e.IdempotencyKey) + sent
		}
		assert.Equal(t, []string{replies[0], replies[0]}, replies[1:], name)
		assert.Contains(t, log.String(), c.logs, name)
		return fmt.Sprintf("ran %d times: %s", ran, answer)
	})
	assert.Equal(t, len(cases), seen)
}

func failedWith(text string, more ...mcp.Content) *mcp.CallToolResult {
	content := append([]mcp.Content{&mcp.TextContent{Text: text}}, more...)
	return &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{"bank": "B"}, Content: content}
}

// A tool with the argument for a key, but without this package, gets the advice once. It may
// pass the key on, so that its failures are as retryable as before.
func TestHandler_KeyWithoutHandler(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	result.AddTool(server, &mcp.Tool{Name: "charge"},
		(&till{ends: func(context.Context, int64) error { return context.DeadlineExceeded }}).charge)
	session := testutil.Connect(t, server, nil)
	for range 2 {
		assert.True(t, charge(t, session, "charge", 1, "k").Err.Retryable)
	}
	assert.Equal(t, 1, bytes.Count(log.Bytes(), []byte("does not keep its calls")), log.String())

	log.Reset()
	// its methods panic
	server = keyed(logged(&log), &idempotency.Options{Store: struct{ idempotency.Store }{}}, new(till).charge)
	require.Error(t, charge(t, testutil.Connect(t, server, nil), "charge", 1, "k").AsError())
	assert.NotContains(t, log.String(), "unclassified")
}

// The middleware's options apply to keyed tools.
func TestHandler_MiddlewareOptions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reveals := true
		opts := &result.MiddlewareOptions{Timeout: 30 * time.Millisecond, Reveal: func(error) bool { return reveals }}
		server := keyed(opts, nil, func(ctx context.Context, _ *mcp.CallToolRequest, in chargeIn) (*mcp.CallToolResult,
			chargeOut, error,
		) {
			if in.Cents == 1 {
				<-ctx.Done()
				return nil, chargeOut{}, ctx.Err()
			}
			res := result.Failure(errSoldOut)
			res.Meta = mcp.Meta{"seats": 0}
			return res, chargeOut{}, nil
		})
		session := testutil.Connect(t, server, nil)
		for range 2 {
			assert.Equal(t, "context deadline exceeded", charge(t, session, "charge", 1, "k").Err.Message, "it is revealed")
			assert.Equal(t, "all 3 seats are sold out", charge(t, session, "charge", 2, "l").Err.Message)
		}
		assert.Contains(t, charge(t, session, "charge", 2, "m").Result.Meta, "seats")
		reveals = false
		assert.Equal(t, "The tool did not finish within its time limit of 30ms.",
			charge(t, session, "charge", 1, "n").Err.Message)
	})
}

// Of concurrent calls one runs, and the others wait for its answer, also if they are duplicates of
// an attempt that fails without an effect. Those with other arguments are in conflict.
func TestHandler_ParallelCalls(t *testing.T) {
	t.Parallel()
	busy := toolerr.Transient("Busy.").WithCode(toolerr.CodeUnavailable).WithEffect(toolerr.EffectNone)
	for name, c := range map[string]struct {
		err    error
		meta   mcp.Meta
		others int // how much more the next call charges
		want   map[string]int
	}{
		"the same":          {want: map[string]int{`{"lines":[],"number":9007199254740994}`: 50}},
		"the same, no work": {err: busy, meta: attemptOf("a", 1), want: map[string]int{"unavailable": 50}},
		"others":            {others: 1, want: map[string]int{`{"lines":[],"number":9007199254740994}`: 1, "conflict": 49}},
	} {
		synctest.Test(t, func(t *testing.T) { // time passes when all wait for the first
			till := &till{ends: func(context.Context, int64) error { <-time.After(50 * time.Millisecond); return c.err }}
			session, replies, got := till.connect(t, new(idempotency.Options)), make(chan result.Outcome), map[string]int{}
			for i := range 50 {
				go func() { replies <- chargeWith(t.Context(), session, "charge", 40+i*c.others, "k", c.meta) }()
			}
			for range 50 {
				if out := <-replies; out.Err != nil {
					got[string(out.Err.Code)]++
				} else {
					got[out.Text()]++
				}
			}
			assert.Equal(t, c.want, got, name)
			assert.Equal(t, int64(1), till.ran.Load(), name)
		})
	}
}

// A key belongs to the user of the request's token, or of the option. A token without a user fails.
func TestHandler_Principals(t *testing.T) {
	t.Parallel()
	request := func(user string) *mcp.CallToolRequest {
		arguments := json.RawMessage(`{"cents":40,"idempotency_key":"k"}`)
		return &mcp.CallToolRequest{
			Params: &mcp.CallToolParamsRaw{Name: "charge", Meta: mcp.Meta{"who": user}, Arguments: arguments},
			Extra:  &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}},
		}
	}
	for how, principal := range map[string]func(*mcp.CallToolRequest) string{
		"by token":  nil,
		"by option": func(req *mcp.CallToolRequest) string { return fmt.Sprint(req.Params.Meta["who"]) },
	} {
		c := new(till)
		handler := idempotency.Handler(fresh(&idempotency.Options{Principal: principal}), c.charge)
		for i, user := range []string{"ann", "bob", "ann"} {
			_, out, err := handler(t.Context(), request(user), chargeIn{40, "k"})
			require.NoError(t, err, "%s, %s", how, user)
			assert.Equal(t, 9007199254740994+int64(i%2), out.Number, "%s, %s", how, user)
		}
		if principal == nil {
			_, _, err := handler(t.Context(), request(""), chargeIn{40, "k"})
			e := toolerr.From(err)
			assert.Equal(t, "internal none", fmt.Sprint(e.Code, " ", e.Effect))
		}
		assert.Equal(t, int64(2), c.ran.Load(), how)
	}
}

// A request for input is not stored as an answer, in old and new protocol versions.
func TestHandler_InputRequired(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"},
			&mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
		server.AddReceivingMiddleware(result.Middleware(nil))
		before, charged, asked := 0, 0, 0
		idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, fresh(nil),
			func(_ context.Context, req *mcp.CallToolRequest, _ chargeIn) (*mcp.CallToolResult, chargeOut, error) {
				before++
				if req.Params.InputResponses == nil {
					return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"sure": &mcp.ElicitParams{
						Message: "Sure?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
					}}}, chargeOut{}, nil
				}
				charged++
				return nil, chargeOut{Number: 7}, nil
			})
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked++
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			},
		})
		session := testutil.ConnectClient(t, server, client)
		for range 2 {
			out := charge(t, session, "charge", 1, "k")
			require.NoError(t, out.AsError(), version)
			assert.Contains(t, out.Text(), `"number":7`, version)
		}
		assert.Equal(t, []int{2, 1, 1}, []int{before, charged, asked}, version)
	}
}
