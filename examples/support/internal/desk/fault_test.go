package desk

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// transports are the two ways to the server, each a process of its own.
var transports = map[string]func(t *testing.T, flags ...string) mcp.Transport{
	"stdio": func(t *testing.T, flags ...string) mcp.Transport {
		t.Helper()
		return &mcp.CommandTransport{Command: exec.CommandContext(t.Context(), os.Args[0],
			append([]string{"-serve"}, flags...)...)}
	},
	"http": func(t *testing.T, flags ...string) mcp.Transport {
		t.Helper()
		server := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-http", "127.0.0.1:0"}, flags...)...)
		log, err := server.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, server.Start())
		t.Cleanup(func() { _, _ = server.Process.Kill(), server.Wait() })
		line, err := bufio.NewReader(log).ReadString('\n')
		require.NoError(t, err)
		go func() { _, _ = io.Copy(io.Discard, log) }()
		return &mcp.StreamableClientTransport{Endpoint: strings.TrimPrefix(strings.TrimSpace(line), "support: serving ")}
	},
}

// answered are arguments with which each tool succeeds.
var answered = map[string]string{
	"get_customer":      `{"customer_id":"CUS-10001"}`,
	"lookup_order":      `{"customer_id":"CUS-10001"}`,
	"process_refund":    `{"order_id":"ORD-7","amount":40,"idempotency_key":"k"}`,
	"escalate_to_human": `{"reason":"The customer asks for a person."}`,
}

func callAnswered(ctx context.Context, session *mcp.ClientSession, tool string) result.Outcome {
	return result.Parse(session.CallTool(ctx, &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(answered[tool])}))
}

// wanted is what process_refund says to each fault of a call with a key: category, code, retryable
// and effect. A tool that only reads has never had an effect; escalate_to_human, which takes no key,
// can be repeated only where nothing was done.
var wanted = map[fault]struct {
	class     string
	retryable bool
	effect    toolerr.Effect
}{
	stall:     {"transient timeout", true, toolerr.EffectUnknown},
	down:      {"transient unavailable", true, toolerr.EffectUnknown}, // it may be a proxy's 503
	throttle:  {"transient rate_limited", true, toolerr.EffectNone},
	reset:     {"transient unavailable", true, toolerr.EffectUnknown},
	deny:      {"permission permission_denied", false, toolerr.EffectNone},
	lostReply: {"transient unavailable", true, toolerr.EffectUnknown},
	panics:    {"transient internal", false, toolerr.EffectUnknown},
}

// TestFault_EveryTool queues all faults up for each tool of one server, and meets them one by one.
// After them the key finds the refund that is booked already, and nothing tells a ticket from a
// second one.
func TestFault_EveryTool(t *testing.T) {
	t.Parallel()
	var flags []string
	for _, tool := range tools {
		for _, kind := range kinds {
			flags = append(flags, "-fault", tool+"="+string(kind)+":1")
		}
	}
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := testutil.ConnectTo(t, transport(t, flags...), nil)
			var names []string
			for tool, err := range session.Tools(t.Context(), nil) {
				require.NoError(t, err)
				names = append(names, tool.Name)
			}
			assert.ElementsMatch(t, tools, names)
			for _, tool := range tools {
				for _, kind := range kinds {
					out := callAnswered(t.Context(), session, tool)
					require.Equal(t, result.KindFailure, out.Kind, "%s %s", tool, kind)
					want, e := wanted[kind], out.Err
					switch tool {
					case "get_customer", "lookup_order":
						want.effect = toolerr.EffectNone
					case "escalate_to_human":
						want.retryable = want.retryable && want.effect == toolerr.EffectNone
					case "process_refund": // the first run with the key may have booked it
						want.effect = toolerr.EffectUnknown
					}
					assert.Equal(t, fmt.Sprint(want.class, " ", want.retryable, " ", want.effect, " ", kind == throttle),
						fmt.Sprint(e.Category, " ", e.Code, " ", e.Retryable, " ", e.Effect, " ", e.RetryAfter > 0), "%s %s", tool, kind)
					assert.NotContains(t, out.Text(), "-fault")
				}
				out := callAnswered(t.Context(), session, tool)
				assert.Equal(t, result.KindData, out.Kind, "%s answers afterwards: %s", tool, out.Text())
				assert.Contains(t, out.Text(),
					map[string]string{"process_refund": `"refund_id":"REF-1"`, "escalate_to_human": `"ticket":"TICKET-2"`}[tool])
			}
		})
	}
}

// The faults of a tool are met in their order, also by parallel calls; one without a count stays.
func TestPlan(t *testing.T) {
	t.Parallel()
	p := new(plan)
	for _, value := range []string{
		"get_customer=panic:3", "get_customer=timeout:4", "get_customer=denied", "get_customer=timeout:1",
	} {
		require.NoError(t, p.add(value))
	}
	met := make(chan fault)
	for range 12 {
		go func() { met <- p.next("get_customer") }()
	}
	got := map[fault]int{}
	for range 12 {
		got[<-met]++
	}
	assert.Equal(t, map[fault]int{panics: 3, stall: 4, deny: 5}, got)
	assert.Equal(t, none, p.next("lookup_order"))
}
