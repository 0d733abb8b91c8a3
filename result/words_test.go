package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// numbered returns a text of n different lines.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line%d: undefined: x%d\n", i, i)
	}
	return b.String()
}

// The text of an author is the message, whatever it says, and nothing stands beside it. Results
// and revealed errors are sent alike, also if the error is joined, wrapped or of an unknown type.
func TestMiddleware_Prose(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"path":{"type":"string"},"issue_number":{"type":"integer"}}}`
	for _, words := range []string{
		"The moon is in the way.", "order 17 not found", "issue_number is required", `open "/x": no such file or directory`,
		"rate limit exceeded, retry after 30 seconds", "the board answered 503 Service Unavailable", "permission denied", "invalid character '<' looking for beginning of value",
		"Use branch_unprotect first.", "ERROR: duplicate key (SQLSTATE 23505)", `API error: {"code":"not_found","retryable":true}`, "context deadline exceeded",
	} {
		for way, fail := range map[string]toolFunc{
			"result":        answers(failed(words)),
			"error":         fails(errors.New(words)),
			"wrapped":       fails(fmt.Errorf("%w", errors.New(words))), //nolint:err113 // its text is
			"joined":        fails(errors.Join(errors.New(words))),
			"unknown type":  fails(ownError{words}),
			"beside errors": answers(withError(errors.New("at 10.0.0.7"), block(words))),
		} {
			opts := quiet()
			opts.CorrelationID = func(context.Context) string { return "id" }
			opts.Reveal = result.RevealAll
			server := serve(opts)
			server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(schema)}, func(ctx context.Context, _ *mcp.CallToolRequest) (*mcp.CallToolResult, error) { return fail(ctx) })
			res, err := testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(`{"path":"/x"}`)})
			require.NoError(t, err)
			message, err := jsonvalue.Marshal(words)
			require.NoError(t, err)
			assert.Equal(t, text(`{"isError":true,"isRetryable":false,"message":`+string(message)+`,"correlationId":"id"}`), res.Content, "%s, %s", words, way)
		}
	}
}

type ownError struct{ text string }

func (e ownError) Error() string { return e.text }

// Middleware around gets the cause of a failure, and a second result.Middleware does nothing.
func TestMiddleware_Twice(t *testing.T) {
	t.Parallel()
	var got []error
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	around := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			res, err := next(ctx, method, req)
			if r, ok := res.(*mcp.CallToolResult); ok {
				got = append(got, r.GetError())
			}
			return res, err
		}
	}
	inner, outer := new(bytes.Buffer), new(bytes.Buffer)
	server.AddReceivingMiddleware(around, result.Middleware(logged(outer)), around, result.Middleware(logged(inner)))
	addBrokenTools(server)
	addTyped(server, "sold_out", fails(errOverLimit.WithCause(errSoldOut)))
	session := testutil.Connect(t, server, nil)
	out := callTool(t, session, "sold_out", nil)
	for _, err := range got {
		require.ErrorIs(t, err, errSoldOut)
		assert.Equal(t, "Over the limit.", err.Error())
		assert.Contains(t, fmt.Sprint(slog.AnyValue(err).Resolve()), "limit_exceeded", "it is logged as it would be by itself")
	}
	assert.Len(t, got, 2)
	assert.Contains(t, outer.String(), out.Err.CorrelationID)
	assert.Contains(t, outer.String(), errSoldOut.Error())
	assert.Equal(t, 1, strings.Count(inner.String(), "\n"), "it says once that it does nothing")
	assert.Contains(t, inner.String(), "result.Middleware inside another one")
	out = callTool(t, session, "every_keyword", map[string]any{"no_such_argument": 1})
	assert.Equal(t, "no_such_argument", out.Err.Field)
}

// An author's result keeps all of its content. Content that does not fit into the envelope
// follows it, unchanged and in order.
func TestMiddleware_AuthorsContent(t *testing.T) {
	t.Parallel()
	var res *mcp.CallToolResult
	wire, server := new(testutil.Wire), serve(quiet())
	addRaw(server, "t", func(context.Context) (*mcp.CallToolResult, error) { return res, nil })
	session := testutil.Connect(t, server, wire)
	long := numbered(1000)
	image := &mcp.ImageContent{Data: []byte("PNG"), MIMEType: "image/png"}
	audio := &mcp.AudioContent{Data: []byte("WAV"), MIMEType: "audio/wav"}
	link := &mcp.ResourceLink{URI: "file:///log", Name: "log"}
	resource := &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///a", MIMEType: "text/plain", Text: "all of it"}}
	note := &mcp.TextContent{Text: "For you.", Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}}}
	wideJSON := `{"error":"The batch has failed.","rows":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]}`
	for name, test := range map[string]struct {
		content    []mcp.Content
		structured any
		message    string
		details    string
		further    []mcp.Content
	}{
		"a sentence":              {content: []mcp.Content{block("Out of stock.")}, message: "Out of stock."},
		"nothing":                 {message: "The tool failed without saying why."},
		"a second text":           {content: []mcp.Content{block("Out of stock."), block("Try tomorrow.")}, message: "Out of stock.", further: []mcp.Content{block("Try tomorrow.")}},
		"other blocks, in order":  {content: []mcp.Content{image, block("Out of stock."), audio, block("See the log."), link, resource}, message: "Out of stock.", further: []mcp.Content{image, audio, block("See the log."), link, resource}},
		"an image alone":          {content: []mcp.Content{image}, message: "The tool failed without saying why.", further: []mcp.Content{image}},
		"an annotated text":       {content: []mcp.Content{note}, message: "For you.", further: []mcp.Content{note}},
		"a long text":             {content: []mcp.Content{block(long)}, further: []mcp.Content{block(long)}},
		"JSON":                    {content: []mcp.Content{block(`{"error":{"code":"not_found","message":"No such order.","order":{"id":7}},"retryable":false,"status":404,"success":false}`)}, message: "No such order.", details: `{"order":{"id":7},"status":404}`},
		"JSON of large numbers":   {content: []mcp.Content{block(`{"message":"No such order.","id":9007199254740993}`)}, message: "No such order.", details: `{"id":9007199254740993}`},
		"JSON with details":       {content: []mcp.Content{block(`{"message":"No such order.","details":{"id":7},"shop":"x"}`)}, message: "No such order.", details: `{"id":7,"shop":"x"}`},
		"an envelope and more":    {content: []mcp.Content{block(`{"errorCategory":"business","message":"Sold out.","details":{"left":0},"shop":"x"}`)}, message: "Sold out.", details: `{"left":0,"shop":"x"}`},
		"details of one name":     {content: []mcp.Content{block(`{"errorCategory":"business","message":"Sold out.","details":{"shop":1},"shop":"x"}`)}, message: "Sold out.", details: `{"shop":1}`, further: []mcp.Content{block(`{"errorCategory":"business","message":"Sold out.","details":{"shop":1},"shop":"x"}`)}},
		"JSON of long lists":      {content: []mcp.Content{block(wideJSON)}, message: "The batch has failed.", further: []mcp.Content{block(wideJSON)}},
		"structured":              {content: []mcp.Content{block("Out of stock.")}, structured: map[string]any{"left": 0, "shops": []any{"a"}}, message: "Out of stock.", details: `{"left":0,"shops":["a"]}`},
		"structured alone":        {structured: map[string]any{"message": "Out of stock.", "left": 0}, message: "Out of stock.", details: `{"left":0}`},
		"structured, the same":    {content: []mcp.Content{block(`{"message":"Out of stock.","left":0}`)}, structured: map[string]any{"message": "Out of stock.", "left": 0}, message: "Out of stock.", details: `{"left":0}`},
		"structured, of one name": {content: []mcp.Content{block(`{"message":"Out of stock.","left":0}`)}, structured: map[string]any{"left": 1}, message: "Out of stock.", details: `{"left":0}`, further: []mcp.Content{block(`{"left":1}`)}},
		"structured, too long":    {content: []mcp.Content{block("It has failed.")}, structured: map[string]any{"log": long}, message: "It has failed.", further: []mcp.Content{block(`{"log":` + strconv.Quote(long) + `}`)}},
		"structured, twice":       {content: []mcp.Content{block("It has failed."), block(`[1,2]`)}, structured: []any{1, 2}, message: "It has failed.", further: []mcp.Content{block(`[1,2]`)}},
		"what cannot be encoded":  {content: []mcp.Content{block("It has failed."), nil, (*mcp.ImageContent)(nil), &mcp.ImageContent{Meta: mcp.Meta{"e": explosive{}}}, image}, structured: explosive{}, message: "It has failed.", further: []mcp.Content{image}},
	} {
		res = &mcp.CallToolResult{IsError: true, Content: test.content, StructuredContent: test.structured}
		out := callTool(t, session, "t", nil)
		require.Equal(t, result.KindFailure, out.Kind, name)
		assert.NotContains(t, string(wire.Last()), "structuredContent", name)
		require.NotEmpty(t, out.Result.Content, name)
		first := textOf(out.Result.Content[0])
		assert.True(t, strings.HasPrefix(first, `{"isError":true,"`), name)
		assert.LessOrEqual(t, len(first), 8<<10, name)
		if test.message != "" {
			assert.Equal(t, test.message, out.Err.Message, name)
		} else {
			assert.True(t, strings.HasPrefix(out.Err.Message, "line0: "), name)
			assert.Contains(t, out.Err.Message, " … ", name)
			assert.True(t, strings.HasSuffix(out.Err.Message, "line999: undefined: x999\n"), name)
		}
		var envelope struct {
			Details json.RawMessage `json:"details"`
		}
		require.NoError(t, json.Unmarshal([]byte(first), &envelope))
		assert.Equal(t, test.details, string(envelope.Details), name)
		assert.Equal(t, quoteAll(test.further), quoteAll(out.Result.Content[1:]), name)
		for _, content := range test.further {
			assert.Contains(t, out.Text(), textOf(content), name)
		}
		if strings.HasPrefix(first, `{"isError":true,"errorCategory":`) { // Text has what Parse reads in the message of another
			assert.True(t, strings.HasPrefix(out.Text(), first), name)
		}
	}
}

func quoteAll(blocks []mcp.Content) string {
	raw, _ := json.Marshal(append([]mcp.Content{}, blocks...))
	return string(raw)
}
