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

// Each row of words has a class and a word, all words are lower-case singulars, and there
// are at most as many rows as bits in a row set.
func TestStems(t *testing.T) {
	t.Parallel()
	rows := 0
	codes.StemRows(func(class int, word, beside string) {
		rows++
		assert.Positive(t, class, word)
		assert.NotEmpty(t, strings.TrimSpace(word))
		for w := range strings.FieldsSeq(word + " " + beside) {
			assert.Equal(t, strings.ToLower(w), w)
			if !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") {
				assert.False(t, strings.HasSuffix(w, "s"), "%s is no singular", w)
			}
		}
	})
	assert.LessOrEqual(t, rows, 32)
}

// Each pair of words that reports that a plan is used up is found, however it is spelled,
// and neither word alone is.
func TestMentionsPlan(t *testing.T) {
	t.Parallel()
	pairs := 0
	codes.PlanRows(func(what, said string) {
		for _, text := range []string{
			"Your request failed: " + what + " " + said + ".", strings.ToUpper(what) + " " + said, "X" + strings.ToUpper(what[:1]) + what[1:] + "s_" + said,
		} {
			assert.True(t, codes.MentionsPlan(text), text)
		}
		assert.False(t, codes.MentionsPlan("The "+what+" is "), what)
		assert.False(t, codes.MentionsPlan("The "+said+" is. The "+what), said)
		pairs++
	})
	assert.Greater(t, pairs, 100)
}
