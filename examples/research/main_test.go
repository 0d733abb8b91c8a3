package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary run as a subagent or as the whole program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && slices.Contains([]string{"-agent", "-json", "-attempts"}, os.Args[1]) {
		main()
	}
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0 "+os.Getenv("GORACE")) // for the subagents: else each takes a second to end
	os.Exit(m.Run())
}

const gapSentence = "Only 8 of 14 results from archive are included, because it was not available."

func TestRun_Transcript(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-log", "-"}, &stdout, &stderr), "%s", stderr.String())

	text, report, ok := strings.Cut(stdout.String(), "\nReport\n")
	require.True(t, ok)
	assert.Contains(t, report, "72 entries")
	assert.Contains(t, report, "14 in papers, 50 in rfcs, 8 in archive")
	assert.True(t, strings.HasSuffix(report, "\n"+gapSentence+"\n"), report)

	sections := strings.Split(text, "\n\n")
	require.Len(t, sections, 3)
	papers, rfcs, archive := sections[0], sections[1], sections[2]
	for section, lines := range map[string][]string{
		papers: {
			"inside   papers from 1, attempt 1: timeout: retry after ",
			"inside   papers from 1, attempt 2: unavailable: retry after ", "attempt 3: accept",
		},
		rfcs: {
			`"continueFrom":16`, `search {"continue_from":16,`, `"continueFrom":46`,
			"fix_input after 200ms: partial_result", "attempt 1: rate_limited: propagate",
		},
		archive: {
			"attempt 3: unavailable: propagate", "step     ask the alternatives", `search_mirror {"query":"congestion"}`,
			"step     ask for less", "merge    8 hits, 3 of them new", "step     go on without the rest",
			"gap      " + gapSentence,
		},
	} {
		for _, line := range lines {
			assert.Contains(t, section, line)
		}
		assert.NotContains(t, section, "WRONG")
	}
	for section, want := range map[string]string{
		papers:  "call 1, inside 6, data 1",
		rfcs:    "call 4, inside 13, partial 3, data 1",
		archive: "call 5, inside 4, partial 1, failure 1, data 3",
	} {
		for part := range strings.SplitSeq(want, ", ") {
			word, n, _ := strings.Cut(part, " ")
			assert.Equal(t, n, strconv.Itoa(strings.Count(section, "\n   "+word+" ")), "%s in\n%s", word, section)
		}
	}
	assert.NotContains(t, papers, "retryable, effect", "no envelope")
	assert.NotContains(t, stdout.String(), `"level":`, "the logs are on stderr")
	assert.Equal(t, 5, strings.Count(stderr.String(), `"msg":"tool call failed"`),
		"one record for each failed call: 3, 1 and 1")
}

func TestRun_JSON(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-json", "-log", "-"}, &stdout, io.Discard))
	d := json.NewDecoder(&stdout)
	d.DisallowUnknownFields()
	var lines [3]line
	for i := range lines {
		require.NoError(t, d.Decode(&lines[i]))
	}
	var last lastLine
	require.NoError(t, d.Decode(&last))
	assert.False(t, d.More())

	const query = "congestion retransmission backoff"
	assert.GreaterOrEqual(t, lines[1].WaitedMs, int64(3*190), "between the parts")
	lines[1].WaitedMs = 0
	none, noAttempts := []string{}, []attempt{}
	assert.Equal(t, [3]line{
		{"papers", 1, 5, 2, "data", "", "", false, "accept", noAttempts, none, 14, 14, 0},
		{"rfcs", 4, 13, 3, "data", "", "", false, "accept", noAttempts, none, 50, 50, 0},
		{"archive", 5, 4, 3, "partial", "transient", "unavailable", false, "propagate", []attempt{{
			"archive", map[string]any{"query": query, "from": 6.0, "limit": 5.0}, 3, "transient", "unavailable",
		}}, []string{"search_mirror"}, 8, 14, 0},
	}, lines)
	assert.Contains(t, last.Report, gapSentence)
	last.Report = ""
	assert.Equal(t, lastLine{
		Query: query, Items: 72, Complete: []string{"papers", "rfcs"},
		Gaps: []gapLine{{"archive", 8, 14, "go_on", gapSentence}},
	}, last)
}

func TestRun_BadFlags(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"-nonsense", "extra", "-agent library", "-agent=", "-agent", "-agent papers -json", "-agent papers -wire",
		"-agent papers extra",
		"-attempts 0", "-attempts -1", "-attempts 7", "-attempts many", "-json=maybe",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, run(t.Context(), strings.Fields(args), &stdout, &stderr), args)
		assert.Empty(t, stdout.String())
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one sentence: %s", stderr.String())
		assert.True(t, strings.HasPrefix(stderr.String(), "research: "), stderr.String())
	}
	var stdout, stderr bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-help"}, &stdout, &stderr))
	assert.Empty(t, stderr.String())
	for _, flag := range []string{"-json", "-agent NAME", "-attempts N"} {
		assert.Contains(t, stdout.String(), "  "+flag)
	}
}
