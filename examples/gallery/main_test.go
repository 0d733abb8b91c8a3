package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestMain lets the test binary be the program, and so its own server.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && !strings.HasPrefix(os.Args[1], "-test.") {
		harness.Main(patient.run)
	}
	_ = os.Setenv("GORACE", "atexit_sleep_ms=0") // for the servers: else each takes a second to end
	_ = flag.Set("test.parallel", "8")           // most of these tests is waiting
	os.Exit(leavesNothing(m))
}

// leavesNothing fails where a server has left its workspace behind.
func leavesNothing(m *testing.M) int {
	temp, err := os.MkdirTemp("", "test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(temp) }()
	_ = os.Setenv("TMPDIR", temp)
	status := m.Run()
	if left, _ := filepath.Glob(filepath.Join(temp, "gallery-*")); len(left) > 0 {
		fmt.Fprintln(os.Stderr, "left behind:", left)
		return 1
	}
	return status
}

func TestRun_Transcript(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	require.Zero(t, patient.run(t.Context(), []string{"-today", "2025-07-25", "-log", "-"}, &stdout, &stderr), "%s%s",
		stdout.String(), stderr.String())
	for _, want := range []string{
		`suggestions: ["AAPL","APP"]`,
		`suggestions: ["src/auth/session.ts","src/auth/sessions.ts"]`,
		"the user means src/db/session.ts",
		"to the user: I may not change anything under infra/.",
		"the hint names stop_instance",
		"message: date must not be in the past: today is 2025-07-25, got 2024-07-31.\n",
		"hint: If 2025-07-31 was meant, call again with that",
		`call     book_travel {"date":"2025-07-31","destination":"Lisbon"}`,
		`"continueFrom":16,`,
		`call     process_batch {"batch_id":"BATCH-50","continue_from":16}`,
		"50 invoices, each sent once",
		"not retryable, effect unknown\n", "decide   verify: may_have_taken_effect",
		"to the user: I could not export the annual report. You can do it yourself at " +
			"https://dashboard.example.com/reports/annual.",
	} {
		assert.Contains(t, stdout.String(), want)
	}
	assert.NotContains(t, stdout.String(), "level=", "the log is on stderr")
	failures := strings.Count(stdout.String(), "\n   failure ") + strings.Count(stdout.String(), "\n   partial ")
	assert.Equal(t, failures, strings.Count(stderr.String(), "tool call failed"), "one record for each failed call")
}

func TestRun_JSON(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	require.Zero(t, patient.run(t.Context(), []string{"-json"}, &stdout, io.Discard)) // on any day
	var names, want []string
	for d := json.NewDecoder(&stdout); d.More(); {
		var l line
		require.NoError(t, d.Decode(&l))
		names = append(names, l.Scenario)
		assert.Empty(t, l.Wrong)
		require.NotEmpty(t, l.Calls)
		for _, call := range l.Calls {
			assert.NotEmpty(t, call.Text)
			assert.Equal(t, call.Kind == "failure" || call.Kind == "partial", call.Code != "", "%+v", call)
		}
	}
	for _, s := range scenarios {
		want = append(want, s.name)
	}
	assert.Equal(t, want, names)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(names))), len(names))
}

// TestTravel_EveryDay runs the scenario that depends on the date around leap days and the
// ends of years.
func TestTravel_EveryDay(t *testing.T) {
	t.Parallel()
	travel := scenarios[slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == "travel_past" })]
	for _, today := range []string{
		"2024-02-23", "2025-02-23", "2024-02-29", "2025-12-28", "2025-12-31", "0002-01-01",
		"9998-12-31",
	} {
		date, err := time.Parse(time.DateOnly, today)
		require.NoError(t, err)
		assert.NoError(t, runScenarios(t.Context(), []scenario{travel}, options{today: date}, io.Discard, io.Discard), today)
	}
}

