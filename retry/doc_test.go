package retry_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

type documentedCase struct {
	o result.Outcome
	s retry.State
}

// documented has a case for each row of the decision table in the package documentation.
var documented = map[string]documentedCase{
	"data or empty":                         {o: result.Outcome{Kind: result.KindEmpty}},
	"input_required":                        {o: result.Outcome{Kind: result.KindInputRequired, Result: asks()}},
	"unreadable":                            {},
	"partial, to be continued":              {o: part(toolerr.Transient("m").WithPartial(&toolerr.Partial{ContinueFrom: 16}))},
	"partial, of category business":         {o: part(toolerr.Business("m").WithPartial(&toolerr.Partial{}))},
	"of code canceled, without effect":      {o: failure(errRefused.WithRetryable(false).WithCode(toolerr.CodeCanceled))},
	"of category transient, retried inside": {o: failure(errRefused.WithRetryable(false).WithAttempted(toolerr.Attempt{}))},
	"of category transient, without effect": {o: failure(errRefused.WithRetryable(false))},
	"of category transient, not stated":     {o: failure(toolerr.Transient("m").WithRetryable(false))},
	"a timeout, of a read-only tool":        {o: failure(errLost.WithRetryable(false)), s: retry.State{Safety: retry.SafetyReadOnly}},
	"an outage, of an idempotent tool": {
		o: failure(errLost.WithRetryable(false).WithCode(toolerr.CodeUnavailable)), s: retry.State{Safety: retry.SafetyIdempotent},
	},
	"of code failed_precondition": {o: failure(toolerr.FailedPrecondition("m", "make_plan"))},
	"of category validation":      {o: failure(toolerr.Validation("m"))},
	"of category business":        {o: failure(toolerr.Business("m"))},
	"of category permission":      {o: failure(toolerr.Permission("m"))},
	"of an unknown category":      {o: failure(&toolerr.Error{Category: "odd"})},
	"that may have taken effect":  {o: failure(toolerr.Business("m").WithEffect(toolerr.EffectUnknown))},
	"and was retried inside":      {o: failure(errRefused.WithAttempted(toolerr.Attempt{}))},
	"after a person was asked":    {o: failure(errRefused), s: retry.State{Asked: true}},
	"if a repeat is not safe":     {o: failure(errLost)},
	"at the last attempt":         {o: failure(errRefused), s: retry.State{Attempt: 3}},
	"on a lost session":           {o: result.Outcome{Kind: result.KindFailure, Err: errRefused, SessionLost: true}},
	"with a hint over the limit":  {o: failure(errRefused.WithRetryAfter(30*time.Second + 1))},
	"over the total wait":         {o: failure(errRefused), s: retry.State{Waited: time.Minute, Jitter: 0.5}},
	"too near the deadline":       {o: failure(errRefused), s: retry.State{Now: time.Unix(9, 0), Deadline: time.Unix(9, 0)}},
	"beyond the budget":           {o: failure(errRefused), s: retry.State{OverBudget: true}},
	"otherwise":                   {o: failure(errRefused)},
}

func part(e *toolerr.Error) result.Outcome { return result.Outcome{Kind: result.KindPartial, Err: e} }

// TestPolicy_DocumentedDecisions compares Decide with the table in the package documentation.
func TestPolicy_DocumentedDecisions(t *testing.T) {
	t.Parallel()
	doc, err := os.ReadFile("doc.go")
	require.NoError(t, err)
	_, table, ok := strings.Cut(string(doc), "the outcome                             the action     the reason\n")
	require.True(t, ok)
	table, _, ok = strings.Cut(table, "\n// If a call that")
	require.True(t, ok)
	seen := 0
	for line := range strings.Lines(table) {
		line = strings.TrimSpace(strings.TrimPrefix(line, "//"))
		if line == "" || strings.HasSuffix(line, ",") {
			continue
		}
		columns := strings.Split(line, "  ")
		var cells []string
		for _, c := range columns {
			if c = strings.TrimSpace(c); c != "" {
				cells = append(cells, c)
			}
		}
		require.Len(t, cells, 3, line)
		c, ok := documented[cells[0]]
		require.True(t, ok, line)
		d := retry.Policy{}.Decide(c.o, c.s)
		assert.Equal(t, cells[1], d.Action.String(), line)
		assert.Equal(t, cells[2], string(d.Reason), line)
		seen++
	}
	assert.Len(t, documented, seen, "number of rows")

	shed := retry.Policy{}.Decide(result.Outcome{Kind: result.KindInputRequired, Result: &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}}}, retry.State{})
	assert.Equal(t, retry.ActionRetry, shed.Action)
}

// TestPolicy_DocumentedSafety compares Decide with the table of safe repeats.
func TestPolicy_DocumentedSafety(t *testing.T) {
	t.Parallel()
	for effect, want := range map[toolerr.Effect]string{
		toolerr.EffectNone: "retry retry", "": "retry retry", toolerr.EffectUnknown: "retry verify", toolerr.EffectApplied: "retry propagate",
	} {
		e := toolerr.Transient("m").WithEffect(effect)
		e.Retryable = true
		o := failure(e)
		for _, safety := range []retry.Safety{retry.SafetyReadOnly, retry.SafetyIdempotent, retry.SafetyKeyed} {
			safe, unknown := retry.Policy{}.Decide(o, retry.State{Safety: safety}), retry.Policy{}.Decide(o, retry.State{})
			assert.Equal(t, want, safe.Action.String()+" "+unknown.Action.String(), "%q", effect)
		}
	}
}
