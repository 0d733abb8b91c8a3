package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // as in the program
	os.Exit(m.Run())
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, report(&out))
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	require.Greater(t, len(rows), len(libraries))
	assert.Equal(t, []string{
		"DEADLINE LAST ERROR HINT LONG HINT ALL WAITS UNANSWERED",
		"toolerr-go returns at once found waits gives up bounded does not repeat",
		"cenkalti/backoff returns at the deadline found waits waits bounded repeats",
		"failsafe-go returns at the deadline lost waits waits bounded repeats",
		"avast/retry-go returns at the deadline found waits waits no bound repeats",
		"sethvargo/go-retry returns at the deadline lost calls early calls early bounded repeats",
		"bare loop returns at the deadline lost calls early calls early no bound repeats",
	}, rows[:len(libraries)+1])
	assert.Contains(t, out.String(), "go test -run '^$' -bench . -count 6")
}

// A full disk, or a pipe that nobody reads.
type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestReportThatCannotBeWritten(t *testing.T) {
	require.ErrorIs(t, report(brokenWriter{}), errBroken)
}
