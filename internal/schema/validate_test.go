package schema_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
)

func read(document string) schema.Schema { return schema.Read(json.RawMessage(document)) }

func TestValidate(t *testing.T) {
	t.Parallel()
	const anything = "must be what the input schema says"
	for name, test := range map[string]struct{ schema, value, path, keyword, rule string }{
		"type":               {`{"properties":{"a":{"type":"string"}}}`, `{"a":5}`, "a", "type", "must be a string"},
		"types":              {`{"properties":{"a":{"type":["null","array","string"]}}}`, `{"a":5}`, "a", "type", "must be an array or string or null"},
		"integer":            {`{"items":{"type":"integer"}}`, `[1,2.0,2.5]`, "[2]", "type", "must be an integer"},
		"enum":               {`{"properties":{"a":{"enum":["x",2,null]}}}`, `{"a":"y"}`, "a", "enum", `must be one of "x", 2, null`},
		"const":              {`{"properties":{"a":{"const":{"b":[1]}}}}`, `{"a":{"b":[2]}}`, "a", "const", `must be {"b":[1]}`},
		"null":               {`{"properties":{"a":{"const":null}}}`, `{"a":0}`, "a", "const", "must be null"},
		"minimum":            {`{"items":{"minimum":1e3}}`, `["",999]`, "[1]", "minimum", "must be at least 1000"},
		"maximum":            {`{"items":{"maximum":-0.5}}`, `[-1,0]`, "[1]", "maximum", "must be at most -0.5"},
		"exclusiveMinimum":   {`{"exclusiveMinimum":1}`, `1`, "", "exclusiveMinimum", "must be more than 1"},
		"exclusiveMaximum":   {`{"exclusiveMaximum":1}`, `1`, "", "exclusiveMaximum", "must be less than 1"},
		"multipleOf":         {`{"items":{"multipleOf":0.5}}`, `[1.5,1.7]`, "[1]", "multipleOf", "must be a multiple of 0.5"},
		"multipleOf 0":       {`{"multipleOf":0}`, `1`, "", "multipleOf", "must be a multiple of 0"},
		"minLength":          {`{"minLength":2}`, `"é"`, "", "minLength", "must have at least 2 characters"},
		"maxLength":          {`{"items":{"maxLength":1}}`, `["é","éé"]`, "[1]", "maxLength", "must have at most 1 characters"},
		"pattern":            {`{"items":{"pattern":"^a<b"}}`, `["a<b",7,"b"]`, "[2]", "pattern", `must match the pattern "^a<b"`},
		"minItems":           {`{"properties":{"a":{"minItems":1}}}`, `{"a":[]}`, "a", "minItems", "must have at least 1 items"},
		"maxItems":           {`{"items":{"maxItems":1}}`, `[[1],[1,2]]`, "[1]", "maxItems", "must have at most 1 items"},
		"uniqueItems":        {`{"uniqueItems":true}`, `[{"a":1,"b":2},{"b":2.0,"a":1}]`, "", "uniqueItems", "must not hold the same item twice"},
		"minProperties":      {`{"minProperties":1}`, `{}`, "", "minProperties", anything},
		"maxProperties":      {`{"properties":{"a":{"maxProperties":1}}}`, `{"a":{"x":1,"y":1}}`, "a", "maxProperties", anything},
		"required":           {`{"items":{"required":["a","b"]}}`, `[{"a":1,"b":null},{"a":1}]`, "[1].b", "required", anything},
		"additional":         {`{"properties":{"a":{"properties":{"b":{}},"additionalProperties":false}}}`, `{"a":{"b":1,"c":2}}`, "a.c", "additionalProperties", anything},
		"additional, {}":     {`{"additionalProperties":{"not":{}}}`, `{"c":2}`, "c", "additionalProperties", anything},
		"additional, schema": {`{"properties":{"a":{}},"additionalProperties":{"items":{"type":"null"}}}`, `{"a":[1],"b":[null,1]}`, "b[1]", "type", "must be a null"},
		"items of items":     {`{"properties":{"items":{"items":{"properties":{"sku":{"type":"string"}}}}}}`, `{"items":[{},{"sku":"a"},7,{"sku":3}]}`, "items[3].sku", "type", "must be a string"},
		"prefixItems":        {`{"prefixItems":[{},{"type":"string"}],"items":{"type":"null"}}`, `[1,2]`, "[1]", "type", "must be a string"},
		"behind prefixItems": {`{"prefixItems":[{},{}],"items":{"type":"null"}}`, `[1,2,null,4]`, "[3]", "type", "must be a null"},
		"false":              {`{"properties":{"a":false}}`, `{"a":1}`, "a", "not", anything},
		"$ref":               {`{"properties":{"a":{"$ref":"#/$defs/x~1y%20z"}},"$defs":{"x/y z":{"properties":{"b":{"type":"string"}}}}}`, `{"a":{"b":1}}`, "a.b", "type", "must be a string"},
		"beside $ref":        {`{"properties":{"a":{"$ref":"#/$defs/x","minimum":1}},"$defs":{"x":{}}}`, `{"a":0}`, "a", "minimum", "must be at least 1"},
		"recursive $ref":     {`{"properties":{"next":{"$ref":"#"}},"required":["v"]}`, `{"v":1,"next":{"v":1,"next":{}}}`, "next.next.v", "required", anything},
		"allOf":              {`{"allOf":[{"required":["a"]},{"properties":{"a":{"minimum":2}}}]}`, `{"a":1}`, "a", "minimum", "must be at least 2"},
		"anyOf":              {`{"properties":{"a":{"anyOf":[{"type":"string"},{"type":"integer"}]}}}`, `{"a":true}`, "a", "anyOf", anything},
		"nullable":           {`{"properties":{"a":{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}]}}}`, `{"a":0}`, "a", "minimum", "must be at least 1"},
		"closest branch":     {`{"properties":{"a":{"oneOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}}}`, `{"a":["x",1]}`, "a[1]", "type", "must be a string"},
		"variant":            {`{"oneOf":[{"properties":{"kind":{"const":"card"},"amount":{"type":"string"}}},{"properties":{"kind":{"const":"iban"}},"required":["iban"]}]}`, `{"kind":"iban","amount":1}`, "iban", "required", anything},
		"no variant":         {`{"oneOf":[{"properties":{"kind":{"const":"card"}}},{"properties":{"kind":{"enum":["iban"]}}}]}`, `{"kind":"cash"}`, "", "oneOf", anything},
		"odd names":          {`{"properties":{"a/b~c":{"properties":{"":{"type":"null"}}}}}`, `{"a/b~c":{"":1}}`, "a/b~c.", "type", "must be a null"},
	} {
		v, certain := read(test.schema).Validate(json.RawMessage(test.value))
		require.NotNil(t, v, name)
		assert.False(t, certain, name)
		assert.Equal(t, [3]string{test.path, test.keyword, test.rule}, [3]string{v.Path, v.Keyword, v.Rule()}, name)
	}
}

