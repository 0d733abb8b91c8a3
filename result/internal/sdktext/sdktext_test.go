package sdktext_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/internal/sdktext"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestServer produces the texts of the SDK's server.
func TestServer(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	type count struct {
		N int `json:"n"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "count"},
		func(_ context.Context, _ *mcp.CallToolRequest, in count) (*mcp.CallToolResult, any, error) {
			return nil, func() {}, nil // cannot be encoded
		})
	mcp.AddTool(server, &mcp.Tool{Name: "strict", OutputSchema: json.RawMessage(`{"type":"object","required":["m"]}`)},
		func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, count, error) {
			return nil, count{}, nil
		})
	session := testutil.Connect(t, server, nil)
	serverSide, clientSide := mcp.NewInMemoryTransports()
	_, err := server.Connect(t.Context(), serverSide, nil)
	require.NoError(t, err)
	conn, err := clientSide.Connect(t.Context())
	require.NoError(t, err)
	id, err := jsonrpc.MakeID("1")
	require.NoError(t, err)
	require.NoError(t, conn.Write(t.Context(),
		&jsonrpc.Request{ID: id, Method: "tools/call", Params: json.RawMessage(`{"name":"count"}`)}))
	answer, err := conn.Read(t.Context())
	require.NoError(t, err)
	require.IsType(t, new(jsonrpc.Response), answer)
	require.ErrorContains(t, answer.(*jsonrpc.Response).Error, `"tools/call"`+sdktext.Uninitialized) //nolint:errcheck,forcetypeassert // checked
	require.NoError(t, conn.Close())
	for _, call := range []struct {
		tool, arguments, prefix string
		output                  bool
	}{
		{"invented", `{}`, sdktext.UnknownTool, false},
		{"count", `{"n":"x"}`, sdktext.RefusedArguments, false},
		{"count", `{"n":1}`, "marshaling output: ", true},
		{"strict", `{}`, "validating tool output: ", true},
	} {
		res, err := session.CallTool(t.Context(),
			&mcp.CallToolParams{Name: call.tool, Arguments: json.RawMessage(call.arguments)})
		text := ""
		var protocol *jsonrpc.Error
		if errors.As(err, &protocol) {
			text = protocol.Message
		} else if said, ok := res.Content[0].(*mcp.TextContent); ok {
			text = said.Text
		}
		assert.True(t, strings.HasPrefix(text, call.prefix), "%q does not begin with %q", text, call.prefix)
		assert.Equal(t, call.output, sdktext.IsOwnOutput(text), text)
	}
}

// TestServer_Busy produces the text for clients of old versions of the protocol, which is a row
// of the sentinels.
func TestServer_Busy(t *testing.T) {
	t.Parallel()
	old := &mcp.ServerOptions{SupportedProtocolVersions: []string{"2025-06-18"}}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, old)
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{RequestState: "s", InputRequests: mcp.InputRequestMap{}}, nil
		})
	_, err := testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
	var answer *jsonrpc.Error
	require.ErrorAs(t, err, &answer)
	foreign := errors.New(answer.Message) //nolint:err113 // a foreign text
	assert.Equal(t, toolerr.CodeUnavailable, toolerr.From(foreign).Code, answer.Message)
}

const (
	initialized = `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},` +
		`"serverInfo":{"name":"s","version":"v0"}}}`
	asks = `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","requestState":"s","inputRequests":{"a":` +
		`{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}}}}}`
	dialed = `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`
)

// reply answers a message in a line of JSON, or returns "" for a notification.
func reply(line []byte, answer string) string {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	_ = json.Unmarshal(line, &m)
	switch {
	case m.ID == nil:
		return ""
	case m.Method == "initialize":
		answer = initialized
	case m.Method != "tools/call":
		answer = dialed
	}
	if strings.Contains(answer, "%s") {
		answer = fmt.Sprintf(answer, m.ID)
	}
	return answer
}

// failed connects a client, and returns the text of its failed call.
func failed(t *testing.T, transport mcp.Transport, options *mcp.ClientOptions) string {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, options).
		Connect(t.Context(), transport, nil)
	require.NoError(t, err)
	defer func() { _ = session.Close() }()
	_, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
	require.Error(t, err)
	return err.Error()
}

