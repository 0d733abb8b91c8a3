package retry_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// speak is a server that answers calls with what reply returns, and everything else
// correctly. It ends if reply returns false.
func speak(line net.Conn, reply func(id, arguments json.RawMessage) (answer string, more bool)) {
	speakAs(line, nil, reply)
}

// speakAs is speak with these answers to other methods, in which ID is the request's.
func speakAs(line net.Conn, answers map[string]string, reply func(id, arguments json.RawMessage) (answer string, more bool)) {
	defer func() { _ = line.Close() }()
	in := bufio.NewScanner(line)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var ask struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string          `json:"protocolVersion"`
				Arguments       json.RawMessage `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &ask) != nil || ask.ID == nil {
			continue
		}
		answer, more := answered(ask.ID, `"result":{}`), true
		switch ask.Method {
		case "server/discover":
			answer = answered(ask.ID, `"error":{"code":-32601,"message":"no such method"}`)
		case "initialize":
			answer = answered(ask.ID, `"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"v0"}}`)
		case "tools/list":
			answer = answered(ask.ID, `"result":{"tools":[{"name":"charge","inputSchema":{"type":"object","properties":{"idempotency_key":{"type":"string"}}}}]}`)
		case "tools/call":
			answer, more = reply(ask.ID, ask.Params.Arguments)
		}
		if other, ok := answers[ask.Method]; ok {
			answer = strings.ReplaceAll(other, "ID", string(ask.ID))
		}
		if _, err := io.WriteString(line, answer+"\n"); err != nil || !more {
			return
		}
	}
}

// answered returns a JSON-RPC response with this member.
func answered(id json.RawMessage, member string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, id, member)
}

// FuzzSession_Server lets a hostile server answer a call with any result, with any error, or
// with any bytes before the answer and the end. The client survives and makes at most three attempts, all
// with one key. Its log has nothing of the arguments.
func FuzzSession_Server(f *testing.F) {
	f.Add(`{"isError":true,"content":[{"type":"text","text":"{\"isError\":true,\"errorCategory\":\"KEY\",\"isRetryable\":true,\"code\":\"KEY\",\"message\":\"m\",\"correlationId\":\"KEY\"}"}]}`, "result")
	f.Add(`{"code":-32000,"message":"KEY","data":{"retryAfterMs":1}}`, "error")
	f.Add(`{"content":[],"structuredContent":{"partial":{"processed":1,"continueFrom":"KEY"}}}`, "result")
	f.Add(`{"content":null,"isError":"yes"}`, "result")
	f.Add(`{"resultType":"input_required","requestState":"KEY","content":[]}`, "result")
	f.Add(`[]`, "result")
	f.Add(`{"jsonrpc":"2.0","id":{},"result":{}}`, "")
	f.Add(`KEY`, "")
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
			if member == "" {
				return strings.ReplaceAll(answer, "KEY", sent.Key) + "\n" + answered(id, `"result":{"content":[]}`), false
			}
			return answered(id, fmt.Sprintf("%q:%s", member, strings.ReplaceAll(compact.String(), "KEY", sent.Key))), true
		}
		c := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{BaseDelay: 1, MaxDelay: 1, MaxRetryAfter: 5 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}}
		spoke := make(chan struct{}, 100)
		c.Connect = func(ctx context.Context) (retry.ClientSession, error) {
			server, client := net.Pipe()
			go func() { speak(server, reply); spoke <- struct{}{} }()
			return mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, c.Options(nil)).Connect(ctx, &mcp.IOTransport{Reader: client, Writer: client}, nil)
		}
		out, d := c.CallTool(t.Context(), tool("charge", map[string]any{"password": "hunter2-planted"}))
		require.NoError(t, c.Close())
		<-spoke
		require.NotEqual(t, "none", out.Kind.String())
		assert.NotEmpty(t, out.Text())
		assert.Equal(t, d.Action == retry.ActionAccept || d.Action == retry.ActionProvideInput, out.AsError() == nil, "%s: %s", d.Action, out.Kind)
		assert.LessOrEqual(t, calls, 3)
		assert.Len(t, keys, 1, "keys")
		assert.NotContains(t, keys, "")
		for key := range keys {
			assert.NotContains(t, log.String(), key)
		}
		assert.NotContains(t, log.String(), "hunter2-planted")
		if out.Kind == result.KindFailure {
			assert.True(t, json.Valid(out.Err.AppendJSON(nil)))
		}
	})
}
