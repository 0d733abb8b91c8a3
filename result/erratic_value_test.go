package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An erraticValue is encoded correctly a number of times, and then in a way that nobody can
// send.
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

// An erraticBlock is a content block of an author's own type.
type erraticBlock struct {
	*mcp.TextContent

	v erraticValue
}

func (b erraticBlock) MarshalJSON() ([]byte, error) {
	_, err := b.v.MarshalJSON()
	return fmt.Appendf(nil, `{"type":"text","text":"own"}`), err
}

// thens are what follows the correct encodings.
var thens = map[string]func() ([]byte, error){
	"a panic":       func() ([]byte, error) { panic("the encoder of a value") },
	"an error":      func() ([]byte, error) { return nil, errors.New("the encoder of a value") },
	"no JSON":       func() ([]byte, error) { return []byte("{"), nil },
	"a huge number": func() ([]byte, error) { return []byte("1e400"), nil },
	"too deep":      func() ([]byte, error) { return []byte(strings.Repeat("[", 2000) + strings.Repeat("]", 2000)), nil },
}

// erraticPlaces are the parts of a result that hold an author's value.
var erraticPlaces = map[string]func(erraticValue) (*mcp.CallToolResult, error){
	"structured": func(v erraticValue) (*mcp.CallToolResult, error) { return withStructured(v, block("x")), nil },
	"nested": func(v erraticValue) (*mcp.CallToolResult, error) {
		return withStructured(map[string]any{"v": []any{v}}), nil
	},
	"meta": func(v erraticValue) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Meta: mcp.Meta{"v": v}}, nil
	},
	"block": func(v erraticValue) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{block("x"), &mcp.ImageContent{Data: []byte("x"), MIMEType: "image/png", Meta: mcp.Meta{"v": v}}}}, nil
	},
	"resource": func(v erraticValue) (*mcp.CallToolResult, error) {
		inside := &mcp.ResourceContents{URI: "a:b", Text: "x", Meta: mcp.Meta{"v": v}}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.EmbeddedResource{Resource: inside}}}, nil
	},
	"own block": func(v erraticValue) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{erraticBlock{&mcp.TextContent{}, v}}}, nil
	},
	"question": func(v erraticValue) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "x", RequestedSchema: v, Meta: mcp.Meta{"v": v}}}}, nil
	},
	"OK":    func(v erraticValue) (*mcp.CallToolResult, error) { return result.OK(v), nil },
	"empty": func(v erraticValue) (*mcp.CallToolResult, error) { return result.Empty("none", v), nil },
	"details": func(v erraticValue) (*mcp.CallToolResult, error) {
		return nil, toolerr.Business("m").WithDetails(map[string]any{"v": v})
	},
	"options": func(v erraticValue) (*mcp.CallToolResult, error) { return nil, toolerr.Ambiguous("f", "x", v, v) },
	"argument": func(v erraticValue) (*mcp.CallToolResult, error) {
		return nil, toolerr.Transient("m").WithAttempted(toolerr.Attempt{Tool: "t", Arguments: map[string]any{"v": v}})
	},
}

// TestMiddleware_ErraticValues checks that every call is answered if a value is encoded
// differently every time: the SDK encodes what the middleware has checked, not the value.
func TestMiddleware_ErraticValues(t *testing.T) { //nolint:gocognit // one loop for each dimension
	t.Parallel()
	type call struct {
		Place   string `json:"place"`
		Then    string `json:"then"`
		Times   int    `json:"times"`
		Flagged bool   `json:"flagged"`
	}
	answer := func(c call) (*mcp.CallToolResult, error) {
		times := c.Times
		res, err := erraticPlaces[c.Place](erraticValue{&times, thens[c.Then]})
		if res != nil && c.Flagged {
			res.IsError = true
		}
		return res, err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(new(bytes.Buffer))))
	server.AddTool(&mcp.Tool{Name: "raw", InputSchema: anything}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var c call
		if err := json.Unmarshal(req.Params.Arguments, &c); err != nil {
			return nil, err
		}
		return answer(c)
	})
	typed := func(_ context.Context, _ *mcp.CallToolRequest, c call) (*mcp.CallToolResult, any, error) {
		res, err := answer(c)
		return res, nil, err
	}
	result.AddTool(server, &mcp.Tool{Name: "typed"}, typed)
	mcp.AddTool(server, &mcp.Tool{Name: "plain"}, typed)
	session := testutil.Connect(t, server, nil)
	ctx, cancel := context.WithTimeout(t.Context(), testutil.Patience)
	defer cancel()
	for place := range erraticPlaces {
		for then := range thens {
			for times := range 3 {
				for _, tool := range []string{"raw", "typed", "plain"} {
					for _, flagged := range []bool{false, true} {
						c := call{place, then, times, flagged}
						res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: c})
						if place == "question" && err != nil && ctx.Err() == nil {
							continue // the client answers no questions
						}
						require.NoError(t, err, "%s: %+v", tool, c)
						require.NotNil(t, res)
					}
				}
			}
		}
	}
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "raw", Arguments: call{Place: "meta", Then: "a panic", Times: 1}})
	require.NoError(t, err)
	require.Contains(t, res.Meta, "v", "a value that is encoded once")
}
