package result_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// ouroboros unwraps to itself.
type ouroboros struct{}

func (ouroboros) Error() string   { return "round and round" }
func (e ouroboros) Unwrap() error { return e }

// A changing error returns another text on every call: a format with the number of the call.
// It wraps err, if that is not nil.
type changing struct {
	asked  *int
	format string
	err    error
}

func (e changing) Error() string { *e.asked++; return fmt.Sprintf(e.format, *e.asked) }
func (e changing) Unwrap() error { return e.err }

type keyed struct {
	Key string `json:"idempotency_key,omitempty"`
}

// A failed security check fails the call and is logged. It is never read as data or as an
// empty result, whatever content is returned with its error.
func TestMiddleware_FailedSecurityCheck(t *testing.T) {
	t.Parallel()
	denied := toolerr.Permission("The signature is not valid.").WithCode(toolerr.CodePermissionDenied)
	var check func() error
	var beside *mcp.CallToolResult
	var log bytes.Buffer
	wire := new(testutil.Wire)
	server := serve(logged(&log))
	handler := func(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, items, error) {
		err := check()
		return beside, items{Items: []string{"ORD-7"}}, err
	}
	result.AddTool(server, &mcp.Tool{Name: "typed"}, handler)
	mcp.AddTool(server, &mcp.Tool{Name: "bare"}, handler)
	idempotency.AddTool(server, &mcp.Tool{Name: "keyed"}, nil,
		func(ctx context.Context, req *mcp.CallToolRequest, _ keyed) (*mcp.CallToolResult, items, error) {
			return handler(ctx, req, none{})
		})
	addRaw(server, "raw", func(context.Context) (*mcp.CallToolResult, error) { return beside, check() })
	session := testutil.Connect(t, server, wire)
	for name, checks := range map[string]func() error{
		"it says no":                  func() error { return denied },
		"it says no, wrapped":         func() error { return fmt.Errorf("order: %w", denied) },
		"it says no, and no rows":     func() error { return errors.Join(sql.ErrNoRows, denied) },
		"it cannot say":               func() error { return errors.New("no key at 10.0.0.7") },
		"it panics":                   func() error { panic("no key at 10.0.0.7") },
		"its error has a nil pointer": func() error { return (*fs.PathError)(nil) },
	} {
		want, logs := "transient internal", "level=ERROR"
		if check = checks; strings.HasPrefix(name, "it says no") {
			want, logs = "permission permission_denied", "level=WARN"
		}
		for tool, arguments := range map[string]any{"typed": nil, "bare": nil, "raw": nil, "keyed": keyed{}} {
			for _, beside = range []*mcp.CallToolResult{
				nil, result.OK(items{Items: []string{"ORD-7"}}), result.Empty("No orders found.", nil),
			} {
				log.Reset()
				out := callTool(t, session, tool, arguments)
				require.Equal(t, result.KindFailure, out.Kind, "%s, %s", name, tool)
				assert.Equal(t, want, fmt.Sprint(out.Err.Category, " ", out.Err.Code), "%s, %s", name, tool)
				assert.False(t, out.Err.Retryable, "%s, %s", name, tool)
				for _, never := range []string{"ORD-7", "No orders", "structuredContent", "10.0.0.7", "mcp-toolerr/kind"} {
					assert.NotContains(t, string(wire.Last()), never, "%s, %s", name, tool)
				}
				assert.Equal(t, 1, strings.Count(log.String(), "tool call failed"), "%s, %s", name, tool)
				assert.Contains(t, log.String(), logs, "%s, %s", name, tool)
			}
		}
	}
}

// handled returns the failure of a user's call of a tool, which a handler answers without a session.
func handled(ctx context.Context, handle mcp.MethodHandler, user, tool string) *toolerr.Error {
	res, err := handle(ctx, "tools/call", &mcp.CallToolRequest{
		Session: new(mcp.ServerSession), Params: &mcp.CallToolParamsRaw{Name: tool},
		Extra: &mcp.RequestExtra{TokenInfo: &auth.TokenInfo{UserID: user}},
	})
	out, _ := res.(*mcp.CallToolResult)
	return result.Parse(out, err).Err
}

