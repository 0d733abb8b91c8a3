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

func rawOf(v any) json.RawMessage { raw, _ := v.(json.RawMessage); return raw } // or nil
func object(v any) map[string]any { return map[string]any{"a": v} }

// places are answers that hold an author's value in one of their members.
var places = map[string]func(v any) attempt{
	"structured":           func(v any) attempt { return attempt{res: withStructured(v)} },
	"nested":               func(v any) attempt { return attempt{res: withStructured(object([]any{v}))} },
	"repeated":             func(v any) attempt { return attempt{res: withStructured(v, block(string(rawOf(v))))} },
	"beside a text":        func(v any) attempt { return attempt{res: withStructured(v, block("It failed."))} },
	"OK":                   func(v any) attempt { return attempt{res: result.OK(object(v))} },
	"Empty":                func(v any) attempt { return attempt{res: result.Empty("", v)} },
	"Failure":              func(v any) attempt { return attempt{res: result.Failure(errOverLimit.WithDetails(object(v)))} },
	"own block":            func(v any) attempt { return attempt{res: withStructured(nil, ownBlock{&mcp.TextContent{}, v})} },
	"options":              func(v any) attempt { return attempt{err: errOverLimit.WithOptions(v, object(v))} },
	"details":              func(v any) attempt { return attempt{err: errOverLimit.WithDetails(object([]any{v, v}))} },
	"ambiguous":            func(v any) attempt { return attempt{err: toolerr.Ambiguous("f", "x", v, v)} },
	"partial.continueFrom": func(v any) attempt { return partial(toolerr.Partial{Processed: 1, ContinueFrom: v}) },
	"partial.results":      func(v any) attempt { return partial(toolerr.Partial{Processed: 1, Results: rawOf(v)}) },
	"attempted": func(v any) attempt {
		return attempt{err: toolerr.Transient("m").WithAttempted(toolerr.Attempt{Tool: "t", Arguments: object(v)})}
	},
	"data of a protocol error": func(v any) attempt {
		return attempt{err: &jsonrpc.Error{Code: -32077, Message: "as meant", Data: rawOf(v)}}
	},
	"_meta": func(v any) attempt {
		return attempt{res: &mcp.CallToolResult{Meta: object(v), Content: text("It failed.")}}
	},
	"_meta of a block": func(v any) attempt {
		return attempt{res: withStructured(nil, &mcp.TextContent{Text: "x", Meta: object(v)})}
	},
	"_meta of further blocks": func(v any) attempt {
		image := &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png", Meta: object(v)}
		return attempt{res: withStructured(nil, block("It failed."), image, &mcp.TextContent{Text: "y", Meta: object(v)})}
	},
	"_meta of a resource": func(v any) attempt {
		contents := &mcp.ResourceContents{URI: "file:///x", Text: "x", Meta: object(v)}
		return attempt{res: withStructured(nil, &mcp.EmbeddedResource{Resource: contents})}
	},
	"a priority": func(any) attempt {
		notes := &mcp.Annotations{Priority: math.NaN()}
		return attempt{res: withStructured(nil, block("It failed."), &mcp.TextContent{Text: "y", Annotations: notes})}
	},
	"question": func(v any) attempt {
		question := &mcp.ElicitParams{Message: "x", RequestedSchema: v, Meta: object(v)}
		return attempt{res: &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": question}}}
	},
}

// Every call is answered, whatever JSON the handler returns, and the session survives: the SDK encodes what the
// middleware has checked, not the value. If the test hangs, a call was not answered.
func TestMiddleware_UnsendableValues(t *testing.T) {
	t.Parallel()
	var answer func() attempt
	server := serve(quiet())
	typed := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
		a := answer()
		return a.res, nil, a.err
	}
	addRaw(server, "raw", func(context.Context) (*mcp.CallToolResult, error) { a := answer(); return a.res, a.err })
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
				answer = func() attempt {
					a := in(value())
					if a.res != nil {
						a.res.IsError = n > 2
					}
					return a
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
	answer = func() attempt { return places["_meta"](unsendable["a panic, second"]()) }
	out := callTool(t, session, "raw", nil)
	require.Contains(t, out.Result.Meta, "a", "a value that is encoded once")
}