func TestValidate_Fits(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		schema, value string
		certain       bool
	}{
		"nothing said":      {`{}`, `{"a":[1,null]}`, true},
		"numbers":           {`{"items":{"type":"integer","minimum":1,"enum":[1,2.0,100]}}`, `[1.0,2,1e2]`, true},
		"of another type":   {`{"minimum":5,"minLength":5,"minItems":5,"minProperties":5,"pattern":"x","required":["a"],"uniqueItems":true}`, `true`, true},
		"closed":            {`{"properties":{"a":{}},"additionalProperties":false}`, `{"a":1}`, true},
		"a choice":          {`{"anyOf":[{"type":"null"},{"type":"integer"}]}`, `1`, true},
		"two of oneOf":      {`{"oneOf":[{},{}]}`, `1`, false},
		"not":               {`{"not":{"type":"null"}}`, `1`, false},
		"if":                {`{"if":{},"then":false}`, `1`, false},
		"a name's pattern":  {`{"patternProperties":{"a":{"type":"null"}}}`, `{"a":1}`, false},
		"an odd pattern":    {`{"pattern":"("}`, `"a"`, false},
		"a long pattern":    {`{"pattern":"` + strings.Repeat("a", 400<<10) + `"}`, `"b"`, false},
		"a long text":       {`{"pattern":"a"}`, `"` + strings.Repeat("b", 400<<10) + `"`, false},
		"a dead reference":  {`{"$ref":"#/x"}`, `1`, false},
		"an anchor":         {`{"$ref":"#x","x":{"type":"null"}}`, `1`, false},
		"a document within": {`{"properties":{"a":{"$id":"http://x","$ref":"#","type":"null"}}}`, `{"a":1}`, false},
		"contains":          {`{"contains":{"const":1}}`, `[2]`, false},
		"unevaluated":       {`{"unevaluatedProperties":false}`, `{"a":1}`, false},
		"pattern of a name": {`{"patternProperties":{"^x":{}},"additionalProperties":false}`, `{"a":1}`, false},
		"tuple of draft 7":  {`{"items":[{"type":"string"}]}`, `[1]`, false},
		"no schema":         {`7`, `1`, false},
		"no JSON":           {`{}`, `1,`, false},
	} {
		v, certain := read(test.schema).Validate(json.RawMessage(test.value))
		assert.Nil(t, v, name)
		assert.Equal(t, test.certain, certain, name)
	}
}

