package failure_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type (
	serviceError struct {
		HTTPStatusCode int
		Msg, Param     string
	}
	asError   struct{ inside *toolerr.Error }
	listError []string
	panicking struct{}
	sqlError  struct{ state, text string }
	bothError struct{ error }
)

func (e *serviceError) Error() string { return "service: " + e.Msg }
func (e asError) Error() string       { return "as" }
func (e asError) As(target any) bool {
	to, ok := target.(**toolerr.Error)
	if ok {
		*to = e.inside
	}
	return ok
}
func (e listError) Error() string              { return "list: " + strings.Join(e, " ") }
func (panicking) Error() string                { panic("a bug") }
func (panicking) Write([]byte) (int, error)    { panic("a bug") }
func (e sqlError) Error() string               { return e.text }
func (e sqlError) SQLState() string            { return e.state }
func (e bothError) Error() string              { return "both: " + e.error.Error() }
func (e bothError) Unwrap() []error            { return []error{e.error} }
func (panicking) MarshalJSON() ([]byte, error) { panic("a bug") }

var (
	errPlain  = errors.New("boom at 10.0.0.7, row 12")
	errOwn    = toolerr.Business("Own words.").WithHint("Own hint.")
	errPath   = &fs.PathError{Op: "open", Path: "/data/report.csv", Err: fs.ErrNotExist}
	_, errNum = strconv.Atoi("seven")
	errCause  = errors.New("the connection broke")
	samples   = map[string]error{
		"plain": errPlain, "own": errOwn, "path": errPath, "number": errNum, "cause": errCause, "fault": failure.ErrBare,
		"deadline":     fmt.Errorf("asking: %w", context.DeadlineExceeded),
		"canceled":     fmt.Errorf("asking: %w", context.Canceled),
		"own, wrapped": fmt.Errorf("while saving: %w", errOwn), "own, joined": errors.Join(errPlain, errOwn),
		"own, none of it": (*toolerr.Error)(nil), "own, empty": &toolerr.Error{},
		"own, empty, applied": &toolerr.Error{Effect: "applied"},
		"own, message only":   &toolerr.Error{Message: "Only words."}, "own, code only": &toolerr.Error{Code: "odd"},
		"own, category only": &toolerr.Error{Category: "business"},
		"own, applied":       toolerr.Transient("Own words.").WithEffect(toolerr.EffectApplied).WithField("own.field"),
		"own, partial":       toolerr.Transient("Part.").WithPartial(&toolerr.Partial{Processed: 1, Total: 3}),
		"own, unknown":       toolerr.Business("Own words.").WithEffect(toolerr.EffectUnknown),
		"validation":         toolerr.Validation("Bad input."),
		"from":               toolerr.From(errPath), "from, words": toolerr.From(errPath).WithMessage("Own words."),
		"from, field":  toolerr.From(errPath).WithField("own.field"),
		"from, code":   toolerr.From(errPath).WithCode("odd"),
		"from, effect": toolerr.From(errPath).WithEffect(toolerr.EffectApplied), "wrap": toolerr.Wrap(errPath, "Own words."),
		"wrap, wrapped":           fmt.Errorf("while saving: %w", toolerr.Wrap(errNum, "Own words.")),
		"from, plain":             toolerr.From(errPlain),
		"from, effect as guessed": toolerr.From(errPath).WithEffect(toolerr.EffectUnknown),
		"transient, joined":       errors.Join(toolerr.Transient("Own words."), errPath),
		"from, effect set":        changed(func(e *toolerr.Error) { e.Effect = "applied" }),
		"from, category set":      changed(func(e *toolerr.Error) { e.Category = "business" }),
		"not found of path":       toolerr.NotFound("file", "x").WithCause(errPath),
		"internal of path":        toolerr.Internal(errPath),
		"own of wrap":             toolerr.Business("Closed.").WithCause(toolerr.Wrap(errPath, "x")),
		"permission, joined":      errors.Join(errPath, toolerr.Permission("No.")),
		"sentinel":                fmt.Errorf("note: %w", fs.ErrNotExist), "service 403": &serviceError{403, "No.", ""},
		"nil, path": errors.Join((*toolerr.Error)(nil), errPath), "nil, own": errors.Join((*toolerr.Error)(nil), errOwn),
		"as, nil, own": errors.Join(asError{nil}, errOwn),
		"as":           asError{errOwn}, "as, nil": asError{nil}, "join": errors.Join(errPlain, errPath),
		"wrapped":        fmt.Errorf("reading: %w", errPath),
		"cause, wrapped": fmt.Errorf("asking: %w", errCause), "cause, joined": errors.Join(errCause, errPlain),
		"cause, own":        fmt.Errorf("asking: %w", errors.Join(errOwn, errCause)),
		"cause, own words":  toolerr.Wrap(errCause, "Own words."),
		"own, service":      errors.Join(errOwn, &serviceError{404, "No such order.", ""}),
		"service 404":       &serviceError{404, "No order 7 for password=hunter2.", ""},
		"service 422":       &serviceError{422, "Is too long.", "rows[3].name"},
		"service 503":       &serviceError{503, "Busy, at 10.0.0.7.", ""},
		"service, wrapped":  fmt.Errorf("asking: %w", &serviceError{409, "Not now.", "b"}),
		"service, silent":   &serviceError{404, "", "a"},
		"answer, member":    answered(`{"errors":[{"field":"rows","message":"Is too long."}]}`),
		"answer, loc":       answered(`{"detail":[{"loc":["body","rows"],"msg":"Is too long."}]}`),
		"answer, camel":     answered(`{"violations":[{"field":"dueDate","description":"dueDate is required"}]}`),
		"answer, capital":   answered(`{"violations":[{"field":"DueDate","description":"DueDate is required"}]}`),
		"answer, other":     answered(`{"errors":[{"field":"body.rows","message":"Is too long."}]}`),
		"answer, by name":   answered(`{"errors":{"rows":["is too long"]}}`),
		"answer, no text":   answered(`{"message":{"base":["Fork exists"]}}`),
		"service, secrets":  &serviceError{401, "Bad token: abcdef123456 at https://u:p@h/x?k=v\x1b[31m", ""},
		"service, page":     &serviceError{502, "<html>Bad Gateway</html>", ""},
		"sql 23505":         fmt.Errorf("saving: %w", sqlError{"23505", "duplicate key (id)=(7)"}),
		"sql 22001":         fmt.Errorf("saving: %w", sqlError{"22001", "value too long"}),
		"sql 40001":         fmt.Errorf("saving: %w", sqlError{"40001", "try again"}),
		"sql 42703":         fmt.Errorf("saving: %w", sqlError{"42703", `column "emial" does not exist`}),
		"both":              errors.Join(errPlain, bothError{errPath}),
		"panic":             failure.Recovered("x"),
		"panic of an error": failure.Recovered(errPath), "panic in Error": panicking{},
		"long": errors.New("The head. " + strings.Repeat("word ", 500) + "The end."), "list": listError{"row 1", "row 2"},
		"protocol": &jsonrpc.Error{Code: -32000, Message: "protocol"},
	}
	rules = map[string]toolerr.Rule{
		"never":   func(error) (*toolerr.Error, bool) { return toolerr.Business("Never."), false },
		"always":  func(error) (*toolerr.Error, bool) { return toolerr.Business("By rule."), true },
		"nothing": func(error) (*toolerr.Error, bool) { return nil, true },
		"silent":  func(error) (*toolerr.Error, bool) { return &toolerr.Error{Category: "business", Code: "odd"}, true },
		"full": func(error) (*toolerr.Error, bool) {
			return toolerr.Validation("").WithField("f").WithHint("Rule's hint.").WithPartial(&toolerr.Partial{Processed: 2}),
				true
		},
		"plain": func(err error) (*toolerr.Error, bool) { return toolerr.Business("Plain."), errors.Is(err, errPlain) },
	}
)

