package idempotency_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
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

// keyedServer returns a server with one keyed tool, "charge".
func keyedServer[In, Out any](opts *idempotency.Options, h func(context.Context, *mcp.CallToolRequest, In) (*mcp.CallToolResult, Out, error)) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, opts, h)
	return server
}

// A failure without a stated effect has an unknown effect, whatever it looks like.
func TestHandler_UnstatedEffect(t *testing.T) {
	t.Parallel()
	for name, fail := range map[string]func() (*mcp.CallToolResult, error){
		"decoding the reply": func() (*mcp.CallToolResult, error) {
			return nil, fmt.Errorf("reading the answer: %w", json.Unmarshal([]byte(`{"cents":"x"}`), new(chargeIn)))
		},
		"no such host": func() (*mcp.CallToolResult, error) { return nil, &net.DNSError{Err: "no such host", IsNotFound: true} },
		"words": func() (*mcp.CallToolResult, error) {
			return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "Paid rate limit exceeded. The receipt is missing"}}}, nil
		},
	} {
		runs := 0
		session := testutil.Connect(t, keyedServer(nil, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, chargeOut, error) {
			runs++
			res, err := fail()
			return res, chargeOut{}, err
		}), nil)
		for range 2 {
			out := charge(t, session, "charge", 1, "k")
			assert.Equal(t, "unknown false", string(out.Err.Effect)+" "+fmt.Sprint(out.Err.Retryable), name)
		}
		assert.Equal(t, 1, runs, name)
	}
}

// A request for input is not stored as an answer, in old and new protocol versions.
func TestHandler_InputRequired(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"2025-06-18", "2026-07-28"} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
		server.AddReceivingMiddleware(result.Middleware(nil))
		charged, asked := 0, 0
		idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, nil, func(_ context.Context, req *mcp.CallToolRequest, _ chargeIn) (*mcp.CallToolResult, chargeOut, error) {
			if req.Params.InputResponses == nil {
				return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"sure": &mcp.ElicitParams{
					Message: "Sure?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
				}}}, chargeOut{}, nil
			}
			charged++
			return nil, chargeOut{Number: 7}, nil
		})
		serverSide, clientSide := mcp.NewInMemoryTransports()
		_, err := server.Connect(t.Context(), serverSide, nil)
		require.NoError(t, err)
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, &mcp.ClientOptions{
			ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				asked++
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			},
		})
		session, err := client.Connect(t.Context(), clientSide, nil)
		require.NoError(t, err)
		t.Cleanup(func() { _ = session.Close() })
		for range 2 {
			out := charge(t, session, "charge", 1, "k")
			require.NoError(t, out.AsError(), version)
			assert.Contains(t, out.Text(), `"number":7`, version)
		}
		assert.Equal(t, 1, charged, version)
		assert.Equal(t, 1, asked, version)
	}
}

type (
	inner   struct{ Cents int64 }
	oneWay  struct{ Amount int64 }
	moneyIn struct {
		Amount inner
		Key    string `json:"idempotency_key,omitempty"`
	}
	unordered struct {
		Zulu, Alpha int
	}
)

// UnmarshalJSON implements [json.Unmarshaler]; nothing encodes what it decodes.
func (m *inner) UnmarshalJSON(raw []byte) error { return json.Unmarshal(raw, &m.Cents) }

// MarshalJSON implements [json.Marshaler].
func (inner) MarshalJSON() ([]byte, error) { return []byte(`"***"`), nil }

// MarshalJSON implements [json.Marshaler]; nothing decodes it.
func (m oneWay) MarshalJSON() ([]byte, error) {
	return json.Marshal(map[string]int64{"cents": m.Amount})
}

// Arguments are compared as they were sent, not as decoded into In.
func TestHandler_ArgumentsAsSent(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil,
		func(context.Context, *mcp.CallToolRequest, moneyIn) (*mcp.CallToolResult, chargeOut, error) {
			return nil, chargeOut{}, nil
		})
	session := testutil.Connect(t, server, nil)
	send := func(arguments string) result.Outcome {
		return result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "charge", Arguments: json.RawMessage(arguments)}))
	}
	require.NoError(t, send(`{"Amount":1,"idempotency_key":"k","note":"a"}`).AsError())
	require.NoError(t, send(`{"note":"a","idempotency_key":"k", "Amount":1}`).AsError())
	assert.Equal(t, toolerr.CodeConflict, send(`{"Amount":900000,"idempotency_key":"k","note":"a"}`).Err.Code)
}

// An input type without a field for the key is rejected.
func TestHandler_NoKeyArgument(t *testing.T) {
	t.Parallel()
	assert.PanicsWithValue(t, "idempotency.Handler: idempotency_test.items has no string for the idempotency key: "+
		"give it a field with the tag `json:\"idempotency_key,omitempty\"`", func() { idempotency.Handler[items, any](nil, nil) })
	assert.Panics(t, func() { idempotency.Handler[*items, any](nil, nil) })
	assert.PanicsWithValue(t, "idempotency.Options.Lease is 10ns: give it a unit, as in 10*time.Second",
		func() { idempotency.Handler[chargeIn, any](&idempotency.Options{Lease: 10}, nil) })
	assert.PanicsWithValue(t, "idempotency.MemoryStore.MaxAge is 24ns: give it a unit, as in 10*time.Second",
		func() {
			idempotency.Handler[chargeIn, any](&idempotency.Options{Store: &idempotency.MemoryStore{MaxAge: 24}}, nil)
		})
	assert.Panics(t, func() { idempotency.Handler[map[string]int, any](nil, nil) })
	assert.Panics(t, func() { idempotency.Handler[chargeIn, any](&idempotency.Options{Argument: "key"}, nil) })
	assert.Panics(t, func() { idempotency.Handler[struct{ Idempotency_Key string }, any](nil, nil) }, "its schema has another name") //nolint:revive // the case under test
	assert.NotPanics(t, func() { idempotency.Handler[struct{ chargeIn }, any](nil, nil) })
	assert.NotPanics(t, func() { idempotency.Handler[any, any](nil, nil) })
}

