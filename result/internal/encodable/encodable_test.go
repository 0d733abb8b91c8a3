package encodable_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

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
	raw, err := json.Marshal(encodable.Normalize[any](in))
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
	raw, err := json.Marshal(encodable.Normalize[any](pair{at(31), pair{at(30), []int(nil)}}))
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
