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
)

// A wildCase is a real result of a public server, and what it should be read as.
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
	} `json:"want"`
	Why string `json:"why"`
}

func wildCases(t *testing.T) []wildCase {
	t.Helper()
	f, err := os.Open("testdata/wild.jsonl")
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

// A score is how many of some cases were read right.
type score struct{ cases, right int }

func (s *score) add(right bool) {
	s.cases++
	if right {
		s.right++
	}
}

func TestParse_PublicServers(t *testing.T) {
	t.Parallel()
	bySource := map[string]*score{}
	var plain, all, delays score
	for _, c := range wildCases(t) {
		out := result.Parse(c.Result, nil)
		right := c.isRight(out)
		all.add(right)
		if c.Want.RetryAfterMs != nil && out.Err != nil {
			delays.add(out.Err.RetryAfter == time.Duration(*c.Want.RetryAfterMs)*time.Millisecond)
		}
		if !strings.Contains(c.Why, "[hard]") && !strings.Contains(c.Why, "[noflag-text]") {
			plain.add(right)
			source, _, _ := strings.Cut(c.Source, ":")
			if bySource[source] == nil {
				bySource[source] = new(score)
			}
			bySource[source].add(right)
		}
		if !right {
			t.Logf("%s: read as %s, want %s %v %v (%s)\n\t%.300s", c.ID, out.Kind, c.Want.Kind, show(c.Want.Category), show(c.Want.Retryable), c.Why, out.Text())
		}
		if c.Want.Retryable != nil && !*c.Want.Retryable && out.Err != nil {
			assert.False(t, out.Err.Retryable, "%s must not be retried: %s", c.ID, out.Text())
		}
		if c.Want.Kind == "success" || c.Want.Kind == "empty" {
			require.NoError(t, out.AsError(), "%s is a success", c.ID)
		}
	}
	for _, source := range slices.Sorted(maps.Keys(bySource)) {
		t.Logf("%-60s %3d of %3d", source, bySource[source].right, bySource[source].cases)
	}
	t.Logf("without hard and unflagged texts: %d of %d; with them: %d of %d; delays: %d of %d", plain.right, plain.cases, all.right, all.cases, delays.right, delays.cases)
	assert.GreaterOrEqual(t, float64(plain.right), 0.92*float64(plain.cases))
}

// isRight reports whether a result was read as what it is.
func (c *wildCase) isRight(out result.Outcome) bool {
	if strings.Replace(out.Kind.String(), "data", "success", 1) != c.Want.Kind {
		return false
	}
	return c.Want.Kind != "failure" || cmp.Or(string(out.Err.Category), "unknown") == *c.Want.Category &&
		(c.Want.Retryable == nil || *c.Want.Retryable == out.Err.Retryable)
}

func show[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}
