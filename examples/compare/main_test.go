package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // as in the program
	os.Exit(m.Run())
}

func TestReport(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, report(&out, false))
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
}

func TestReportCosts(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, reportCosts(t.Context(), &out, true, 1, time.Millisecond))
	rows := strings.Split(out.String(), "\n")
	assert.Equal(t, len(situations)+2, strings.Count(rows[0], "|"))
	for i, l := range libraries {
		assert.True(t, strings.HasPrefix(rows[i+2], "| "+l.name+" |"), rows[i+2])
		assert.Equal(t, len(situations), strings.Count(rows[i+2], " ns ("), l.name)
	}
	assert.Equal(t, 1, strings.Count(rows[len(libraries)+3], " ns ("), rows[len(libraries)+3]) // hashicorp's, of HTTP
}

// A full disk, or a pipe without a reader.
type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestReport_Unwritable(t *testing.T) {
	require.ErrorIs(t, report(brokenWriter{}, false), errBroken)
}
