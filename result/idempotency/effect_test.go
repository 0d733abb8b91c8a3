package idempotency_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
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

// shapes returns failures of every constructor, with every effect, part and flag.
func shapes() map[string]error {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", classify.ErrRefused)}
	part := &toolerr.Partial{Processed: 2, Total: 3, ContinueFrom: "c"}
	all := map[string]error{
		"bare": errors.New("bare"), "bare refused": refused, "bare timeout": context.DeadlineExceeded,
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
		for _, effect := range []toolerr.Effect{"", toolerr.EffectNone, toolerr.EffectUnknown, toolerr.EffectApplied} {
			for _, p := range []*toolerr.Partial{nil, {Total: 3, ContinueFrom: "c"}, part} {
				for _, flag := range []string{"", "retryable", "final"} {
					shape := e.WithPartial(p)
					if effect != "" {
						shape = shape.WithEffect(effect)
					}
					if flag != "" {
						shape = shape.WithRetryable(flag == "retryable")
					}
					all[fmt.Sprint(name, " ", effect, " ", p, " ", flag)] = shape
				}
			}
		}
	}
	return all
}

// A spy records the last ending.
type spy struct {
	idempotency.MemoryStore

	told idempotency.Ending
}

func (s *spy) Finish(ctx context.Context, id, owner string, end idempotency.Ending) error {
	s.told = end
	return s.MemoryStore.Finish(ctx, id, owner, end)
}

// Whatever fails: wire, store, log and counts have one effect and one flag, and a repeat with
// the key runs only if the effect is none, or with Rerun unknown. Otherwise it gets the same
// answer.
func TestHandler_OneEffect(t *testing.T) {
	t.Parallel()
	readOnly := &mcp.ToolAnnotations{ReadOnlyHint: true}
	for kind, c := range map[string]struct {
		annotations  *mcp.ToolAnnotations
		rerun, keyed bool
	}{
		"keyed": {keyed: true}, "without a key": {}, "rerun": {keyed: true, rerun: true}, "read-only": {keyed: true, annotations: readOnly},
	} {
		var log bytes.Buffer
		var counted *toolerr.Error
		var fails error
		ran, counts, store := 0, new(result.Counts), new(spy)
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
			Logger: slog.New(slog.NewJSONHandler(&log, nil)), Counts: counts,
			OnCall: func(_ context.Context, call result.FinishedCall) { counted = call.Err },
		}))
		idempotency.AddTool(server, &mcp.Tool{Name: "charge", Annotations: c.annotations}, &idempotency.Options{Store: store, Rerun: c.rerun},
			func(context.Context, *mcp.CallToolRequest, chargeIn) (*mcp.CallToolResult, any, error) {
				ran++
				return nil, nil, fails
			})
		session := testutil.Connect(t, server, nil)
		failed := int64(0)
		for shape, err := range shapes() {
			name := kind + ": " + shape
			key := ""
			if c.keyed {
				key = fmt.Sprintf("%x", shape)[:min(2*len(shape), 255)]
			}
			fails, ran = err, 0
			log.Reset()
			first := charge(t, session, "charge", 1, key)
			require.Error(t, first.AsError(), name)
			failed++
			var record struct {
				Error struct {
					Effect    toolerr.Effect `json:"effect"`
					Retryable bool           `json:"retryable"`
				} `json:"error"`
			}
			lines := bytes.Split(bytes.TrimSpace(log.Bytes()), []byte("\n"))
			require.NoError(t, json.Unmarshal(lines[len(lines)-1], &record), name)
			e := first.Err
			says := fmt.Sprint(e.Effect, " ", e.Retryable)
			assert.NotEmpty(t, e.Effect, name)
			assert.Equal(t, says, fmt.Sprint(record.Error.Effect, " ", record.Error.Retryable), "%s: the log", name)
			assert.Equal(t, says, fmt.Sprint(counted.Effect, " ", counted.Retryable), "%s: the counts", name)
			assert.Equal(t, e.Effect, store.told.Effect, "%s: the store", name)
			assert.Equal(t, failed, counts.Snapshot().Failed, name)

			runs := e.Effect == toolerr.EffectNone || c.rerun && e.Effect == toolerr.EffectUnknown
			assert.True(t, !e.Retryable || runs && (c.keyed || e.Effect == toolerr.EffectNone), "%s: retryable in vain", name)
			if e.Partial != nil && e.Partial.ContinueFrom != nil {
				assert.Empty(t, e.IdempotencyKey, "%s: the rest needs another key", name)
				assert.False(t, e.Retryable, name)
			}
			if key == "" {
				key = e.IdempotencyKey
			}
			if key == "" {
				continue
			}
			second := charge(t, session, "charge", 1, key)
			failed++
			assert.Equal(t, runs, ran == 2, "%s: effect %s, and ran %d times", name, e.Effect, ran)
			if _, isProtocol := err.(*jsonrpc.Error); !runs && !isProtocol { //nolint:errorlint // it is direct
				assert.Equal(t, correlation.ReplaceAllString(first.Text(), ""), correlation.ReplaceAllString(second.Text(), ""), name)
			}
		}
	}
}
