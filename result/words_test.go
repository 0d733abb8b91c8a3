package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// answering connects to a server whose tool "t" returns the results of next.
func answering(t *testing.T, opts *result.MiddlewareOptions, wire *testutil.Wire, next func() *mcp.CallToolResult) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(opts))
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return next(), nil
	})
	return testutil.Connect(t, server, wire)
}

func quiet() *result.MiddlewareOptions {
	return &result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}
}

// numbered returns a text of n different lines.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line%d: undefined: x%d\n", i, i)
	}
	return b.String()
}

// An author's result keeps all of its content. Content that does not fit into the envelope
// follows it, unchanged and in order.
func TestMiddleware_AuthorsContent(t *testing.T) {
	t.Parallel()
	var res *mcp.CallToolResult
	wire := new(testutil.Wire)
	session := answering(t, quiet(), wire, func() *mcp.CallToolResult { return res })
	long := numbered(1000)
	image := &mcp.ImageContent{Data: []byte("PNG"), MIMEType: "image/png"}
	audio := &mcp.AudioContent{Data: []byte("WAV"), MIMEType: "audio/wav"}
	link := &mcp.ResourceLink{URI: "file:///log", Name: "log"}
	resource := &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///a", MIMEType: "text/plain", Text: "all of it"}}
	note := &mcp.TextContent{Text: "For you.", Annotations: &mcp.Annotations{Audience: []mcp.Role{"user"}}}
	said := func(s string) *mcp.TextContent { return &mcp.TextContent{Text: s} }
	wideJSON := `{"error":"The batch has failed.","rows":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23]}`
	for name, test := range map[string]struct {
		content    []mcp.Content
		structured any
		message    string
		details    string
		further    []mcp.Content
	}{
		"a sentence":              {content: []mcp.Content{said("Out of stock.")}, message: "Out of stock."},
		"escapes":                 {content: []mcp.Content{said("\x1b[31mOut of stock.\x1b[0m")}, message: "Out of stock."},
		"the same twice":          {content: []mcp.Content{said("Out of stock."), said(""), said("Out of stock.")}, message: "Out of stock."},
		"nothing":                 {message: "The tool failed without saying why."},
		"a second text":           {content: []mcp.Content{said("Out of stock."), said("Try tomorrow.")}, message: "Out of stock.", further: []mcp.Content{said("Try tomorrow.")}},
		"other blocks, in order":  {content: []mcp.Content{image, said("Out of stock."), audio, said("See the log."), link, resource}, message: "Out of stock.", further: []mcp.Content{image, audio, said("See the log."), link, resource}},
		"an image alone":          {content: []mcp.Content{image}, message: "The tool failed without saying why.", further: []mcp.Content{image}},
		"an annotated text":       {content: []mcp.Content{note}, message: "For you.", further: []mcp.Content{note}},
		"a long text":             {content: []mcp.Content{said(long)}, further: []mcp.Content{said(long)}},
		"a very long text":        {content: []mcp.Content{said(strings.Repeat(long, 100)), image}, further: []mcp.Content{said(strings.Repeat(long, 100)), image}},
		"JSON":                    {content: []mcp.Content{said(`{"error":{"code":"not_found","message":"No such order.","order":{"id":7}},"retryable":false,"status":404,"success":false}`)}, message: "No such order.", details: `{"order":{"id":7},"status":404}`},
		"JSON of large numbers":   {content: []mcp.Content{said(`{"message":"No such order.","id":9007199254740993}`)}, message: "No such order.", details: `{"id":9007199254740993}`},
		"JSON with details":       {content: []mcp.Content{said(`{"message":"No such order.","details":{"id":7},"shop":"x"}`)}, message: "No such order.", details: `{"id":7,"shop":"x"}`},
		"an envelope and more":    {content: []mcp.Content{said(`{"errorCategory":"business","message":"Sold out.","details":{"left":0},"shop":"x"}`)}, message: "Sold out.", details: `{"left":0,"shop":"x"}`},
		"details of one name":     {content: []mcp.Content{said(`{"errorCategory":"business","message":"Sold out.","details":{"shop":1},"shop":"x"}`)}, message: "Sold out.", details: `{"shop":1}`, further: []mcp.Content{said(`{"errorCategory":"business","message":"Sold out.","details":{"shop":1},"shop":"x"}`)}},
		"JSON of long lists":      {content: []mcp.Content{said(wideJSON)}, message: "The batch has failed.", further: []mcp.Content{said(wideJSON)}},
		"long JSON":               {content: []mcp.Content{said(`{"error":"The build has failed.","log":` + quote(long) + `}`)}, message: "The build has failed.", further: []mcp.Content{said(`{"error":"The build has failed.","log":` + quote(long) + `}`)}},
		"JSON of a long message":  {content: []mcp.Content{said(`{"error":` + quote(long) + `}`)}, further: []mcp.Content{said(`{"error":` + quote(long) + `}`)}},
		"structured":              {content: []mcp.Content{said("Out of stock.")}, structured: map[string]any{"left": 0, "shops": []any{"a"}}, message: "Out of stock.", details: `{"left":0,"shops":["a"]}`},
		"structured alone":        {structured: map[string]any{"message": "Out of stock.", "left": 0}, message: "Out of stock.", details: `{"left":0}`},
		"structured, the same":    {content: []mcp.Content{said(`{"message":"Out of stock.","left":0}`)}, structured: map[string]any{"message": "Out of stock.", "left": 0}, message: "Out of stock.", details: `{"left":0}`},
		"structured, the text":    {content: []mcp.Content{said(long)}, structured: map[string]any{"result": long}, further: []mcp.Content{said(long)}},
		"structured, of one name": {content: []mcp.Content{said(`{"message":"Out of stock.","left":0}`)}, structured: map[string]any{"left": 1}, message: "Out of stock.", details: `{"left":0}`, further: []mcp.Content{said(`{"left":1}`)}},
		"structured, too long":    {content: []mcp.Content{said("It has failed.")}, structured: map[string]any{"log": long}, message: "It has failed.", further: []mcp.Content{said(`{"log":` + quote(long) + `}`)}},
		"structured, twice":       {content: []mcp.Content{said("It has failed."), said(`[1,2]`)}, structured: []any{1, 2}, message: "It has failed.", further: []mcp.Content{said(`[1,2]`)}},
		"structured list":         {content: []mcp.Content{said("It has failed.")}, structured: []any{1, 2}, message: "It has failed.", further: []mcp.Content{said(`[1,2]`)}},
		"what cannot be encoded":  {content: []mcp.Content{said("It has failed."), nil, (*mcp.ImageContent)(nil), &mcp.ImageContent{Meta: mcp.Meta{"e": explosive{}}}, image}, structured: explosive{}, message: "It has failed.", further: []mcp.Content{image}},
	} {
		res = &mcp.CallToolResult{IsError: true, Content: test.content, StructuredContent: test.structured}
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		require.Equal(t, result.KindFailure, out.Kind, name)
		assert.NotContains(t, string(wire.Last()), "structuredContent", name)
		require.NotEmpty(t, out.Result.Content, name)
		first, ok := out.Result.Content[0].(*mcp.TextContent)
		require.True(t, ok, name)
		assert.True(t, strings.HasPrefix(first.Text, `{"isError":true,"`), name)
		assert.LessOrEqual(t, len(first.Text), 8<<10, name)
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
		require.NoError(t, json.Unmarshal([]byte(first.Text), &envelope))
		assert.Equal(t, test.details, string(envelope.Details), name)
		assert.Equal(t, quoteAll(test.further), quoteAll(out.Result.Content[1:]), name)
		for _, block := range test.further {
			if text, ok := block.(*mcp.TextContent); ok {
				assert.Contains(t, out.Text(), text.Text, name)
			}
		}
		if strings.HasPrefix(first.Text, `{"isError":true,"errorCategory":`) { // Text has what Parse reads in the message of another
			assert.True(t, strings.HasPrefix(out.Text(), first.Text), name)
		}
	}
}

