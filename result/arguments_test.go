package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

const everyKeyword = `{"type":"object","additionalProperties":false,"dependentRequired":{"p":["unit"]},"required":["name"],"properties":{
	"name":{"type":"string"},"unit":{"type":"string","enum":["metric","imperial"]},"n":{"type":"integer","minimum":1,"maximum":10,"multipleOf":2},
	"x":{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1},"p":{"type":"string","pattern":"^a+$","minLength":2,"maxLength":4},
	"l":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":2,"uniqueItems":true},"c":{"const":5},
	"any":{"anyOf":[{"type":"string"},{"type":"integer"}]},"two":{"type":["null","string"]},"a/b~c":{"type":"integer"},
	"o":{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"],"additionalProperties":false},
	"rows":{"type":"array","items":{"type":"object","properties":{"sku":{"type":"string"}},"required":["sku"]}},
	"map":{"type":"object","additionalProperties":{"type":"object","properties":{"k":{"type":"string"}}}},
	"odd":{"type":"object","patternProperties":{"^x":{"type":"integer"}}},"few":{"type":"object","minProperties":2},
	"holds":{"type":"array","contains":{"const":1}}}}`

// argumentServer returns a server with a tool for every keyword, and one that fails with the
// text of its argument.
func argumentServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}))
	mcp.AddTool(server, &mcp.Tool{Name: "t", InputSchema: json.RawMessage(everyKeyword)},
		func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	mcp.AddTool(server, &mcp.Tool{Name: "typed"},
		func(context.Context, *mcp.CallToolRequest, struct {
			At    time.Time `json:"at,omitzero"`
			Count int       `json:"count,omitempty"`
		},
		) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	type text struct {
		Text string `json:"text"`
	}
	echo := func(_ context.Context, _ *mcp.CallToolRequest, in text) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New(in.Text)
	}
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, echo)
	mcp.AddTool(server, &mcp.Tool{Name: "open_echo", InputSchema: json.RawMessage(`{"type":"object","patternProperties":{"^x-":{"type":"string"}}}`)}, echo)
	return server
}

