package texts

import (
	"strings"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// Lines calls f for each line of the phrase files.
func Lines(f func(language, meaning, wordings, source string)) {
	codes.Rows(files, "phrases", func(columns []string) {
		if len(columns[0]) == len("en") {
			f(columns[0], columns[1], columns[2], columns[3])
		}
	})
}

// Finds reports whether the meaning of a line is well-formed, and whether it is found in a
// text that consists of one of its wordings.
func Finds(text, wording string) (ok, found bool) {
	m := parse(text)
	uses := " waits forbids rate pause negates aside tried mask "
	if m.class != class.Unknown {
		uses = "  not later "
	} else if m.needs == soon || m.needs == kinds["connection"] {
		uses = " noun forbids "
	} else if m.needs != 0 {
		uses = " noun "
	}
	ok = strings.Contains(uses, " "+m.use+" ") && (m.rank > 0) == (m.class != class.Unknown)
	var r reader
	r.read(strings.TrimSuffix(wording, "~"))
	for _, h := range r.hits {
		found = found || h.class == m.class && h.rank == m.rank && h.needs == m.needs && h.use == m.use
	}
	return ok, found
}

// IsRun reports whether a letter belongs to a script without spaces.
func IsRun(r rune) bool { return isRun(r) }
