// Package growth measures how much work it takes to process inputs that others choose. The work
// must not grow faster than the size of the input.
package growth

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/redact"
	"github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/internal/toolinfo"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A Work processes an input that a caller, an upstream or a server may make large.
type Work struct {
	N    int                                // the smallest size measured for memory
	Make func(n int) (size int, run func()) // the size is in bytes
	Most uint64                             // the most bytes allocated for each byte of it, beyond 2 MiB
}

// Works maps names to works.
var Works = map[string]Work{
	"Parse, a flagged text":           {2 << 20, parse(true, "not found ", "", ""), 1},
	"Parse, a flagged list":           {2 << 20, parse(true, `1,`, `{"error":[`, ""), 1},
	"Parse, flagged brackets":         {1 << 20, parse(true, `[`, "", ""), 1},
	"Parse, flagged braces and texts": {1 << 20, parse(true, `{"a":`, "", ""), 1},
	"Parse, flagged envelopes":        {1 << 20, parse(true, `{"isError":true,"message":"m"} `, "", ""), 1},
	"Parse, flagged backslashes":      {1 << 20, parse(true, `\`, `{"message":"`, ""), 1},
	"Parse, lines":                    {1 << 20, parse(true, "error: \n", "", ""), 1},
	"Parse, data of one text":         {2 << 20, parse(false, `word `, "", ""), 1},
	"Parse, data of many members":     {1 << 20, parse(false, `{"ok":true},`, `{"rows":[`, `{}]}`), 30},
	"FromText, repeated pieces": {8000, func(n int) (int, func()) { // up to 4 KB of each are read
		pieces := strings.Split("not found, |(|\"|'a |a\"b |error: |NOT_FOUND |no no |429 |503 of |https://x/ |/a/b "+
			"|/|认证失败|接続|요청 |"+
			"retry after 1 |a/b.c|<a b>|l'x |x_|aB_c |'a b' |error 'a b|x|aB|A|wait for 9|rate limit exceeded for the "+
			"|timeout |is |{\"|\\|- |\n|…", "|")
		return n * len(pieces), func() {
			for _, piece := range pieces {
				_ = toolerr.FromText(strings.Repeat(piece, n/len(piece)))
			}
		}
	}, 30},
	"Mask, repeated pieces": {1 << 16, func(n int) (int, func()) {
		pieces := strings.Split("=|:|a=|a:\\\"|token=[|key=[|a://|x@a/|-----BEGIN PRIVATE KEY-|-|--a |sk-|ey.ey|bearer |"+
			"cookie|\\|key='|a b c d=|\xff|?key=|a&b", "|")
		return n * len(pieces), func() {
			for _, piece := range pieces {
				_ = redact.Mask(strings.Repeat(piece, n/len(piece)))
			}
		}
	}, 30},
	"From, a text": {4 << 20, func(n int) (int, func()) {
		err := errors.New(strings.Repeat("connection refused: ", n/20))
		return n, func() { _ = toolerr.From(err).AppendJSON(nil) }
	}, 1},
	"From, a join": {12_000, func(n int) (int, func()) {
		list := make([]error, n)
		for i := range list {
			list[i] = fmt.Errorf("row %d: %w", i, context.DeadlineExceeded)
		}
		err := errors.Join(list...)
		return 40 * n, func() { _ = toolerr.From(err).AppendJSON(nil) }
	}, 1},
	"From, a chain": {20_000, func(n int) (int, func()) {
		err := error(context.DeadlineExceeded)
		for range n {
			err = link{err}
		}
		return 40 * n, func() { _ = toolerr.From(err).AppendJSON(nil) }
	}, 1},
	"From, a tree": {1 << 12, func(n int) (int, func()) {
		err := error(context.DeadlineExceeded)
		for size := 1; size < n; size *= 2 {
			err = errors.Join(err, err)
		}
		return 40 * n, func() { _ = toolerr.From(err).AppendJSON(nil) }
	}, 1},
	"With, lists and details": {25_000, func(n int) (int, func()) {
		options, texts, attempts, details := make([]any, n), make([]string, n), make([]toolerr.Attempt, n), map[string]any{}
		for i := range n {
			details[fmt.Sprint("member", i)] = i
			options[i], texts[i], attempts[i] = i, fmt.Sprint(i), toolerr.Attempt{Tool: "t", Arguments: map[string]any{"i": i}}
		}
		e := toolerr.Business("m").WithOptions(options...).WithSuggestions(texts...).WithAlternatives(texts...).
			WithAttempted(attempts...).WithDetails(details)
		return 200 * n, func() {
			for range 10 {
				e = e.WithHint("h")
			}
			_ = e.AppendJSON(nil)
		}
	}, 1},
	"Report": {1_200, repeat(func(r *handoff.Report, i int) {
		r.Add("t", map[string]any{"i": i, "text": "some words of an argument, a hundred bytes of them, so that an entry " +
			"has the size that is said"}, context.DeadlineExceeded)
	}, func(r *handoff.Report) { _ = r.Failure("m").AppendJSON(nil) }), 90},
	"Result, blocks": {4_096, repeat(func(res *mcp.CallToolResult, i int) {
		res.IsError, res.Content = true, append(res.Content, &mcp.TextContent{Text: fmt.Sprint("error: row ", i)})
	}, func(res *mcp.CallToolResult) { _ = result.Parse(res, nil).Text() }), 10},
	"CallToolResult, blocks": {4_096, func(n int) (int, func()) {
		res := &mcp.CallToolResult{IsError: true}
		for i := range n {
			res.Content = append(res.Content, &mcp.TextContent{Text: fmt.Sprintf("failure of row %08d", i)})
		}
		out := result.Parse(res, nil)
		return 60 * n, func() { _ = out.CallToolResult() }
	}, 20},
	"Parse, items": {15 << 10, parse(false, `{"id":1,"error":"gone"},`, `[{"id":2,"a":1,"b":2},`, `{}]`), 10},
	"List, tools": {2_500, repeat(func(list *mcp.ListToolsResult, i int) {
		list.Tools = append(list.Tools, &mcp.Tool{Name: fmt.Sprint(i)})
	}, func(list *mcp.ListToolsResult) {
		_, _ = toolinfo.List(context.Background(),
			func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error) { return list, nil })
	}), 10},
	"Claim, users": {2_500, repeat(func(s *idempotency.MemoryStore, i int) {
		_, _ = s.Claim(context.Background(),
			idempotency.Request{ID: fmt.Sprint(i), Principal: fmt.Sprint(i), Owner: "o", Lease: 1e9})
	}, func(*idempotency.MemoryStore) {}), 20},
	"CallTool, sessions": {100, repeat(func(g *retry.Guard, i int) {
		_, _ = retry.CallTool(context.Background(), retry.Policy{Guard: g, Logger: slog.New(slog.DiscardHandler)}, session(i),
			&mcp.CallToolParams{Name: "t"})
	}, func(*retry.Guard) {}), 200},
	"CallTool, attempts": {1_200, func(n int) (int, func()) {
		p := retry.Policy{MaxAttempts: n, BaseDelay: -1, Safety: retry.SafetyReadOnly, Logger: slog.New(slog.DiscardHandler)}
		return 100 * n, func() { _, _ = retry.CallTool(context.Background(), p, session(0), &mcp.CallToolParams{Name: "t"}) }
	}, 40},
	"Resume, parts": {240, func(n int) (int, func()) {
		call := func(_ context.Context, params *mcp.CallToolParams) (result.Outcome, retry.Decision) {
			from, _ := params.Arguments.(map[string]any)["from"].(int)
			e := toolerr.Transient("m").WithPartial(&toolerr.Partial{
				Processed: from + 1, Total: n, Results: json.RawMessage(`["an item"]`), ContinueFrom: min(from+1, n-1),
			})
			return result.Outcome{Kind: result.KindPartial, Err: e}, retry.Decision{Action: retry.ActionFixInput}
		}
		return 100 * n, func() {
			_, _ = retry.Resume(context.Background(), call, &mcp.CallToolParams{Arguments: map[string]any{}}, "from")
		}
	}, 40},
	"NotFound": {25_000, func(n int) (int, func()) {
		known := make([]string, n)
		for i := range known {
			known[i] = fmt.Sprint("some_name_", i)
		}
		return 15 * n, func() { _ = toolerr.NotFound("name", "some_nam_7", known...) }
	}, 10},
	"schema, a pattern": {100 << 10, func(n int) (int, func()) {
		pattern := strings.Repeat("(a|b)?", n/6)
		raw := json.RawMessage(fmt.Sprintf(
			`{"type":"object","properties":{"idempotency_key":{"type":"string","pattern":%q}}}`, pattern))
		return n, func() {
			s := schema.Read(raw)
			_, _ = s.Validate(json.RawMessage(`{"idempotency_key":"` + strings.Repeat("a", 1000) + `"}`))
			_ = retry.SafetyOf(&mcp.Tool{Name: "t", InputSchema: raw})
		}
	}, 20},
	"schema, many values": {50_000, func(n int) (int, func()) {
		raw := json.RawMessage(`{"type":"object","properties":{"rows":{"type":"array","uniqueItems":true,` +
			`"items":{"type":"integer","maximum":5}}}}`)
		arguments := json.RawMessage(`{"rows":[` + strings.Repeat("1,", n) + `7]}`)
		return 2 * n, func() { _, _ = schema.Read(raw).Validate(arguments) }
	}, 80},
	"Middleware, users with tools": {300, func(n int) (int, func()) {
		handle := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)})(func(_ context.Context,
			method string, req mcp.Request,
		) (mcp.Result, error) {
			if method != "tools/list" {
				return nil, context.DeadlineExceeded
			}
			return &mcp.ListToolsResult{Tools: []*mcp.Tool{{
				Name: "tool of " + req.GetExtra().TokenInfo.UserID, InputSchema: map[string]any{"type": "object"},
			}}}, nil
		})
		return 1000 * n, func() {
			for i := range n {
				user := fmt.Sprint(i)
				_, _ = handle(context.Background(), "tools/call", &mcp.CallToolRequest{
					Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: "tool of " + user},
					Extra: &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}},
				})
			}
		}
	}, 20},
	"Middleware, arguments": {120_000, func(n int) (int, func()) {
		arguments := json.RawMessage(`{"rows":["` + strings.Repeat(`some text","`, n/12) + `"]}`)
		handle := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)})(func(context.Context,
			string, mcp.Request,
		) (mcp.Result, error) {
			return nil, fmt.Errorf("open some text: %w", context.DeadlineExceeded)
		})
		req := &mcp.ServerRequest[*mcp.CallToolParamsRaw]{Params: &mcp.CallToolParamsRaw{Name: "t", Arguments: arguments}}
		return n, func() { _, _ = handle(context.Background(), "tools/call", req) }
	}, 60},
}

// repeat returns the Make of a work that adds n items, taken as 100 bytes each, and calls end.
func repeat[T any](add func(to *T, i int), end func(*T)) func(int) (int, func()) {
	return func(n int) (int, func()) {
		return 100 * n, func() {
			v := new(T)
			for i := range n {
				add(v, i)
			}
			end(v)
		}
	}
}

// A session fails every call; the call may have taken effect.
type session int

// CallTool fails at once.
func (session) CallTool(context.Context, *mcp.CallToolParams) (*mcp.CallToolResult, error) {
	return nil, context.DeadlineExceeded
}

type link struct{ error }

func (l link) Unwrap() error { return l.error }

// parse returns the Make of a work that reads an answer: head, unit again and again, and tail.
func parse(isError bool, unit, head, tail string) func(int) (int, func()) {
	return func(n int) (int, func()) {
		res := &mcp.CallToolResult{
			IsError: isError, Content: []mcp.Content{&mcp.TextContent{Text: head + strings.Repeat(unit, n/len(unit)) + tail}},
		}
		return n, func() {
			if out := result.Parse(res, nil); out.Err != nil {
				_ = out.Err.AppendJSON(nil)
			}
		}
	}
}
