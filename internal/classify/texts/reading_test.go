package texts_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// The test corpus has failure texts of programs with their expected class: the reader
// changes the input (validation), asks for access (permission), escalates (business),
// repeats the call (retry), or does anything except that (never). Nobody is to blame for text
// that cannot be parsed (nobody), and some refusals are no wrong arguments (open).
func TestText(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/texts.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(raw)) {
		want, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || line[0] == '#' || line[0] == '\t' {
			continue
		}
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
	}
}

// TestText_Readings checks all that is read from the texts of the corpus, and from texts about codes,
// the neighbourhood of phrases, delays, and the scanner.
func TestText_Readings(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"texts", "codes", "neighbours", "delays", "scanner"} {
		testutil.Recorded(t, "testdata/"+name+".txt", func(text string) string {
			if name == "texts" {
				_, text, _ = strings.Cut(text, ": ") // after what is expected
			}
			got := texts.Read(text)
			return strings.TrimSpace(testutil.Fields(got.Classification) + map[bool]string{true: " forbids"}[got.Forbids])
		})
	}
}

// TestText_Bounds checks how much of a long text is read: 3 KiB at its beginning and 1 KiB at its end.
func TestText_Bounds(t *testing.T) {
	t.Parallel()
	const phrase = "timed out"
	for spaces, want := range map[[2]int]bool{
		{3068, 1019}: true, {3068, 1020}: false, {3063, 5000}: true, {3064, 5000}: false,
		{5000, 1015}: true, {5000, 1016}: false, {5000, 0}: true,
	} {
		got := texts.Read(strings.Repeat(" ", spaces[0]) + phrase + strings.Repeat(" ", spaces[1]))
		assert.Equal(t, want, got.Retryable, spaces)
	}
}

// TestIsRun checks the ends of the ranges of Chinese, Japanese and Korean letters.
func TestIsRun(t *testing.T) {
	t.Parallel()
	for _, r := range "\u3005\u3007\u3040\u30ff\u3400\u9fff\uac00\ud7af\uf900\ufaff" {
		assert.True(t, texts.IsRun(r), "%U", r)
	}
	for _, r := range "\u3004\u3008\u303f\u3100\u33ff\ua000\uabff\ud7b0\uf8ff\ufb00a\u00e9" {
		assert.False(t, texts.IsRun(r), "%U", r)
	}
}

// Each line of the phrase files is well-formed, has a source, and is found in a text that
// consists of one of its wordings. No wording has the same meaning twice.
func TestPhrases(t *testing.T) {
	t.Parallel()
	seen, languages := map[[3]string]bool{}, map[string]int{}
	texts.Lines(func(language, meaning, wordings, source string) {
		assert.NotEmpty(t, source, wordings)
		for wording := range strings.SplitSeq(wordings, "|") {
			key, english := [3]string{language, meaning, wording}, [3]string{"en", "", wording}
			assert.False(t, seen[key] || language != "en" && seen[english], "%q stands twice", key)
			seen[key] = true
			seen[english] = seen[english] || language == "en"
			languages[language]++
			ok, found := texts.Finds(meaning, wording)
			assert.True(t, ok, "%q is not well-formed", meaning)
			assert.True(t, found, "%q is not found", key)
		}
	})
	for _, malformed := range []string{
		"", "zap", "noun", "noun zap", "mask access", "not",
		"not_found", "not_found 0", "not_found x", "not_found 3 zap", "not_found 3 noun",
	} {
		ok, _ := texts.Finds(malformed, "x")
		assert.False(t, ok, malformed)
	}
	assert.Len(t, languages, 11)
	for language, n := range languages {
		assert.Greater(t, n, 100, language)
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
	})
}
