package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness/harnesstest"
	"github.com/mcp-toolerr/toolerr-go/examples/support/internal/desk"
	"github.com/mcp-toolerr/toolerr-go/internal/attempt"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// prometheusProgram is the program, such as Debian's package of that name has it. Promtool, which is
// in the same package, is beside it.
var prometheusProgram = flag.String("prometheus", "", "scrape servers and an agent with this `program`")

// A file is what the tests read of dashboard.json.
type file struct {
	Templating struct {
		List []struct {
			Name       string
			AllValue   string
			Definition string
		}
	}
	Panels []struct {
		ID      int
		Title   string
		Type    string
		GridPos struct{ X, Y, W, H int }
		Targets []struct {
			Expr       string
			Datasource struct{ UID string }
		}
	}
}

func readDashboard(t *testing.T) (d file, raw []byte) {
	t.Helper()
	raw, err := os.ReadFile("dashboard.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(raw, &d))
	return d, raw
}

// TestDashboard_Schema checks that Grafana's own types read the dashboard and know each of its
// members, and that no two panels overlap.
func TestDashboard_Schema(t *testing.T) {
	t.Parallel()
	plugins.RegisterDefaultPlugins()
	d, raw := readDashboard(t)
	var read dashboard.Dashboard
	require.NoError(t, json.Unmarshal(raw, &read))
	require.NoError(t, read.Validate())
	if err := read.UnmarshalJSONStrict(raw); err != nil { // Grafana fills in what is missing
		for line := range strings.Lines(err.Error()) {
			assert.Contains(t, line, "required field is missing", "a member that Grafana does not know")
		}
	}
	ids, taken := map[int]bool{}, map[[2]int]string{}
	for _, p := range d.Panels {
		assert.False(t, ids[p.ID], "the id of %s", p.Title)
		ids[p.ID] = true
		assert.LessOrEqual(t, p.GridPos.X+p.GridPos.W, 24, p.Title)
		for x := range p.GridPos.W {
			for y := range p.GridPos.H {
				place := [2]int{p.GridPos.X + x, p.GridPos.Y + y}
				assert.Empty(t, taken[place], "%s lies on it", p.Title)
				taken[place] = p.Title
			}
		}
		for _, target := range p.Targets {
			assert.Equal(t, "${datasource}", target.Datasource.UID, p.Title)
		}
	}
}

func TestRules_OverTime(t *testing.T) {
	t.Parallel()
	promtool := promtool(t)
	for _, args := range [][]string{{"check", "rules", "rules.yml"}, {"test", "rules", "rules.test.yml"}} {
		out, err := exec.CommandContext(t.Context(), promtool, args...).CombinedOutput()
		assert.NoError(t, err, "%s", out)
	}
}

func promtool(t *testing.T) string {
	t.Helper()
	if *prometheusProgram == "" {
		// It is a program of another project, which .ci/weekly installs.
		t.Skip("without -prometheus PROGRAM")
	}
	return filepath.Join(filepath.Dir(*prometheusProgram), "promtool")
}

// A store is one of a service that does not know keys, so that nothing runs twice. It is away for one id.
type store struct {
	idempotency.MemoryStore

	away string
}

// Claim implements [idempotency.Store].
func (s *store) Claim(ctx context.Context, r idempotency.Request) (idempotency.Claim, error) {
	if r.ID == s.away {
		return idempotency.Claim{}, errors.New("the database is away")
	}
	r.Rerun = false
	return s.MemoryStore.Claim(ctx, r)
}

// counted is the support server with its Counts.
func counted(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	keys := &store{away: new(idempotency.Options).ID("", "process_refund", "away")}
	return desk.Program{OpenStore: func(context.Context, string) (idempotency.Store, func() error, error) {
		return keys, func() error { return nil }, nil
	}}.Run(ctx, args, stdout, stderr)
}

// recovering is the support server, overloaded at each second call of lookup_order.
func recovering(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var calls atomic.Int64
	return desk.Program{Receiving: func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if r, ok := req.(*mcp.CallToolRequest); ok && r.Params.Name == "lookup_order" && calls.Add(1)%2 == 1 {
				return result.Failure(toolerr.RateLimited("Too many look-ups.", 0)), nil
			}
			return next(ctx, method, req)
		}
	}}.Run(ctx, args, stdout, stderr)
}

// faults are those of both servers: only get_customer works. process_refund refuses what is
// over its limit.
var faults = []string{
	"-fault", "lookup_order=unavailable", "-fault", "process_refund=lost-reply", "-fault",
	"escalate_to_human=panic",
}

