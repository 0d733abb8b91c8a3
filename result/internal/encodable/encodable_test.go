package encodable_test

import (
	"encoding/json"
	"math"
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
		Leaves [1]leaf
		ByName map[string]leaf
		Any    any
		Raw    json.RawMessage
		Rows   []leaf
		When   time.Time
		Left   []int `json:"left,omitzero"`
		Gone   leaf  `json:"gone,omitzero"`
	}
	ring struct{ Next *ring }
)

func TestNormalize(t *testing.T) {
	t.Parallel()
	shared := &leaf{}
	in := tree{Leaf: shared, ByName: map[string]leaf{"a": {}, "b": {Items: []int{1}}}, Any: map[string]any{"list": []string(nil), "n": 1}, Rows: []leaf{{}}}
	raw, err := json.Marshal(encodable.Normalize(in))
	require.NoError(t, err)
	assert.JSONEq(t, `{"Seen":[],"Leaf":{"Items":[]},"Leaves":[{"Items":[]}],"ByName":{"a":{"Items":[]},"b":{"Items":[1]}},
		"Any":{"list":[],"n":1},"Raw":null,"Rows":[{"Items":[]}],"When":"0001-01-01T00:00:00Z"}`, string(raw))
	assert.Nil(t, shared.Items, "shared value")
	assert.Nil(t, in.ByName["a"].Items)
	assert.Nil(t, in.Rows[0].Items)
	assert.Nil(t, in.Seen)

	round := &ring{}
	round.Next = round
	for name, v := range map[string]any{"nil": nil, "number": 7, "ring": round, "nil pointer": (*leaf)(nil)} {
		assert.Equal(t, v, encodable.Normalize(v), name)
	}
	assert.Equal(t, []int{}, encodable.NormalizeOutput([]int(nil)))
	assert.Equal(t, &leaf{Items: []int{}}, encodable.NormalizeOutput((*leaf)(nil)), "nil pointer, as the SDK encodes it")
	assert.Nil(t, encodable.NormalizeOutput[any](nil))
}

func check(r *mcp.CallToolResult) error {
	_, err := encodable.Check(r)
	return err
}

func TestCheck(t *testing.T) {
	t.Parallel()
	notes := func(priority float64) *mcp.Annotations { return &mcp.Annotations{Priority: priority} }
	for name, block := range map[string]mcp.Content{
		"text":     &mcp.TextContent{Text: "x", Annotations: notes(1)},
		"image":    &mcp.ImageContent{Data: []byte("x"), Meta: mcp.Meta{"n": 1}},
		"audio":    &mcp.AudioContent{Data: []byte("x")},
		"link":     &mcp.ResourceLink{URI: "file:///x", Name: "x"},
		"resource": &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "file:///x", Text: "x"}},
	} {
		require.NoError(t, check(&mcp.CallToolResult{Content: []mcp.Content{block}}), name)
	}
	for name, block := range map[string]mcp.Content{
		"nil":                 nil,
		"nil audio":           (*mcp.AudioContent)(nil),
		"a priority":          &mcp.AudioContent{Annotations: notes(math.NaN())},
		"_meta":               &mcp.ResourceLink{Meta: mcp.Meta{"c": make(chan int)}},
		"_meta of a resource": &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x", Meta: mcp.Meta{"c": make(chan int)}}},
	} {
		require.Error(t, check(&mcp.CallToolResult{Content: []mcp.Content{block}}), name)
	}
	deep := json.RawMessage(strings.Repeat("[", 100) + strings.Repeat("]", 100))
	var v any
	require.NoError(t, json.Unmarshal(deep, &v))
	require.NoError(t, check(&mcp.CallToolResult{StructuredContent: v}), "depth over the limit")
	require.NoError(t, check(&mcp.CallToolResult{StructuredContent: deep}))
}
