package desk

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
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
		return &mcp.CommandTransport{Command: exec.CommandContext(t.Context(), os.Args[0], append([]string{"-serve"}, flags...)...)}
	},
	"http": func(t *testing.T, flags ...string) mcp.Transport {
		t.Helper()
		return &mcp.StreamableClientTransport{Endpoint: startHTTP(t, flags...)}
	},
}

// startHTTP starts the program with -http, and returns the URL that it prints.
func startHTTP(t *testing.T, flags ...string) (url string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0], append([]string{"-http", "127.0.0.1:0"}, flags...)...)
	stderr, err := command.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, command.Start())
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	require.NoError(t, err)
	var drained sync.WaitGroup
	drained.Go(func() { _, _ = io.Copy(io.Discard, lines) })
	t.Cleanup(func() {
		_ = command.Process.Kill()
		drained.Wait()
		_ = command.Wait()
	})
	url, ok := strings.CutPrefix(strings.TrimSpace(line), "support: serving ")
	require.True(t, ok, "%q", line)
	return url
}

// answered are arguments with which each tool succeeds.
var answered = map[string]string{
	"get_customer":      `{"customer_id":"CUS-10001"}`,
	"lookup_order":      `{"customer_id":"CUS-10001"}`,
	"process_refund":    `{"order_id":"ORD-7","amount":40,"idempotency_key":"k"}`,
	"escalate_to_human": `{"reason":"The customer asks for a person."}`,
}

// wanted is what process_refund says to each fault of a call with a key. A tool that
// only reads has never had an effect; escalate_to_human, which takes no key, can be
// repeated only where nothing was done.
var wanted = map[fault]struct {
	category  toolerr.Category
	code      toolerr.Code
	retryable bool
	effect    toolerr.Effect
}{
	stall:     {toolerr.CategoryTransient, toolerr.CodeTimeout, true, toolerr.EffectUnknown},
	down:      {toolerr.CategoryTransient, toolerr.CodeUnavailable, true, toolerr.EffectUnknown}, // it may be a proxy's 503
	throttle:  {toolerr.CategoryTransient, toolerr.CodeRateLimited, true, toolerr.EffectNone},
	reset:     {toolerr.CategoryTransient, toolerr.CodeUnavailable, true, toolerr.EffectUnknown},
	deny:      {toolerr.CategoryPermission, toolerr.CodePermissionDenied, false, toolerr.EffectNone},
	lostReply: {toolerr.CategoryTransient, toolerr.CodeUnavailable, true, toolerr.EffectUnknown},
	panics:    {toolerr.CategoryTransient, toolerr.CodeInternal, false, toolerr.EffectUnknown},
}

// TestFault_EveryTool queues all faults up for each tool of one server,
// and meets them one by one.
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
			wire := new(testutil.Wire)
			session := testutil.ConnectTo(t, transport(t, flags...), wire)
			for _, tool := range tools {
				for _, kind := range kinds {
					out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(answered[tool])}))
					require.Equal(t, result.KindFailure, out.Kind, "%s %s", tool, kind)
					envelope(t, wire.Last())
					want := wanted[kind]
					switch tool {
					case "get_customer", "lookup_order":
						want.effect = toolerr.EffectNone
					case "escalate_to_human":
						want.retryable = want.retryable && want.effect == toolerr.EffectNone
					}
					assert.Equal(t, want.category, out.Err.Category, "%s %s", tool, kind)
					assert.Equal(t, want.code, out.Err.Code, "%s %s", tool, kind)
					assert.Equal(t, want.retryable, out.Err.Retryable, "%s %s", tool, kind)
					assert.Equal(t, want.effect, out.Err.Effect, "%s %s", tool, kind)
					assert.Equal(t, kind == throttle, out.Err.RetryAfter > 0, "%s %s", tool, kind)
					assert.NotContains(t, out.Text(), "-fault")
				}
				out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(answered[tool])}))
				assert.Equal(t, result.KindData, out.Kind, "%s answers afterwards: %s", tool, out.Text())
			}
		})
	}
}

func TestFault_LostReply(t *testing.T) {
	t.Parallel()
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := testutil.ConnectTo(t, transport(t, "-fault", "process_refund=lost-reply:1", "-fault", "escalate_to_human=lost-reply:1"), nil)
			for tool, want := range map[string]string{
				"process_refund":    `"refund_id":"REF-1"`, // the key finds the refund that is booked already
				"escalate_to_human": `"ticket":"TICKET-2"`, // nothing tells the ticket from a second one
			} {
				params := &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(answered[tool])}
				require.Equal(t, result.KindFailure, result.Parse(session.CallTool(t.Context(), params)).Kind)
				assert.Contains(t, result.Parse(session.CallTool(t.Context(), params)).Text(), want)
			}
		})
	}
}

func TestPlan_WithoutCount(t *testing.T) {
	t.Parallel()
	p := new(plan)
	require.NoError(t, p.add("get_customer=panic:2"))
	require.NoError(t, p.add("get_customer=denied"))
	require.NoError(t, p.add("get_customer=timeout:1"))
	for i := range 9 {
		want := deny
		if i < 2 {
			want = panics
		}
		assert.Equal(t, want, p.next("get_customer"))
	}
	assert.Equal(t, none, p.next("lookup_order"))
}

func TestPlan_Parallel(t *testing.T) {
	t.Parallel()
	for name, transport := range transports {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			session := testutil.ConnectTo(t, transport(t, "-fault", "get_customer=panic:3", "-fault", "get_customer=denied:4"), nil)
			var (
				calls sync.WaitGroup
				mu    sync.Mutex
				got   = map[toolerr.Code]int{}
			)
			for range 12 {
				calls.Go(func() {
					out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_customer", Arguments: json.RawMessage(answered["get_customer"])}))
					mu.Lock()
					defer mu.Unlock()
					got[toolerr.CodeOf(out.AsError())]++
				})
			}
			calls.Wait()
			assert.Equal(t, map[toolerr.Code]int{toolerr.CodeInternal: 3, toolerr.CodePermissionDenied: 4, "": 5}, got)
		})
	}
}

func TestFault_ToolNames(t *testing.T) {
	t.Parallel()
	session := testutil.ConnectTo(t, transports["stdio"](t), nil)
	var got []string
	for tool, err := range session.Tools(t.Context(), nil) {
		require.NoError(t, err)
		got = append(got, tool.Name)
	}
	assert.ElementsMatch(t, tools, got)
}
