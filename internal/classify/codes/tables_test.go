package codes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// Each row of numbers has a class, and no library has the same number twice.
func TestNumbers(t *testing.T) {
	t.Parallel()
	type number struct {
		packages string
		n        int64
	}
	seen := map[number]bool{}
	codes.Numbers(func(packages string, class int, n int64) {
		at := number{packages, n}
		assert.False(t, seen[at], "%d stands twice in the table of %s", n, packages)
		seen[at] = true
		assert.NotZero(t, n, packages)
		assert.Positive(t, class, "%d of %s has no class", n, packages)
		assert.LessOrEqual(t, class, codes.Classes)
	})
	assert.Greater(t, len(seen), 400)
}

// Each row of texts has a class, and its texts have no white space before them. Words that
// classify a code together are lower-case singulars.
func TestTexts(t *testing.T) {
	t.Parallel()
	codes.Texts(func(table, text string, class int) {
		assert.Positive(t, class, "%q of %s has no class", text, table)
		assert.Equal(t, strings.TrimLeft(text, " "), text, table)
		assert.NotEmpty(t, text, table)
		if table == "text" {
			assert.Equal(t, class, int(codes.FromText(strings.TrimRight(text, " "))),
				"%q is too long for a sentinel, or stands twice", text)
		}
		if table != "stem" {
			return
		}
		for w := range strings.FieldsSeq(text) {
			assert.Equal(t, strings.ToLower(w), w)
			if !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
				assert.False(t, strings.HasSuffix(w, "s"), "%s is no singular", w)
			}
		}
	})
}
