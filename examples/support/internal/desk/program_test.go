package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
)

// TestMain lets the test binary be the server, as the program is its own.
func TestMain(m *testing.M) {
	stalled = endWait
	if len(os.Args) > 1 && (os.Args[1] == "-serve" || os.Args[1] == "-http") {
		harness.Main(patient.Run)
	}
	_ = flag.Set("test.parallel", "8") // most of these tests is waiting
	os.Exit(m.Run())
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return patient.Run(ctx, args, stdout, stderr)
}

// The scenarios run as a transcript, and as JSON at the same time, because most of both is waiting.
func TestRun_Scenarios(t *testing.T) {
	t.Parallel()
	var stdout, stderr, objects bytes.Buffer
	status := make(chan int)
	go func() { status <- run(t.Context(), []string{"-json", "-log", "-"}, &objects, io.Discard) }()
	require.Zero(t, run(t.Context(), []string{"-log", "-"}, &stdout, &stderr), "%s", stderr.String())
	for _, want := range []string{
		"to the customer: No orders found for customer CUS-48291 in the last 90 days.",
		"to the customer: A colleague has to approve this refund.",
		`call     escalate_to_human {"customer_message":"A colleague has to approve this refund.`, `{"ticket":"TICKET-1"}`,
		"looked up: tickets with that reason: 1\n   then     to the customer: a colleague will take over (TICKET-2)",
		"hint: Before calling again, check whether the call took effect.",
		"the host sends the same call again\n   call     process_refund {\"amount\":40,\"order_id\":\"ORD-7\"}\n   data     {",
		"effect unknown\n            message: The payment gateway did not answer.\n",
		"to the operators: get_customer: The customer records answered with status 403. (correlation id ",
		"hand up  transient unavailable, not retryable, effect none\n",
		"decide   verify", "decide   escalate", "decide   reauthorize", "decide   fix_input", "decide   propagate",
		"lookup_order       transient   rate_limited       1",
	} {
		assert.Contains(t, stdout.String(), want)
	}
	assert.Regexp(t, `decide   retry after 1(\.\d+)?s:`, stdout.String(),
		"the hint and a random wait, which may be next to nothing")
	assert.NotContains(t, stdout.String(), "level=", "the log is on stderr")
	assert.Equal(t, 19, strings.Count(stdout.String(), "\n   failure "))
	assert.Equal(t, 19, strings.Count(stderr.String(), "tool call failed"), "one record for each failed call")
	assert.Equal(t, 1, strings.Count(stderr.String(), "get_customer panics, as -fault wants it"),
		"the panic is in the log, and nowhere else")
	assert.NotContains(t, stdout.String(), "as -fault wants it")
	assert.Contains(t, stderr.String(), `level=INFO msg="tool calls" counts=`, "the server's own count, by tool and code")
	assert.Contains(t, stdout.String(), "transient internal, not retryable, effect none\n            message: The tool "+
		"failed unexpectedly.")
	// The first two differ in the key, which the transcript shows.
	first, rest, _ := strings.Cut(stdout.String(), "\n2. ")
	second, _, _ := strings.Cut(rest, "\n3. ")
	keys := regexp.MustCompile(`"idempotency_key":"[^"]+"`).FindAllString(first, -1)
	require.Len(t, keys, 3, "two calls and the receipt")
	assert.Len(t, slices.Compact(keys), 1, "the repeat has the same key")
	assert.NotContains(t, second, `"idempotency_key"`)
	require.Zero(t, <-status)
	checkJSON(t, &objects)
}

// The log goes to a file that stderr names, so that it is not between the transcript's lines.
func TestRun_Log(t *testing.T) {
	t.Parallel()
	wrong := scenarios[slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == "denied" })]
	var stdout, stderr bytes.Buffer
	require.NoError(t, runScenarios(t.Context(), []scenario{wrong}, harness.Output{Wire: true}, &stdout, &stderr))
	_, path, ok := strings.Cut(strings.TrimSpace(stderr.String()), "support: the servers' log is in ")
	require.True(t, ok, stderr.String())
	log, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NoError(t, os.Remove(path))
	assert.Equal(t, 1, strings.Count(string(log), "tool call failed"))
	assert.Contains(t, stdout.String(), "\n   wire     {\"isError\":true,\"errorCategory\":\"permission\"")
}

