package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

// An erraticValue is encoded correctly a number of times, and then in a way that nobody can send.
type erraticValue struct {
	left *int
	then func() ([]byte, error)
}

func (v erraticValue) MarshalJSON() ([]byte, error) {
	if *v.left--; *v.left >= 0 {
		return []byte(`{"a":9007199254740993}`), nil
	}
	return v.then()
}

// An ownBlock is a content block of an author's own type.
type ownBlock struct {
	*mcp.TextContent

	v any
}

func (b ownBlock) MarshalJSON() ([]byte, error) {
	_, err := json.Marshal(b.v)
	return []byte(`{"type":"text","text":"own"}`), err
}

// spoilers make JSON that no client can decode.
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

// thens are what follows the correct encodings of an erratic value.
var thens = map[string]func() ([]byte, error){
	"a panic":       func() ([]byte, error) { panic("the encoder of a value") },
	"an error":      func() ([]byte, error) { return nil, errors.New("the encoder of a value") },
	"no JSON":       func() ([]byte, error) { return []byte("{"), nil },
	"a huge number": func() ([]byte, error) { return []byte("1e400"), nil },
	"too deep":      func() ([]byte, error) { return []byte(strings.Repeat("[", 2000) + strings.Repeat("]", 2000)), nil },
}

// An unsendable is an author's value, and the member of an answer that has it.
type unsendable struct {
	Place   string `json:"place"`
	How     string `json:"how"`   // of the spoilers or, if Times is not 0, of the thens
	Times   int    `json:"times"` // one more than an erratic value is encoded correctly
	Size    int    `json:"size"`
	Seed    uint64 `json:"seed"`
	Own     bool   `json:"own"` // whether JSON is of a type with a method
	Flagged bool   `json:"flagged"`
}

func (u unsendable) raw() json.RawMessage {
	r := rand.New(rand.NewPCG(u.Seed, 19))
	row := fmt.Sprintf(`{"n":%d,"text":"%x"}`, r.IntN(9)*10+1, r.Uint64())
	return json.RawMessage(spoilers[u.How](r, `{"rows":[`+strings.Repeat(row+",", u.Size/len(row))+`{"n":1,"text":""}]}`))
}

func (u unsendable) value() any {
	switch {
	case u.Times > 0:
		left := u.Times - 1
		return erraticValue{&left, thens[u.How]}
	case u.Own:
		return selfMade(u.raw())
	}
	return u.raw()
}

func (u unsendable) answer() (*mcp.CallToolResult, error) {
	res, err := places[u.Place](u.value())
	if res != nil && u.Flagged {
		res.IsError = true
	}
	return res, err
}

// places are the members of an answer that hold an author's value.
var places = map[string]func(v any) (*mcp.CallToolResult, error){
	"structured": func(v any) (*mcp.CallToolResult, error) { return withStructured(v), nil },
	"nested":     func(v any) (*mcp.CallToolResult, error) { return withStructured(map[string]any{"v": []any{v}}), nil },
	"repeated": func(v any) (*mcp.CallToolResult, error) {
		raw, _ := v.(json.RawMessage)
		return withStructured(v, block(string(raw))), nil
	},
	"beside a text": func(v any) (*mcp.CallToolResult, error) { return withStructured(v, block("It failed.")), nil },
	"_meta": func(v any) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Meta: mcp.Meta{"v": v}, Content: text("It failed.")}, nil
	},
	"_meta of a block": func(v any) (*mcp.CallToolResult, error) {
		return withStructured(nil, &mcp.TextContent{Text: "x", Meta: mcp.Meta{"v": v}}), nil
	},
	"_meta of further blocks": func(v any) (*mcp.CallToolResult, error) {
		return withStructured(nil, block("It failed."), &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png", Meta: mcp.Meta{"v": v}}, &mcp.TextContent{Text: "y", Meta: mcp.Meta{"v": v}}), nil
	},
	"_meta of a resource": func(v any) (*mcp.CallToolResult, error) {
		return withStructured(nil, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///x", Text: "x", Meta: mcp.Meta{"v": v}}}), nil
	},
	"a priority": func(any) (*mcp.CallToolResult, error) {
		return withStructured(nil, block("It failed."), &mcp.TextContent{Text: "y", Annotations: &mcp.Annotations{Priority: math.NaN()}}), nil
	},
	"partial.results": func(v any) (*mcp.CallToolResult, error) {
		raw, _ := v.(json.RawMessage)
		return nil, errOverLimit.WithPartial(&toolerr.Partial{Processed: 1, Results: raw})
	},
	"partial.continueFrom": func(v any) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithPartial(&toolerr.Partial{Processed: 1, ContinueFrom: v})
	},
	"details": func(v any) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithDetails(map[string]any{"v": v, "rows": []any{v}})
	},
	"options": func(v any) (*mcp.CallToolResult, error) {
		return nil, errOverLimit.WithOptions(v, map[string]any{"v": v})
	},
	"ambiguous": func(v any) (*mcp.CallToolResult, error) { return nil, toolerr.Ambiguous("f", "x", v, v) },
	"attempted": func(v any) (*mcp.CallToolResult, error) {
		return nil, toolerr.Transient("m").WithAttempted(toolerr.Attempt{Tool: "t", Arguments: map[string]any{"v": v}})
	},
	"Failure": func(v any) (*mcp.CallToolResult, error) {
		return result.Failure(errOverLimit.WithDetails(map[string]any{"v": v})), nil
	},
	"OK":    func(v any) (*mcp.CallToolResult, error) { return result.OK(map[string]any{"v": v}), nil },
	"Empty": func(v any) (*mcp.CallToolResult, error) { return result.Empty("", v), nil },
	"data of a protocol error": func(v any) (*mcp.CallToolResult, error) {
		raw, _ := v.(json.RawMessage)
		return nil, &jsonrpc.Error{Code: -32077, Message: "as meant", Data: raw}
	},
	// Only erratic values are tried in these.
	"own block": func(v any) (*mcp.CallToolResult, error) {
		return withStructured(nil, ownBlock{&mcp.TextContent{}, v}), nil
	},
	"question": func(v any) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "x", RequestedSchema: v, Meta: mcp.Meta{"v": v}}}}, nil
	},
}

