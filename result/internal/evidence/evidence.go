// Package evidence takes the arguments of a tool call and an error, and says whether
// what the error names stands in the arguments, and in which of them.
//
// Names are looked for as they may differ there: paths that were cleaned or joined to
// a directory ([Arguments.Blame] calls path.go), hosts of URLs (host.go), numbers in
// another spelling and words (text.go). Of a parser's error, which names an offset, the
// arguments are parsed again (parse.go). The words of an author around an error that
// names nothing are in sentence.go.
package evidence

import (
	"encoding/json"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

const (
	// maxAsked bounds the errors of a tree that evidence is looked for. Chosen: a tree
	// has one or two of them.
	maxAsked = 16
	// maxChain is how many errors around an error are looked at. Chosen: layers that add
	// something are fewer.
	maxChain = 64
)

// Arguments are those of one call. They are decoded when they are first needed. They
// are not safe for concurrent use.
type Arguments struct {
	raw     json.RawMessage
	decoded bool
	leaves  []leaf
	names   []leaf // of members, with the name as text
	asked   int
}

// New returns the arguments of a call, which are a JSON object, or nothing.
func New(raw json.RawMessage) *Arguments { return &Arguments{raw: raw} }

// Blame is a [classify.Blame]. It looks for what the last error of the chain names,
// then for what the errors around it name. What an author has said around an error
// counts only if the error itself names nothing, or if it says that an argument is at
// fault: a sentence about a city says nothing of the file that was missing.
func (a *Arguments) Blame(chain []error) (field string, fault classify.Fault) {
	if a.asked++; a.asked > maxAsked {
		return "", classify.Own
	}
	a.decode()
	named := false
	for i := len(chain) - 1; i >= max(0, len(chain)-maxChain); i-- {
		s := search{Arguments: a, last: i == len(chain)-1}
		s.look(chain[i])
		if s.found != nil {
			return s.found.path(), classify.Callers
		}
		named = named || s.named
	}
	return a.bySentence(chain, named)
}

// A search looks for what one error of a chain names.
type search struct {
	*Arguments

	last     bool // the error is the last of the chain, whose text is its own
	named    bool // the error names something
	document bool // or is about a text that was read from somewhere
	found    *leaf
	worth    int // of what was found
}

// How much a likeness is worth: of several the best counts, of the same the first.
const (
	unlike = iota
	similar
	joined
	same
)

// find looks for what an error names in all of the arguments.
func (s *search) find(name string, likeness func(*leaf, string) int) {
	if name == "" {
		return
	}
	s.named = true
	for i := range s.leaves {
		if worth := likeness(&s.leaves[i], name); worth > s.worth {
			s.found, s.worth = &s.leaves[i], worth
		}
	}
}

// parsed looks for an argument that fails like a text that an error is about.
func (s *search) parsed(fails func(*leaf) bool) {
	s.named, s.document = true, true
	for i := range s.leaves {
		if l := &s.leaves[i]; s.found == nil && l.text != "" && !l.number && len(l.text) <= maxParsed && fails(l) {
			s.found, s.worth = l, same
		}
	}
}