// answered returns the failure for a response with status 400.
func answered(body string) error {
	read := io.NopCloser(strings.NewReader(body))
	return toolerr.FromResponse(&http.Response{StatusCode: http.StatusBadRequest, Body: read})
}

func changed(change func(*toolerr.Error)) error {
	e := toolerr.From(errPath)
	change(e)
	return e
}

// A failedCall is what a handler returns, what its author has configured, and how its context ended.
type failedCall struct {
	Error     string                   `json:"error"` // keys of samples
	Set       string                   `json:"set"`   // the error inside of the result
	Result    *mcp.CallToolResult      `json:"result"`
	Rules     []string                 `json:"rules"`
	Reveal    string                   `json:"reveal"` // a part of the text; ^ is its beginning
	Arguments json.RawMessage          `json:"arguments"`
	End       string                   `json:"end"`
	Tool      *toolerr.ToolAnnotations `json:"tool"`
	Attach    string                   `json:"attach"` // a key of samples, or "final"
}

func (c *failedCall) context(ctx context.Context) context.Context {
	var cancel context.CancelFunc
	switch c.End {
	case "limit":
		ctx, cancel = failure.WithTimeLimit(ctx, time.Nanosecond)
		<-ctx.Done()
	case "deadline":
		ctx, cancel = context.WithTimeout(ctx, 0)
	case "canceled":
		ctx, cancel = context.WithCancel(ctx)
	case "cause", "list": // a list cannot be compared
		var because context.CancelCauseFunc
		ctx, because = context.WithCancelCause(ctx)
		cancel = func() { because(map[string]error{"cause": errCause, "list": listError{"x"}}[c.End]) }
	default:
		return ctx
	}
	cancel()
	return ctx
}

