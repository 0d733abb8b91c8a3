package testutil_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// replacedWords are words with a standard term. They are forbidden in identifiers, comments
// and documents, in all their forms.
var replacedWords = []struct{ word, term string }{
	{"judge", "classify, reject"},
	{"judged", "classified, rejected"},
	{"judges", "classifies, rejects"},
	{"judging", "classifying"},
	{"mend", "fix, normalize, repair"},
	{"mended", "fixed, normalized, repaired"},
	{"mender", "normalizer"},
	{"mending", "fixing"},
	{"mends", "fixes, normalizes, repairs"},
	{"settle", "resolve"},
	{"settled", "resolved"},
	{"settles", "resolves"},
	{"unjudged", "unclassified"},
	{"verdict", "classification"},
	{"verdicts", "classifications"},
	{"vouch", "state"},
	{"vouched", "stated, retryable"},
	{"vouches", "states"},
}

// replacedPhrases are phrases with a plain form. They are forbidden in comments and documents.
var replacedPhrases = []struct{ phrase, plain string }{
	{"anything else it makes nothing", "returns false"},
	{"as good as absent", "ignored"},
	{"as long as nothing", "if nothing, unless"},
	{"for a program that is to know nothing", "for programs you cannot change"},
	{"is asked about", "is called for"},
	{"is told every", "is called with every"},
	{"is worth more than", "takes precedence over"},
	{"nobody has classified", "unclassified"},
	{"nobody has said", "not stated"},
	{"nobody has stated", "not stated"},
	{"of which one is", "one of which is"},
	{"past help", "more than is useful"},
	{"says no more than that something", "states only that something"},
	{"sign of life", "response"},
}

// TestLanguage checks that replaced words and phrases do not come back. Test data and the
// phrase tables are excluded because they quote other programs.
func TestLanguage(t *testing.T) {
	t.Parallel()
	words := map[string]string{}
	for _, row := range replacedWords {
		words[row.word] = row.term
	}
	files := 0
	err := filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		switch name := d.Name(); {
		case err != nil:
			return err
		case d.IsDir():
			if name == "testdata" || name == "node_modules" || strings.HasPrefix(name, ".") && name != ".." && name != ".github" {
				return filepath.SkipDir
			}
		case name == "language_test.go" || strings.HasPrefix(name, "phrases"):
		case strings.HasSuffix(name, ".md"):
			files++
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			checkLanguage(t, words, path, string(text))
		case strings.HasSuffix(name, ".go"):
			files++
			checkGoLanguage(t, words, path)
		}
		return nil
	})
	require.NoError(t, err)
	assert.Greater(t, files, 500, "files read")
}

// checkGoLanguage checks the comments and the identifiers of a file.
func checkGoLanguage(t *testing.T, words map[string]string, path string) {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, path, nil, parser.ParseComments|parser.SkipObjectResolution)
	require.NoError(t, err)
	for _, group := range file.Comments {
		checkLanguage(t, words, set.Position(group.Pos()).String(), group.Text())
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			checkWords(t, words, set.Position(id.Pos()).String(), camelCase.ReplaceAllString(id.Name, "$1 $2"))
		}
		return true
	})
}

// camelCase matches the end of one word of an identifier and the beginning of the next.
var camelCase = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// checkLanguage checks the words and phrases of a text.
func checkLanguage(t *testing.T, words map[string]string, where, text string) {
	t.Helper()
	checkWords(t, words, where, text)
	folded := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for _, row := range replacedPhrases {
		assert.NotContains(t, folded, row.phrase, "%s: write %q", where, row.plain)
	}
}

// letters matches a word.
var letters = regexp.MustCompile(`[A-Za-z]+`)

// checkWords checks the words of a text or of an identifier.
func checkWords(t *testing.T, words map[string]string, where, text string) {
	t.Helper()
	for _, word := range letters.FindAllString(text, -1) {
		term := words[strings.ToLower(word)]
		if term != "" {
			assert.Fail(t, "replaced word", "%s has %q: write %s", where, word, term)
		}
	}
}
