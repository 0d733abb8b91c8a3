package encodable_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/encodable"
)

type (
	leaf   struct{ Items []int }
	hidden struct{ Seen []string }
	tree   struct {
		hidden

		Leaf   *leaf
		Array  [1]leaf
		ByName map[string]leaf
		Any    any
		Raw    json.RawMessage
		Slice  []leaf
		When   time.Time
		Left   []int `json:"left,omitzero"`
		Gone   leaf  `json:"gone,omitzero"`
	}
	ring struct{ Next *ring }
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	shared := &leaf{}
	in := tree{
		Leaf: shared, ByName: map[string]leaf{"a": {}, "b": {Items: []int{1}}},
		Any: map[string]any{"list": []string(nil), "n": 1}, Slice: []leaf{{}},
	}
	raw, err := json.Marshal(encodable.Normalize(in))
	require.NoError(t, err)
	assert.JSONEq(t, `{"Seen":[],"Leaf":{"Items":[]},"Array":[{"Items":[]}],"ByName":{"a":{"Items":[]},"b":{"Items":[1]}},
		"Any":{"list":[],"n":1},"Raw":null,"Slice":[{"Items":[]}],"When":"0001-01-01T00:00:00Z"}`, string(raw))
	isSame := shared.Items == nil && in.ByName["a"].Items == nil && in.Slice[0].Items == nil && in.Seen == nil
	assert.True(t, isSame, "the handler's own value was changed: %+v", in)

	round := &ring{}
	round.Next = round
	for name, v := range map[string]any{"nil": nil, "number": 7, "ring": round, "nil pointer": (*leaf)(nil)} {
		assert.Equal(t, v, encodable.Normalize(v), name)
	}
	assert.Equal(t, []int{}, encodable.Normalize([]int(nil)))
	assert.Equal(t, &leaf{Items: []int{}}, encodable.Normalize((*leaf)(nil)), "nil pointer, as the SDK encodes it")
	assert.Nil(t, encodable.Normalize[any](nil))
}

// at returns a value with a nil list below so many lists.
func at(depth int) (v any) {
	for v = []int(nil); depth > 0; depth-- {
		v = []any{v}
	}
	return v
}

// Values that are too deep or too many stay as they are.
func TestNormalize_Limits(t *testing.T) {
	t.Parallel()
	for depth, want := range map[int]string{
		0: "[]", 32: strings.Repeat("[", 33) + strings.Repeat("]", 33),
		33: strings.Repeat("[", 33) + "null" + strings.Repeat("]", 33),
	} {
		raw, err := json.Marshal(encodable.Normalize(at(depth)))
		require.NoError(t, err)
		assert.Equal(t, want, string(raw), depth)
	}
	type pair struct{ A, B any }
	raw, err := json.Marshal(encodable.Normalize(pair{at(31), pair{at(30), []int(nil)}}))
	require.NoError(t, err)
	assert.NotContains(t, string(raw), "null", "depth is that of the parts around")
	// and the list, and the value in the last item
	for n, want := range map[int]any{999_998: []int{}, 999_999: []int(nil)} {
		many := make([]any, n)
		many[n-1] = []int(nil)
		got := encodable.Normalize(many)
		assert.Equal(t, want, got[n-1], n)
	}
	type named struct {
		Omitzero []int `json:"omitzero"`
		inner    leaf  // is not encoded
	}
	assert.Equal(t, named{Omitzero: []int{}}, encodable.Normalize(named{inner: leaf{}}))
	round := &ring{}
	assert.Same(t, round, encodable.Normalize(round), "no part of it can be nil")
}

type exploding struct{ mcp.TextContent }

func (*exploding) MarshalJSON() ([]byte, error) { return []byte(`{"type":"text","text":"own"}`), nil }

// TestCheck checks what is sent of a result, which stays unchanged, or that it is an error.
func TestCheck(t *testing.T) {
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
		"nil audio":           {with((*mcp.AudioContent)(nil)), ""},
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
		out, err := encodable.Check(test.res)
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