// callAll calls every tool in every way that the panels show.
func callAll(ctx context.Context, session *mcp.ClientSession) error {
	afterLoss := map[string]any{}
	// the first went to a process before this one
	attempt.Put(afterLoss, attempt.ID{Call: "c", Number: 2, UnknownFor: 24 * time.Hour})
	for _, call := range []*mcp.CallToolParams{
		{Name: "get_customer", Arguments: json.RawMessage(`{"customer_id":"CUS-10001"}`)},
		{Name: "get_customer", Arguments: json.RawMessage(`{"customer_id":"CUS-99999"}`)},
		{Name: "get_customer", Arguments: json.RawMessage(`{"customer_id":"10001"}`)},
		{Name: "lookup_order", Arguments: json.RawMessage(`{"customer_id":"CUS-10001"}`)},
		{Name: "process_refund", Arguments: json.RawMessage(`{"order_id":"ORD-8","amount":650}`)},
		{Name: "process_refund", Arguments: json.RawMessage(`{"order_id":"ORD-7","amount":40}`)},
		{Name: "process_refund", Arguments: json.RawMessage(`{"order_id":"ORD-7","amount":40,"idempotency_key":"away"}`)},
		{
			Name: "process_refund", Arguments: json.RawMessage(`{"order_id":"ORD-7","amount":40,"idempotency_key":"lost"}`),
			Meta: afterLoss,
		},
		{Name: "escalate_to_human", Arguments: json.RawMessage(`{"reason":"The customer asks for a person."}`)},
	} {
		if _, err := session.CallTool(ctx, call); err != nil {
			return err
		}
	}
	return nil
}

// start starts the servers and the agent, and Prometheus. It calls the tools until the test ends.
func start(t *testing.T) harnesstest.Prometheus {
	t.Helper()
	_ = promtool(t)
	var stops []func() int
	serve := func(run func(context.Context, []string, io.Writer, io.Writer) int, args ...string) string {
		url, log, stop := harnesstest.Serve(t, run, append(args, "-http", "127.0.0.1:0")...)
		go func() { _, _ = io.Copy(io.Discard, log) }() // a full pipe would stop the program
		stops = append(stops, stop)
		return url
	}
	withCounts := serve(counted, append([]string{"-store", "keys"}, faults...)...)
	withOtel := serve(run, faults...)
	jobs := map[string]string{"counts": withCounts, "otel": withOtel}
	for job, server := range map[string]string{"agent": serve(recovering), "outage": withOtel} {
		jobs[job] = serve(run, "agent", "-server", server, "-every", "20ms")
	}
	rules, err := filepath.Abs("rules.yml")
	require.NoError(t, err)
	p := harnesstest.StartPrometheus(t, *prometheusProgram, jobs, rules)
	sessions := []*mcp.ClientSession{harnesstest.Connect(t, withCounts, ""), harnesstest.Connect(t, withOtel, "")}
	ctx, stop := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() {
		var err error
		for err == nil && ctx.Err() == nil {
			for _, session := range sessions {
				err = errors.Join(err, callAll(ctx, session))
			}
			select {
			case <-time.After(100 * time.Millisecond): // between two scrapes
			case <-ctx.Done():
			}
		}
		stopped <- err
	}()
	t.Cleanup(func() {
		stop()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			assert.NoError(t, err)
		}
		for _, stop := range slices.Backward(stops) {
			assert.Zero(t, stop())
		}
	})
	return p
}

// series returns the values of the labels of each series, in the order of the labels' names,
// and fails if a value is not greater than 0.
func series(c assert.TestingT, found []harnesstest.Series) []string {
	list := []string{}
	for _, s := range found {
		var values []string
		for _, name := range slices.Sorted(maps.Keys(s.Metric)) {
			values = append(values, s.Metric[name])
		}
		text, _ := s.Value[1].(string)
		value, err := strconv.ParseFloat(text, 64)
		assert.NoError(c, err)
		assert.Greater(c, value, 0.0, values)
		list = append(list, strings.Join(values, " "))
	}
	slices.Sort(list)
	return list
}

// want is what the queries of each panel return for each job.
var want = map[string]map[string][]string{
	"Calls":                    {"counts": allTools, "otel": allTools},
	"Share of calls that fail": {"counts": allTools, "otel": allTools},
	"Failures by category": {
		"counts": {"business", "transient", "validation"},
		"otel":   {"business", "transient", "validation"},
	},
	"Broken tools": {
		"counts": {"escalate_to_human counts", "lookup_order counts"},
		"otel":   {"escalate_to_human otel", "lookup_order otel"},
	},
	"Unknown effects":                 {"counts": mayHaveWorked, "otel": mayHaveWorked},
	"Internal errors":                 {"counts": {"escalate_to_human", "process_refund"}, "otel": {"escalate_to_human"}},
	"Keys by state":                   {"counts": {"abandoned", "claimed", "failed"}},
	"Keys abandoned, or not stored":   {"counts": {"process_refund abandoned", "process_refund failed"}},
	"95th percentile of the duration": {"otel": allTools},
	"Failures by tool and kind": {
		"counts": {
			"escalate_to_human transient internal unknown", "get_customer validation invalid_argument none",
			"lookup_order transient unavailable none",
			"process_refund business limit_exceeded none", "process_refund transient internal unknown",
			"process_refund transient unavailable unknown",
		},
		"otel": {
			"escalate_to_human transient internal unknown", "get_customer validation invalid_argument none",
			"lookup_order transient unavailable none",
			"process_refund business limit_exceeded none", "process_refund transient unavailable unknown",
		},
	},
	"Decisions":                       {"agent": {"accept succeeded", "escalate not_retryable", "retry retryable"}},
	"Retries per call":                {"agent": {"lookup_order"}},
	"Retries that the budget forbade": {"outage": {"lookup_order"}},
}

