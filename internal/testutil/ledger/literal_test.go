package ledger_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// acts are what a literal agent does after a hint: the first that matches. It fails on a hint that it does not know.
var acts = []struct{ hint, act string }{
	{`^Check whether the call took effect\. .* make the call with another idempotency_key\.$`, anotherKey},
	{`^Before calling again, check .* send the same arguments with another key\.$`, anotherKey},
	{`^Before calling again, check`, "look, else the same"},
	{`^Send the same arguments with \w+ set to idempotencyKey; it takes effect only once\.$`, "the same key"},
	{`^Check which items .* done; call again from the first that was not\.$`, item},
	{`^Call again from partial\.continueFrom`, "continue"},
	{`^Do not repeat it; look up what was done`, "look"},
	{`^(This was retried already|Do not repeat it now|Wait, then retry the same call)`, "again"},
}

const anotherKey, item = "look, else another key", "look at the item"

// A desk is a server for literal agents: the first runs of each tool fail, some after the work, as lost replies do.
type desk struct {
	mu    sync.Mutex
	done  map[string]int
	fates []string // of the next runs: "before", "after", "busy", or "" for success
}

func (d *desk) work(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	fate := ""
	if len(d.fates) > 0 {
		fate, d.fates = d.fates[0], d.fates[1:]
	}
	if fate == "" || fate == "after" {
		d.done[name]++
	}
	switch fate {
	case "before", "after":
		return toolerr.From(context.DeadlineExceeded).WithMessage("No reply.")
	case "busy":
		return toolerr.RateLimited("Busy.", 0)
	}
	return nil
}

type (
	orderIn struct {
		Order string `json:"order"`
		Key   string `json:"idempotency_key,omitempty"`
	}
	mailIn struct {
		Batch string `json:"batch"`
		From  int    `json:"continue_from,omitempty"`
	}
	findIn struct {
		Order string `json:"order"`
		Of    string `json:"of"` // the order or batch that it belongs to
	}
	mails struct {
		Sent []string `json:"sent"`
	}
)

const mailCount = 3

// serve returns a server with a keyed tool, one without a key, the batch of PARTIAL.md, and a look-up.
func (d *desk) serve() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	type res = *mcp.CallToolResult
	type plainIn struct {
		Order string `json:"order"`
	}
	keys := &idempotency.Options{Store: new(idempotency.MemoryStore)}
	idempotency.AddTool(server, &mcp.Tool{Name: "create"}, keys,
		func(_ context.Context, _ *mcp.CallToolRequest, in orderIn) (res, mails, error) {
			return nil, mails{Sent: []string{in.Order}}, d.work(in.Order)
		})
	result.AddTool(server, &mcp.Tool{Name: "plain"},
		func(_ context.Context, _ *mcp.CallToolRequest, in plainIn) (res, mails, error) {
			return nil, mails{Sent: []string{in.Order}}, d.work(in.Order)
		})
	result.AddTool(server, &mcp.Tool{Name: "mail"},
		func(_ context.Context, _ *mcp.CallToolRequest, in mailIn) (res, mails, error) {
			var out mails
			for item := max(in.From, 1); item <= mailCount; item++ {
				if err := d.work(fmt.Sprint(in.Batch, "/", item)); err != nil {
					raw, _ := json.Marshal(out)
					return nil, mails{}, toolerr.From(err).
						WithPartial(&toolerr.Partial{Processed: len(out.Sent), Total: mailCount, ContinueFrom: item, Results: raw})
				}
				out.Sent = append(out.Sent, fmt.Sprint(item))
			}
			return nil, out, nil
		})
	result.AddTool(server, &mcp.Tool{Name: "find", Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(_ context.Context, _ *mcp.CallToolRequest, in findIn) (res, mails, error) {
			if d.count(in.Order) == 0 {
				return result.Empty("Nothing was found.", nil), mails{}, nil
			}
			return nil, mails{Sent: []string{in.Order}}, nil
		})
	return server
}