// A client that is refused, sees no tools, or cancels its calls does not change what the
// middleware knows about the tools of others.
func TestMiddleware_ListOfAnother(t *testing.T) {
	t.Parallel()
	refused := &jsonrpc.Error{Code: -32000, Message: "not you"}
	for name, test := range map[string]struct {
		call, list error // Mallory's
		cancel     bool
	}{
		"all refused": {refused, refused, false}, "no tools": {toolerr.Permission("Not you."), nil, false},
		"canceled": {nil, nil, true},
	} {
		listed := 0
		handle := result.Middleware(quiet())(func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			isMallorys := req.GetExtra().TokenInfo.UserID == "mallory"
			switch {
			case method == "tools/call" && isMallorys && test.call != nil:
				return nil, test.call
			case method == "tools/call":
				return nil, io.ErrUnexpectedEOF
			case ctx.Err() != nil:
				return nil, ctx.Err()
			case isMallorys && !test.cancel:
				return new(mcp.ListToolsResult), test.list
			}
			listed++
			return &mcp.ListToolsResult{Tools: []*mcp.Tool{{Name: "t", Annotations: readOnly}}}, nil
		})
		for range 2 {
			ctx, cancel := context.WithCancel(t.Context())
			if test.cancel {
				cancel()
			}
			require.NotNil(t, handled(ctx, handle, "mallory", "t"), name)
			cancel()
			assert.Equal(t, toolerr.EffectNone, handled(t.Context(), handle, "ann", "t").Effect, name)
		}
		assert.Positive(t, listed, name)
	}
}

// A tool list that is slow or blocks delays failed calls only briefly: one waits for it, for all.
func TestMiddleware_BlockingToolList(t *testing.T) {
	t.Parallel()
	for _, takes := range []time.Duration{time.Hour, 50 * time.Millisecond} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		addRaw(server, "t", fails(errOverLimit))
		var lists atomic.Int64
		server.AddReceivingMiddleware(result.Middleware(quiet()), func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
				if method == "tools/list" {
					lists.Add(1)
					select {
					case <-ctx.Done():
						return nil, ctx.Err()
					case <-time.After(takes):
					}
				}
				return next(ctx, method, req)
			}
		})
		session := testutil.Connect(t, server, nil)
		var wg sync.WaitGroup
		for range 10 {
			wg.Go(func() { assert.Equal(t, "Over the limit.", callTool(t, session, "t", nil).Err.Message) })
		}
		wg.Wait()
		assert.Less(t, lists.Load(), int64(10))
	}
}

// A list of tools is requested again after five seconds, and after a failed list not even for other
// names before. Old tools are forgotten, and names that are not found, if there are too many.
func TestMiddleware_ToolsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const age = 5 * time.Second
		lists, listed, next := 0, []string{"t"}, ""
		var last weak.Pointer[mcp.Tool]
		handle := result.Middleware(quiet())(func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if method == "tools/call" {
				return nil, context.DeadlineExceeded
			}
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			lists++
			if params, ok := req.GetParams().(*mcp.ListToolsParams); ok && params.Cursor != "" {
				return nil, errSoldOut
			}
			page := &mcp.ListToolsResult{NextCursor: next}
			for _, name := range listed {
				page.Tools = append(page.Tools, &mcp.Tool{Name: name, Annotations: &mcp.ToolAnnotations{ReadOnlyHint: lists > 1}})
				last = weak.Make(page.Tools[0])
			}
			return page, nil
		})
		call := func(name string, later time.Duration, want string) {
			time.Sleep(later)
			before := lists
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if want == "canceled" {
				cancel()
			}
			effect := handled(ctx, handle, "ann", name).Effect
			got := fmt.Sprint(lists-before, " ", effect)
			assert.True(t, got == want || want == "canceled", "a call of %s: lists and effect are %s, want %s", name, got, want)
		}
		call("t", 0, "1 unknown")
		call("t", age-1, "0 unknown")
		call("t", 1, "1 none")
		call("t", age, "canceled") // which lists as well
		call("t", 0, "0 none")
		call("u", 0, "1 unknown")
		call("u", age-1, "0 unknown")
		call("u", 1, "1 unknown")
		next = "page 2, which fails"
		call("t", age, "2 none")
		call("v", 0, "0 unknown")
		next = ""
		for i := range 997 { // and u, and the mark of the failed list
			call(fmt.Sprint(i), time.Duration(1-min(i, 1))*age, "1 unknown")
		}
		call("a", age, "1 unknown")
		call("b", 0, "1 unknown") // all others are forgotten, for lack of room
		call("a", 0, "1 unknown")
		call("a", 0, "0 unknown")
		for i := range 998 {
			call(fmt.Sprint(i), 0, "1 unknown")
		}
		call("c", 0, "1 unknown")
		call("a", 0, "1 unknown")
		old := last
		listed = []string{"x", "y"}
		call("x", age, "1 none")
		runtime.GC()
		assert.Nil(t, old.Value())
		runtime.KeepAlive(handle)
	})
}
