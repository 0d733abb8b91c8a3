package jsonvalue_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// decoded returns the value that encoding/json decodes from a text.
func decoded(raw []byte) (v any, ok bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, false
	}
	return v, true
}

var jsonTexts = []string{
	`{}`, `[]`, `null`, ` [1, -0, 0.5, 1e9, 1E+9, -1.5e-3] `, `{"a":{"b":[true,false,null,"x"]},"a":1}`, `"é"`, `"\u00e9\n\ud83d\ude00\ud800"`, "\"\xff\"",
	`01`, `1.`, `.5`, `-`, `+1`, `1e`, `1e+`, `00`, `0x1`, `NaN`, `{"a"}`, `{"a":}`, `{a:1}`, `{"a":1,}`, `[1,]`, `[,1]`, `[1 2]`, `"a`, `"\x"`, "\"\n\"", `tru`, `truex`,
	`{} {}`, `{}x`, ``, ` `, "\ufeff{}", "{\"\xff\":1}", `"\"`, `"\\"`, "[\v1]", "\"\x7f\"",
	strings.Repeat("[", 9_999) + strings.Repeat("]", 9_999), strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
	strings.Repeat("[", 10_000) + "1" + strings.Repeat("]", 10_000), strings.Repeat(`{"a":`, 10_000) + "{}" + strings.Repeat("}", 10_000),
}

func sameDecoded(t *testing.T, raw []byte) {
	t.Helper()
	want, wantOK := decoded(raw)
	got, ok := jsonvalue.Decode(raw)
	if assert.Equal(t, wantOK, ok, "%.200q", raw) {
		assert.Equal(t, want, got, "%.200q", raw)
	}
	object, isObject := want.(map[string]any)
	var gotObject map[string]any
	err := jsonvalue.Unmarshal(raw, &gotObject)
	assert.Equal(t, isObject || wantOK && want == nil, err == nil, "%.200q", raw)
	if err == nil {
		assert.Equal(t, object, gotObject, "%.200q", raw)
	}
}

func TestDecode_AsEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, text := range jsonTexts {
		sameDecoded(t, []byte(text))
	}
	var object map[string]any
	require.NoError(t, jsonvalue.Unmarshal([]byte("null"), &object))
	require.Error(t, jsonvalue.Unmarshal([]byte("[]"), &object))
}

func FuzzDecode(f *testing.F) {
	for _, text := range jsonTexts {
		f.Add([]byte(text))
	}
	f.Fuzz(sameDecoded)
}
