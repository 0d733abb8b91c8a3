package schema_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

func read(document string) schema.Schema { return schema.Read(json.RawMessage(document)) }

func TestValidate(t *testing.T) {
	t.Parallel()
	checkRows(t, "testdata/validate.tsv")
}

// The cost of a hostile value or schema is proportional to its size: it is endless without a limit.
func TestValidate_Hostile(t *testing.T) {
	t.Parallel()
	checkRows(t, "testdata/hostile.tsv")
}

func checkRows(t *testing.T, file string) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	for row := range strings.Lines(string(raw)) {
		if row[0] == '#' {
			continue
		}
		cells := strings.Split(strings.TrimSuffix(row, "\n"), "\t")
		v, certain := read(testutil.Repeat(cells[0])).Validate(json.RawMessage(testutil.Repeat(cells[1])))
		got := []string{map[bool]string{true: "fits", false: "unsure"}[certain]}
		if v != nil {
			assert.False(t, certain, row)
			got = []string{v.Path, v.Keyword, v.Rule()}
			if v.Keyword == "required" {
				got[2] = v.Name + ": " + v.Place.Wanted()
			}
		}
		assert.Equal(t, testutil.Repeat(strings.Join(cells[2:], "\t")), strings.Join(got, "\t"), row)
	}
}

// TestSchema_Place checks what a schema says about a location.
func TestSchema_Place(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/find.txt", func(sample string) string {
		cells := strings.Split(testutil.Repeat(sample), "\t")
		place := read(cells[0]).Resolved()
		for name := range strings.FieldsSeq(cells[1]) {
			if name == "[]" {
				place = place.Items()
			} else {
				place = place.Property(name)
			}
		}
		answer := fmt.Sprintf("wanted: %s, types: %v", place.Wanted(), place.Types())
		keyword, choices, null := place.Choices()
		for _, choice := range choices {
			answer += fmt.Sprintf(", %s: %s", keyword, choice.Resolved().Wanted())
		}
		return fmt.Sprintf("%s, null: %t, mentions x: %t", answer, null, place.Mentions("x"))
	})
}
