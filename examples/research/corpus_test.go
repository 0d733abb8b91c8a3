package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestCorpus_Collections(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for name, want := range map[string]struct{ hits, all int }{"papers": {14, 18}, "rfcs": {50, 58}, "archive": {14, 18}} {
		all, err := load(name)
		require.NoError(t, err)
		assert.Len(t, all, want.all)
		assert.Len(t, matching(all, "congestion retransmission backoff"), want.hits, name)
		for _, e := range all {
			assert.False(t, known[e.ID], e.ID)
			known[e.ID] = true
			assert.True(t, e.Year > 1900 && e.Title != "" && e.Text != "", e.ID)
		}
	}
	_, err := load("library")
	assert.Error(t, err)
}

func TestCorpus_Matching(t *testing.T) {
	t.Parallel()
	all := []entry{{ID: "a", Title: "Back-off", Text: "Retransmissions."}, {ID: "b", Text: "a backoff of 64 s"}, {ID: "c"}}
	for query, want := range map[string][]string{
		"backoff":          {"b"},
		"BACKOFF, back":    {"a", "b"},
		"retransmission":   {"a"},
		"64":               {"b"},
		"off a":            {"a", "b"},
		"acknowledgement":  {},
		"":                 {},
		"... !":            {},
		"transmission 640": {},
	} {
		assert.Equal(t, want, ids(matching(all, query)), query)
	}
}