func quote(s string) string {
	raw, _ := json.Marshal(s)
	return string(raw)
}

func quoteAll(blocks []mcp.Content) string {
	raw, _ := json.Marshal(append([]mcp.Content{}, blocks...))
	return string(raw)
}

// The middleware loses no word of a public server's failure, and Parse reads the same category
// with and without it.
func TestMiddleware_PublicServers(t *testing.T) {
	t.Parallel()
	var res *mcp.CallToolResult
	session := answering(t, quiet(), nil, func() *mcp.CallToolResult { c := *res; return &c })
	n := 0
	for _, c := range wildCases(t, "wild.jsonl") {
		if !c.Result.IsError {
			continue
		}
		n++
		res = c.Result
		before := result.Parse(res, nil)
		after := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		require.NotNil(t, after.Err, c.ID)
		assert.Equal(t, before.Err.Category, after.Err.Category, c.ID)
		kept := map[string]bool{}
		for _, content := range after.Result.Content {
			if text, ok := content.(*mcp.TextContent); ok {
				addWords(kept, text.Text)
			}
		}
		for _, content := range res.Content {
			if text, ok := content.(*mcp.TextContent); ok {
				said := map[string]bool{}
				addWords(said, text.Text)
				for word := range said {
					assert.True(t, kept[word] || isFrame(word), "%s: %q of %.300s is not in %.600s", c.ID, word, text.Text, after.Text())
				}
			}
		}
	}
	assert.Greater(t, n, 100)
}

// addWords adds the words of a text, or of the texts and numbers in it if it is JSON.
func addWords(words map[string]bool, text string) {
	var value any
	if start := strings.IndexByte(text, '{'); start >= 0 && start < 60 {
		d := json.NewDecoder(strings.NewReader(text[start:]))
		d.UseNumber()
		if d.Decode(&value) == nil {
			addLeaves(words, value)
			text = text[:start]
		}
	}
	text = sanitize.Text(text, len(text))
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[word] = true
	}
}