// TestClient_Pipe produces the texts of the SDK's client that do not depend on the transport.
func TestClient_Pipe(t *testing.T) {
	t.Parallel()
	pipe := func(answer string, options *mcp.ClientOptions) string {
		fromServer, toClient := io.Pipe()
		fromClient, toServer := io.Pipe()
		go func() {
			for lines := bufio.NewScanner(fromClient); lines.Scan(); {
				if text := reply(lines.Bytes(), answer); text != "" {
					_, _ = fmt.Fprintln(toClient, text)
				}
			}
			_ = toClient.Close()
		}()
		return failed(t, &mcp.IOTransport{Reader: fromServer, Writer: toServer}, options)
	}
	always := func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
	}
	missing := pipe(asks, nil)
	assert.True(t, sdktext.IsInput(missing), missing)
	endless := pipe(asks, &mcp.ClientOptions{ElicitationHandler: always})
	assert.True(t, sdktext.IsInput(endless), endless)

	unread := pipe(`{"jsonrpc":"2.0"}`, nil)
	_, _, _, isCall := sdktext.Call(`reading "x": not a call`)
	assert.False(t, isCall)
	reason, _, ended, ok := sdktext.Call(unread)
	assert.True(t, ok && !ended, unread)
	assert.Equal(t, sdktext.InvalidRequest, reason)
}

// TestClient_Closing produces the texts for calls that are not sent, because a connection cannot be read, cannot be
// written, or is closed.
func TestClient_Closing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		reasons := make(chan string, 4)
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddTool(&mcp.Tool{Name: "t", InputSchema: map[string]any{"type": "object"}}, func(ctx context.Context,
			req *mcp.CallToolRequest,
		) (*mcp.CallToolResult, error) {
			time.Sleep(time.Second) // in a bubble
			_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: "t"})
			reasons <- context.Cause(ctx).Error()
			return nil, ctx.Err()
		})
		fromServer, toClient := io.Pipe()
		fromClient, toServer := io.Pipe()
		serving, err := server.Connect(t.Context(), &mcp.IOTransport{Reader: fromClient, Writer: toClient}, nil)
		require.NoError(t, err)
		stuck := struct { // the server does not learn that the client has closed it
			io.Writer
			io.Closer
		}{toServer, fromServer}
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil)
		session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: fromServer, Writer: stuck}, nil)
		require.NoError(t, err)
		call := func() {
			_, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
			reason, _, _, _ := sdktext.Call(fmt.Sprint(err))
			reasons <- reason
		}
		time.AfterFunc(time.Second/2, func() { _ = fromServer.Close() })
		call()
		time.Sleep(time.Second) // in a bubble
		call()
		_ = session.Close()
		call()
		for i := range 4 {
			reason := <-reasons
			assert.Equal(t, i > 0, sdktext.IsUnsent(reason), reason)
		}
		_ = toServer.Close()
		_ = serving.Close()
	})
}

// TestClient_HTTP produces the texts of the SDK's client for HTTP.
func TestClient_HTTP(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		call   http.HandlerFunc // of a tool
		stream string           // of notifications, which no client can read
		fault  string           // of the call
		ended  bool             // the session
	}{
		"stream ended": {call: func(w http.ResponseWriter, _ *http.Request,
		) {
			w.Header().Set("Content-Type", "text/event-stream")
		}},
		"call refused": {
			call:  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadRequest) },
			fault: "Bad Request", ended: true,
		},
		"notifications": {stream: "data: {\n\n", ended: true},
	} {
		called := make(chan struct{})
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			switch isCall := strings.Contains(string(body), `"tools/call"`); {
			case r.Method == http.MethodGet && test.stream != "":
				begin(w)
				select {
				case <-called:
					_, _ = io.WriteString(w, test.stream)
				case <-r.Context().Done():
				}
			case r.Method != http.MethodPost:
				w.WriteHeader(http.StatusMethodNotAllowed)
			case isCall && test.call != nil:
				test.call(w, r)
			case isCall: // it is never answered
				begin(w)
				close(called)
				<-r.Context().Done()
			default:
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, reply(body, ""))
			}
		}))
		text := failed(t, &mcp.StreamableClientTransport{Endpoint: server.URL, MaxRetries: -1},
			&mcp.ClientOptions{Logger: slog.New(slog.DiscardHandler)})
		server.CloseClientConnections()
		server.Close()
		_, fault, ended, ok := sdktext.Call(text)
		assert.True(t, ok, text)
		assert.Equal(t, test.ended, ended, "%s: %s", name, text)
		assert.Equal(t, test.fault, fault, text)
		assert.Equal(t, name == "stream ended", strings.HasSuffix(text, sdktext.StreamEnded), text)
	}
}

// begin begins a stream of events.
func begin(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	_ = http.NewResponseController(w).Flush()
}

// TestTexts checks what is read from rejections of arguments by several SDKs, from texts about a tool's
// output, and from texts with the prefixes of adapters.
func TestTexts(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/refusals.txt", func(sample string) string {
		sample = testutil.Repeat(sample)
		inner := sdktext.Unframe(sample)
		code, field, ok := sdktext.Refusal(inner)
		answer := fmt.Sprintln(ok, code, field)
		if !ok {
			answer = map[bool]string{true: "about the output", false: "other"}[sdktext.IsOutput(sample)]
		}
		if inner != sample {
			answer = "unframed: " + inner + "\n" + answer
		}
		return strings.TrimSpace(answer)
	})
}