var (
	allTools      = []string{"escalate_to_human", "get_customer", "lookup_order", "process_refund"}
	mayHaveWorked = []string{"escalate_to_human", "process_refund"}
)

// TestDashboard_Queries makes each query of the dashboard as Grafana does, with the selected time longer than the test.
func TestDashboard_Queries(t *testing.T) {
	t.Parallel()
	p := start(t)
	d, _ := readDashboard(t)
	panels := map[string]bool{}
	for _, panel := range d.Panels {
		for _, target := range panel.Targets {
			panels[panel.Title] = true
			for _, job := range []string{"counts", "otel", "agent", "outage"} {
				if job == "outage" && want[panel.Title][job] == nil {
					continue // which of its retries come before the budget is spent is chance
				}
				query := strings.NewReplacer("$__rate_interval", "1h", "$__range", "1h", "$job", job, "$tool", ".+",
					"$calls", "toolerr_calls_total|mcp_server_operation_duration_seconds_count").Replace(target.Expr)
				require.NotContains(t, query, "$", panel.Title)
				require.EventuallyWithT(t, func(c *assert.CollectT) {
					found, err := p.Query(t.Context(), query)
					require.NoError(c, err)
					if want := want[panel.Title][job]; job == "agent" && want != nil { // a slow machine adds timeouts to its decisions
						assert.Subset(c, series(c, found), want)
					} else {
						assert.ElementsMatch(c, want, series(c, found))
					}
				}, testutil.Patience, 200*time.Millisecond, "%s, of %s: %s", panel.Title, job, query)
			}
		}
	}
	assert.Equal(t, slices.Sorted(maps.Keys(want)), slices.Sorted(maps.Keys(panels)))
	for name, values := range map[string][]string{"job": {"agent", "counts", "otel", "outage"}, "tool": allTools} {
		for _, v := range d.Templating.List {
			if v.Name != name {
				continue
			}
			selector, label, ok := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(v.Definition, "label_values("), ")"), "}, ")
			require.True(t, ok, v.Definition)
			var found []string
			require.NoError(t, p.Get(t.Context(), "label/"+label+"/values",
				url.Values{"match[]": {strings.ReplaceAll(selector+"}", "$job", ".+")}}, &found))
			assert.ElementsMatch(t, values, found, v.Definition)
		}
	}
}

// TestRules_RealServer checks that alerts are raised for what is wrong, and for nothing else.
func TestRules_RealServer(t *testing.T) {
	t.Parallel()
	p := start(t)
	assert.EventuallyWithT(t, func(c *assert.CollectT) {
		var rules struct {
			Groups []struct {
				Rules []struct {
					Name, Health, LastError string
					Duration                float64
					Labels, Annotations     map[string]string
					Alerts                  []struct {
						State               string
						Labels, Annotations map[string]string
					}
				}
			}
		}
		require.NoError(c, p.Get(t.Context(), "rules", nil, &rules))
		raised := map[string][]string{}
		for _, group := range rules.Groups {
			for _, r := range group.Rules {
				require.Equal(c, "ok", r.Health, r.LastError)
				raised[r.Name] = []string{}
				for _, alert := range r.Alerts {
					raised[r.Name] = append(raised[r.Name], alert.Labels["job"]+" "+alert.Labels["gen_ai_tool_name"])
					if r.Duration == 0 {
						assert.Equal(c, "firing", alert.State, r.Name)
					}
					for _, text := range []string{"summary", "description"} {
						assert.NotEmpty(c, alert.Annotations[text], r.Name)
						assert.NotContains(c, alert.Annotations[text], "<no value>", r.Name)
					}
				}
				slices.Sort(raised[r.Name])
			}
		}
		assert.Equal(c, map[string][]string{
			"ToolerrToolBroken": {
				"counts escalate_to_human", "counts lookup_order", "otel escalate_to_human",
				"otel lookup_order",
			},
			"ToolerrInternalErrors": {"counts escalate_to_human", "otel escalate_to_human"},
			"ToolerrEffectsUnknown": {
				"counts escalate_to_human", "counts process_refund", "otel escalate_to_human",
				"otel process_refund",
			},
			"ToolerrKeyAbandoned":         {"counts process_refund"},
			"ToolerrKeyStoreFailing":      {"counts process_refund"},
			"ToolerrManyRetries":          {"agent lookup_order"},
			"ToolerrRetryBudgetExhausted": {"outage lookup_order"},
		}, raised)
	}, testutil.Patience, 200*time.Millisecond)
}
