// Package evidence reads the arguments of a tool call and an error, and reports whether the
// name in the error is among the arguments, and in which of them.
//
// Names may be spelled differently in the arguments: paths are cleaned or joined to a
// directory ([Arguments.Blame] calls path.go), hosts are parts of URLs (host.go), numbers
// and words vary (text.go). If a parser's error has an offset, the arguments are parsed
// again (parse.go). An author's text around an error without a name is read in sentence.go.
package evidence

import (
	"encoding/json"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

const (
	// maxAsked is how many errors of a tree are examined. Chosen: a tree has one or two of
	// them.
	maxAsked = 16
	// maxChain is how many errors around an error are examined. Chosen: fewer layers add
	// information.
	maxChain = 64
)

// Arguments are the arguments of one call. They are decoded on first use. They are not safe
// for concurrent use.
type Arguments struct {
	raw     json.RawMessage
	decoded bool
	leaves  []leaf
	names   []leaf // of members, with the name as text
	asked   int
}

// New returns the arguments of a call, which are a JSON object or empty.
func New(raw json.RawMessage) *Arguments { return &Arguments{raw: raw} }

// Blame is a [classify.Blame]. It searches the arguments for the name in the last error of
// the chain, then for the names in the errors around it. The author's text around an error
// is only considered if the error itself has no name, or if the text states that an
// argument is wrong: a sentence about a city is no evidence about a missing file.
func (a *Arguments) Blame(chain []error) (field string, fault classify.Fault) {
	if a.asked++; a.asked > maxAsked {
		return "", classify.Own
	}
	a.decode()
	named := false
	for i := len(chain) - 1; i >= max(0, len(chain)-maxChain); i-- {
		s := search{Arguments: a, last: i == len(chain)-1}
		s.inspect(chain[i])
		if s.found != nil {
			return s.found.path(), classify.Callers
		}
		named = named || s.named
	}
	return a.bySentence(chain, named)
}

// A search searches the arguments for the names in one error of a chain.
type search struct {
	*Arguments

	last     bool // the error is the last of the chain, and its text is its own
	named    bool // the error has a name
	document bool // or is about a text that was read from somewhere
	found    *leaf
	score    int // score of found
}

// Scores of a match. The best match is used, and the first of equal ones.
const (
	noMatch = iota
	similar
	joined
	same
)

// find searches all arguments for a name.
func (s *search) find(name string, match func(*leaf, string) int) {
	if name == "" {
		return
	}
	s.named = true
	for i := range s.leaves {
		if score := match(&s.leaves[i], name); score > s.score {
			s.found, s.score = &s.leaves[i], score
		}
	}
}

// parsed searches for an argument that fails to parse with the same error.
func (s *search) parsed(fails func(*leaf) bool) {
	s.named, s.document = true, true
	for i := range s.leaves {
		if l := &s.leaves[i]; s.found == nil && l.text != "" && !l.number && len(l.text) <= maxParsed && fails(l) {
			s.found, s.score = l, same
		}
	}
}
