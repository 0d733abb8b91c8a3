package result_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A wildCase is a real result of a public server, with its expected interpretation.
type wildCase struct {
	ID     string              `json:"id"`
	Source string              `json:"source"`
	Result *mcp.CallToolResult `json:"result"`
	Want   struct {
		Kind         string   `json:"kind"`
		Category     *string  `json:"category"`
		Retryable    *bool    `json:"retryable"`
		RetryAfterMs *float64 `json:"retryAfterMs"`
		Code         *string  `json:"code"`
		Also         []string `json:"also"`     // further correct categories
		AlsoKind     []string `json:"alsoKind"` // further correct kinds
		Effect       *string  `json:"effect"`
	} `json:"want"`
	Why string `json:"why"`
}

func wildCases(t *testing.T, file string) []wildCase {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	var cases []wildCase
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c wildCase
		require.NoError(t, json.Unmarshal(lines.Bytes(), &c))
		cases = append(cases, c)
	}
	require.NoError(t, lines.Err())
	return cases
}

// A score is the number of cases that were read correctly.
type score struct{ cases, right int }

func (s *score) add(right bool) {
	s.cases++
	if right {
		s.right++
	}
}

// A scoreboard has a score for each name.
type scoreboard map[string]*score

func (b scoreboard) add(name string, right bool) {
	if b[name] == nil {
		b[name] = new(score)
	}
	b[name].add(right)
}

// Answers of public servers are read correctly, in every language. No call is retried that must
// not be, and no success is read as a failure.
func TestParse_PublicServers(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"wild.jsonl", "wild_2.jsonl", "wild_3.jsonl", "made.jsonl"} {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			board := scoreboard{"in all": {}, plainCases: {}, "delays": {}, "failures not taken for data": {}}
			for _, c := range wildCases(t, file) {
				out := result.Parse(c.Result, nil)
				board.count(&c, out)
				assert.False(t, c.isUnsafe(out), "%s must not be retried: %s", c.ID, out.Text())
				if c.Want.Kind == "success" || c.Want.Kind == "empty" {
					require.NoError(t, out.AsError(), "%s is a success", c.ID)
				}
				if !c.isRight(out) {
					t.Logf("%s: read as %s, want %s %v %v (%s)\n\t%.300s", c.ID, out.Kind, c.Want.Kind, show(c.Want.Category), show(c.Want.Retryable), c.Why, out.Text())
				}
			}
			for _, name := range slices.Sorted(maps.Keys(board)) {
				t.Logf("%-60s %d of %d", name, board[name].right, board[name].cases)
			}
			assert.GreaterOrEqual(t, float64(board[plainCases].right), 0.93*float64(board[plainCases].cases))
		})
	}
}

// plainCases have one correct interpretation.
const plainCases = "without hard and unflagged texts"

// count adds a case to the scores that it belongs to.
func (b scoreboard) count(c *wildCase, out result.Outcome) {
	right := c.isRight(out)
	b.add("in all", right)
	if c.Want.RetryAfterMs != nil && out.Err != nil {
		b.add("delays", out.Err.RetryAfter == time.Duration(*c.Want.RetryAfterMs)*time.Millisecond)
	}
	if strings.Contains(c.Why, "[noflag-text]") {
		return
	}
	if c.Want.Kind == "failure" && !slices.Contains(c.Want.AlsoKind, "success") {
		b.add("failures not taken for data", out.Err != nil)
	}
	if !strings.Contains(c.Why, "[hard]") {
		source, _, _ := strings.Cut(c.Source, ":")
		b.add(plainCases, right)
		b.add("language: "+c.language(), right)
		b.add(source, right)
	}
}

// isRight reports whether a result was read correctly. A result without isError never allows a
// retry, whatever its label is. It is accepted whether it is data or empty, and prose is data
// though it says that a part is missing.
func (c *wildCase) isRight(out result.Outcome) bool {
	kind := strings.Replace(out.Kind.String(), "data", "success", 1)
	isJSON := strings.ContainsAny(out.Text()[:1], "{[")
	if kind != c.Want.Kind {
		return slices.Contains(c.Want.AlsoKind, kind) || kind == "success" && (c.Want.Kind == "empty" || c.Want.Kind == "partial" && !isJSON) ||
			kind == "empty" && c.Want.Kind == "success"
	}
	if c.Want.Kind != "failure" {
		return true
	}
	category := cmp.Or(string(out.Err.Category), "unknown")
	retryable := c.Want.Retryable == nil || *c.Want.Retryable == out.Err.Retryable ||
		*c.Want.Retryable && !c.Result.IsError && !out.Err.Retryable
	effect := c.Want.Effect == nil || out.Err.Effect != toolerr.EffectNone
	return retryable && effect && (category == *c.Want.Category || slices.Contains(c.Want.Also, category))
}

// isUnsafe reports whether a result is read as retryable although it must not be.
func (c *wildCase) isUnsafe(out result.Outcome) bool {
	return out.Err != nil && out.Err.Retryable && (!c.Result.IsError || c.Want.Retryable != nil && !*c.Want.Retryable)
}

// language returns the language of a case's text.
func (c *wildCase) language() string {
	for _, name := range []string{"zh", "ja", "ko", "de", "fr", "es", "pt", "ru", "it", "tr"} {
		if strings.Contains(c.Why, "["+name+"]") {
			return name
		}
	}
	return "en"
}

func show[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// Failures that resemble an outage but must not be repeated are not retryable, and data that
// looks like a failure is read as data, even without a mark.
func TestParse_MustNotRepeat(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/must_not_repeat.txt")
	require.NoError(t, err)
	flagged, n := false, 0
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "# "); ok {
			flagged = name == "flagged"
			continue
		}
		n++
		res := failed(line)
		res.IsError = flagged
		out := result.Parse(res, nil)
		if flagged {
			require.Equal(t, result.KindFailure, out.Kind, line)
			assert.False(t, out.Err.Retryable, line)
		} else {
			require.NoError(t, out.AsError(), line)
		}
	}
	assert.Equal(t, 108, n)
}
