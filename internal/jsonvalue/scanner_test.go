package jsonvalue_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
)

// valid are texts with every token, and invalid are texts that almost are JSON.
var (
	valid = []string{
		`{}`, ` [ ] `, `null`, `true`, `false`, `0`, `-0`, `-0.0e-0`, `1.5E+10`, `""`, `"a"`, `"\"\\\/\b\f\n\r\t"`,
		`"\u00e9\uD83D\uDE00\ud800"`, `"ä` + "\x7f" + `"`, "\"\xff\xc3(\"", `{"a":[1,{"b":null}],"a":true}`,
		" {\"a\" :\t1 ,\r\n\"b\": [ true , false ] } ", `"1234567\"890"`, `"12345678"`, `[[],[[]]]`, `"\\"`,
		` [1, -0, 0.5, 1e9, 1E+9, -1.5e-3] `, `{"a":{"b":[true,false,null,"x"]},"a":1}`,
	}
	invalid = []string{
		``, ` `, `{`, `[`, `"`, `"a`, `"\"`, `"\x"`, `"\u12"`, `"\u12g4"`, "\"\n\"", "\"12345678\x01\"", `{,}`, `{"a"}`,
		`{"a":}`, `{"a":1,}`, `{a:1}`, `{1:1}`, `{"a" "b"}`, `[1,]`, `[,1]`, `[1 2]`, `[1}`, `{"a":1]`, `01`, `+1`, `.5`,
		`1.`, `1e`, `1e+`, `-`, `--1`, `0x1`, `tru`, `truee`, `nul`, `TRUE`, `NaN`, `1 2`, `{} {}`, "\ufeff{}", "\v1", `'a'`,
		"\u00a01", `]`, `}`, `:`, `,`, `00`, `{}x`, "[\v1]",
	}
)

func TestScanner_Valid(t *testing.T) {
	t.Parallel()
	for _, text := range valid {
		check(t, text)
		require.True(t, json.Valid([]byte(text)), text)
		for i := range text {
			check(t, text[:i])
			for _, c := range "\x00\t \"\\,:0-e]}[{tu\x80" {
				check(t, text[:i]+string(c)+text[i:])
				check(t, text[:i]+string(c)+text[i+1:])
			}
		}
	}
	for _, text := range invalid {
		require.False(t, json.Valid([]byte(text)), text)
		check(t, text)
		check(t, `{"a":`+text+`}`)
		check(t, "["+text+"]")
	}
	checkDecoded(t, "{\"\xff\":1}")
	for _, depth := range []int{9_999, 10_000, 10_001, 1_000_000} { // both have the same maximum
		check(t, strings.Repeat("[", depth)+strings.Repeat("]", depth))
		check(t, strings.Repeat("[", depth)+"1"+strings.Repeat("]", depth))
		check(t, strings.Repeat(`{"a":[`, depth/2)+strings.Repeat("]}", depth/2))
		check(t, strings.Repeat(`{"a":`, depth)+"{}"+strings.Repeat("}", depth))
		check(t, strings.Repeat("[", depth))
	}
}

func TestScanner_Invalid(t *testing.T) {
	t.Parallel()
	require.EqualError(t, jsonvalue.Unmarshal([]byte("1 2"), new(any)), "jsonvalue: more than one value")
	for _, text := range []string{"", "x", "tru", "[1,x]", `{"a" 1}`, `{"a":tru`, "[1"} {
		s, named, open := jsonvalue.NewScanner([]byte(text)), jsonvalue.NewScanner([]byte(text)),
			jsonvalue.NewScanner([]byte("z"+text+"}"))
		require.Zero(t, s.Value(), text)
		require.Zero(t, s.Kind(), "%q has no more values", text)
		require.Zero(t, named.Name(), text)
		require.False(t, open.Open() || open.Done(), text)
		_, isText := jsonvalue.Text([]byte(text))
		require.False(t, isText, text)
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range append(valid, invalid...) {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { check(t, text) })
}

// check reads a text with encoding/json too. Both return the same value, or both an error.
func check(t *testing.T, text string) {
	t.Helper()
	checkDecoded(t, text)
	s := jsonvalue.NewScanner([]byte(text))
	v := s.Value()
	if !json.Valid([]byte(text)) {
		require.False(t, s.Done(), "%q is no JSON", text)
		require.Empty(t, jsonvalue.AppendCompact(nil, []byte(text)), "%q", text)
		require.False(t, jsonvalue.IsNumber(text), "%q", text)
		_, ok := jsonvalue.MembersOf[map[string]json.RawMessage]([]byte(text))
		require.False(t, ok, "%q", text)
		return
	}
	require.True(t, s.Done(), "%q is JSON", text)
	require.Zero(t, s.Kind())
	require.NotZero(t, v.Kind)

	var word string
	isText := json.Unmarshal([]byte(text), &word) == nil && v.Kind != 'n'
	got, ok := jsonvalue.Text(s.Raw(v))
	require.Equal(t, isText, ok, "%q", text)
	require.Equal(t, word, got, "%q", text)

	isNumber := v.Kind == '0' && text == strings.TrimSpace(text)
	require.Equal(t, isNumber, jsonvalue.IsNumber(text), "%q", text)

	var b bytes.Buffer
	require.NoError(t, json.Compact(&b, bytes.ToValidUTF8([]byte(text), []byte("\ufffd"))))
	require.Equal(t, "x"+b.String(), string(jsonvalue.AppendCompact([]byte("x"), []byte(text))), "%q", text)
	var items []json.RawMessage
	if json.Unmarshal([]byte(text), &items) == nil && v.Kind == '[' {
		require.Len(t, jsonvalue.Items([]byte(text)), len(items), "%q", text)
	}
	if v.Kind == '{' {
		checkMembers(t, text)
	}
}

// checkDecoded compares the value of a text with what encoding/json decodes.
func checkDecoded(t *testing.T, text string) {
	t.Helper()
	var want any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	valid := json.Valid([]byte(text)) && d.Decode(&want) == nil
	got, ok := jsonvalue.Decode([]byte(text))
	require.Equal(t, valid, ok, "%.200q", text)
	require.Equal(t, want, got, "%.200q", text)
	object, isObject := want.(map[string]any)
	if valid || text == strings.TrimSpace(text) { // else it may be an object without its white space, which is not JSON's
		inText, ok := jsonvalue.Object("\u00a0" + text)
		require.Equal(t, isObject, ok, "%.200q", text)
		require.Equal(t, object, inText, "%.200q", text)
	}
	var members map[string]any
	err := jsonvalue.Unmarshal([]byte(text), &members)
	require.Equal(t, isObject || valid && want == nil, err == nil, "%.200q", text)
	if err == nil {
		require.Equal(t, object, members, "%.200q", text)
	}
}

// checkMembers compares the values of all members.
func checkMembers(t *testing.T, text string) {
	t.Helper()
	var want map[string]json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(text), &want))
	got, ok := jsonvalue.MembersOf[map[string]json.RawMessage]([]byte(text))
	require.True(t, ok)
	require.GreaterOrEqual(t, len(got), len(want), "%q", text)
	for name, raw := range want {
		require.Equal(t, string(raw), string(got[name]), "%q %q", text, name)
	}
}