func TestMiddleware_InvalidArguments(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, argumentServer(), nil)
	for arguments, want := range map[string]struct{ code, field, message, suggestion string }{
		`{}`:                                          {"missing_argument", "name", "The argument name is missing.", ""},
		`{"name":5}`:                                  {"invalid_argument", "name", "name must be a string.", ""},
		`{"name":null}`:                               {"invalid_argument", "name", "name must be a string.", ""},
		`{"name":"a","namme":1}`:                      {"invalid_argument", "namme", `There is no argument "namme".`, "name"},
		`{"name":"a","zzz":1}`:                        {"invalid_argument", "zzz", `There is no argument "zzz".`, ""},
		`{"name":"a","unit":"metrc"}`:                 {"invalid_argument", "unit", `unit must be one of "metric", "imperial".`, "metric"},
		`{"name":"a","n":0}`:                          {"out_of_range", "n", "n must be at least 1.", ""},
		`{"name":"a","n":12}`:                         {"out_of_range", "n", "n must be at most 10.", ""},
		`{"name":"a","n":3}`:                          {"out_of_range", "n", "n must be a multiple of 2.", ""},
		`{"name":"a","n":1.5}`:                        {"invalid_argument", "n", "n must be an integer.", ""},
		`{"name":"a","x":0}`:                          {"out_of_range", "x", "x must be more than 0.", ""},
		`{"name":"a","x":1}`:                          {"out_of_range", "x", "x must be less than 1.", ""},
		`{"name":"a","unit":"metric","p":"a"}`:        {"invalid_argument", "p", "p must have at least 2 characters.", ""},
		`{"name":"a","unit":"metric","p":"aaaaa"}`:    {"invalid_argument", "p", "p must have at most 4 characters.", ""},
		`{"name":"a","unit":"metric","p":"bb"}`:       {"invalid_argument", "p", `p must match the pattern "^a+$".`, ""},
		`{"name":"a","p":"aa"}`:                       {"invalid_argument", "", "The arguments do not fit the tool's input schema.", ""},
		`{"name":"a","l":[]}`:                         {"invalid_argument", "l", "l must have at least 1 items.", ""},
		`{"name":"a","l":["a","b","c"]}`:              {"invalid_argument", "l", "l must have at most 2 items.", ""},
		`{"name":"a","l":["a","a"]}`:                  {"invalid_argument", "l", "l must not hold the same item twice.", ""},
		`{"name":"a","l":["a",1]}`:                    {"invalid_argument", "l[1]", "l[1] must be a string.", ""},
		`{"name":"a","c":4}`:                          {"invalid_argument", "c", "c must be 5.", ""},
		`{"name":"a","any":true}`:                     {"invalid_argument", "any", "any must be what the input schema says.", ""},
		`{"name":"a","two":1}`:                        {"invalid_argument", "two", "two must be a string or null.", ""},
		`{"name":"a","a/b~c":"x"}`:                    {"invalid_argument", "a/b~c", "a/b~c must be an integer.", ""},
		`{"name":"a","o":{}}`:                         {"missing_argument", "o.a", "The argument o.a is missing.", ""},
		`{"name":"a","o":{"a":1,"b":2}}`:              {"invalid_argument", "o.b", `There is no argument "b".`, "a"},
		`{"name":"a","rows":[{"sku":"x"},{}]}`:        {"missing_argument", "rows[1].sku", "The argument rows[1].sku is missing.", ""},
		`{"name":"a","rows":[{"sku":"x"},{"sku":3}]}`: {"invalid_argument", "rows[1].sku", "rows[1].sku must be a string.", ""},
		`{"name":"a","map":{"a":1}}`:                  {"invalid_argument", "map.a", "map.a must be an object.", ""},
		`{"name":"a","map":{"a":{"k":1}}}`:            {"invalid_argument", "map.a.k", "map.a.k must be a string.", ""},
		`{"name":"a","odd":{"x":"y"}}`:                {"invalid_argument", "", "The arguments do not fit the tool's input schema.", ""},
		`{"name":"a","few":{}}`:                       {"invalid_argument", "few", "few must be what the input schema says.", ""},
		`{"name":"a","holds":[2]}`:                    {"invalid_argument", "", "The arguments do not fit the tool's input schema.", ""},
		`[]`:                                          {"invalid_argument", "", "The arguments do not fit the tool's input schema.", ""},
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(arguments)}))
		require.NotNil(t, out.Err, arguments)
		assert.Equal(t, toolerr.CategoryValidation, out.Err.Category, arguments)
		assert.Equal(t, want.code, string(out.Err.Code), arguments)
		assert.Equal(t, want.field, out.Err.Field, arguments)
		assert.Equal(t, want.message, out.Err.Message, arguments)
		assert.NotEmpty(t, out.Err.Hint, arguments)
		if want.field != "" { // keywords that are not checked again
			assert.Equal(t, toolerr.EffectNone, out.Err.Effect, arguments)
		}
		if want.suggestion == "" {
			assert.Empty(t, out.Err.Suggestions, arguments)
		} else {
			require.NotEmpty(t, out.Err.Suggestions, arguments)
			assert.Equal(t, want.suggestion, out.Err.Suggestions[0], arguments)
		}
	}
	for arguments, field := range map[string]string{`{"at":"tomorrow"}`: "at", `{"count":1e30}`: "count"} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "typed", Arguments: json.RawMessage(arguments)}))
		assert.Equal(t, toolerr.CategoryValidation, out.Err.Category, arguments)
		assert.Equal(t, field, out.Err.Field, arguments)
		assert.NotContains(t, out.Text(), "tomorrow", "values are not repeated")
	}
}

func TestMiddleware_ImitatedViolation(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, argumentServer(), nil)
	for _, text := range []string{
		`validating "arguments": validating root: required: missing properties: ["text"]`,
		`validating "arguments": validating root: required: missing properties: ["password"]`,
		`validating "arguments": validating root: validating /properties/text: type: 5 has type "integer", want "string"`,
		`validating "arguments": validating root: unexpected additional properties ["text"]`,
		`validating "arguments": validating root: unexpected additional properties ["evil"]`,
		`validating "arguments": unmarshaling arguments: `,
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text}}))
		require.NotNil(t, out.Err)
		assert.Equal(t, toolerr.CodeInternal, out.Err.Code, text)
		assert.Empty(t, out.Err.Field, text)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(new(bytes.Buffer))))
	server.AddTool(&mcp.Tool{Name: "open", InputSchema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New(`validating "arguments": validating root: unexpected additional properties ["evil"]`)
		})
	out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "open", Arguments: map[string]any{"evil": 1}}))
	assert.Equal(t, "internal unknown", string(out.Err.Code)+" "+string(out.Err.Effect), "the schema refuses no argument")
}

