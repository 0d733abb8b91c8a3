package retry_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// situations are failures with every kind of hint: of each constructor, and of each category and code.
func situations() []*toolerr.Error {
	all := []*toolerr.Error{
		toolerr.NotFound("ticker", "APLE", "AAPL"), toolerr.InvalidArgument("unit", "C", "a unit", "K", "F"),
		toolerr.MissingArgument("unit", "a unit"), toolerr.AlreadyExists("branch", "main"),
		toolerr.OutOfRange("n", 9, 1, 5, nil), toolerr.Ambiguous("path", "a", "b", "c"), toolerr.RateLimited("Busy.", 0),
		toolerr.FailedPrecondition("No.", "plan"), toolerr.LimitExceeded("No.", ""), toolerr.Internal(nil),
		toolerr.Conflict("No."), toolerr.InsufficientScope("x"), toolerr.Transient("No."), toolerr.Timeout("No."),
		toolerr.Unavailable("No.", 0), toolerr.Unauthenticated("No."),
		toolerr.Business("No.").WithCode(toolerr.CodeCanceled),
	}
	codes := strings.Fields("timeout rate_limited unavailable canceled internal not_found invalid_argument " +
		"missing_argument ambiguous out_of_range conflict already_exists failed_precondition limit_exceeded " +
		"unauthenticated permission_denied insufficient_scope odd")
	for _, category := range []toolerr.Category{"transient", "validation", "business", "permission"} {
		for _, code := range append(codes, "") {
			for _, retryable := range []bool{false, true} {
				e := &toolerr.Error{Category: category, Code: toolerr.Code(code), Retryable: retryable, Message: "No."}
				all = append(all, e)
			}
		}
	}
	return all
}

// means are what the hint beside an action may and may not say.
var means = map[retry.Action]struct{ says, never *regexp.Regexp }{
	retry.ActionRetry: {regexp.MustCompile(`retry the same call`), regexp.MustCompile(`(?i)do not|check`)},
	retry.ActionFixInput: {regexp.MustCompile(`(?i)call(ing)? again|call .* first|correct|add |use the|choose|state|` +
		`ask the user|which one|check the arg`), regexp.MustCompile(`(?i)do not (retry|repeat it)|retry the same`)},
	retry.ActionEscalate:    {regexp.MustCompile(`(?i)do not|user|person`), again},
	retry.ActionReauthorize: {regexp.MustCompile(`(?i)do not|user`), again},
	retry.ActionPropagate:   {regexp.MustCompile(`(?i)do not|user|use the results`), again},
	retry.ActionVerify: {
		regexp.MustCompile(`(?i)check|takes effect only once|look up what was done|use the results`),
		regexp.MustCompile(`(?i)^call again|correct|retry the same|^(use|choose) `),
	},
}

var again = regexp.MustCompile(`(?i)^(call|correct|add|use the one)|retry the same|calling again`)

// TestAdvice checks that action and hint say the same for every failure, effect, tool and partial
// result: of the server's answer, of the client's decision about it, and of a repeat that a guard stops.
func TestAdvice(t *testing.T) { //nolint:gocognit // five loops around one check
	t.Parallel()
	parts := []*toolerr.Partial{
		nil,
		{Total: 5, ContinueFrom: 1, Results: json.RawMessage(`{"sent":null}`)},
		{Processed: 2, Total: 5},
		{Processed: 2, Total: 5, ContinueFrom: 3, Results: json.RawMessage(`[1,2]`)},
	}
	for _, e := range situations() {
		for _, effect := range []toolerr.Effect{"as it is", "none", "applied", "unknown"} {
			for _, p := range parts {
				for _, safety := range safeties {
					failed := e.WithPartial(p)
					if effect != "as it is" {
						failed = e.WithEffect(effect).WithPartial(p)
					}
					keyed := safety == retry.SafetyKeyed && failed.Partial == nil
					failed = failed.Resolve(toolerr.ToolAnnotations{
						ReadOnly: safety == retry.SafetyReadOnly, Idempotent: safety == retry.SafetyIdempotent || keyed,
					})
					out := result.Parse(sent(failed), nil)
					what := fmt.Sprintf("%v, %s", safety, out.Text())
					d := retry.Policy{}.Decide(out, retry.State{Safety: safety})
					if d.Action != retry.ActionRetry || out.Err.Retryable { // otherwise the client knows more than the server
						checkAdvice(t, "server: "+what, d.Action, out.Err)
					}
					s := &script{answers: []any{failed}}
					policy := retry.Policy{Safety: safety, MaxAttempts: 1, Guard: new(retry.Guard)}
					for range map[bool]int{true: 4, false: 1}[safety == retry.SafetyUnknown || safety == retry.SafetyKeyed] {
						out, d := retry.CallTool(t.Context(), policy, s, tool("t", map[string]any{"id": "ORD-1"}))
						checkAdvice(t, fmt.Sprintf("client, %s: %s", d.Reason, what), d.Action, out.Err)
					}
				}
			}
		}
	}
}

func checkAdvice(t *testing.T, what string, action retry.Action, e *toolerr.Error) {
	t.Helper()
	var wire struct {
		Hint string `json:"hint"`
	}
	require.NoError(t, json.Unmarshal(e.AppendJSON(nil), &wire))
	m, ok := means[action]
	if !ok || !m.says.MatchString(wire.Hint) || m.never.MatchString(wire.Hint) {
		t.Errorf("%s: %v, but %q (%s %s %s)", what, action, wire.Hint, e.Category, e.Code, e.Effect)
	}
}