func addLeaves(words map[string]bool, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, member := range v {
			addLeaves(words, member)
		}
	case []any:
		for _, item := range v {
			addLeaves(words, item)
		}
	case string:
		addWords(words, v)
	case json.Number:
		words[v.String()] = true
	}
}

// isFrame reports whether a word is from an adapter's frame around JSON.
func isFrame(word string) bool {
	return strings.Contains(" Error executing tool calling MCP error ", " "+word+" ")
}

// The zero output of a typed handler does not become details of its failed result.
func TestMiddleware_ZeroOutput(t *testing.T) {
	t.Parallel()
	server := newServer(new(bytes.Buffer))
	mcp.AddTool(server, &mcp.Tool{Name: "list"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, []string, error) {
		return &mcp.CallToolResult{IsError: true, Content: text("Out of stock.")}, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "object"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, strict, error) {
		return &mcp.CallToolResult{IsError: true, Content: text("Out of stock.")}, strict{}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "told"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, strict, error) {
		return &mcp.CallToolResult{IsError: true, Content: text("Out of stock.")}, strict{Name: "shop"}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "counts"}, func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, counted, error) {
		return &mcp.CallToolResult{IsError: true, Content: text("Out of stock.")}, counted{}, nil
	})
	session := testutil.Connect(t, server, nil)
	for tool, want := range map[string]map[string]any{"list": nil, "object": nil, "counts": nil, "overwritten": nil, "told": {"name": "shop"}} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool}))
		require.NotNil(t, out.Err, tool)
		assert.Equal(t, "Out of stock.", out.Err.Message, tool)
		assert.Equal(t, want, out.Err.Details, tool)
		assert.Len(t, out.Result.Content, 1, tool)
	}
}

type counted struct {
	Count int       `json:"count"`
	Open  bool      `json:"open"`
	At    time.Time `json:"at"`
}

// Content returned together with an error is kept, unless it may be the error's text.
func TestMiddleware_ContentWithError(t *testing.T) {
	t.Parallel()
	image := &mcp.ImageContent{Data: []byte("PNG"), MIMEType: "image/png"}
	var fail func() *mcp.CallToolResult
	session := answering(t, quiet(), nil, func() *mcp.CallToolResult { return fail() })
	set := func(err error, content ...mcp.Content) func() *mcp.CallToolResult {
		return func() *mcp.CallToolResult {
			r := &mcp.CallToolResult{Content: content, StructuredContent: map[string]any{"left": 0}}
			r.SetError(err)
			return r
		}
	}
	for name, test := range map[string]struct {
		fail    func() *mcp.CallToolResult
		message string
		further []mcp.Content
	}{
		"before any error":       {set(fmt.Errorf("at 10.0.0.7"), append(text("Too much."), image)...), "Too much.", []mcp.Content{image}}, //nolint:err113,perfsprint // as somebody may
		"before one that varies": {set(changing{new(int), "at 10.0.0.7, take %d", nil}, append(text("Too much."), image)...), "The tool failed unexpectedly.", []mcp.Content{image}},
		"an image alone":         {set(changing{new(int), "at 10.0.0.7, take %d", nil}, image), "The tool failed unexpectedly.", []mcp.Content{image}},
		"Failure, and more": {func() *mcp.CallToolResult {
			r := result.Failure(errOverLimit)
			r.Content = append(r.Content, image)
			r.StructuredContent = map[string]any{"left": 0}
			return r
		}, "Over the limit.", []mcp.Content{image}},
	} {
		fail = test.fail
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}))
		require.NotNil(t, out.Err, name)
		assert.Equal(t, test.message, out.Err.Message, name)
		assert.Equal(t, map[string]any{"left": 0.0}, out.Err.Details, name)
		assert.Equal(t, quoteAll(test.further), quoteAll(out.Result.Content[1:]), name)
		assert.NotContains(t, out.Text(), "10.0.0.7", name)
	}
}

// A zero Error is an unexpected error.
func TestMiddleware_ZeroError(t *testing.T) {
	t.Parallel()
	var err error
	session := failing(t, quiet(), func(context.Context) error { return err })
	for _, err = range []error{&toolerr.Error{}, fmt.Errorf("x: %w", &toolerr.Error{}), &toolerr.Error{Hint: "Ask."}} {
		e := callT(t, session)
		assert.Equal(t, "transient internal unknown false", fmt.Sprint(e.Category, " ", e.Code, " ", e.Effect, " ", e.Retryable))
		assert.Equal(t, "The tool failed unexpectedly.", e.Message)
	}
	e := result.Parse(result.Failure(&toolerr.Error{}), nil).Err
	assert.Equal(t, "transient internal", fmt.Sprint(e.Category, " ", e.Code))
}
