package idempotency_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// busy is the shape of a refusal for the moment.
const busy = "Transient none <nil> "

// shapes returns failures of every constructor, with every effect, part and flag.
func shapes() map[string]error {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", classify.ErrRefused)}
	part := &toolerr.Partial{Processed: 2, Total: 3, ContinueFrom: "c"}
	all := map[string]error{
		"bare": errors.New("bare"), "bare secret": errSecret, "by rule": errSoldOut, "bare refused": refused, "bare timeout": context.DeadlineExceeded,
		"wrapped":             fmt.Errorf("at the bank: %w", toolerr.RateLimited("m", 0)),
		"literal":             &toolerr.Error{Retryable: true},
		"literal part":        &toolerr.Error{Category: toolerr.CategoryBusiness, Retryable: true, Effect: toolerr.EffectNone, Partial: part},
		"protocol":            &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "no"},
		"internal protocol":   &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "no"},
		"protocol of its own": &jsonrpc.Error{Code: -32099, Message: "no"},
	}
	for name, e := range map[string]*toolerr.Error{
		"Transient": toolerr.Transient("m"), "Validation": toolerr.Validation("m"), "Business": toolerr.Business("m"), "Permission": toolerr.Permission("m"),
		"NotFound": toolerr.NotFound("order", "7"), "RateLimited": toolerr.RateLimited("m", 0), "LimitExceeded": toolerr.LimitExceeded("m", "c"),
		"Internal": toolerr.Internal(nil), "timeout": toolerr.From(context.DeadlineExceeded), "refused": toolerr.From(refused),
	} {
		maps.Copy(all, shapesOf(name, e, part))
	}
	return all
}

// shapesOf returns an error with every effect, part and flag.
func shapesOf(name string, e *toolerr.Error, part *toolerr.Partial) map[string]error {
	all := map[string]error{}
	for _, effect := range []toolerr.Effect{"", toolerr.EffectNone, toolerr.EffectUnknown, toolerr.EffectApplied} {
		for _, p := range []*toolerr.Partial{nil, part, {Total: 3, ContinueFrom: "c"}} {
			shape := e.WithPartial(p)
			if effect != "" {
				shape = shape.WithEffect(effect)
			}
			key := fmt.Sprint(name, " ", effect, " ", p, " ")
			all[key] = shape
			if p == nil || p.Processed > 0 {
				all[key+"retryable"], all[key+"final"] = shape.WithRetryable(true), shape.WithRetryable(false)
			}
		}
	}
	return all
}

// Whatever fails: wire, store, log and counts have one effect and one flag, and a repeat with
// the key runs only if the effect is none, or with Rerun unknown. Otherwise it gets the same
// answer. A call without a key gets one, if the effect is unknown.
func TestHandler_OneEffect(t *testing.T) {
	t.Parallel()
	for kind, c := range map[string]effects{
		"keyed": {keyed: true}, "without a key": {}, "rerun": {keyed: true, rerun: true}, "without a key, rerun": {rerun: true},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			c.test(t)
		})
	}
}

// effects are a kind of tool, and whether its calls have keys.
type effects struct {
	rerun, keyed bool
}

func (c effects) test(t *testing.T) {
	t.Helper()
	var log bytes.Buffer
	var fails error
	var counted *toolerr.Error
	var stored toolerr.Effect
	var seen []string // keys, by the handler
	counts, store := new(result.Counts), newHooked()
	store.finish = func(end idempotency.Ending) error { stored = end.Effect; return nil }
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
		Logger: slog.New(slog.NewJSONHandler(&log, nil)), Counts: counts,
		OnCall: func(_ context.Context, call result.FinishedCall) { counted = call.Err },
		Rules: []toolerr.Rule{func(err error) (*toolerr.Error, bool) {
			return toolerr.Business("Sold out.").WithEffect(toolerr.EffectNone), errors.Is(err, errSoldOut)
		}},
	}))
	idempotency.AddTool(server, &mcp.Tool{Name: "charge"}, &idempotency.Options{Store: store, UpstreamDedupes: c.rerun},
		func(_ context.Context, _ *mcp.CallToolRequest, in chargeIn) (*mcp.CallToolResult, any, error) {
			seen = append(seen, in.IdempotencyKey)
			return nil, nil, fails
		})
	session := testutil.Connect(t, server, nil)
	failed := int64(0)
	for name, err := range shapes() {
		key := ""
		if c.keyed {
			key = fmt.Sprintf("%x", name)[:min(2*len(name), 255)]
		}
		fails, seen = err, nil
		log.Reset()
		first := charge(t, session, "charge", 1, key)
		require.Error(t, first.AsError(), name)
		failed++
		var record struct {
			Error struct {
				Effect    toolerr.Effect `json:"effect"`
				Retryable bool           `json:"retryable"`
			} `json:"toolerr"`
		}
		lines := bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n"))
		require.NoError(t, json.Unmarshal(lines[len(lines)-1], &record), name)
		e := first.Err
		says := fmt.Sprint(e.Effect, " ", e.Retryable)
		assert.NotEmpty(t, e.Effect, name)
		assert.Equal(t, []string{says, says}, []string{fmt.Sprint(record.Error.Effect, " ", record.Error.Retryable), fmt.Sprint(counted.Effect, " ", counted.Retryable)}, "%s: log, counts", name)
		assert.Equal(t, name == "bare refused", bytes.Contains(log.Bytes(), []byte("return toolerr.From(err)")), name)
		assert.Equal(t, e.Effect, stored, "%s: the store", name)
		assert.Equal(t, failed, total(counts), name)
		assert.NotContains(t, first.Text(), "hunter2")

		_, isProtocol := err.(*jsonrpc.Error) //nolint:errorlint // it is direct
		isUnknown, continues := e.Effect == toolerr.EffectUnknown, e.Partial != nil && e.Partial.ContinueFrom != nil
		runs := e.Effect == toolerr.EffectNone || c.rerun && isUnknown
		assert.True(t, !e.Retryable || runs && (c.keyed || e.Effect == toolerr.EffectNone), "%s: retryable in vain", name)
		assert.True(t, e.Retryable || name != busy, "%s: not retryable", name)
		assert.False(t, continues && (e.Retryable || e.IdempotencyKey != ""), "%s: the rest needs another key", name)
		if !c.keyed {
			assert.Equal(t, isUnknown && !continues && !isProtocol, e.IdempotencyKey != "", "%s: the key", name)
			assert.True(t, len(seen) == 1 && seen[0] != "" && (e.IdempotencyKey == "" || e.IdempotencyKey == seen[0]), "%s: the handler sees another key", name)
			key = seen[0]
		}
		second := charge(t, session, "charge", 1, key)
		failed++
		assert.Len(t, seen, map[bool]int{false: 1, true: 2}[runs], "%s: effect %s, and runs", name, e.Effect)
		if !runs && (c.keyed || e.IdempotencyKey != "") && !isProtocol {
			assert.Equal(t, correlation.ReplaceAllString(first.Text(), ""), correlation.ReplaceAllString(second.Text(), ""), name)
		}
	}
}

func total(counts *result.Counts) (n int64) {
	for _, c := range counts.Snapshot() {
		n += c.Count
	}
	return n
}
