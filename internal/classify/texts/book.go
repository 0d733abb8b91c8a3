package texts

import (
	"embed"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// phraseFiles holds the phrases, in one file per language: see phrases/README.md.
//
//go:embed phrases/*.tsv
var phraseFiles embed.FS

var (
	once    sync.Once
	phrases trie
)

// languages are the names of the phrase files.
var languages = strings.Fields("en de fr es pt it ru tr zh ja ko")

// A meaning is what a phrase means.
type meaning struct {
	use   use
	class class.Class
	rank  uint8
	needs kind // the clause must have a noun of this kind
}

// A use is what a phrase is for.
type use uint8

const (
	says use = iota
	ifNot
	later
	noun
	waits
	forbids
	rate
	negates
	aside
	tried
	mask
)

var uses = map[string]use{
	"not": ifNot, "later": later, "noun": noun, "waits": waits, "forbids": forbids, "rate": rate, "negates": negates,
	"aside": aside, "tried": tried, "mask": mask,
}

// A kind is a bit set of noun kinds.
type kind uint16

var kinds = map[string]kind{
	"step": 1, "role": 2, "access": 4, "argument": 8, "config": 16, "connection": 32, "label": 64, "system": 128,
	"thing": 256, "soon": 512, "money": 1024, "person": 2048,
}

var access, config, thing, soon = kinds["access"], kinds["config"], kinds["thing"], kinds["soon"]

// absences are the classes of something missing, by the kind of the noun in its clause. The first
// that the clause has decides.
var absences = [...]class.Class{class.Precondition, class.Denied, class.Unauthenticated, class.Missing, class.Internal}

// parseMeaning returns the meaning in a column, and whether it is well-formed.
func parseMeaning(text string) (m meaning, ok bool) {
	words := append(strings.Fields(text), "", "")
	if m.class, ok = class.Named(words[0]); ok {
		rank, _ := strconv.ParseUint(words[1], 10, 8)
		m.rank, m.use, m.needs = uint8(rank), uses[words[2]], kinds[words[2]]
		return m, rank > 0 && m.use <= later && (words[2] == "" || m.use > says || m.needs > 0)
	}
	m.use, ok = uses[words[0]]
	m.needs = kinds[words[1]]
	return m, ok && m.use > later && (m.use == noun) == (m.needs != 0)
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

// book returns the trie of all phrases, built when the first text is read. A variable with an
// initial value would make the linker keep the phrases in programs that read none.
func book() *trie {
	once.Do(func() {
		phrases = trie{nodes: make([]node, 1, 72<<10), meanings: make([][]meaning, 1, 10<<10)}
		var s scan
		lines(func(_, text, wordings, _ string) {
			m, _ := parseMeaning(text)
			for wording := range strings.SplitSeq(wordings, "|") {
				word, goesOn := strings.CutSuffix(wording, "~")
				s.read(word)
				phrases.add(s.norm, m, goesOn || s.tokens[len(s.tokens)-1].isRun)
			}
		})
	})
	return &phrases
}

// A trie finds phrases by their bytes.
type trie struct {
	nodes    []node
	meanings [][]meaning
}

// A node is a byte of a phrase. Its meanings, child and next are indices; 0 means none.
type node struct {
	b           byte
	goesOn      bool // the phrase may be the beginning of a word
	meanings    uint16
	child, next int32
}

// add adds a phrase.
func (t *trie) add(text []byte, m meaning, goesOn bool) {
	at := int32(0)
	for _, c := range text {
		last := &t.nodes[at].child // the first children are those of English, the language of most texts
		for *last != 0 && t.nodes[*last].b != c {
			last = &t.nodes[*last].next
		}
		if at = *last; at == 0 {
			at = int32(len(t.nodes)) //nolint:gosec // some seventy thousand
			*last = at
			t.nodes = append(t.nodes, node{b: c})
		}
	}
	n := &t.nodes[at]
	if n.meanings == 0 {
		n.meanings = uint16(len(t.meanings)) //nolint:gosec // some ten thousand
		t.meanings = append(t.meanings, nil)
	}
	n.goesOn = n.goesOn || goesOn
	t.meanings[n.meanings] = append(t.meanings[n.meanings], m)
}

// longest returns the longest phrase that text begins with, as its meanings and its length, and the
// number of bytes read.
func (t *trie) longest(text []byte) (list []meaning, length, steps int) {
	at := int32(0)
	for i, c := range text {
		for at = t.nodes[at].child; at != 0 && t.nodes[at].b != c; {
			at = t.nodes[at].next
		}
		if steps = i + 1; at == 0 {
			break
		}
		n := &t.nodes[at]
		if n.meanings != 0 && (n.goesOn || steps == len(text) || text[steps] == ' ' || text[steps] == '\n') {
			list, length = t.meanings[n.meanings], steps
		}
	}
	return list, length, steps
}