func (d *desk) count(name string) int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.done[name]
}

// TestLiteral lets agents obey each hint word by word: none does the work twice, and none is stuck.
func TestLiteral(t *testing.T) {
	t.Parallel()
	for _, tool := range []string{"create", "plain", "mail"} {
		for _, kind := range []string{"Client", "Client with a Guard", "session with a Guard", "bare session"} {
			for _, fates := range [][]string{
				{"before"},
				{"after"},
				{"before", "before"},
				{"before", "after"},
				{"busy"},
				{"", "after"},
				{"", "before"},
				{"", "busy"},
				{"before", "", "after"},
			} {
				d := &desk{done: map[string]int{}, fates: fates}
				server := d.serve()
				guarded := retry.Policy{Guard: new(retry.Guard), MaxAttempts: 2, MaxDelay: -1}
				client := &retry.Client{Safety: retry.SafetyOf, Policy: retry.Policy{MaxAttempts: 2, MaxDelay: -1}}
				client.Connect = func(context.Context) (retry.ClientSession, error) { return testutil.Connect(t, server, nil), nil }
				call := caller(client.CallTool)
				switch kind {
				case "Client with a Guard":
					client.Policy = guarded
				case "session with a Guard":
					call = func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
						return retry.CallTool(ctx, guarded, client.AsSession(), p)
					}
				case "bare session":
					session := testutil.Connect(t, server, nil)
					call = func(ctx context.Context, p *mcp.CallToolParams) (result.Outcome, retry.Decision) {
						return result.Parse(session.CallTool(ctx, p)), retry.Decision{}
					}
				}
				obey(t, fmt.Sprintf("%s by %s: %q", tool, kind, fates), d, call, tool)
				_ = client.Close()
			}
		}
	}
}

type caller func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision)

// obey makes a call, and does what the hints say until the work is done.
func obey(t *testing.T, what string, d *desk, call caller, tool string) { //nolint:gocognit // one case for each act
	t.Helper()
	const order = "ORD-48291"
	arguments, units := map[string]any{"order": order}, []string{order}
	if tool == "mail" {
		arguments, units = map[string]any{"batch": order}, []string{order + "/1", order + "/2", order + "/3"}
	}
	isDone := func(unit string) bool {
		params := &mcp.CallToolParams{Name: "find", Arguments: map[string]any{"order": unit, "of": order}}
		out, _ := call(t.Context(), params)
		return out.Kind == result.KindData
	}
	log, ended := "", false
	for turn := 0; turn < 12 && !ended; turn++ {
		out, _ := call(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if ended = out.AsError() == nil; ended {
			break
		}
		act := ""
		for _, known := range acts {
			if act == "" && regexp.MustCompile(known.hint).MatchString(out.Err.Hint) {
				act = known.act
			}
		}
		log += fmt.Sprintf("\n\t%s: %s", act, out.Err.Hint)
		switch from := 0; act {
		case anotherKey, "look, else the same":
			if tool == "mail" { // a batch without a part: the first item is in doubt
				if isDone(units[0]) {
					arguments["continue_from"] = 2
				}
				continue
			}
			if ended = isDone(order); !ended && act == anotherKey {
				arguments["idempotency_key"] = fmt.Sprint("key-", turn)
			}
		case "the same key":
			arguments["idempotency_key"] = out.Err.IdempotencyKey
		case item, "continue":
			_, err := fmt.Sscan(fmt.Sprint(out.Err.Partial.ContinueFrom), &from)
			require.NoError(t, err, what)
			if act == item && isDone(units[from-1]) {
				from++
			}
			if arguments["continue_from"] = from; from > mailCount {
				ended = true
			}
		case "look":
			ended = isDone(order)
		case "":
			assert.Fail(t, "a hint without an act", "%s:%s", what, log)
			return
		}
	}
	for _, unit := range units {
		assert.Equal(t, 1, d.count(unit), "%s: %s%s", what, unit, log)
	}
	assert.True(t, ended, "%s: stuck%s", what, log)
}
