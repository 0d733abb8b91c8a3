package failure_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result/internal/evidence"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

// The text of an error is read once if the error has nothing else. The failure is the same as
// that of an error which is classified before its text is read.
func TestDescribe_TextAlone(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../../internal/classify/texts/testdata/texts.txt")
	require.NoError(t, err)
	padding := strings.Repeat("the batch of the third shift went on. ", 20)
	total := 0
	for line := range strings.Lines(string(raw)) {
		_, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok {
			continue
		}
		words := strings.Fields(text)
		for _, text := range []string{text, padding + text} {
			for _, value := range []string{"nothing", strings.Trim(words[len(words)-1], `"'.`)} {
				arguments, err := json.Marshal(map[string]string{"name": value})
				require.NoError(t, err)
				describe := func(err error) string {
					k := failure.Classifier{Arguments: evidence.New(arguments)}
					e, said, cause := k.Describe(t.Context(), nil, err)
					assert.Nil(t, said)
					assert.Same(t, err, cause)
					return string(e.AppendJSON(nil))
				}
				err = errors.New(text)
				assert.Equal(t, describe(errors.Join(err)), describe(err), "%s %s", text, value)
				total++
			}
		}
	}
	assert.Greater(t, total, 5_000)
}
