package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// clientPaths returns the paths of a client whose session answers at once.
func clientPaths() []path {
	ctx := context.Background()
	rows := make([]string, 40)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"id":"ORD-%04d","customer":"CUS-%05d","status":"shipped","amount":%d.50,"currency":"EUR"}`, i,
			7*i, 40+i)
	}
	word := answers{res: result.OK("Refunded.")}
	sentence := answers{res: result.OK("The order was refunded to the customer's card.")}
	object := answers{res: result.OK(json.RawMessage(`{"orders":[` + strings.Join(rows, ",") + `],"total":40}`))}
	denied := answers{res: result.Failure(toolerr.Permission("Refunds above 500 EUR need the role of a supervisor.").
		WithHint("Ask the user to sign in as a supervisor.").WithCorrelationID("req-4711"))}
	client := func(session answers) *retry.Client {
		return &retry.Client{Connect: func(context.Context) (retry.ClientSession, error) { return session, nil }}
	}
	calls := func(session answers, policy retry.Policy) func() error {
		return func() error { return succeeded(retry.CallTool(ctx, policy, session, params)) }
	}
	read := func(session answers, ours bool) func() error {
		return func() error {
			res, err := (*mcp.CallToolResult)(nil), error(nil)
			if ours {
				out, _ := retry.CallTool(ctx, retry.Policy{}, session, params)
				res, err = out.Result, out.AsError()
			} else {
				res, err = send(ctx, session)
			}
			if err != nil || res.IsError {
				return errFailed
			}
			var orders struct {
				Orders []struct {
					ID, Customer, Status, Currency string
					Amount                         float64
				}
				Total int
			}
			text := res.Content[0].(*mcp.TextContent).Text //nolint:errcheck,forcetypeassert // it is one
			return json.Unmarshal([]byte(text), &orders)
		}
	}
	shared := client(word)
	return []path{
		{name: "client: CallTool", floor: byHand(ctx, word), ours: calls(word, retry.Policy{})},
		{name: "client: CallTool, a sentence", floor: byHand(ctx, sentence), ours: calls(sentence, retry.Policy{})},
		{name: "client: CallTool, 4 KB of JSON", floor: byHand(ctx, object), ours: calls(object, retry.Policy{})},
		{name: "client: CallTool, 4 KB of JSON that is decoded", floor: read(object, false), ours: read(object, true)},
		{
			name: "client: CallTool, keyed", floor: byHandKeyed(ctx, word),
			ours: calls(word, retry.Policy{Safety: retry.SafetyKeyed}),
		},
		{
			name: "client: Client.CallTool", floor: byHandShared(ctx, word),
			ours: func() error { return succeeded(shared.CallTool(ctx, params)) },
		},
		{name: "client: CallTool, permission", floor: func() error {
			res, err := send(ctx, denied)
			return switchByHand(res, err)
		}, ours: func() error {
			_, d := retry.CallTool(ctx, retry.Policy{}, denied, params)
			return reauthorizes(d)
		}},
		{
			name: "client: Parse and Decide, permission", floor: func() error { return switchByHand(denied.res, nil) },
			ours: func() error {
				return reauthorizes(retry.Policy{}.Decide(result.Parse(denied.res, nil), retry.State{}))
			},
		},
		{name: "client: Do", floor: func() error {
			_, err := lookUp(ctx)
			return err
		}, ours: func() error {
			_, err := retry.Do(ctx, retry.Policy{}, lookUp)
			return err
		}},
	}
}

// The parameters of the calls.
var (
	arguments = map[string]any{"order_id": "ORD-7", "amount": 40}
	params    = &mcp.CallToolParams{Name: "process_refund", Arguments: arguments}
)

// send makes an attempt that may be repeated: it sends a copy of the params, with the attempt's
// number and a random id for the call.
func send(ctx context.Context, session retry.Session) (*mcp.CallToolResult, error) {
	return sendCopy(ctx, session, maps.Clone(arguments))
}

func sendCopy(ctx context.Context, session retry.Session, arguments map[string]any) (*mcp.CallToolResult, error) {
	p := *params
	p.Meta = mcp.Meta{"attempt": 1, "call": rand.Text()}
	p.Arguments = arguments
	return session.CallTool(ctx, &p)
}

var errFailed = errors.New("the call failed")

// accept returns an error unless the call succeeded.
func accept(res *mcp.CallToolResult, err error) error {
	if err != nil || res.IsError {
		return errFailed
	}
	return nil
}

func byHand(ctx context.Context, session retry.Session) func() error {
	return func() error { return accept(send(ctx, session)) }
}

// byHandKeyed adds an idempotency key of 128 random bits to the arguments.
func byHandKeyed(ctx context.Context, session retry.Session) func() error {
	return func() error {
		var key [16]byte
		_, _ = rand.Read(key[:])
		keyed := maps.Clone(arguments)
		keyed["idempotency_key"] = hex.EncodeToString(key[:])
		return accept(sendCopy(ctx, session, keyed))
	}
}

// byHandShared shares a session, and makes each call in a goroutine of its own, because the SDK
// ignores the context while it writes to a server that does not read.
func byHandShared(ctx context.Context, session retry.Session) func() error {
	type reply struct {
		res *mcp.CallToolResult
		err error
	}
	var mu sync.Mutex
	life, cancel := context.WithCancel(ctx)
	_ = cancel // lives as long as the program
	return func() error {
		mu.Lock()
		current := session
		mu.Unlock()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(life, cancel)()
		replied := make(chan reply, 1)
		go func() {
			res, err := send(ctx, current)
			replied <- reply{res, err}
		}()
		select {
		case r := <-replied:
			return accept(r.res, r.err)
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// switchByHand reads an envelope and decides what to do from its members.
func switchByHand(res *mcp.CallToolResult, err error) error {
	if err != nil || !res.IsError || len(res.Content) == 0 {
		return errFailed
	}
	text, ok := res.Content[0].(*mcp.TextContent)
	if !ok {
		return errFailed
	}
	var envelope struct {
		ErrorCategory, Message, Code, Hint, CustomerMessage, Effect, CorrelationID string
		IsRetryable                                                                bool
		RetryAfterMs                                                               int64
	}
	if err := json.Unmarshal([]byte(text.Text), &envelope); err != nil {
		return err
	}
	switch {
	case envelope.IsRetryable, envelope.Effect == "unknown":
		return errFailed
	case envelope.ErrorCategory == "permission":
		return nil
	}
	return errFailed
}

func succeeded(out result.Outcome, _ retry.Decision) error {
	if out.Kind != result.KindData {
		return out.AsError()
	}
	return nil
}

func reauthorizes(d retry.Decision) error {
	if d.Action != retry.ActionReauthorize {
		return fmt.Errorf("%v: %s", d.Action, d.Reason)
	}
	return nil
}

// lookUp is a function that succeeds at once.
var lookUp = func(context.Context) (int, error) { return 42, nil }

// answers is a session that answers every call with the same result.
type answers struct{ res *mcp.CallToolResult }

func (a answers) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return a.res, nil
}

func (a answers) ListTools(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) {
	return &mcp.ListToolsResult{}, nil
}

func (a answers) InitializeResult() *mcp.InitializeResult {
	return &mcp.InitializeResult{ServerInfo: &mcp.Implementation{Name: "orders", Version: "1"}}
}
func (a answers) Ping(context.Context, *mcp.PingParams) error { return nil }
func (a answers) Wait() error                                 { select {} }
func (a answers) Close() error                                { return nil }
