package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// selfMade is a value whose encoding is its content.
type selfMade []byte

func (s selfMade) MarshalJSON() ([]byte, error) { return s, nil }

// An unreadable is an author's JSON that no client can decode.
type unreadable struct {
	How  string `json:"how"`
	Size int    `json:"size"`
	Seed uint64 `json:"seed"`
}

var spoilers = map[string]func(r *rand.Rand, raw string) string{
	"NaN":           func(_ *rand.Rand, raw string) string { return strings.Replace(raw, "1", "NaN", 1) },
	"a huge number": func(_ *rand.Rand, raw string) string { return strings.Replace(raw, "1", "1e400", 1) },
	"cut":           func(r *rand.Rand, raw string) string { return raw[:1+r.IntN(len(raw)-1)] },
	"doubled":       func(_ *rand.Rand, raw string) string { return raw + raw },
	"a raw newline": func(_ *rand.Rand, raw string) string { return strings.Replace(raw, "text", "te\nxt", 1) },
	"a stray byte":  func(_ *rand.Rand, raw string) string { return strings.Replace(raw, "text", "te\xffxt", 1) },
	"a zero byte":   func(r *rand.Rand, raw string) string { n := r.IntN(len(raw)); return raw[:n] + "\x00" + raw[n:] },
	"nested": func(_ *rand.Rand, raw string) string {
		return `{"a":` + strings.Repeat("[", 1200) + raw + strings.Repeat("]", 1200) + "}"
	},
	"inside out": func(_ *rand.Rand, raw string) string { return strings.Replace(raw, "]", "}", 1) },
}

// raw returns the invalid JSON.
func (u unreadable) raw() json.RawMessage {
	r := rand.New(rand.NewPCG(u.Seed, 19))
	row := fmt.Sprintf(`{"n":%d,"text":"%x"}`, r.IntN(9)*10+1, r.Uint64())
	rows := `{"rows":[` + strings.Repeat(row+",", u.Size/len(row)) + `{"n":1,"text":""}]}`
	return json.RawMessage(spoilers[u.How](r, rows))
}

// places are the members in which it is returned, each in its own call.
var places = map[string]func(raw json.RawMessage) (*mcp.CallToolResult, error){
	"structured": func(raw json.RawMessage) (*mcp.CallToolResult, error) { return withStructured(raw), nil },
	"structured, in a map": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return withStructured(map[string]any{"raw": raw}), nil
	},
	"structured, of its own": func(raw json.RawMessage) (*mcp.CallToolResult, error) { return withStructured(selfMade(raw)), nil },
	"structured, repeated": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return withStructured(raw, block(string(raw))), nil
	},
	"structured, of a failure": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return flagged(withStructured(raw, block("It failed."))), nil
	},
	"_meta": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Meta: mcp.Meta{"raw": raw}}, nil
	},
	"_meta of a failure": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return flagged(&mcp.CallToolResult{Meta: mcp.Meta{"raw": selfMade(raw)}, Content: []mcp.Content{block("It failed.")}}), nil
	},
	"_meta of a block": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "x", Meta: mcp.Meta{"raw": raw}}}}, nil
	},
	"_meta of a failure's block": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return flagged(withStructured(nil, block("It failed."), &mcp.ImageContent{Meta: mcp.Meta{"raw": raw}}, &mcp.TextContent{Text: "y", Meta: mcp.Meta{"raw": raw}})), nil
	},
	"_meta of a resource": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return withStructured(nil, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///x", Text: "x", Meta: mcp.Meta{"raw": raw}}}), nil
	},
	"a priority of a failure's block": func(json.RawMessage) (*mcp.CallToolResult, error) {
		return flagged(withStructured(nil, block("It failed."), &mcp.TextContent{Text: "y", Annotations: &mcp.Annotations{Priority: math.NaN()}})), nil
	},
	"partial.results": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithPartial(&toolerr.Partial{Processed: 1, Results: raw})
	},
	"partial.continueFrom": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithPartial(&toolerr.Partial{Processed: 1, ContinueFrom: raw})
	},
	"details": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithDetails(map[string]any{"raw": raw, "own": selfMade(raw), "rows": []any{raw}})
	},
	"options": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithOptions(raw, selfMade(raw), map[string]any{"raw": raw})
	},
	"attempted": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithAttempted(toolerr.Attempt{Tool: "t", Arguments: map[string]any{"raw": raw, "own": selfMade(raw)}})
	},
	"Failure": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return result.Failure(errOverLimit.WithDetails(map[string]any{"raw": selfMade(raw)})), nil
	},
	"OK": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return result.OK(map[string]any{"raw": raw}), nil
	},
	"Empty": func(raw json.RawMessage) (*mcp.CallToolResult, error) { return result.Empty("", selfMade(raw)), nil },
	"data of a protocol error": func(raw json.RawMessage) (*mcp.CallToolResult, error) {
		return nil, &jsonrpc.Error{Code: -32077, Message: "as meant", Data: raw}
	},
}

