package texts

import (
	"bytes"
	"embed"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
)

// phraseFiles holds the phrases, in one file per language: see phrases/README.md.
//
//go:embed phrases/*.tsv
var phraseFiles embed.FS

// languages are the names of the phrase files.
var languages = strings.Fields("en de fr es pt it ru tr zh ja ko")

// A meaning is what a phrase means.
type meaning struct {
	use   string // a word of the lists below
	class class.Class
	rank  uint8
	needs kind // the clause must have a noun of this kind
}

// The uses of a phrase are words in its line. Without one, it says what a clause is about.
const says, ofClass, others = "", " not later ", " noun waits forbids rate negates aside tried mask "

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
		if m.rank, m.needs = uint8(rank), kinds[words[2]]; m.needs == 0 {
			m.use = words[2]
		}
		return m, rank > 0 && (m.use == says || strings.Contains(ofClass, " "+m.use+" "))
	}
	m.use, m.needs = words[0], kinds[words[1]]
	return m, m.use != says && strings.Contains(others, " "+m.use+" ") && (m.use == "noun") == (m.needs != 0)
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

// A phrase is a wording, normalized, with its meanings.
type phrase struct {
	text     string
	meanings []meaning
	goesOn   bool // it may be the beginning of a word
	inner    int  // the longest phrase that it begins with, or -1
}

// A book holds all phrases in the order of their bytes, and where those with a first byte begin.
type book struct {
	phrases []phrase
	starts  [257]int
}

var (
	once sync.Once
	all  book
)

// read makes b the book of all phrases.
func (b *book) read() {
	var s scan
	known := map[string]*phrase{}
	lines(func(_, text, wordings, _ string) {
		m, _ := parseMeaning(text)
		for wording := range strings.SplitSeq(wordings, "|") {
			word, goesOn := strings.CutSuffix(wording, "~")
			s.read(word)
			p := known[string(s.norm)]
			if p == nil {
				p = &phrase{text: string(s.norm)}
				known[p.text] = p
			}
			p.meanings, p.goesOn = append(p.meanings, m), p.goesOn || goesOn || s.tokens[len(s.tokens)-1].isRun
		}
	})
	for _, text := range slices.Sorted(maps.Keys(known)) {
		p := *known[text]
		for p.inner = len(b.phrases) - 1; p.inner >= 0 && !strings.HasPrefix(text, b.phrases[p.inner].text); {
			p.inner = b.phrases[p.inner].inner
		}
		b.phrases = append(b.phrases, p)
		b.starts[int(text[0])+1] = len(b.phrases)
	}
	for c := range 256 {
		b.starts[c+1] = max(b.starts[c], b.starts[c+1])
	}
}

// longest returns the longest phrase that text begins with, or nil. The first phrase that does not
// come after text begins with the same phrases as text.
func (b *book) longest(text []byte) *phrase {
	from, to := b.starts[text[0]], b.starts[int(text[0])+1]
	i := from + sort.Search(to-from, func(i int) bool { return b.phrases[from+i].text > string(text) }) - 1
	for ; i >= from; i = b.phrases[i].inner {
		p := &b.phrases[i]
		if n := len(p.text); bytes.HasPrefix(text, []byte(p.text)) && (p.goesOn || n == len(text) || text[n] == ' ' || text[n] == '\n') {
			return p
		}
	}
	return nil
}
