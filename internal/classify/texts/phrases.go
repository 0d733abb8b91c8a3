package texts

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A phrases row holds wordings with the same meaning, separated by bars. A wording matches
// whole words, regardless of case and accents. A ~ at its end lets it match the beginning
// of a longer word; wordings in Chinese, Japanese and Korean always do.
//
// A wording belongs in a table if programs use it for their failures, whatever their
// subject is. To add one, add it to a row, and a text that contains it to the test corpus.
type phrases struct {
	language string // ISO 639-1
	use      use
	class    class.Class
	// rank is how specific the wording is: 1 is a word that may be about anything, 3 names
	// a failure, 5 is unambiguous.
	rank   int
	source string // where the wording was found
	texts  string
}

// A use is what a wording means in its text.
type use uint8

const (
	nothing      use = iota // it hides shorter phrases in it
	says                    // the class
	ifNot                   // the class if it is negated: not found
	ifSystem                // the class if the clause names a system: the service is down
	ifConnection            // the class if the clause names a connection: lost
	ifNamed                 // the class if the clause names a label: already taken
	ifAlone                 // the class if it is the whole clause
	ifAccess                // the class if the clause names a token or a session: expired
	takesBack               // a repeat does not help; with a transient class, the reason
	timeoutWord             // a timeout unless the words around it show that it is a setting
	system                  // a name for ifSystem
	connection              // a name for ifConnection
	access                  // a name for ifAccess
	label                   // a name for ifNamed
	ends                    // something that ends when its time is up: an offer
	contrasts               // but: the text before it reports success unless it names a failure
	asks                    // asks for a repeat without a reason, which does not allow one
	things                  // goods and people, which are unavailable or busy in another sense
	states                  // is: its clause makes a statement of its own
	isRate                  // a limit that passes: per minute
	negates                 // not
	fails                   // unable to: the attempt follows
	attempts                // error: the attempt is beside it
	subordinates            // after: the failure does not follow
	explains                // because: the failure follows
	doubts                  // may: what follows has not happened
	names                   // the phrase before it is part of a name: rate limit policy
	advises                 // please check: what follows is advice for the reader
)

// phraseTables are the tables of all languages. If several languages have a wording, the
// first one applies.
var phraseTables = [][]phrases{
	english, stateEnglish, temporaryEnglish, takenBackEnglish, grammar, german, french, spanish, portuguese, italian, russian, turkish,
	chinese, japanese, korean,
}

// book is the index of all phrases: a trie of their bytes. It is built when the first text
// is read, which never happens in most processes.
var book = sync.OnceValue(func() *phraseBook {
	b := &phraseBook{nodes: make([]phraseNode, 1, 60<<10), meanings: make([]meaning, 1, 10<<10)}
	var s scan
	for _, table := range phraseTables {
		for i := range table {
			for text := range strings.SplitSeq(table[i].texts, "|") {
				word, goesOn := strings.CutSuffix(strings.TrimSpace(text), "~")
				s.read(word)
				b.add(s.norm, &table[i], goesOn || s.tokens[len(s.tokens)-1].kind == runToken)
			}
		}
	}
	return b
})

type phraseBook struct {
	first    [256]int32 // nodes, by the first byte
	nodes    []phraseNode
	meanings []meaning
}

// A meaning is a row of a phrase, and the index of the phrase's next meaning.
type meaning struct {
	row  *phrases
	next int16
}

// A phraseNode is a node of the trie. Its numbers are indices into the book's lists, of
// which 0 means none.
type phraseNode struct {
	b           byte
	child, next int32
	whole, part int16 // the first meaning if a phrase ends here, as a whole word or as the beginning of one
}

// add adds a phrase. A phrase may be in several rows of one language. If several languages
// have it, the first one applies.
func (b *phraseBook) add(text []byte, row *phrases, goesOn bool) {
	at := int32(0)
	for _, c := range text {
		next := b.child(at, c)
		if next == 0 {
			next = int32(len(b.nodes)) //nolint:gosec // some ten thousand
			b.nodes = append(b.nodes, phraseNode{b: c})
			last := &b.nodes[at].child // after those of English, the language of most texts
			for *last != 0 {
				last = &b.nodes[*last].next
			}
			*last = next
			if at == 0 {
				b.first[c] = next
			}
		}
		at = next
	}
	n := &b.nodes[at]
	b.mean(&n.whole, row)
	if goesOn {
		b.mean(&n.part, row)
	}
}

// mean adds a row to the meanings of a phrase.
func (b *phraseBook) mean(at *int16, row *phrases) {
	if *at != 0 && b.meanings[*at].row.language != row.language {
		return
	}
	for *at != 0 {
		at = &b.meanings[*at].next
	}
	*at = int16(len(b.meanings)) //nolint:gosec // some ten thousand
	b.meanings = append(b.meanings, meaning{row: row})
}

func (b *phraseBook) child(at int32, c byte) int32 {
	if at == 0 {
		return b.first[c]
	}
	for n := b.nodes[at].child; n != 0; n = b.nodes[n].next {
		if b.nodes[n].b == c {
			return n
		}
	}
	return 0
}

// longest returns the first meaning of the longest phrase that text begins with, its
// length, and the number of bytes that were read.
//
// Shorter is the meaning of a shorter phrase that may apply to the rest of the clause. For
// "rejected by" it is that of "rejected" if a server rejects a token.
func (b *phraseBook) longest(text []byte) (found, shorter int16, length, steps int) {
	at := int32(0)
	for i, c := range text {
		steps = i + 1
		if at = b.child(at, c); at == 0 {
			break
		}
		n := &b.nodes[at]
		if n.part != 0 {
			found, length = n.part, i+1
		}
		if n.whole != 0 && (i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			if found != 0 && b.meanings[found].row.use == ifAccess {
				shorter = found
			}
			found, length = n.whole, i+1
		}
	}
	return found, shorter, length, steps
}
