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

// acts are what a literal agent does after a hint. It fails on a hint that it does not know.
var acts = []struct {
	hint *regexp.Regexp
	act  string
}{
	{regexp.MustCompile(`^Check (with \w+ )?whether the call took effect\. .* make the call with another ` +
		`idempotency_key\.$`), "look, else another key"},
	{
		regexp.MustCompile(`^Before calling again, check .* send the same arguments with another key\.$`),
		"look, else another key",
	},
	{regexp.MustCompile(`^Before calling again, check`), "look, else the same"},
	{
		regexp.MustCompile(`^Send the same arguments with \w+ set to idempotencyKey; it takes effect only once\.$`),
		"the same key",
	},
	{regexp.MustCompile(`^Check (with \w+ )?which items from partial\.continueFrom on were done; call again (with ` +
		`continue_from set to|from) the first that was not\.$`), "look at the item"},
	{regexp.MustCompile(`^Call again (with continue_from set to|from) partial\.continueFrom`), "continue"},
	{regexp.MustCompile(`^Do not repeat it; look up what was done`), "look"},
	{regexp.MustCompile(`^(This was retried already|Do not repeat it now|Wait, then retry the same call)`), "again"},
}

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
	create := func(_ context.Context, _ *mcp.CallToolRequest, in orderIn) (res, mails, error) { //nolint:unparam // one
		return nil, mails{Sent: []string{in.Order}}, d.work(in.Order)
	}
	type plainIn struct {
		Order string `json:"order"`
	}
	idempotency.AddTool(server, &mcp.Tool{Name: "create"}, &idempotency.Options{Store: new(idempotency.MemoryStore)},
		create)
	result.AddTool(server, &mcp.Tool{Name: "plain"},
		func(ctx context.Context, req *mcp.CallToolRequest, in plainIn) (*mcp.CallToolResult, mails, error) {
			return create(ctx, req, orderIn{Order: in.Order})
		})
	result.AddTool(server, &mcp.Tool{Name: "mail"},
		func(_ context.Context, _ *mcp.CallToolRequest, in mailIn) (*mcp.CallToolResult, mails, error) {
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
		func(_ context.Context, _ *mcp.CallToolRequest, in findIn) (*mcp.CallToolResult, mails, error) {
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
	type caller func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision)
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

// obey makes a call, and does what the hints say until the work is done.
func obey( //nolint:gocognit // one case for each act
	t *testing.T, what string, d *desk, call func(context.Context, *mcp.CallToolParams) (result.Outcome, retry.Decision),
	tool string,
) {
	t.Helper()
	const order = "ORD-48291"
	arguments, units := map[string]any{"order": order}, []string{order}
	if tool == "mail" {
		arguments, units = map[string]any{"batch": order}, []string{order + "/1", order + "/2", order + "/3"}
	}
	isDone := func(unit string) bool {
		out, _ := call(t.Context(), &mcp.CallToolParams{Name: "find", Arguments: map[string]any{"order": unit, "of": order}})
		return out.Kind == result.KindData
	}
	log := ""
	ended := false
	for turn := 0; turn < 12 && !ended; turn++ {
		out, _ := call(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: arguments})
		if ended = out.AsError() == nil; ended {
			break
		}
		act := ""
		for _, known := range acts {
			if known.hint.MatchString(out.Err.Hint) {
				act = known.act
				break
			}
		}
		log += fmt.Sprintf("\n\t%s: %s", act, out.Err.Hint)
		switch item := 0; act {
		case "look, else another key", "look, else the same":
			if tool == "mail" { // a batch without a part: the first item is in doubt
				if isDone(units[0]) {
					arguments["continue_from"] = 2
				}
				continue
			}
			if ended = isDone(order); !ended && act == "look, else another key" {
				arguments["idempotency_key"] = fmt.Sprint("key-", turn)
			}
		case "the same key":
			arguments["idempotency_key"] = out.Err.IdempotencyKey
		case "look at the item", "continue":
			_, err := fmt.Sscan(fmt.Sprint(out.Err.Partial.ContinueFrom), &item)
			require.NoError(t, err, what)
			if act == "look at the item" && isDone(units[item-1]) {
				item++
			}
			if arguments["continue_from"] = item; item > mailCount {
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