// TestCollect checks what is made of failed calls: the merged envelope, the cause, the content of the
// result, and the same again after the failure was packed and unpacked.
func TestCollect(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/calls.txt", func(sample string) string {
		var call failedCall
		require.NoError(t, json.Unmarshal([]byte(testutil.Repeat(sample)), &call), sample) //nolint:musttag // not the wire
		known := func(name string) error {
			err, ok := samples[name]
			require.True(t, ok || name == "", name)
			return err
		}
		c := &failure.Classifier{Tool: toolinfo.New(&mcp.Tool{
			InputSchema: json.RawMessage(`{"type":"object","properties":{"rows":{},"b":{},"due_date":{}}}`),
		})}
		for _, name := range call.Rules {
			require.Contains(t, rules, name)
			c.Rules = append(c.Rules, rules[name])
		}
		if call.Reveal != "" {
			c.Reveal = func(err error) bool { return strings.Contains("^"+failure.Text(err), strings.Trim(call.Reveal, "*")) }
		}
		if call.Arguments != nil {
			c.Arguments.Raw = call.Arguments
		}
		if err := known(call.Set); err != nil {
			call.Result.SetError(err)
		}
		if call.Attach == "final" {
			failure.Attach(call.Result, errPlain, toolerr.Business("Final."))
		} else if call.Attach != "" {
			failure.Attach(call.Result, known(call.Attach), nil)
		}
		ctx := call.context(t.Context())
		found := c.Collect(ctx, call.Result, known(call.Error))
		e := found.Failure
		if call.Tool != nil {
			e = e.Resolve(*call.Tool)
		}
		shown, content := failure.Content(e, found.Said)
		var b strings.Builder
		fmt.Fprintln(&b, testutil.Fields(e))
		fmt.Fprintln(&b, "cause:", failure.Text(found.Cause))
		if shown.Message != e.Message {
			fmt.Fprintln(&b, "message:", testutil.JSON(shown.Message))
		}
		if details := shown.Details; testutil.JSON(details) != testutil.JSON(e.Details) {
			fmt.Fprintln(&b, "details:", testutil.JSON(details))
		}
		for _, block := range content[1:] {
			fmt.Fprintln(&b, "content:", testutil.JSON(block))
		}
		packed := failure.Pack(e, found, mcp.Meta{"a": 1.0})
		again, err := failure.Unpack(failure.TextResult(packed.Error()+"\n\nAdded."), packed)
		require.NoError(t, err)
		assert.Equal(t, []any{mcp.Meta{"a": 1.0}, mcp.Content(&mcp.TextContent{Text: "Added."})},
			[]any{again.Meta, again.Content[len(content)]}, sample)
		envelope, _ := json.Marshal(shown)
		assert.Equal(t, string(envelope), packed.Error(), sample)
		repeated := new(failure.Classifier).Collect(t.Context(), again, nil)
		assert.Equal(t, testutil.Fields(shown), testutil.Fields(repeated.Failure), sample)
		if isAuthors := c.ByAuthor(found.Cause); isAuthors {
			fmt.Fprintln(&b, "by author")
		}
		return b.String()
	})
}

