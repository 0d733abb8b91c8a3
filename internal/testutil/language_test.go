package testutil_test

import (
	"go/ast"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// replacedWords have a standard term. They are forbidden in identifiers, comments and
// documents, in all their forms.
var replacedWords = map[string]string{
	"judge": "classify, reject", "judged": "classified, rejected", "judges": "classifies, rejects",
	"judging": "classifying", "unjudged": "unclassified",
	"mend": "fix, normalize, repair", "mended": "fixed, normalized, repaired", "mender": "normalizer", "mending": "fixing",
	"mends":  "fixes, normalizes, repairs",
	"settle": "resolve", "settled": "resolved", "settles": "resolves",
	"verdict": "classification", "verdicts": "classifications",
	"vouch": "state", "vouched": "stated, retryable", "vouches": "states",
}

// replacedPhrases are phrases with a plain form. They are forbidden in comments and documents.
var replacedPhrases = map[string]string{
	"anything else it makes nothing":        "returns false",
	"as good as absent":                     "ignored",
	"as long as nothing":                    "if nothing, unless",
	"for a program that is to know nothing": "for programs you cannot change",
	"is asked about":                        "is called for",
	"is told every":                         "is called with every",
	"is worth more than":                    "takes precedence over",
	"nobody has classified":                 "unclassified",
	"nobody has said":                       "not stated",
	"nobody has stated":                     "not stated",
	"of which one is":                       "one of which is",
	"past help":                             "more than is useful",
	"says no more than that something":      "states only that something",
	"sign of life":                          "response",
}

// TestLanguage checks that replaced words and phrases do not come back. The phrase tables are
// excluded, because they quote other programs.
func TestLanguage(t *testing.T) {
	t.Parallel()
	files := sources(t, func(s source) bool {
		return s.name != "language_test.go" && !strings.HasPrefix(s.name, "phrases")
	})
	assert.Greater(t, len(files), 500, "files read")
	for _, s := range files {
		if s.file == nil {
			checkLanguage(t, s.dir+"/"+s.name, string(s.text))
			continue
		}
		for _, group := range s.file.Comments {
			checkLanguage(t, positions.Position(group.Pos()).String(), group.Text())
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				checkWords(t, s.dir+"/"+s.name, camelCase.ReplaceAllString(id.Name, "$1 $2"))
			}
			return true
		})
	}
}

// camelCase matches the end of one word of an identifier and the beginning of the next.
var camelCase = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// checkLanguage checks the words and phrases of a text.
func checkLanguage(t *testing.T, where, text string) {
	t.Helper()
	checkWords(t, where, text)
	folded := strings.ToLower(strings.Join(strings.Fields(text), " "))
	for phrase, plain := range replacedPhrases {
		if strings.Contains(folded, phrase) {
			assert.Fail(t, "replaced phrase", "%s has %q: write %q", where, phrase, plain)
		}
	}
}

// letters matches a word.
var letters = regexp.MustCompile(`[A-Za-z]+`)

// checkWords checks the words of a text or of an identifier.
func checkWords(t *testing.T, where, text string) {
	t.Helper()
	for _, word := range letters.FindAllString(text, -1) {
		if term := replacedWords[strings.ToLower(word)]; term != "" {
			assert.Fail(t, "replaced word", "%s has %q: write %s", where, word, term)
		}
	}
}

// document returns the text of a document of the project, from a heading to the next.
func document(t *testing.T, name, heading string) string {
	t.Helper()
	text, err := os.ReadFile("../../.github/" + name)
	require.NoError(t, err)
	_, section, ok := strings.Cut(string(text), heading)
	require.True(t, ok, heading)
	if heading != "" {
		section, _, _ = strings.Cut(section, "\n## ")
	}
	return section
}

// quotedName matches a name in backquotes.
var quotedName = regexp.MustCompile("`([^` ]+)`")

// TestContributing_Paths checks that the paths in CONTRIBUTING.md exist, and that each
// package of the library has a row.
func TestContributing_Paths(t *testing.T) {
	t.Parallel()
	named, folders := map[string]bool{}, map[string]bool{}
	for cell := range strings.SplitSeq(document(t, "CONTRIBUTING.md", ""), " | ") {
		folder := "" // of the file names that follow a path in one cell
		for _, match := range quotedName.FindAllStringSubmatch(cell, -1) {
			path := match[1]
			switch {
			case strings.Contains(path, "/"):
				folder = filepath.Dir(path)
			case strings.HasSuffix(path, ".go") && folder != "":
				path = filepath.Join(folder, path)
			default:
				named[path] = true
				continue
			}
			named[path] = true
			found, err := filepath.Glob("../../" + path)
			require.NoError(t, err)
			assert.NotEmpty(t, found, "CONTRIBUTING.md names %s", path)
		}
	}
	for _, s := range sources(t, source.isLibrary) {
		folders[s.dir] = true
		assert.True(t, named[s.dir] || named[filepath.Base(s.dir)], "CONTRIBUTING.md has no row for %s", s.dir)
	}
	assert.Greater(t, len(folders), 20, "packages")
}

// notDeclared matches paths, names of files, and flags.
var notDeclared = regexp.MustCompile(`/|^-|\.(?:go|mod|tsv|txt|html|css|md|yaml)$`)

// TestContributing_Names checks that the functions, types and tests that the lives of a call and
// the table of changes name exist.
func TestContributing_Names(t *testing.T) {
	t.Parallel()
	// of the SDK; a field; a key
	declared := map[string]bool{"SetError": true, "OnCall": true, "attempted": true, "SessionLost": true}
	declaration := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |package |\t|var |const )(\w+)`)
	for _, s := range sources(t, func(s source) bool { return s.file != nil }) {
		for _, match := range declaration.FindAllSubmatch(s.text, -1) {
			declared[string(match[1])] = true
		}
	}
	names := quotedName.FindAllStringSubmatch(document(t, "CONTRIBUTING.md", "## The life of a call")+document(t,
		"CONTRIBUTING.md", "## Where to change what"), -1)
	assert.Greater(t, len(names), 120)
	for _, match := range names {
		name := match[1]
		if notDeclared.MatchString(name) {
			continue
		}
		for part := range strings.SplitSeq(strings.TrimPrefix(name, "*"), ".") {
			assert.True(t, declared[part], "CONTRIBUTING.md names %s", name)
		}
	}
}

// TestPromises checks that each promise about hostile parties in SECURITY.md names tests, and
// that these tests exist.
func TestPromises(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, s := range sources(t, source.isTest) {
		for _, decl := range s.file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil {
				known[f.Name.Name] = true
			}
		}
	}
	held, testName := map[string]bool{}, regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z_]+)`")
	for _, row := range table(t, "| cannot | tests |") {
		tests := testName.FindAllStringSubmatch(row[1], -1)
		assert.NotEmpty(t, tests, "no test holds %q", row[0])
		held[row[0]] = true
		for _, test := range tests {
			assert.True(t, known[test[1]], "%s, which holds %q, is gone", test[1], row[0])
		}
	}
	hostile := table(t, "| who is hostile | can | cannot |")
	require.Greater(t, len(hostile), 2)
	for _, row := range hostile {
		for promise := range strings.SplitSeq(row[2], "; ") {
			assert.True(t, held[promise], "a promise without a test: %s", promise)
		}
	}
}

// table returns the cells of the rows of a table in SECURITY.md.
func table(t *testing.T, head string) (rows [][]string) {
	t.Helper()
	for line := range strings.Lines(document(t, "SECURITY.md", head+"\n")) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		if strings.HasPrefix(line, "|-") {
			continue
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		rows = append(rows, cells)
	}
	return rows
}
