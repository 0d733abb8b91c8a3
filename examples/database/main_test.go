package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestMain lets the test binary be the server, as the program is its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-serve" {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // else -race holds up every server's end by a second
	os.Exit(m.Run())
}

func TestRun_Transcript(t *testing.T) {
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-log", "-"}, &stdout, &stderr), "%s%s", stdout.String(), stderr.String())
	for _, want := range []string{
		`{"customers":[{"id":"CUS-10001","name":"Ada"}]}`,
		"empty    No customer found with id CUS-48291.",
		"transient unavailable, retryable, effect none\n            message: The customer records are locked by another " +
			"program.\n",
		"transient timeout, retryable, effect none\n            message: The customer records did not answer within 250ms.\n",
		"permission permission_denied, not retryable, effect none\n            message: The server is not allowed to read " +
			"the customer records.\n",
		"decide   propagate", "decide   reauthorize",
	} {
		assert.Contains(t, stdout.String(), want)
	}
	assert.Regexp(t, `decide   retry after 2(\.\d+)?s:`, stdout.String(),
		"the hint and a random wait, which may be next to nothing")
	assert.NotContains(t, stdout.String(), "level=", "the log is on stderr")
	assert.Equal(t, 3, strings.Count(stderr.String(), "tool call failed"), "one record for each failed call")
}

func TestPlayAll_Wrong(t *testing.T) {
	wrong := situations[1]
	wrong.want.action = retry.ActionEscalate
	var stdout bytes.Buffer
	err := playAll(t.Context(), []situation{situations[0], wrong}, harnesstest.Output(t), &stdout, io.Discard)
	require.ErrorContains(t, err, "situation 2: empty [ ], then accept after 1 attempts; want empty [ ], then escalate "+
		"after 1 attempts")
	assert.NotContains(t, err.Error(), "situation 1")
	assert.Contains(t, stdout.String(), "WRONG")
}

func TestRun_BadFlags(t *testing.T) {
	for _, args := range [][]string{
		{"-nonsense"},
		{"extra"},
		{"-serve"},
		{"-db", "customers.db"},
		{"-uid", "65534"},
		{"-serve=maybe"},
		{"-serve", "-db", "customers.db", "-wire"},
		{"-serve", "-db", "customers.db", "-uid", "nobody"},
		{"-serve", "-db", "customers.db", "-uid", "-1"},
		{"-serve", "-db", "customers.db", "extra"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, run(t.Context(), args, &stdout, &stderr), "%q", args)
		assert.Empty(t, stdout.String())
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one sentence: %s", stderr.String())
	}
	var stdout bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-help"}, &stdout, io.Discard))
	assert.Contains(t, stdout.String(), "-db")
}
