package texts

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// A phrases row has wordings that say the same, separated by bars. A wording is
// matched by whole words, whatever their case and accents are; a ~ at its end lets its
// last word go on. Wordings in Chinese, Japanese and Korean go on by themselves.
//
// A wording belongs in the table if a program says it of its failure, whatever its
// subject is. To add one, add it to a row, and a text with it to the corpus of tests.
type phrases struct {
	language string // ISO 639-1
	use      use
	class    class.Class
	// rank is how much the wording says: 1 is a word that may be about anything, 3 a
	// failure that is named, 5 one that leaves no doubt.
	rank   int
	source string // who says so
	texts  string
}

// A use says what a wording means for the text that it stands in.
type use uint8

const (
	nothing      use = iota // it is taken for no other
	says                    // the class
	ifNot                   // the class, if it is denied: not found
	ifSystem                // the class, if it is said of a system: the service is down
	ifConnection            // the class, if it is said of a connection: lost
	ifNamed                 // the class, if it is said of a name: already taken
	ifAlone                 // the class, if nothing else is in the clause
	ifAccess                // the class, if it is said of a token or a session: expired
	takesBack               // that a repeat does not help; of what seems temporary, the class
	timeoutWord             // a timeout, if the words around it do not say that it is a setting
	system                  // the name of what ifSystem is about
	connection              // of what ifConnection is about
	access                  // of what ifAccess is about
	label                   // of what ifNamed is about
	ends                    // the name of what ends when its time is up: an offer
	contrasts               // but: what is before it went well, unless it says otherwise
	asks                    // for a repeat, without a reason: it is no leave
	things                  // what is unavailable or busy as goods and people are
	states                  // is: what it stands in says something of its own
	isRate                  // a limit that passes: per minute
	negates                 // not
	fails                   // unable to: what follows was tried
	attempts                // error: what stands beside it was tried
	subordinates            // after: what follows is not what failed
	explains                // because: what follows is
	doubts                  // may: what follows has not happened
	names                   // what is before it is a name: rate limit policy
	advises                 // what follows is for the reader: please check
)

// phraseTables are the tables of all languages. Of a wording that several languages have
// the first counts.
var phraseTables = [][]phrases{
	english, stateEnglish, temporaryEnglish, takenBackEnglish, grammar, german, french, spanish, portuguese, italian, russian, turkish,
	chinese, japanese, korean,
}

// book finds the phrases of all languages. It is a tree of their bytes, made when the
// first text is read: most processes never read one.
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

// A meaning is a row of a phrase, and the place of the next one.
type meaning struct {
	row  *phrases
	next int16
}

// A phraseNode is a byte of a phrase behind the same beginning. Its numbers are places
// in the lists of the book; 0 is none.
type phraseNode struct {
	b           byte
	child, next int32
	whole, part int16 // meanings, if a phrase ends here, or may go on
}

// add adds a phrase. It may stand in several rows of a language; of several languages
// the first counts.
func (b *phraseBook) add(text []byte, row *phrases, goesOn bool) {
	at := int32(0)
	for _, c := range text {
		next := b.child(at, c)
		if next == 0 {
			next = int32(len(b.nodes)) //nolint:gosec // some ten thousand
			b.nodes = append(b.nodes, phraseNode{b: c})
			last := &b.nodes[at].child // behind those of English, which most texts are in
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

// longest returns the first meaning of the longest phrase at the beginning of text, how
// long it is, and how many bytes were looked at.
//
// Shorter is the meaning of a shorter one, if that says something about what else is in the
// clause: of a token that was rejected by a server, rejected.
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
