package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The files of testdata were recorded with the versions that findings.md of servertest states.
func TestPeer_Findings(t *testing.T) {
	t.Parallel()
	tests := map[string]map[string]string{
		"mcp-fuzz":    {"dies": "crash 3", "data": ""},
		"mcp-fuzzer":  {"dies": "crash 3", "data": "accepted_malformed 12", "ours": ""},
		"mcp-scanner": {"twice": "readiness 8, readiness 8"},
		"mcp-doctor":  {"twice": "warnings 4, info 2"},
	}
	for _, p := range peers {
		require.Contains(t, tests, p.name)
		for kind, want := range tests[p.name] {
			out, err := os.ReadFile("testdata/" + p.name + "." + kind + ".txt")
			require.NoError(t, err)
			got, ok := p.findings(string(out))
			require.True(t, ok, "%s %s", p.name, kind)
			assert.Equal(t, want, got, "%s %s", p.name, kind)
		}
		_, ok := p.findings("Traceback (most recent call last):")
		assert.False(t, ok, p.name)
	}
}