func checkJSON(t *testing.T, objects io.Reader) {
	t.Helper()
	got := map[string]line{}
	for d := json.NewDecoder(objects); d.More(); {
		var l line
		require.NoError(t, d.Decode(&l))
		if l.Scenario == "throttled" {
			assert.GreaterOrEqual(t, l.WaitedMs, int64(1000))
		}
		l.WaitedMs = 0
		got[l.Scenario] = l
	}
	assert.Equal(t, map[string]line{
		"stall_with_key": {"stall_with_key", "process_refund", 2, "data", "", "", false, "accept", 0},
		"stall_without_key": {
			"stall_without_key", "process_refund", 1, "failure", "transient", "timeout", false, "verify", 0,
		},
		"lost_reply_with_key": {"lost_reply_with_key", "process_refund", 2, "data", "", "", false, "accept", 0},
		"lost_reply_without_key": {
			"lost_reply_without_key", "process_refund", 1, "failure", "transient", "unavailable", false, "verify", 0,
		},
		"over_limit": {
			"over_limit", "process_refund", 1, "failure", "business", "limit_exceeded", false, "escalate", 0,
		},
		"ticket_lost_reply": {
			"ticket_lost_reply", "escalate_to_human", 1, "failure", "transient", "unavailable", false, "verify", 0,
		},
		"naive_host":  {"naive_host", "process_refund", 1, "failure", "transient", "unavailable", false, "propagate", 0},
		"no_orders":   {"no_orders", "lookup_order", 1, "empty", "", "", false, "accept", 0},
		"reset_once":  {"reset_once", "lookup_order", 2, "data", "", "", false, "accept", 0},
		"orders_down": {"orders_down", "lookup_order", 3, "failure", "transient", "unavailable", false, "propagate", 0},
		"throttled":   {"throttled", "lookup_order", 2, "data", "", "", false, "accept", 0},
		"missing_argument": {
			"missing_argument", "lookup_order", 1, "failure", "validation", "missing_argument", false, "fix_input", 0,
		},
		"malformed_id": {
			"malformed_id", "get_customer", 1, "failure", "validation", "invalid_argument", false, "fix_input", 0,
		},
		"denied":       {"denied", "get_customer", 1, "failure", "permission", "permission_denied", false, "reauthorize", 0},
		"panic":        {"panic", "get_customer", 1, "failure", "transient", "internal", false, "propagate", 0},
		"unknown_tool": {"unknown_tool", "close_account", 1, "failure", "validation", "not_found", false, "fix_input", 0},
	}, got)
}

func TestRunScenarios_Wrong(t *testing.T) {
	t.Parallel()
	wrong := scenario{
		"wrong", "It ends otherwise than it should", "lookup_order",
		func(ctx context.Context, a *agent) (result.Outcome, retry.Decision, error) {
			a.orders.misbehave(deny)
			out, d := a.call(ctx, "lookup_order", map[string]any{"customer_id": "CUS-10001"})
			return out, d, ends(d, retry.ActionAccept, 1)
		},
	}
	right := scenarios[slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == "no_orders" })]
	var stdout bytes.Buffer
	err := runScenarios(t.Context(), []scenario{wrong, right}, harnesstest.Output(t), &stdout, io.Discard)
	require.ErrorContains(t, err, "scenario wrong: reauthorize after 1 attempts")
	assert.Contains(t, stdout.String(), "WRONG")
	assert.NotContains(t, err.Error(), right.name)
}

func TestRun_BadFlags(t *testing.T) {
	t.Parallel()
	for _, args := range []string{
		"-nonsense", "extra", "-json=maybe", "-json -wire", "-http=", "-http 127.0.0.1", "-http 127.0.0.1:99999",
		"-http 127.0.0.1:0 -json",
		"-orders http://x", "-orders http://x -payments http://y", "-http :0 -payments http://x",
		"-fault get_customer=timeout", "-timeout 1s",
		"-serve -orders http://x", "-serve -orders http://x -payments http://y -json",
		"-serve -orders localhost:80 -payments http://127.0.0.1:1",
		"-serve -orders http:// -payments http://127.0.0.1:1", "-serve -orders= -payments=", "-serve -http 127.0.0.1:0",
		"-serve -wire", "-serve -log -", "-serve -timeout 0s",
	} {
		var stdout, stderr bytes.Buffer
		assert.Equal(t, 2, run(t.Context(), strings.Fields(args), &stdout, &stderr), "%q", args)
		assert.Empty(t, stdout.String())
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one sentence: %s", stderr.String())
	}
	var stdout bytes.Buffer
	assert.Zero(t, run(t.Context(), []string{"-help"}, &stdout, io.Discard))
	for _, flag := range []string{
		"-json", "-wire", "-log file", "-serve", "-http ADDR", "-fault TOOL=KIND[:COUNT]", "-orders URL", "-payments URL",
	} {
		assert.Contains(t, stdout.String(), "  "+flag)
	}
	assert.Contains(t, stdout.String(), "beyond loopback it is open to all")
}

func TestRun_BadFaults(t *testing.T) {
	t.Parallel()
	const (
		toolList = "TOOL is get_customer, lookup_order, process_refund or escalate_to_human"
		kindList = "KIND is timeout, unavailable, throttle, reset, denied, lost-reply or panic"
	)
	for want, values := range map[string][]string{
		toolList + ", " + kindList: {"", "get_customer", "get_customer:timeout"},
		toolList:                   {"close_account=timeout", "=timeout"},
		kindList:                   {"get_customer=", "get_customer=flood", "get_customer=TIMEOUT"},
		"COUNT is a number from 1": {
			"get_customer=timeout:", "get_customer=timeout:0", "get_customer=timeout:-1",
			"get_customer=timeout:many", "get_customer=timeout:1:2",
		},
	} {
		for i := range 2 * len(values) {
			value, how := values[i/2], [][]string{{"-serve"}, {"-http", "127.0.0.1:0"}}[i%2]
			var stderr bytes.Buffer
			assert.Equal(t, 2, run(t.Context(), append(how, "-fault", value), io.Discard, &stderr), value)
			assert.Contains(t, stderr.String(), want)
			assert.Equal(t, 1, strings.Count(stderr.String(), "\n"), "one sentence: %s", stderr.String())
		}
	}
	for _, kind := range kinds {
		opts, err := parseFlags([]string{
			"-serve", "-orders", "http://x", "-payments", "http://y", "-fault",
			"get_customer=" + string(kind),
		}, io.Discard)
		if kind == panics {
			require.NoError(t, err)
			assert.Equal(t, panics, opts.faults.next("get_customer"))
		} else {
			assert.ErrorContains(t, err, "the only KIND of -fault is panic")
		}
	}
}
