package texts_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// rows calls row for the lines of a file, at least that many, each what is expected and a text.
func rows(t *testing.T, file string, least int, row func(want, text string)) {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(raw)) {
		if want, text, ok := strings.Cut(strings.TrimSpace(line), ": "); ok && line[0] != '#' {
			row(want, text)
			n++
		}
	}
	assert.GreaterOrEqual(t, n, least)
}

// The test corpus has failure texts of programs with their expected class: the reader
// changes the input (validation), asks for access (permission), escalates (business),
// repeats the call (retry), or does anything except that (never). Nobody is to blame for text
// that cannot be parsed (nobody), and some refusals are no wrong arguments (open).
func TestText(t *testing.T) {
	t.Parallel()
	rows(t, "testdata/texts.txt", 400, func(want, text string) {
		got := texts.Read(text)
		switch want {
		case "retry":
			assert.Equal(t, "transient true unknown", fmt.Sprint(got.Category, " ", got.Retryable, " ", got.Effect), text)
		case "never":
			assert.False(t, got.Retryable, text)
		case "nobody":
			assert.Contains(t, []string{"", "transient"}, got.Category, text)
			assert.False(t, got.Retryable, text)
		case "open":
			assert.Contains(t, []string{"", "business"}, got.Category, text)
			assert.False(t, got.Retryable, text)
		default:
			assert.Equal(t, want, got.Category, text)
			assert.False(t, got.Retryable, text)
			assert.True(t, got.Forbids, text)
		}
		assert.NotEqual(t, "none", got.Effect, text)
	})
}

// Codes and statuses, and names that only look like words of a failure.
func TestText_Codes(t *testing.T) {
	t.Parallel()
	rows(t, "testdata/codes.txt", 47, func(want, text string) {
		got := texts.Read(text)
		assert.Equal(t, strings.TrimPrefix(want, "-"), strings.TrimSuffix(fmt.Sprint(got.Code, " ", got.Retryable), " false"), text)
	})
}

// The neighbourhood of a phrase determines its meaning.
func TestText_Neighbourhood(t *testing.T) {
	t.Parallel()
	rows(t, "testdata/neighbours.txt", 28, func(want, text string) {
		assert.Equal(t, want == "retry", texts.Read(text).Retryable, text)
	})
}

func TestText_Delay(t *testing.T) {
	t.Parallel()
	rows(t, "testdata/delays.txt", 9, func(want, text string) {
		assert.Equal(t, want, texts.Read(text).After.String(), text)
	})
}

// Each line of the phrase files is well-formed, has a source, and is found in a text that
// consists of one of its wordings. No wording has the same meaning twice.
func TestPhrases(t *testing.T) {
	t.Parallel()
	seen, languages := map[[3]string]bool{}, map[string]int{}
	texts.Lines(func(language, meaning, wordings, source string) {
		assert.NotEmpty(t, source, wordings)
		for wording := range strings.SplitSeq(wordings, "|") {
			key := [3]string{language, meaning, wording}
			assert.False(t, seen[key], "%q stands twice", key)
			seen[key] = true
			languages[language]++
			ok, found := texts.Finds(language, meaning, wording)
			assert.True(t, ok, "%q is not well-formed", meaning)
			assert.True(t, found, "%q is not found", key)
		}
	})
	assert.Len(t, languages, 11)
	for language, n := range languages {
		assert.Greater(t, n, 100, language)
	}
}

// The work is at most linear in the length of the text, up to the maximum length that is read.
func TestText_Linear(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"not found, ", "(", "\"", "'a ", "a\"b ", "error: ", "NOT_FOUND ", "no no ", "429 ", "503 of ", "https://x/ ", "/a/b ", "/", "认证失败",
		"接続", "요청 ", "retry after 1 ", "a/b.c", "<a b>", "l'x ", "x_", "aB_c ", "'a b' ", "error 'a b", "x", "aB", "A", "wait for 9", "SQLSTATE ", "rate limit exceeded for the ", "timeout ", "is ", "{\"", "\\", "- ", "\n", "…",
	} {
		short := strings.Repeat(piece, 1000/len(piece))
		one, two := texts.Steps(short), texts.Steps(short+short)
		assert.LessOrEqual(t, two, 2*one+500, "%q", piece)
		assert.LessOrEqual(t, texts.Steps(strings.Repeat(short, 1000)), 6*one+2000, "%q", piece)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a: \"b", "(503", "“x” 请求超时", "x\xffy", "Retry after 1h2m", "«»„“", "İ'ß’é", "C:\\x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := texts.Read(text)
		require.NotEqual(t, "none", got.Effect)
		require.False(t, got.Retryable && got.Forbids)
		require.LessOrEqual(t, texts.Steps(text), 600*(1+min(len(text), 5000)))
	})
}