func TestText(t *testing.T) {
	t.Parallel()
	deep := errPlain
	for range 3 {
		deep = errors.Join(deep, errors.Join(errNum, deep))
	}
	for name, err := range samples {
		want := ""
		if _, panics := err.(panicking); !panics { //nolint:errorlint // its type
			want = err.Error()
		}
		assert.Equal(t, want, failure.Text(err), name)
		assert.Equal(t, want, failure.WithText(err).Error(), name)
		assert.Equal(t, err, errors.Unwrap(failure.WithText(err)), name)
	}
	assert.Equal(t, deep.Error(), failure.Text(deep))
	for want, value := range map[string]any{
		"panic: seven": "seven", "panic: 7": 7, "panic: true": true, "panic: 1.5": 1.5, "panic: 1s": time.Second,
		"panic: a []int":             []int{1},
		"panic: " + errPlain.Error(): errPlain, "panic: ": panicking{}, "panic: a <nil>": nil,
	} {
		assert.Equal(t, want, failure.Recovered(value).Error())
		assert.Contains(t, string(failure.Recovered(value).Stack), "TestText")
	}
}

// Advice is logged once for each logger, tool and text, until there are too many.
func TestAdvice(t *testing.T) {
	t.Parallel()
	var log, other strings.Builder
	c := &failure.Classifier{Logger: slog.New(slog.NewTextHandler(&log, nil))}
	isNew := func(tool, advice string) bool {
		log.Reset()
		c.Warn(t.Context(), tool, advice)
		return strings.Contains(log.String(), `level=WARN msg=`+advice+` gen_ai.tool.name=`+tool)
	}
	for _, test := range []struct {
		tool, advice string
		isNew        bool
	}{{"a", "one", true}, {"a", "one", false}, {"b", "one", true}, {"a", "two", true}, {"a", "one", false}} {
		assert.Equal(t, test.isNew, isNew(test.tool, test.advice), test)
	}
	(&failure.Classifier{Logger: c.Logger}).Warn(t.Context(), "a", "one") // another server's
	assert.Empty(t, log.String())
	(&failure.Classifier{Logger: slog.New(slog.NewTextHandler(&other, nil))}).Warn(t.Context(), "a", "one")
	assert.NotEmpty(t, other.String())
	for i := range 8001 { // these are too many
		c.Warn(t.Context(), strings.Repeat("t", i+2), "one")
	}
	assert.True(t, isNew("a", "one"))
	assert.False(t, isNew("a", "one"))
	broken := &failure.Classifier{Logger: slog.New(slog.NewTextHandler(panicking{}, nil))}
	assert.NotPanics(t, func() { broken.Warn(t.Context(), "a", "one") })
}

