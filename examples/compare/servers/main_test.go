package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMain lets the test binary be the server, like the program.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "-serve" {
		main()
		os.Exit(0)
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

func TestReport(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, report(t.Context(), &out, false, false))
	var rows []string
	for line := range strings.Lines(out.String()) {
		rows = append(rows, strings.Join(strings.Fields(line), " "))
	}
	require.Greater(t, len(rows), len(ways))
	assert.Equal(t, []string{
		"ANSWERS SECRET RETRY WAIT ARGUMENT NEXT STEP BOOKING STRICT",
		"toolerr-go 9 JSON hidden 9 of 9 7s 2 of 2 9 of 9 effect unknown, no retry loses 0",
		"go-sdk 7 text, 2 crash sent 0 of 9 - 0 of 2 0 of 9 nothing loses 0",
		"mcp-go 7 text, 2 protocol sent 0 of 9 - 0 of 2 0 of 9 nothing loses 0",
		"by hand 5 JSON, 2 text, 2 crash hidden 5 of 9 7s 0 of 2 5 of 9 no retry loses 5",
		"by hand, guarded 6 JSON, 2 text, 1 crash hidden 6 of 9 7s 0 of 2 6 of 9 no retry loses 0",
	}, rows[:len(ways)+1])
}

func TestReportCosts(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, reportCosts(t.Context(), &out, true, 1, time.Millisecond))
	rows := strings.Split(out.String(), "\n")
	assert.Equal(t, len(measured)+2, strings.Count(rows[0], "|"))
	for i, way := range append(slices.Clip(ways), logging) {
		assert.True(t, strings.HasPrefix(rows[i+2], "| "+way.name+" |"), rows[i+2])
		assert.Equal(t, len(measured), strings.Count(rows[i+2], " us ("), rows[i+2])
	}
}

// The program's output is the same each time, and has everything that the servers wrote.
func TestVerboseReport(t *testing.T) {
	t.Parallel()
	var first, second bytes.Buffer
	require.NoError(t, report(t.Context(), &first, true, false))
	require.NoError(t, report(t.Context(), &second, true, false))
	assert.Equal(t, first.String(), second.String())
	written := "\n" + first.String()
	for _, way := range ways {
		for _, call := range append([]call{found, nothingFound}, failures...) {
			assert.Equal(t, 1, strings.Count(written, "\n"+way.name+": "+call.name+": "+call.tool+" {"), "%s: %s", way.name,
				call.name)
		}
	}
	for _, want := range []string{
		`"text":"query ` + ledger + `: context deadline exceeded"`,
		"toolerr-go: throttled: track_parcel {\"order\":\"ORD-7\"}\n{\"jsonrpc\":\"2.0\",",
		"go-sdk: panic: print_label {\"order\":\"ORD-7\"}\nno answer, and none to the next call\n",
	} {
		assert.Contains(t, written, want)
	}
}

func TestServeAs_Unknown(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, serveAs(t.Context(), "nobody", nil, nil), errNoWay)
}

// A full disk, or a pipe without a reader.
type brokenWriter struct{}

var errBroken = errors.New("broken")

func (brokenWriter) Write([]byte) (int, error) { return 0, errBroken }

func TestReport_Unwritable(t *testing.T) {
	t.Parallel()
	require.ErrorIs(t, report(t.Context(), brokenWriter{}, false, false), errBroken)
	require.ErrorIs(t, report(t.Context(), brokenWriter{}, true, false), errBroken)
}