func TestRunScenarios_Wrong(t *testing.T) {
	t.Parallel()
	call := func(code toolerr.Code, tool string, args map[string]any) func(context.Context, *agent) error {
		return func(ctx context.Context, a *agent) error {
			if code == "" {
				_, err := a.succeeds(ctx, 1, tool, args)
				return err
			}
			return a.fix(ctx, code, tool, args)
		}
	}
	for name, wrong := range map[string]struct {
		run  func(context.Context, *agent) error
		want string
	}{
		"a success where a failure is due": {
			call(toolerr.CodeNotFound, "get_stock_price", map[string]any{"symbol": "AAPL"}),
			"get_stock_price: accept after 1 attempts",
		},
		"a failure where a success is due": {
			call("", "get_stock_price", map[string]any{"symbol": "APLE"}),
			"want accept after 1",
		},
		"another code": {
			call(toolerr.CodeAmbiguous, "get_stock_price", map[string]any{"symbol": "APLE"}),
			"want a failure with code ambiguous",
		},
		"more attempts": {call("", "export_report", map[string]any{"report": "quarterly"}), "accept after 3 attempts"},
		"no suggestion": {
			call(toolerr.CodeNotFound, "get_stock_price", map[string]any{"symbol": "ZZZZZ"}),
			"has no suggestion",
		},
		"a charge that was not made": {func(ctx context.Context, a *agent) error {
			return a.chargedOnce(ctx, "ORD-7")
		}, "ORD-7 is charged 0 times, want once"},
		"an error of its own": {func(context.Context, *agent) error { return errors.New("of its own") }, "of its own"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var stdout bytes.Buffer
			both := []scenario{{name: "wrong", run: wrong.run}, scenarios[0]}
			err := runScenarios(t.Context(), both, options{}, &stdout, io.Discard)
			require.ErrorContains(t, err, "scenario wrong: ")
			require.ErrorContains(t, err, wrong.want)
			assert.NotContains(t, err.Error(), scenarios[0].name)
			assert.Equal(t, 1, strings.Count(stdout.String(), "WRONG"))

			stdout.Reset()
			require.Error(t, runScenarios(t.Context(), both[:1], options{output: harness.Output{JSON: true}}, &stdout,
				io.Discard))
			var l line
			require.NoError(t, json.Unmarshal(stdout.Bytes(), &l))
			assert.Contains(t, l.Wrong, wrong.want)
		})
	}
}

func TestRun_Interrupted(t *testing.T) {
	t.Parallel()
	for _, after := range []int{0, 1, 10, 50} {
		ctx, cancel := context.WithCancel(t.Context())
		if after == 0 {
			cancel()
		}
		var stderr bytes.Buffer
		assert.Equal(t, 1, patient.run(ctx, nil, &interrupter{after, cancel}, &stderr), after)
		assert.Contains(t, stderr.String(), "gallery: interrupted\n", after)
		cancel()
	}
}

// An interrupter interrupts a program when it has printed a number of times.
type interrupter struct {
	left      int
	interrupt func()
}

func (i *interrupter) Write(p []byte) (int, error) {
	if i.left--; i.left == 0 {
		i.interrupt()
	}
	return len(p), nil
}

func TestRun_BadFlags(t *testing.T) {
	t.Parallel()
	for want, args := range map[string][]string{
		"not defined: -nonsense":                     {"-nonsense"},
		`unexpected argument "extra"`:                {"extra"},
		"-serve and -http do not go together":        {"-serve", "-http", "127.0.0.1:0"},
		"-json does not go with -serve or -http":     {"-serve", "-json"},
		"-wire does not go with -serve or -http":     {"-http", "127.0.0.1:0", "-wire"},
		"-log does not go with -serve or -http":      {"-serve", "-log", "-"},
		"-json and -wire do not go together":         {"-json", "-wire"},
		"want HOST:PORT":                             {"-http", "127.0.0.1"},
		`invalid value "" for flag -http`:            {"-http", ""},
		`invalid value "127.0.0.1:99999"`:            {"-http", "127.0.0.1:99999"},
		"want a date as YYYY-MM-DD":                  {"-today", "25 July"},
		`invalid value "2025-02-29"`:                 {"-today", "2025-02-29"},
		`invalid value "9999-01-01" for flag -today`: {"-serve", "-today", "9999-01-01"},
		`invalid value "0001-01-01" for flag -today`: {"-today", "0001-01-01"},
		"needs an argument: -today":                  {"-today"},
		`invalid boolean value "maybe"`:              {"-json=maybe"},
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, patient.run(t.Context(), args, &stdout, &stderr), "%q", args)
		assert.Empty(t, stdout.String())
		assert.Contains(t, stderr.String(), want)
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one sentence: %s", stderr.String())
	}
	var stdout bytes.Buffer
	assert.Zero(t, patient.run(t.Context(), []string{"-help"}, &stdout, io.Discard))
	for _, flag := range []string{"-json", "-serve", "-http ADDR", "-today DATE"} {
		assert.Contains(t, stdout.String(), "  "+flag)
	}
	assert.Contains(t, stdout.String(), "beyond loopback it is open to all")
}
