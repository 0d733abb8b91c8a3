package retry_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// correct are answers of speak, after the id.
var correct = map[string]string{
	"server/discover": `"error":{"code":-32601,"message":"no such method"}}`,
	"initialize":      `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"v0"}}}`,
	"tools/list":      `"result":{"tools":[{"name":"charge","inputSchema":` + testutil.JSON(keyedObject) + `}]}}`,
}

// speak is a server that answers calls with what reply returns, other methods with these answers, from
// after the id on, and everything else correctly. It ends if reply returns false.
func speak(
	line net.Conn, answers map[string]string, reply func(id, arguments json.RawMessage) (answer string, more bool),
) {
	defer func() { _ = line.Close() }()
	in := bufio.NewScanner(line)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var ask struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Arguments json.RawMessage `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &ask) != nil || ask.ID == nil {
			continue
		}
		answer := cmp.Or(answers[ask.Method], correct[ask.Method], `"result":{}}`)
		answer, more := strings.ReplaceAll(`{"jsonrpc":"2.0","id":ID,`+answer, "ID", string(ask.ID)), true
		if ask.Method == "tools/call" {
			answer, more = reply(ask.ID, ask.Params.Arguments)
		}
		if _, err := io.WriteString(line, answer+"\n"); err != nil || !more {
			return
		}
	}
}

const fine = `{"jsonrpc":"2.0","id":ID,"result":{"content":[{"type":"text","text":"fine"}]}}`

// dialSpeaker connects to speak. A call's answer is bad if the arguments have that word, or else fine.
func dialSpeaker(
	ctx context.Context, client *mcp.Client, answers map[string]string, bad string,
) (*mcp.ClientSession, error) {
	here, there := net.Pipe()
	go speak(there, answers, func(id, arguments json.RawMessage) (string, bool) {
		answer := fine
		if strings.Contains(string(arguments), "bad") {
			answer = bad
		}
		return strings.ReplaceAll(answer, "ID", string(id)), true
	})
	return client.Connect(ctx, &mcp.IOTransport{Reader: here, Writer: here}, nil)
}

// speakerClient returns a client of dialSpeaker.
func speakerClient(t *testing.T, answers map[string]string, bad string) *retry.Client {
	t.Helper()
	c := newRetryClient(t, nil)
	c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
		return dialSpeaker(ctx, newClient(c.Options(nil)), answers, bad)
	}
	return c
}

// FuzzSession_Server lets a hostile server answer a call with any result, with any error, or
// with any bytes before the answer and the end. The client survives and makes at most three attempts, all
// with one key. Its log has nothing of the arguments.
func FuzzSession_Server(f *testing.F) {
	f.Fuzz(func(t *testing.T, answer, member string) {
		var compact bytes.Buffer
		if member != "" && json.Compact(&compact, []byte(answer)) != nil {
			return
		}
		var log bytes.Buffer
		keys, calls := map[string]bool{}, 0
		reply := func(id, arguments json.RawMessage) (string, bool) {
			var sent struct {
				Key string `json:"idempotency_key"`
			}
			_ = json.Unmarshal(arguments, &sent)
			calls++
			keys[sent.Key] = true
			text := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%q:%s}`, id, member, &compact)
			if member == "" {
				text = fmt.Sprintf("%s\n"+`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, answer, id)
			}
			return strings.ReplaceAll(text, "KEY", sent.Key), member != ""
		}
		c := newRetryClient(t, nil)
		c.Policy = retry.Policy{BaseDelay: 1, MaxDelay: 1, MaxRetryAfter: 5 * time.Millisecond, Logger: logTo(&log)}
		spoke := make(chan struct{}, 100)
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			server, client := net.Pipe()
			go func() { speak(server, nil, reply); spoke <- struct{}{} }()
			return newClient(c.Options(nil)).Connect(ctx, &mcp.IOTransport{Reader: client, Writer: client}, nil)
		}
		out, d := c.CallTool(t.Context(), tool("charge", map[string]any{"password": "hunter2-planted"}))
		require.NoError(t, c.Close())
		<-spoke
		require.NotEqual(t, "none", out.Kind.String())
		assert.NotEmpty(t, out.Text())
		goesOn := d.Action == retry.ActionAccept || d.Action == retry.ActionProvideInput
		assert.Equal(t, goesOn, out.AsError() == nil, "%s: %s", d.Action, out.Kind)
		assert.LessOrEqual(t, calls, 3)
		assert.Len(t, keys, 1, "keys")
		for key := range keys { // none is contained in every text
			assert.NotContains(t, log.String(), key)
		}
		assert.NotContains(t, log.String(), "hunter2-planted")
		if out.Kind == result.KindFailure {
			assert.True(t, json.Valid(out.Err.AppendJSON(nil)))
		}
	})
}

// TestClient_UnreadableAnswer records that an answer that the SDK cannot read, or on which it panics, is nobody's fault
// but the server's, that it proves no effect, by every entry point, and that a client's next call has a session.
func TestClient_UnreadableAnswer(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/unreadable.txt", func(sample string) (got string) {
		bad := testutil.Repeat(sample)
		session, err := dialSpeaker(t.Context(), newClient(nil), nil, bad)
		require.NoError(t, err, sample)
		plain := newClient(nil)
		plain.AddSendingMiddleware(retry.Middleware(quick, nil))
		below, err := dialSpeaker(t.Context(), plain, nil, bad)
		require.NoError(t, err, sample)
		c := speakerClient(t, nil, bad)
		c.Safety = nil
		for way, out := range map[string]result.Outcome{
			"Client":     first(c.CallTool(t.Context(), tool("charge", "bad"))),
			"CallTool":   first(retry.CallTool(t.Context(), quick, session, tool("charge", "bad"))),
			"Middleware": result.Parse(below.CallTool(t.Context(), tool("charge", "bad"))),
		} {
			told := "success"
			if e := out.Err; e != nil {
				told = testutil.Words(e.Message, e.Category, e.Effect, e.Attempted[0].Attempts)
			}
			assert.Equal(t, cmp.Or(got, told), told, "%s, %s", sample, way)
			got = told
		}
		assert.Equal(t, "fine", first(c.CallTool(t.Context(), tool("charge", "good"))).Text(), sample)
		require.NoError(t, session.Close())
		require.NoError(t, below.Close())
		return got
	})
	panics := func(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) { panic("odd") }
	c := clientOf(t, func(int) *fakeSession { return &fakeSession{answer: panics} })
	c.Safety, c.Policy.Safety = nil, retry.SafetyReadOnly
	out, d := call(t, c, "read")
	assert.Equal(t, "internal none 1", testutil.Words(out.Err.Code, out.Err.Effect, d.Attempt), "though it is safe")
}

// TestClient_RefusedBeforeCall checks that what a server says about its connection or its list
// is not taken for an answer to the call: it blames no argument, and names no work.
func TestClient_RefusedBeforeCall(t *testing.T) {
	t.Parallel()
	const of = `{"code":0,"message":"x","data":{"errorCategory":"transient","isRetryable":true,"effect":"applied",` +
		`"message":"m",`
	for _, method := range []string{"initialize", "tools/list"} {
		for _, refusal := range []string{
			`{"code":-32602,"message":"invalid arguments"}`, `{"code":-32700,"message":"parse error"}`,
			`{"code":0,"message":"quota exceeded for customer 12"}`,
			`{"code":0,"message":"x","data":{"errorCategory":"validation","code":"invalid_argument","message":"m"}}`,
			of + `"idempotencyKey":"not-a-key-of-this-call"}}`, of + `"attempted":[{"tool":"t"}]}}`,
			of + `"partial":{"processed":1,"continueFrom":"x"}}}`,
		} {
			c := speakerClient(t, map[string]string{method: `"error":` + refusal + `}`}, "")
			out, d := c.CallTool(t.Context(), tool("charge", "good"))
			name := method + " " + refusal
			require.NotNil(t, out.Err, name)
			assert.Equal(t, "transient none propagate", testutil.Words(out.Err.Category, out.Err.Effect, d.Action), name)
			assert.Nil(t, out.Err.Partial, name)
			assert.Empty(t, out.Err.IdempotencyKey, name)
			for _, a := range out.Err.Attempted {
				assert.Equal(t, "charge", a.Tool, name)
			}
		}
	}
}