// The cost of a hostile value or schema is proportional to its size.
func TestValidate_Hostile(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 9000) + "1" + strings.Repeat("}", 9000)
	many := "[" + strings.Repeat(`"aaaaaaaaaa",`, 5000) + `"b"]`
	for _, test := range map[string]struct{ schema, value string }{
		"reference to itself":      {`{"$ref":"#"}`, `1`},
		"references to each other": {`{"$ref":"#/x","x":{"$ref":"#/y"},"y":{"$ref":"#/x"}}`, `1`},
		"doubled":                  {`{"allOf":[{"$ref":"#"},{"$ref":"#"}]}`, `1`},
		"choices of choices":       {`{"anyOf":[{"$ref":"#/x"},{"$ref":"#/x"}],"x":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}`, `1`},
		"deep":                     {`{"properties":{"a":{"$ref":"#"}}}`, deep},
		"deep, doubled":            {`{"additionalProperties":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}}`, deep},
		"unique and deep":          {`{"items":{"$ref":"#"},"uniqueItems":true}`, strings.Repeat("[", 9000) + strings.Repeat("]", 9000)},
		"many of a long list":      {`{"items":{"enum":[` + strings.Repeat(`"cccccccccc",`, 20_000) + `"b"]}}`, many},
		"many patterns":            {`{"items":{"allOf":[` + strings.Repeat(`{"pattern":"(a|b|ab)*(aa|b)*"},`, 200) + `{}]}}`, many},
		"heavy pattern":            {`{"items":{"pattern":"` + strings.Repeat(`(x?){1000}`, 90) + `"}}`, `["` + strings.Repeat("x", 2000) + `"]`},
		"many lengths":             {`{"allOf":[` + strings.Repeat(`{"minLength":1},`, 5000) + `{}]}`, `"` + strings.Repeat("x", 1<<20) + `"`},
		"many names":               {`{"properties":{"a":{}},"patternProperties":{"(x|y)*z":{}},"additionalProperties":{"type":"integer"}}`, `{"` + strings.Repeat(`x`, 500_000) + `":1}`},
	} {
		read(test.schema).Validate(json.RawMessage(test.value)) // endless without a limit
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	s := read(`{"properties":{"rows":{"items":{"properties":{"at":{"type":"string"}}}},"named":{"additionalProperties":{"$ref":"#/properties/rows/items"}}}}`)
	const value = `{"rows":[{},{"at":"x"}],"named":{"k":{"at":"y"}}}`
	for way, want := range map[string]string{
		"rows.1.at": "rows[1].at string x", "named.k.at": "named.k.at string y", "rows.2.at": "", "rows.-1.at": "", "rows.one": "", "other": "", "rows.1.at.x": "", "": "",
	} {
		place, path, found := s.Find(json.RawMessage(value), strings.Split(way, "."))
		got := ""
		if text, ok := found.(string); ok && place.Node != nil {
			got = path + " " + place.Types()[0] + " " + text
		}
		assert.Equal(t, want, got, way)
	}
}