// What a client cannot read is an error. All else is plain, or encoded.
func TestEncoded(t *testing.T) {
	t.Parallel()
	nest := func(v any, depth int) any {
		for i := range depth {
			if i%2 == 0 {
				v = map[string]any{"a": v}
			} else {
				v = []any{v}
			}
		}
		return v
	}
	for name, test := range map[string]struct {
		v       any
		isPlain bool
		want    string // or empty, if it has no encoding
	}{
		"nil": {nil, true, "null"}, "bool": {true, true, "true"}, "text": {"<x>", true, `"<x>"`}, "int": {7, true, "7"},
		"int64": {int64(7), true, "7"}, "float": {1.5, true, "1.5"},
		"NaN": {math.NaN(), false, ""}, "infinite": {math.Inf(1), false, ""}, "negative infinite": {math.Inf(-1), false, ""},
		"uint": {uint(7), false, "7"}, "struct": {struct{ A int }{1}, false, `{"A":1}`},
		"object": {map[string]any{"a": 1}, true, `{"a":1}`}, "list": {[]any{1, "a"}, true, `[1,"a"]`},
		"object of NaN": {map[string]any{"a": math.NaN()}, false, ""}, "list of NaN": {[]any{1, math.NaN()}, false, ""},
		"channel": {make(chan int), false, ""}, "raw": {json.RawMessage(`{"a":1}`), false, `{"a":1}`},
		"malformed": {json.RawMessage(`{`), false, ""}, "too large": {json.RawMessage(`1e400`), false, ""},
		"panic": {panicking{}, false, ""}, "nested": {nest(1, 64), true, "*"}, "nested too deep": {nest(1, 65), false, "*"},
	} {
		raw, err := failure.Encoded(test.v)
		assert.Equal(t, test.want == "", err != nil, name)
		if test.want != "*" {
			assert.Equal(t, test.want, string(raw), name)
		}
		meta, err := failure.EncodedMeta(mcp.Meta{"a": test.v, "b": 1})
		assert.Equal(t, test.want == "", err != nil, name)
		if isRaw := meta != nil && !test.isPlain; isRaw {
			assert.Equal(t, mcp.Meta{"a": raw, "b": 1}, meta, name)
		} else if meta != nil {
			assert.Equal(t, mcp.Meta{"a": test.v, "b": 1}, meta, name)
		}
		notes := &mcp.Annotations{Priority: 0.5}
		for _, block := range []mcp.Content{
			&mcp.TextContent{Text: "x", Meta: mcp.Meta{"a": test.v}, Annotations: notes},
			&mcp.ImageContent{Meta: mcp.Meta{"a": test.v}}, &mcp.AudioContent{Meta: mcp.Meta{"a": test.v}},
		} {
			out, err := failure.Encodable(&mcp.CallToolResult{Content: []mcp.Content{block}})
			_, isAudio := block.(*mcp.AudioContent)
			assert.Equal(t, test.want == "", err != nil, name)
			assert.Equal(t, test.isPlain && name != "nested" && !isAudio, err == nil && out.Content[0] == block, name)
		}
	}
	_, content := failure.Content(toolerr.Business("m"), &mcp.CallToolResult{StructuredContent: json.RawMessage("null")})
	assert.Len(t, content, 1)
	audio := []mcp.Content{&mcp.AudioContent{MIMEType: "audio/wav", Data: []byte("x")}}
	out, err := failure.Encodable(&mcp.CallToolResult{Content: audio})
	require.NoError(t, err)
	assert.Equal(t, audio, out.Content)
	_, err = failure.Encoded(make(chan int))
	require.EqualError(t, err, "the result cannot be encoded: json: unsupported type: chan int")
	none, err := failure.EncodedMeta(nil)
	assert.True(t, none == nil && err == nil)
}