// addUnsendable adds tools that return an unsendable in its place: a raw and two typed ones.
// The typed tool "output" has it in its output.
func addUnsendable(server *mcp.Server) {
	server.AddTool(&mcp.Tool{Name: "unsendable_raw", InputSchema: anything}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var u unsendable
		if err := json.Unmarshal(req.Params.Arguments, &u); err != nil {
			return nil, err
		}
		return u.answer()
	})
	typed := func(_ context.Context, _ *mcp.CallToolRequest, u unsendable) (*mcp.CallToolResult, any, error) {
		res, err := u.answer()
		return res, nil, err
	}
	result.AddTool(server, &mcp.Tool{Name: "unsendable_typed"}, typed)
	mcp.AddTool(server, &mcp.Tool{Name: "unsendable_plain"}, typed)
	result.AddTool(server, &mcp.Tool{Name: "unsendable_output"}, func(_ context.Context, _ *mcp.CallToolRequest, u unsendable) (*mcp.CallToolResult, any, error) {
		return nil, map[string]any{"raw": u.value()}, nil
	})
}

// Every call is answered, over every transport, whatever JSON the handler returns, and the session
// survives. If the test hangs, a call was not answered.
func TestMiddleware_UnreadableJSON(t *testing.T) {
	t.Parallel()
	server := newServer(new(bytes.Buffer))
	front := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
	t.Cleanup(front.Close)
	r := seeded.Rand()
	check := func(session *mcp.ClientSession, transport, tool string, u unsendable) {
		u.Seed, u.Flagged = r.Uint64(), r.IntN(2) == 0
		name := fmt.Sprintf("%+v by %s over %s", u, tool, transport)
		require.False(t, !strings.Contains("nested, a stray byte, a huge number", u.How) && json.Valid(u.raw()), name)
		out := callTool(t, session, tool, u)
		require.False(t, out.SessionLost, "%s: %v", name, out.Err)
		require.NotNil(t, out.Err, name)
		if u.Place == "data of a protocol error" && tool != "unsendable_output" {
			assert.Contains(t, out.Err.Message, "as meant", name)
		} else if assert.True(t, out.Result != nil && out.Result.IsError, name) {
			assert.Equal(t, byte('{'), out.Text()[0], name)
		}
	}
	for transport, session := range seeded.Sorted(map[string]*mcp.ClientSession{
		"memory": testutil.Connect(t, newServer(new(bytes.Buffer)), nil),
		"stdio":  testutil.ConnectTo(t, stdioServer(t, new(bytes.Buffer)), nil),
		"HTTP":   testutil.ConnectTo(t, &mcp.StreamableClientTransport{Endpoint: front.URL, DisableStandaloneSSE: true}, nil),
	}) {
		for how := range seeded.Sorted(spoilers) {
			for _, place := range slices.Sorted(maps.Keys(places)) {
				if place == "own block" || place == "question" {
					continue
				}
				u := unsendable{Place: place, How: how, Size: []int{0, 1 << 10, 40 << 10}[r.IntN(3)], Own: r.IntN(2) == 0}
				check(session, transport, "unsendable_raw", u)
				if transport == "memory" {
					u.Size, u.Own = 40<<10-u.Size, !u.Own
					check(session, transport, "unsendable_raw", u)
				}
			}
			check(session, transport, "unsendable_output", unsendable{Place: "structured", How: how})
		}
	}
}

// Every call is answered if a value is encoded differently every time: the SDK encodes what the
// middleware has checked, not the value.
func TestMiddleware_ErraticValues(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, newServer(new(bytes.Buffer)), nil)
	call := func(tool string, u unsendable) *mcp.CallToolResult {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: u})
		if err != nil && (u.Place == "question" || u.Place == "data of a protocol error") { // the client answers no questions
			require.False(t, result.Parse(nil, err).SessionLost)
			return nil
		}
		require.NoError(t, err, "%s: %+v", tool, u)
		require.NotNil(t, res)
		return res
	}
	for place := range places {
		for then := range thens {
			for times := range 3 {
				for _, tool := range []string{"unsendable_raw", "unsendable_typed", "unsendable_plain"} {
					call(tool, unsendable{Place: place, How: then, Times: times + 1})
					call(tool, unsendable{Place: place, How: then, Times: times + 1, Flagged: true})
				}
			}
		}
	}
	res := call("unsendable_raw", unsendable{Place: "_meta", How: "a panic", Times: 2})
	require.Contains(t, res.Meta, "v", "a value that is encoded once")
}
