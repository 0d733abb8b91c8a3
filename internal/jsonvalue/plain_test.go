package jsonvalue_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

type plainItem struct {
	ID     string            `json:"id"`
	Count  *int64            `json:"count,omitempty"`
	Bytes  []byte            `json:"bytes"`
	Rates  []float32         `json:"rates"`
	Labels map[string]string `json:"labels"`
	Not    bool              `json:"-"`
}

type plainList struct {
	Items []plainItem           `json:"items"`
	By    map[string]*plainItem `json:"by"`
}

type tree struct{ Below []tree }

func TestIsPlain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		v    any
		want bool
	}{
		"a struct": {plainList{}, true}, "a text": {"", true}, "numbers": {[]int{}, true},
		"an interface": {struct{ V any }{}, false}, "a time": {time.Time{}, false}, "raw JSON": {json.RawMessage{}, false},
		"a number as it is spelled": {struct{ N json.Number }{}, true}, "a tree": {tree{}, false},
		"embedded": {struct{ plainItem }{}, false}, "hidden": {struct{ v int }{}, false}, "an array": {[2]int{}, false},
		"a number in a text": {struct {
			N int `json:",string"`
		}{}, false},
		"left out": {struct {
			N int `json:",omitzero"`
		}{}, false},
		"a map of numbers": {map[int]string{}, false},
	} {
		assert.Equal(t, test.want, jsonvalue.IsPlain(reflect.TypeOf(test.v)), name)
	}
}

// A decoded value of a plain type has the same encoding as before.
func TestIsPlain_RoundTrip(t *testing.T) {
	t.Parallel()
	n := int64(1) << 62
	for _, v := range []plainList{
		{},
		{Items: []plainItem{}, By: map[string]*plainItem{"": nil}},
		{Items: []plainItem{{ID: "\u2028<>\x00", Count: &n, Bytes: []byte{}, Rates: []float32{1e-9, 3.4e38, -0}, Labels: map[string]string{"ä": "b"}, Not: true}}},
	} {
		raw, err := jsonvalue.Marshal(v)
		require.NoError(t, err)
		var again plainList
		require.NoError(t, jsonvalue.Unmarshal(raw, &again))
		same, err := jsonvalue.Marshal(again)
		require.NoError(t, err)
		assert.Equal(t, string(raw), string(same))
	}
}
