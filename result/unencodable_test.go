package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

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

// erratic returns a maker of values that are encoded correctly so many times.
func erratic(times int, then func() ([]byte, error)) func() any {
	return func() any { left := times; return erraticValue{&left, then} }
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

// unsendable make values that no client can decode, or that are encoded differently every time.
var unsendable = map[string]func() any{
	"NaN":           func() any { return json.RawMessage(`{"n":NaN}`) },
	"a huge number": func() any { return json.RawMessage(`{"n":1e400}`) },
	"cut":           func() any { return json.RawMessage(`{"rows":[{"n":1,"te`) },
	"doubled":       func() any { return json.RawMessage(`{"n":1}{"n":1}`) },
	"a raw newline": func() any { return json.RawMessage("{\"n\":\"a\nb\"}") },
	"a zero byte":   func() any { return json.RawMessage("{\"n\":\x001}") },
	"nested": func() any {
		return json.RawMessage(`{"a":` + strings.Repeat("[", 1200) + "1" + strings.Repeat("]", 1200) + "}")
	},
	"large, cut":       func() any { return json.RawMessage(`["` + strings.Repeat("x", 40<<10)) },
	"no JSON":          erratic(0, func() ([]byte, error) { return []byte("{"), nil }),
	"a panic":          erratic(0, func() ([]byte, error) { panic("the encoder of a value") }),
	"a panic, second":  erratic(1, func() ([]byte, error) { panic("the encoder of a value") }),
	"an error, second": erratic(1, func() ([]byte, error) { return nil, errors.New("the encoder of a value") }),
	"no JSON, third":   erratic(2, func() ([]byte, error) { return []byte("{"), nil }),
	"too deep, third":  erratic(2, func() ([]byte, error) { return []byte(strings.Repeat("[", 2000)), nil }),
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
		return withStructured(nil, block("It failed."),
			&mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png", Meta: mcp.Meta{"v": v}},
			&mcp.TextContent{Text: "y", Meta: mcp.Meta{"v": v}}), nil
	},
	"_meta of a resource": func(v any) (*mcp.CallToolResult, error) {
		return withStructured(nil, &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: "file:///x", Text: "x",
			Meta: mcp.Meta{"v": v},
		}}), nil
	},
	"a priority": func(any) (*mcp.CallToolResult, error) {
		return withStructured(nil, block("It failed."),
			&mcp.TextContent{Text: "y", Annotations: &mcp.Annotations{Priority: math.NaN()}}), nil
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
	"own block": func(v any) (*mcp.CallToolResult, error) {
		return withStructured(nil, ownBlock{&mcp.TextContent{}, v}), nil
	},
	"question": func(v any) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{
			Message: "x", RequestedSchema: v,
			Meta: mcp.Meta{"v": v},
		}}}, nil
	},
}

// Every call is answered, whatever JSON the handler returns, and the session survives: the SDK encodes what the
// middleware has checked, not the value. If the test hangs, a call was not answered.
func TestMiddleware_UnsendableValues(t *testing.T) {
	t.Parallel()
	var answer func() (*mcp.CallToolResult, error)
	server := serve(quiet())
	typed := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		res, err := answer()
		return res, nil, err
	}
	addRaw(server, "raw", func(context.Context) (*mcp.CallToolResult, error) { return answer() })
	result.AddTool(server, &mcp.Tool{Name: "typed"}, typed)
	mcp.AddTool(server, &mcp.Tool{Name: "plain"}, typed)
	var output any
	result.AddTool(server, &mcp.Tool{Name: "output"},
		func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
			return nil, map[string]any{"raw": output}, nil
		})
	session := testutil.Connect(t, server, nil)
	for how, value := range unsendable {
		_, isErratic := value().(erraticValue)
		output = value()
		assert.NotPanics(t, func() { require.False(t, callTool(t, session, "output", nil).SessionLost, how) })
		for place, in := range places {
			for n, tool := range []string{"raw", "typed", "plain", "raw"} {
				answer = func() (*mcp.CallToolResult, error) {
					res, err := in(value())
					if res != nil {
						res.IsError = n > 2
					}
					return res, err
				}
				out := callTool(t, session, tool, nil)
				name := fmt.Sprintf("%s in %s by %s", how, place, tool)
				require.False(t, out.SessionLost, "%s: %v", name, out.Err)
				if isErratic || place == "own block" || place == "question" || strings.HasPrefix(place, "data of") {
					continue
				}
				require.NotNil(t, out.Err, name)
				assert.Equal(t, byte('{'), out.Text()[0], name)
			}
		}
	}
	answer = func() (*mcp.CallToolResult, error) { return places["_meta"](unsendable["a panic, second"]()) }
	out := callTool(t, session, "raw", nil)
	require.Contains(t, out.Result.Meta, "v", "a value that is encoded once")
}