// An answer that cannot be restored is never returned incorrectly.
func TestHandler_LossyOutput(t *testing.T) {
	t.Parallel()
	runs := 0
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge", OutputSchema: json.RawMessage(`{"type":"object"}`)}, nil,
		func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, oneWay, error) {
			runs++
			return nil, oneWay{7}, nil
		})
	idempotency.AddTool(server, &mcp.Tool{Name: "other_charge", OutputSchema: json.RawMessage(`{"type":"object"}`)}, nil,
		func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, map[string]any, error) {
			return nil, map[string]any{"list": []any{unordered{1, 2}}}, nil
		})
	session := testutil.Connect(t, server, nil)
	assert.Equal(t, `{"cents":7}`, charge(t, session, "charge", 1, "k").Text())
	out := charge(t, session, "charge", 1, "k")
	assert.Equal(t, "applied ", string(out.Err.Effect)+" "+out.Err.IdempotencyKey, "there is nothing to repeat")
	assert.Equal(t, 1, runs)
	require.NoError(t, charge(t, session, "other_charge", 1, "k").AsError())
	require.NoError(t, charge(t, session, "other_charge", 1, "k").AsError(), "the order of members is no matter")
}

func TestHandler_ProtocolError(t *testing.T) {
	t.Parallel()
	runs := 0
	session := testutil.Connect(t, keyedServer(nil, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, chargeOut, error) {
		runs++
		return nil, chargeOut{}, &jsonrpc.Error{Code: -32042, Message: "open the URL first"}
	}), nil)
	for range 2 {
		var wire *jsonrpc.Error
		require.ErrorAs(t, charge(t, session, "charge", 1, "k").AsError(), &wire)
		assert.Equal(t, int64(-32042), wire.Code)
	}
	assert.Equal(t, 2, runs, "it is no answer")
}

// A token without a user is not treated as shared by all users.
func TestHandler_TokenWithoutUser(t *testing.T) {
	t.Parallel()
	c := new(till)
	server := c.server(new(idempotency.Options))
	verify := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) {
		return &auth.TokenInfo{Expiration: time.Now().Add(time.Hour)}, nil
	}
	front := httptest.NewServer(auth.RequireBearerToken(verify, nil)(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil)))
	t.Cleanup(front.Close)
	client := &http.Client{Transport: bearer("ann")}
	session := testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, HTTPClient: client, DisableStandaloneSSE: true}, nil)
	out := charge(t, session, "charge", 1, "k")
	assert.Equal(t, "internal none", string(out.Err.Code)+" "+string(out.Err.Effect))
	assert.Zero(t, c.ran.Load())
}

func TestHandler_InvisibleKey(t *testing.T) {
	t.Parallel()
	c := new(till)
	session := testutil.Connect(t, c.server(nil), nil)
	for _, key := range []string{"a b", "a\x00b", "k\u200b", "schlüssel", "a\nb"} {
		out := charge(t, session, "charge", 1, key)
		require.NotNil(t, out.Err, "%q", key)
		assert.Equal(t, "idempotency_key", out.Err.Field, "%q", key)
	}
	assert.Zero(t, c.ran.Load())
}

// The middleware's options apply to keyed tools.
func TestHandler_MiddlewareOptions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		opts := &result.MiddlewareOptions{Timeout: 30 * time.Millisecond, Reveal: func(error) bool { return true }}
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(opts))
		idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, nil, func(ctx context.Context, _ *mcp.CallToolRequest, in chargeIn) (*mcp.CallToolResult, chargeOut, error) {
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
	})
}

// A rule that panics neither leaves a key claimed permanently nor runs a call twice.
func TestHandler_PanickingRule(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	opts, ran := logged(&log), 0
	opts.Rules = []toolerr.Rule{func(error) (*toolerr.Error, bool) { panic("a bug of the rule") }}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, &idempotency.Options{Wait: -1}, func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, chargeOut, error) {
		ran++
		return nil, chargeOut{}, errors.New("the reply was lost")
	})
	session := testutil.Connect(t, server, nil)
	for range 2 {
		e := charge(t, session, "charge", 1, "k").Err
		assert.Equal(t, "internal false k", fmt.Sprint(e.Code, " ", e.Retryable, " ", e.IdempotencyKey))
	}
	assert.Equal(t, 1, ran)
	assert.Contains(t, log.String(), "a bug of the rule")
}

// A store that has lost the request of an ended call lets no repeat run.
func TestRecord_LostRequest(t *testing.T) {
	t.Parallel()
	for effect, want := range map[toolerr.Effect]idempotency.State{
		"": idempotency.StateClaimed, toolerr.EffectNone: idempotency.StateClaimed,
		toolerr.EffectUnknown: idempotency.StateAbandoned, toolerr.EffectApplied: idempotency.StateDone,
	} {
		k := idempotency.Record{Ending: idempotency.Ending{Effect: effect}}
		assert.Equal(t, want, k.Tell(idempotency.Request{Owner: "o", Fingerprint: "f"}, time.Now()).State, effect)
	}
}
