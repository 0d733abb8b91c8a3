package testutil_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A work is something that a caller, an upstream or a server may make large.
type work struct {
	n    int                                // how large, at the least
	make func(n int) (size int, run func()) // size in bytes
	most uint64                             // bytes that may be allocated for each byte of it
}

var works = map[string]work{
	"Parse, a flagged text":           {5 << 20, flagged("not found ", ""), 1},
	"Parse, a flagged list":           {5 << 20, flagged(`1,`, `{"error":[`), 1},
	"Parse, flagged brackets":         {1 << 20, flagged(`[`, ""), 1},
	"Parse, flagged braces and texts": {1 << 20, flagged(`{"a":`, ""), 1},
	"Parse, flagged envelopes":        {1 << 20, flagged(`{"isError":true,"message":"m"} `, ""), 1},
	"Parse, flagged backslashes":      {1 << 20, flagged(`\`, `{"message":"`), 1},
	"Parse, lines":                    {1 << 20, flagged("error: \n", ""), 1},
	"Parse, data of one text":         {5 << 20, unflagged(`word `, ""), 1},
	"Parse, data of many members":     {1 << 20, unflagged(`{"ok":true},`, `{"rows":[`), 30},
	"From, a text": {10 << 20, func(n int) (int, func()) {
		err := errors.New(strings.Repeat("connection refused: ", n/20))
		return n, func() { _ = toolerr.From(err).AppendJSON(nil) }
	}, 1},
	"From, a join": {20_000, func(n int) (int, func()) {
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
	"With, details": {25_000, func(n int) (int, func()) {
		details := map[string]any{}
		for i := range n {
			details[fmt.Sprint("member", i)] = i
		}
		e := toolerr.Business("m").WithDetails(details)
		return 20 * n, func() {
			for range 10 {
				e = e.WithHint("h")
			}
			_ = e.AppendJSON(nil)
		}
	}, 1},
	"With, lists": {25_000, func(n int) (int, func()) {
		options, texts, attempts := make([]any, n), make([]string, n), make([]toolerr.Attempt, n)
		for i := range n {
			options[i], texts[i], attempts[i] = i, fmt.Sprint(i), toolerr.Attempt{Tool: "t", Arguments: map[string]any{"i": i}}
		}
		e := toolerr.Business("m").WithOptions(options...).WithSuggestions(texts...).WithAlternatives(texts...).WithAttempted(attempts...)
		return 200 * n, func() {
			for range 10 {
				e = e.WithHint("h")
			}
			_ = e.AppendJSON(nil)
		}
	}, 1},
	"Report": {12_500, func(n int) (int, func()) {
		return 100 * n, func() {
			var r handoff.Report
			for i := range n {
				r.Add("t", map[string]any{"i": i, "text": "some words of an argument, a hundred bytes of them, so that an entry has the size that is said"}, context.DeadlineExceeded)
			}
			_ = r.Failure("m").AppendJSON(nil)
		}
	}, 90},
	"NotFound": {25_000, func(n int) (int, func()) {
		known := make([]string, n)
		for i := range known {
			known[i] = fmt.Sprint("some_name_", i)
		}
		return 15 * n, func() { _ = toolerr.NotFound("name", "some_nam_7", known...) }
	}, 10},
	"schema, a pattern": {100 << 10, func(n int) (int, func()) {
		pattern := strings.Repeat("(a|b)?", n/6)
		raw := json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"idempotency_key":{"type":"string","pattern":%q}}}`, pattern))
		return n, func() {
			s := schema.Read(raw)
			_, _ = s.Validate(json.RawMessage(`{"idempotency_key":"` + strings.Repeat("a", 1000) + `"}`))
			_ = retry.SafetyOf(&mcp.Tool{Name: "t", InputSchema: raw})
		}
	}, 20},
	"schema, many values": {100_000, func(n int) (int, func()) {
		raw := json.RawMessage(`{"type":"object","properties":{"rows":{"type":"array","uniqueItems":true,"items":{"type":"integer","maximum":5}}}}`)
		arguments := json.RawMessage(`{"rows":[` + strings.Repeat("1,", n) + `7]}`)
		return 2 * n, func() { _, _ = schema.Read(raw).Validate(arguments) }
	}, 80},
	"Middleware, arguments": {250_000, func(n int) (int, func()) {
		arguments := json.RawMessage(`{"rows":["` + strings.Repeat(`some text","`, n/12) + `"]}`)
		handle := result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)})(func(context.Context, string, mcp.Request) (mcp.Result, error) {
			return nil, fmt.Errorf("open some text: %w", context.DeadlineExceeded)
		})
		req := &mcp.ServerRequest[*mcp.CallToolParamsRaw]{Params: &mcp.CallToolParamsRaw{Name: "t", Arguments: arguments}}
		return n, func() { _, _ = handle(context.Background(), "tools/call", req) }
	}, 60},
}

type link struct{ error }

func (l link) Unwrap() error { return l.error }

func flagged(unit, head string) func(int) (int, func()) {
	return func(n int) (int, func()) {
		text := head + strings.Repeat(unit, n/len(unit))
		return n, func() {
			out := result.Parse(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil)
			_ = out.Err.AppendJSON(nil)
		}
	}
}

func unflagged(unit, head string) func(int) (int, func()) {
	return func(n int) (int, func()) {
		text := head + strings.Repeat(unit, n/len(unit))
		if head != "" {
			text += `{}]}`
		}
		return n, func() {
			_ = result.Parse(&mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil).Kind
		}
	}
}

// What is large costs in proportion: no more memory for a byte than is said, and for four
// times as much no more than four times as much.
func TestWork_InProportion(t *testing.T) { //nolint:paralleltest // it measures memory
	const fixed = 2 << 20 // chosen: more than the bounds of any walk take
	for name, w := range works {
		var bytes [3]uint64
		for i := range bytes {
			size, run := w.make(w.n << i)
			run() // tables
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			run()
			runtime.ReadMemStats(&after)
			bytes[i] = after.TotalAlloc - before.TotalAlloc
			assert.LessOrEqual(t, bytes[i], fixed+w.most*uint64(size), "%s: bytes for %d", name, size)
		}
		t.Logf("%-34s %9d %9d %9d KB", name, bytes[0]>>10, bytes[1]>>10, bytes[2]>>10)
		assert.LessOrEqual(t, bytes[2], 5*bytes[0]+fixed, "%s: bytes for n and for 4n", name)
	}
}