func TestCallOf(t *testing.T) {
	t.Parallel()
	type key int
	c := &failure.Call{Context: context.WithValue(t.Context(), key(1), 7), Classifier: new(failure.Classifier)}
	ctx := context.WithValue(c, key(2), 8)
	assert.Equal(t, 7, ctx.Value(key(1)))
	assert.Same(t, c, failure.CallOf(ctx))
	none := failure.CallOf(t.Context())
	none.Claim.ID = "other"
	require.NoError(t, context.Cause(ctx))
	assert.Equal(t, &failure.Call{Classifier: new(failure.Classifier)}, failure.CallOf(t.Context()))
	assert.NotNil(t, none.Classifier.Log())
	limited, cancel := failure.WithTimeLimit(t.Context(), 0)
	defer cancel()
	require.EqualError(t, context.Cause(limited), "the tool took longer than its time limit: context deadline exceeded")
}

// An error is packed with its envelope as its text. Protocol errors, and what is packed, are not.
func TestPack(t *testing.T) {
	t.Parallel()
	build := func(err error) *mcp.CallToolResult { return failure.TextResult("built: " + err.Error()) }
	packed := failure.PackError(errPath, build)
	require.EqualError(t, packed, "built: "+errPath.Error())
	require.ErrorIs(t, packed, fs.ErrNotExist)
	for _, err := range []error{packed, samples["protocol"]} {
		assert.Same(t, err, failure.PackError(err, build))
	}
	res := failure.TextResult("It failed.")
	res.IsError = true
	err := failure.PackResult(t.Context(), res)
	assert.Contains(t, err.Error(), `"message":"It failed."`)
	unpacked, other := failure.Unpack(nil, err)
	assert.Equal(t, res, unpacked)
	require.NoError(t, other)
	outer := failure.TextResult(err.Error())
	outer.SetError(err)
	unpacked, other = failure.Unpack(outer, nil)
	assert.Equal(t, res, unpacked)
	require.NoError(t, other)
	outer.Content = append(outer.Content, failure.TextResult("See the runbook.").Content...) // by other middleware
	unpacked, _ = failure.Unpack(outer, nil)
	assert.Len(t, unpacked.Content, 2)
	unpacked, other = failure.Unpack(outer, errPlain)
	assert.Same(t, outer, unpacked)
	require.ErrorIs(t, other, errPlain)
	unpacked, other = failure.Unpack(nil, nil)
	assert.True(t, unpacked == nil && other == nil)
	failure.Attach(res, errPath, nil)
	require.ErrorIs(t, res.GetError(), errPath)
	for version, want := range map[string]string{
		"": `"resultType":"complete",`, "2025-11-25": "", "2026-07-28": `"resultType":"complete",`,
	} {
		transport, _ := mcp.NewInMemoryTransports()
		state := &mcp.ServerSessionState{InitializeParams: &mcp.InitializeParams{ProtocolVersion: version}}
		if version == "" {
			state = nil
		}
		session, err := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil).
			Connect(t.Context(), transport, &mcp.ServerSessionOptions{State: state})
		require.NoError(t, err)
		raw, err := json.Marshal(failure.ResultFor(&mcp.ServerRequest[*mcp.CallToolParamsRaw]{Session: session},
			slices.Clone(res.Content)))
		require.NoError(t, err)
		assert.JSONEq(t, `{`+want+`"content":[{"type":"text","text":"It failed."}]}`, string(raw), version)
		require.NoError(t, session.Close())
	}
	assert.Len(t, failure.ResultFor(new(mcp.ServerRequest[*mcp.CallToolParamsRaw]), res.Content).Content, 1)
}

type leaf struct{ Items []int }

type exploding struct{ mcp.TextContent }

func (*exploding) MarshalJSON() ([]byte, error) { return []byte(`{"type":"text","text":"own"}`), nil }