func block(s string) *mcp.TextContent { return &mcp.TextContent{Text: s} }

func withStructured(v any, content ...mcp.Content) *mcp.CallToolResult {
	return &mcp.CallToolResult{StructuredContent: v, Content: content}
}

func flagged(r *mcp.CallToolResult) *mcp.CallToolResult {
	r.IsError = true
	return r
}

// addUnreadable adds a tool for each place, raw, and one typed.
func addUnreadable(server *mcp.Server) {
	for place, give := range places {
		server.AddTool(&mcp.Tool{Name: toolOf(place), InputSchema: map[string]any{"type": "object"}}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			var u unreadable
			if err := json.Unmarshal(req.Params.Arguments, &u); err != nil {
				return nil, err
			}
			return give(u.raw())
		})
	}
	result.AddTool(server, &mcp.Tool{Name: "typed"}, func(_ context.Context, _ *mcp.CallToolRequest, u unreadable) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"raw": u.raw()}, nil
	})
}

func toolOf(place string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" ,'", r) {
			return '_'
		}
		return r
	}, place)
}

// Every call is answered, over every transport, whatever JSON the handler returns, and the session
// survives. If the test hangs, a call was not answered.
func TestMiddleware_UnreadableJSON(t *testing.T) {
	t.Parallel()
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return newServer(new(bytes.Buffer)) }, nil))
	t.Cleanup(front.Close)
	sessions := map[string]*mcp.ClientSession{
		"memory": testutil.Connect(t, newServer(new(bytes.Buffer)), nil),
		"stdio":  testutil.ConnectTo(t, stdioServer(t, new(bytes.Buffer)), nil),
		"HTTP":   testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true}, nil),
	}
	tools := append(slices.Sorted(maps.Keys(places)), "typed")
	r := seeded.Rand()
	for transport, session := range seeded.Sorted(sessions) {
		tried, survived := 0, 0
		for how := range seeded.Sorted(spoilers) {
			for _, size := range []int{0, 1 << 10, 40 << 10} {
				for _, place := range tools {
					u := unreadable{How: how, Size: size, Seed: r.Uint64()}
					tried++
					name := fmt.Sprintf("%+v as %s over %s", u, place, transport)
					require.False(t, !strings.Contains("nested, a stray byte, a huge number", u.How) && json.Valid(u.raw()), name)
					out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: toolOf(place), Arguments: u}))
					require.False(t, out.SessionLost, "%s: %v", name, out.Err)
					require.NotNil(t, out.Err, name)
					if place == "data of a protocol error" {
						assert.Contains(t, out.Err.Message, "as meant", name)
					} else if assert.True(t, out.Result != nil && out.Result.IsError, name) {
						assert.Equal(t, byte('{'), out.Text()[0], name)
					}
					survived++
				}
			}
		}
		t.Logf("%s: %d tried, %d answered", transport, tried, survived)
	}
}
