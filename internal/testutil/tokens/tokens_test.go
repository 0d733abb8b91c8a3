package tokens_test

import (
	"cmp"
	"encoding/json"
	"maps"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// How many tokens an envelope may have, as the mean over both programs: with the results of the
// work that was done in part, which are the tool's data, and without. Measured: 84.9 and 82.7.
const (
	mostWhole    = 85
	mostEnvelope = 83
)

var programs = []string{"support", "gallery"}

func TestEnvelopes(t *testing.T) {
	t.Parallel()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	encoding, err := tiktoken.GetEncoding("o200k_base")
	require.NoError(t, err)
	counts := map[string]int{}
	var total, envelopes int
	for _, program := range programs {
		texts := failures(t, program)
		require.Greater(t, len(texts), 15, program)
		sum := 0
		for _, text := range texts {
			tokens := encoding.Encode(text, nil, nil)
			sum += len(tokens)
			spans := members(t, text)
			at := 0
			for _, token := range tokens {
				counts[memberAt(spans, at)]++
				at += len(encoding.Decode([]int{token}))
			}
			require.Len(t, text, at)
		}
		t.Logf("%s: %d envelopes, %.1f tokens each", program, len(texts), mean(sum, len(texts)))
		total, envelopes = total+sum, envelopes+len(texts)
	}
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int { return cmp.Compare(counts[b], counts[a]) })
	for _, name := range names {
		t.Logf("%5.1f %4.1f%% %s", mean(counts[name], envelopes), 100*mean(counts[name], total), name)
	}
	withoutData := mean(total-counts[data], envelopes)
	t.Logf("all: %d envelopes, %.1f tokens each, %.1f without the results of partial work", envelopes,
		mean(total, envelopes), withoutData)
	assert.LessOrEqual(t, mean(total, envelopes), float64(mostWhole))
	assert.LessOrEqual(t, withoutData, float64(mostEnvelope))
}

func mean(sum, n int) float64 { return float64(sum) / float64(n) }

var (
	envelope = regexp.MustCompile(`(?m)^ *wire +(\{"isError":true,.*\})$`)
	// uuid is a key that a client has made. Of random digits the count depends on chance.
	uuid = regexp.MustCompile(`[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`)
	// letters are a key that the server has made.
	letters = regexp.MustCompile(`"[A-Z2-7]{26}"`)
)

// failures runs a program of the examples and returns the envelopes that its transcript
// shows, as they were on the wire, with a fixed key in place of a random one.
func failures(t *testing.T, program string) (texts []string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "go", "run", ".", "-wire")
	command.Dir = "../../../examples/" + program
	out, err := command.Output() // the log is on stderr
	require.NoError(t, err)
	for _, match := range envelope.FindAllStringSubmatch(string(out), -1) {
		require.True(t, json.Valid([]byte(match[1])), match[1])
		text := uuid.ReplaceAllLiteralString(match[1], "127ccd66-73ae-422e-d898-678d027abc66")
		texts = append(texts, letters.ReplaceAllLiteralString(text, `"WL7THCFXZK4JK2IS6K4HCHXOZX"`))
	}
	assert.Len(t, texts, strings.Count(string(out), `{"isError":true,`), "%s: an envelope is not counted", program)
	return texts
}

// data is the member of partial that holds what the tool has done.
const data = "partial.results"

// A span is a member, including its name and the comma before it.
type span struct {
	name string
	to   int
}

func members(t *testing.T, text string) (spans []span) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	_, err := d.Token()
	require.NoError(t, err)
	for d.More() {
		name, err := d.Token()
		require.NoError(t, err)
		var skip json.RawMessage
		require.NoError(t, d.Decode(&skip))
		key, ok := name.(string)
		require.True(t, ok)
		if at := strings.Index(string(skip), `,"results":`); key == "partial" && at >= 0 {
			spans = append(spans, span{key, int(d.InputOffset()) - len(skip) + at})
			key = data
		}
		spans = append(spans, span{key, int(d.InputOffset())})
	}
	return spans
}

// memberAt returns the member that the byte at an offset belongs to.
func memberAt(spans []span, at int) string {
	for _, s := range spans {
		if at < s.to {
			return s.name
		}
	}
	return spans[len(spans)-1].name // the brace at the end
}
