package leaks_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
)

var corpus = flag.String("corpus", "", "a pattern of further files whose lines hold no secrets")

// TestFalsePositives checks that few ordinary texts count as secrets: the lines of this
// repository's documents, and the messages of servers and libraries. JSON is read string by string.
func TestFalsePositives(t *testing.T) {
	t.Parallel()
	texts, wrong := 0, 0
	for _, pattern := range []string{
		"../../../internal/classify/texts/testdata/*.txt", "../replay/testdata/*", "../../../*.md", "../../../.github/*.md",
		"../../../toolerr/*.go", "../../../retry/*.go", *corpus,
	} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") { // these have secrets
				continue
			}
			file, err := os.Open(name)
			require.NoError(t, err)
			lines := bufio.NewScanner(file)
			lines.Buffer(nil, 1<<20)
			for lines.Scan() {
				for _, text := range textsOf(lines.Text()) {
					texts++
					if clean := redact.Mask(text); clean != text {
						wrong++
						t.Logf("%s: %.300s", filepath.Base(name), clean)
					}
				}
			}
			require.NoError(t, file.Close())
		}
	}
	t.Logf("%d of %d texts (%.2f %%)", wrong, texts, 100*float64(wrong)/float64(texts))
	assert.Greater(t, texts, 2000)
	assert.Less(t, float64(wrong), 0.0005*float64(texts))
}

// textsOf returns the texts in a line of JSON, or the line.
func textsOf(line string) (texts []string) {
	var v any
	if json.Unmarshal([]byte(line), &v) != nil {
		return []string{line}
	}
	var collect func(v any)
	collect = func(v any) {
		switch v := v.(type) {
		case string:
			texts = append(texts, strings.TrimSpace(v))
		case []any:
			for _, item := range v {
				collect(item)
			}
		case map[string]any:
			for _, item := range v {
				collect(item)
			}
		}
	}
	collect(v)
	return texts
}