// TestEncodable checks what is sent of a result, which stays unchanged, or that it is an error.
func TestEncodable(t *testing.T) {
	t.Parallel()
	notes := func(priority float64) *mcp.Annotations { return &mcp.Annotations{Priority: priority} }
	with := func(blocks ...mcp.Content) *mcp.CallToolResult { return &mcp.CallToolResult{Content: blocks} }
	sc := func(v any) *mcp.CallToolResult { return &mcp.CallToolResult{StructuredContent: v} }
	wrong := mcp.Meta{"c": make(chan int)}
	deep := json.RawMessage(strings.Repeat("[", 100) + strings.Repeat("]", 100))
	var v any
	require.NoError(t, json.Unmarshal(deep, &v))
	for name, test := range map[string]struct {
		res  *mcp.CallToolResult
		want string // a part, or empty for an error
	}{
		"text": {with(&mcp.TextContent{Text: "x", Annotations: notes(1)}), `"text":"x"`},
		"blocks": {
			with(&mcp.TextContent{Text: "x"},
				&mcp.ImageContent{Data: []byte("x"), Meta: mcp.Meta{"n": 1}}, &exploding{}, &mcp.AudioContent{Data: []byte("x")}),
			`},{"type":"text","text":"own"},{`,
		},
		"link": {with(&mcp.ResourceLink{URI: "file:///x", Name: "x"}), `"uri":"file:///x"`},
		"resource": {
			with(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///x", Text: "x"}}),
			`"uri":"file:///x"`,
		},
		"nil":                 {with(nil), ""},
		"nil text":            {with((*mcp.TextContent)(nil)), ""},
		"nil image":           {with((*mcp.ImageContent)(nil)), ""},
		"nil audio":           {with((*mcp.AudioContent)(nil)), ""},
		"text's priority":     {with(&mcp.TextContent{Annotations: notes(math.NaN())}), ""},
		"a priority":          {with(&mcp.AudioContent{Annotations: notes(math.NaN())}), ""},
		"_meta of a block":    {with(&mcp.ResourceLink{Meta: wrong}), ""},
		"_meta of a resource": {with(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x", Meta: wrong}}), ""},
		"_meta": {
			&mcp.CallToolResult{Meta: mcp.Meta{"a": time.Second, "b": leaf{}}}, `"_meta":{"a":1000000000,"b":{"Items":null}}`,
		},
		"wrong _meta": {&mcp.CallToolResult{Meta: wrong}, ""},
		"questions": {&mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{
			Message: "m", Meta: mcp.Meta{"t": time.Second},
		}}}, `"t":1000000000`},
		"wrong questions": {&mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"a": &mcp.ElicitParams{
			Message: "m", Meta: wrong,
		}}}, ""},
		"plain":     {sc(map[string]any{"a": 1}), `"structuredContent":{"a":1}`},
		"struct":    {sc(leaf{Items: []int{1}}), `"structuredContent":{"Items":[1]}`},
		"raw":       {sc(json.RawMessage(`{"a":1}`)), `"structuredContent":{"a":1}`},
		"nil raw":   {sc(json.RawMessage(nil)), `"structuredContent":null`},
		"wrong raw": {sc(json.RawMessage(`{"a":}`)), ""},
		"wrong":     {sc(make(chan int)), ""},
		"deep":      {sc(v), `"structuredContent":[[`},
		"deep raw":  {sc(deep), `"structuredContent":[[`},
	} {
		before := *test.res
		before.Content = slices.Clone(before.Content)
		out, err := failure.Encodable(test.res)
		assert.Equal(t, &before, test.res, name)
		if test.want == "" {
			require.Error(t, err, name)
			continue
		}
		require.NoError(t, err, name)
		raw, err := json.Marshal(out)
		require.NoError(t, err)
		assert.Contains(t, string(raw), test.want, name)
		assert.NotSame(t, test.res, out)
		for name, member := range out.Meta {
			_, isRaw := member.(json.RawMessage)
			assert.True(t, isRaw, name)
		}
		_, isRaw := out.StructuredContent.(json.RawMessage)
		assert.Equal(t, name != "plain" && test.res.StructuredContent != nil, isRaw, name)
		for _, block := range out.Content {
			_, isOwn := block.(*exploding)
			assert.False(t, isOwn, name)
		}
	}
}
