package schema_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
)

func read(document string) schema.Schema { return schema.Read(json.RawMessage(document)) }

func TestValidate(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/validate.tsv")
	require.NoError(t, err)
	long := strings.Repeat("a", 400<<10)
	rows := string(raw) + `{"pattern":"` + long + "\"}\t\"b\"\tunsure\n" + "{\"pattern\":\"b\"}\t\"" + long + "\"\tunsure\n"
	for row := range strings.Lines(rows) {
		if row[0] == '#' {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		v, certain := read(cells[0]).Validate(json.RawMessage(cells[1]))
		got := []string{map[bool]string{true: "fits", false: "unsure"}[certain]}
		if v != nil {
			assert.False(t, certain, row)
			got = []string{v.Path, v.Keyword, v.Rule()}
		}
		assert.Equal(t, cells[2:], got, row[:min(len(row), 400)])
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
