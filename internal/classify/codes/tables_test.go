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
		assert.Positive(t, class, "%d of %s has no class", n, packages)
		assert.LessOrEqual(t, class, codes.Classes)
	})
	assert.Greater(t, len(seen), 400)
}

// Each row of texts has a class, and its texts have no surrounding white space.
func TestTexts(t *testing.T) {
	t.Parallel()
	codes.Texts(func(table, text string, class int) {
		assert.Positive(t, class, "%q of %s has no class", text, table)
		assert.Equal(t, strings.TrimLeft(text, " "), text, table)
	})
}

// Each row of words has a class and a word, and all words are lower-case singulars.
func TestStems(t *testing.T) {
	t.Parallel()
	codes.StemRows(func(class int, word, beside string) {
		assert.Positive(t, class, word)
		assert.NotEmpty(t, strings.TrimSpace(word))
		for w := range strings.FieldsSeq(word + " " + beside) {
			assert.Equal(t, strings.ToLower(w), w)
			if !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
				assert.False(t, strings.HasSuffix(w, "s"), "%s is no singular", w)
			}
		}
	})
}