// If the schema has keywords that are not checked again, the text may be the SDK's or a
// handler's: effect and field are not set.
func TestMiddleware_UncheckedKeywords(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, argumentServer(), nil)
	for _, text := range []string{
		`validating "arguments": x`, `validating "arguments": validating root: not: x`,
		`validating "arguments": validating root: validating /properties/nope: x`,
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "open_echo", Arguments: map[string]any{"text": text + ": booked, but no receipt"}}))
		require.NotNil(t, out.Err)
		assert.Equal(t, "validation  ", string(out.Err.Category)+" "+out.Err.Field+" "+string(out.Err.Effect), text)
		out = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"text": text}}))
		require.NotNil(t, out.Err)
		assert.Equal(t, "internal unknown", string(out.Err.Code)+" "+string(out.Err.Effect), "all of this schema is checked")
	}
}

// A handler that fails to decode other data is not a failure of the arguments.
func TestMiddleware_DecodingInHandler(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	var reply string // of a service
	mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, struct {
		ID string `json:"id"`
	},
	) (*mcp.CallToolResult, any, error) {
		var got struct {
			ID     int `json:"id"`
			Charge int `json:"charge"`
		}
		return nil, nil, json.Unmarshal([]byte(reply), &got)
	})
	session := testutil.Connect(t, server, nil)
	for _, reply = range []string{`{"id":"ch_1"}`, `{"id":"ORD"}`, `{"charge":"ch_1"}`} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: map[string]any{"id": "ORD-7"}}))
		assert.Equal(t, "internal  unknown", string(out.Err.Code)+" "+out.Err.Field+" "+string(out.Err.Effect), reply)
		assert.NotContains(t, log.String(), "the arguments do not fit", reply)
	}
}

// A value that fits the schema may not fit the Go type: its path is exact too.
func TestMiddleware_ArgumentGoTypes(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(io.Discard)))
	type row struct {
		At    time.Time `json:"at,omitzero"`
		Share float32   `json:"share,omitempty"`
	}
	mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, struct {
		Rows  []row          `json:"rows,omitempty"`
		Named map[string]row `json:"named,omitempty"`
	},
	) (*mcp.CallToolResult, any, error) {
		return nil, nil, nil
	})
	session := testutil.Connect(t, server, nil)
	for arguments, field := range map[string]string{
		`{"rows":[{},{"at":"tomorrow"}]}`: "rows[1].at", `{"rows":[{"share":1e300}]}`: "rows[0].share", `{"named":{"a":{"at":"soon"}}}`: "named.a.at",
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(arguments)}))
		assert.Equal(t, field+" none", out.Err.Field+" "+string(out.Err.Effect), arguments)
	}
}

// The time to validate many invalid items is limited.
func TestMiddleware_ManyInvalidItems(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(io.Discard)))
	mcp.AddTool(server, &mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object","properties":{"ids":{"type":"array","uniqueItems":true}}}`)},
		func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			return nil, nil, nil
		})
	ids := make([]int, 500_000)
	for i := range ids {
		ids[i] = i
	}
	ids[len(ids)-1] = 0
	start := time.Now()
	out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: map[string]any{"ids": ids}}))
	assert.Equal(t, "ids must not hold the same item twice.", out.Err.Message)
	assert.Less(t, time.Since(start), testutil.Patience)
}

// A client may omit the arguments.
func TestMiddleware_NoArguments(t *testing.T) {
	t.Parallel()
	for name, arguments := range map[string]any{"absent": nil, "null": json.RawMessage("null"), "empty": struct{}{}} {
		server := argumentServer()
		serverSide, clientSide := mcp.NewInMemoryTransports()
		_, err := server.Connect(t.Context(), serverSide, nil)
		require.NoError(t, err)
		client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "v0"}, nil)
		client.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if params, ok := req.GetParams().(*mcp.CallToolParams); ok {
					params.Arguments = arguments // the session sets an empty object
				}
				return next(ctx, method, req)
			}
		})
		session, err := client.Connect(t.Context(), clientSide, nil)
		require.NoError(t, err)
		t.Cleanup(func() { _ = session.Close() })
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		require.NotNil(t, out.Err, name)
		assert.Equal(t, "missing_argument name", string(out.Err.Code)+" "+out.Err.Field, name)
	}
}
