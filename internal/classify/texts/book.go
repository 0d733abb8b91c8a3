package texts

import (
	"bytes"
	"cmp"
	"embed"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/class"
	"github.com/mcp-toolerr/toolerr-go/internal/classify/codes"
)

// files holds the phrases, in one file per language, the letters and the units of time: see
// phrases/README.md.
//
//go:embed phrases/*.tsv
var files embed.FS

// What the files hold. A variable with an initial value would keep it in programs that read no text.
var (
	once  sync.Once
	book  []phrase           // in the order of their bytes
	folds map[rune]rune      // letters, and plain ones for them
	units map[string]float64 // of time, in seconds
)

// A phrase is a wording, normalized, with a meaning: see phrases/README.md.
type phrase struct {
	text   string
	goesOn bool // it may be the beginning of a word
	inner  int  // the longest phrase that it begins with, or -1
	class  class.Class
	rank   int
	needs  kind   // the clause must have nouns of these kinds
	use    string // empty if the phrase says what failed
}

// A kind is a bit set of noun kinds.
type kind uint32

var kinds = map[string]kind{
	"step": 1, "role": 2, "access": 4, "argument": 8, "config": 16, "connection": 32, "label": 64, "system": 128,
	"thing": 256, "soon": 512, "money": 1024, "person": 2048, "done": 4096, "deed": 8192, "outcome": 16384, "view": 32768,
	"answer": 65536, "store": 131072, "reply": 262144, "pane": 524288,
}

var config, thing, soon, done, answer, reply = kinds["config"], kinds["thing"], kinds["soon"], kinds["done"],
	kinds["answer"], kinds["reply"]

// absences are the classes of something missing, by the kind of the noun in its clause. The first that it has decides.
var absences = [...]class.Class{class.Precondition, class.Denied, class.Unauthenticated, class.Missing, class.Internal}

// parse returns a phrase with the meaning in a column: a class and its rank, a kind of noun, and a use.
func parse(column string) (p phrase) {
	for word := range strings.FieldsSeq(column) {
		c := class.Named(word)
		rank, err := strconv.Atoi(word)
		p.class, p.rank, p.needs = max(p.class, c), max(p.rank, rank), p.needs|kinds[word]
		if c == class.Unknown && err != nil && kinds[word] == 0 {
			p.use = word
		}
	}
	return p
}

// load reads the files.
func load() {
	folds, units, book = map[rune]rune{}, map[string]float64{}, make([]phrase, 0, 10_000) // about as many as there are
	var s scan
	codes.Rows(files, "phrases", func(columns []string) {
		switch columns[0] {
		case "letter":
			for _, letter := range columns[2] {
				folds[letter], _ = utf8.DecodeRuneInString(columns[1])
			}
		case "unit":
			for name := range strings.FieldsSeq(columns[2]) {
				units[name], _ = strconv.ParseFloat(columns[1], 64)
			}
		default:
			p := parse(columns[1])
			for wording := range strings.SplitSeq(columns[2], "|") {
				word, goesOn := strings.CutSuffix(wording, "~")
				s.read(word)
				p.text, p.goesOn = string(s.norm), goesOn || s.tokens[len(s.tokens)-1].isRun
				book = append(book, p)
			}
		}
	})
	slices.SortStableFunc(book, func(a, b phrase) int { return cmp.Compare(a.text, b.text) })
	for i := range book {
		inner := i - 1
		for inner >= 0 && !strings.HasPrefix(book[i].text, book[inner].text) {
			inner = book[inner].inner
		}
		book[i].inner = inner
	}
}

// longest returns the longest phrase that text begins with, once for each of its meanings. The last
// phrase that does not come after text, and those that it begins with, are all that text may begin with.
func longest(text []byte) []phrase {
	i := sort.Search(len(book), func(i int) bool { return book[i].text > string(text) }) - 1
	for ; i >= 0; i = book[i].inner {
		p, first := book[i], i
		if n := len(p.text); bytes.HasPrefix(text, []byte(p.text)) &&
			(p.goesOn || n == len(text) || text[n] == ' ' || text[n] == '\n') {
			for first > 0 && book[first-1].text == p.text {
				first--
			}
			return book[first : i+1]
		}
	}
	return nil
}
