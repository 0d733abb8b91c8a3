package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be a server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-serve" {
		main()
	}
	os.Exit(m.Run())
}

// What the grade says of the servers, and why.
func TestGraded(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"constant": "opaque same_answer",
		"password": "unsafe credential",
		"data":     "unsafe failure_as_success",
		"dies":     "unsafe server_died",
		"twice":    "unsafe key_ignored",
		"bare":     "readable bare_text",
		"ours":     "proven ",
	} {
		report, err := graded(t.Context(), kind)
		require.NoError(t, err, kind)
		assert.Equal(t, want, string(report.Tier)+" "+strings.Join(found(report), " "), "%s: %s", kind, report.Findings)
	}
}
