package texts

import (
	"embed"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// phraseFiles holds the phrases, in one file per language. A line has four columns, separated by
// tabs: the language (ISO 639-1), the meaning, the wordings, separated by bars, and the source. A
// wording matches whole words, regardless of case and accents. A ~ at its end lets it match the
// beginning of a longer word; wordings in Chinese, Japanese and Korean always do. The meaning is
// one of:
//
//	class rank        the class, and how clear the wording is, from 1 (may be about anything) to 7
//	class rank not    the same, if it is negated: not ... found
//	class rank noun   the same, if its clause has a noun of this kind: token ... expired
//	noun kind         a noun
//	forbids           no repeat helps, or the work was done
//	rate              the limit in the text is one that passes: per minute
//	not               a negation
//	aside             what follows did not happen, or is not the failure: if, after, may
//	tried             an attempt: the failure follows after a colon
//	mask              nothing; it hides the shorter wordings in it
//
//go:embed phrases/*.tsv
var phraseFiles embed.FS

// languages are the names of the phrase files. A wording of en.tsv is ignored in the others.
var languages = strings.Fields("en de fr es pt it ru tr zh ja ko")

// A meaning is what a phrase means.
type meaning struct {
	use     use
	class   class.Class
	rank    uint8
	needs   kind // the clause must have a noun of this kind
	english bool
	next    uint16 // the index of a further meaning of the same phrase, or 0
}

// A use is what a phrase is for.
type use uint8

const (
	mask use = iota
	says
	ifNot
	noun
	forbids
	rate
	negates
	aside
	tried
)

var uses = map[string]use{
	"mask": mask, "noun": noun, "forbids": forbids, "rate": rate, "not": negates, "aside": aside, "tried": tried,
}

// A kind is a bit set of noun kinds. A thing, such as an offer, times out in a different sense than
// a call. A step, such as an approval, must come first. Soon is a time, such as "right now".
type kind uint16

var kinds = map[string]kind{"step": 1, "role": 2, "access": 4, "argument": 8, "config": 16, "connection": 32, "label": 64,
	"system": 128, "thing": 256, "soon": 512, "money": 1024, "person": 2048}

// absences are the classes of something missing, by the kinds of the nouns in its clause.
var absences = [...]class.Class{class.Precondition, class.Denied, class.Unauthenticated, class.Missing, class.Internal}

var classes = map[string]class.Class{
	"timed_out": class.TimedOut, "unavailable": class.Unavailable, "reply_lost": class.ReplyLost,
	"throttled": class.Throttled, "internal": class.Internal, "invalid": class.Invalid, "missing": class.Missing,
	"not_found": class.NotFound, "out_of_range": class.OutOfRange, "ambiguous": class.Ambiguous, "conflict": class.Conflict,
	"exists": class.Exists, "precondition": class.Precondition, "limit": class.Limit, "declined": class.Declined, "unauthenticated": class.Unauthenticated,
	"denied": class.Denied, "insufficient_scope": class.InsufficientScope,
}

// rankEmpty is the rank of phrases for missing arguments alone, such as cannot be empty.
const rankEmpty = 6

// missed classifies a phrase that reports something missing, by the nouns in its clause.
func (m *meaning) missed(nouns kind) class.Class {
	n := bits.TrailingZeros16(uint16(nouns))
	switch {
	case m.class == class.Missing && m.rank < rankEmpty && n < len(absences):
		return absences[n]
	case m.class == class.NotFound && m.use == ifNot && nouns&kinds["access"] != 0:
		return class.Unauthenticated
	}
	return m.class
}

// parseMeaning returns the meaning in a column, and whether it is well-formed.
func parseMeaning(text string) (m meaning, ok bool) {
	words := append(strings.Fields(text), "", "")
	if m.class, ok = classes[words[0]]; ok {
		m.use = says
		rank, _ := strconv.ParseUint(words[1], 10, 8)
		m.rank = uint8(rank)
		if m.needs = kinds[words[2]]; words[2] == "not" {
			m.use = ifNot
		}
		return m, m.rank > 0 && (words[2] == "" || m.use == ifNot || m.needs != 0)
	}
	m.use, ok = uses[words[0]]
	m.needs = kinds[words[1]]
	return m, ok && (m.use == noun) == (m.needs != 0)
}

// lines calls f for each line of the phrase files.
func lines(f func(language, meaning, wordings, source string)) {
	for _, language := range languages {
		raw, _ := phraseFiles.ReadFile("phrases/" + language + ".tsv")
		for line := range strings.Lines(string(raw)) {
			columns := append(strings.Split(strings.TrimSpace(line), "\t"), "", "", "")
			f(columns[0], columns[1], columns[2], columns[3])
		}
	}
}

// book is the trie of all phrases, built when the first text is read; most processes read none.
var book = sync.OnceValue(func() *trie {
	t := &trie{nodes: make([]node, 1, 72<<10), meanings: make([]meaning, 1, 10<<10)}
	var s scan
	lines(func(language, text, wordings, _ string) {
		m, _ := parseMeaning(text)
		m.english = language == languages[0]
		for wording := range strings.SplitSeq(wordings, "|") {
			word, goesOn := strings.CutSuffix(wording, "~")
			s.read(word)
			t.add(s.norm, m, goesOn || s.tokens[len(s.tokens)-1].kind == runToken)
		}
	})
	return t
})

// A trie finds phrases by their bytes.
type trie struct {
	nodes    []node
	meanings []meaning
}

// A node is a byte of a phrase. Its meaning, child and next are indices; 0 means none.
type node struct {
	b           byte
	goesOn      bool // the phrase may be the beginning of a word
	meaning     uint16
	child, next int32
}

// add adds a phrase.
func (t *trie) add(text []byte, m meaning, goesOn bool) {
	at := int32(0)
	for _, c := range text {
		next := t.child(at, c)
		if next == 0 {
			next = int32(len(t.nodes)) //nolint:gosec // some sixty thousand
			t.nodes = append(t.nodes, node{b: c})
			last := &t.nodes[at].child // after those of English, the language of most texts
			for *last != 0 {
				last = &t.nodes[*last].next
			}
			*last = next
		}
		at = next
	}
	n := &t.nodes[at]
	if n.meaning != 0 && t.meanings[n.meaning].english != m.english {
		return
	}
	n.goesOn = n.goesOn || goesOn
	last := &n.meaning
	for *last != 0 {
		last = &t.meanings[*last].next
	}
	*last = uint16(len(t.meanings)) //nolint:gosec // some ten thousand
	t.meanings = append(t.meanings, m)
}

func (t *trie) child(at int32, c byte) int32 {
	n := t.nodes[at].child
	for n != 0 && t.nodes[n].b != c {
		n = t.nodes[n].next
	}
	return n
}

// longest returns the longest phrase that text begins with, as the index of its meaning and its
// length, and the number of bytes read.
func (t *trie) longest(text []byte) (m uint16, length, steps int) {
	at := int32(0)
	for i, c := range text {
		steps = i + 1
		if at = t.child(at, c); at == 0 {
			break
		}
		n := &t.nodes[at]
		if n.meaning != 0 && (n.goesOn || i+1 == len(text) || text[i+1] == ' ' || text[i+1] == '\n') {
			m, length = n.meaning, i+1
		}
	}
	return m, length, steps
}
