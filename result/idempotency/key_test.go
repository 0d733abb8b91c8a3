package idempotency_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// chargeRaw calls charge with arguments as they are spelled.
func chargeRaw(t *testing.T, session *mcp.ClientSession, arguments string, meta mcp.Meta) result.Outcome {
	t.Helper()
	return result.Parse(session.CallTool(t.Context(),
		&mcp.CallToolParams{Name: "charge", Arguments: json.RawMessage(arguments), Meta: meta}))
}

// The same arguments under the same key are the same call, however they are spelled.
func TestHandler_SpelledArguments(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"amount":{},"idempotency_key":{},"currency":{"default":"EUR"},"memo":{"default":9007199254740993},
		"order":{"type":"object","properties":{"id":{},"count":{"default":1.0}}},"tags":{"default":["a",{"b":null}]},
		"ship":{"properties":{"how":{"properties":{"fast":{"default":false}}}}},"items":{"items":{"$ref":"#/$defs/item"}},"node":{"$ref":"#/$defs/node"}},
		"$defs":{"node":{"default":{"n":2,"next":{"n":1}},"properties":{"n":{},"next":{"$ref":"#/$defs/node"}}},"item":{"properties":{"sku":{},"n":{"default":1},"parts":{"items":{"$ref":"#/$defs/item"}}}}}}`
	const first = `"amount":40,"order":{"id":"ORD-7"},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`
	for arguments, as := range testutil.Rows(t, "testdata/spelled.txt") {
		booked := 0
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		idempotency.AddTool(server, &mcp.Tool{Name: "charge", InputSchema: json.RawMessage(schema)}, fresh(nil),
			func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
				booked++
				return nil, map[string]int{"booked": booked}, nil
			})
		session := testutil.Connect(t, server, nil)
		require.NoError(t, chargeRaw(t, session, `{"idempotency_key":"k",`+first+"}", nil).AsError())
		want := map[string]toolerr.Code{"other": toolerr.CodeConflict}[as]
		assert.Equal(t, want, toolerr.CodeOf(chargeRaw(t, session, arguments, nil).AsError()), arguments)
		assert.Equal(t, 1, booked, arguments)
	}
}

type masked struct{ chargeIn }

// MarshalJSON implements [json.Marshaler].
func (masked) MarshalJSON() ([]byte, error) { return []byte(`"***"`), nil }

// TestHandler_HostileKeys checks the answers to calls, and how often the handler runs: a key that is not of
// visible ASCII characters is refused, whatever it is instead, and two arguments of the key's name are one
// key. Metadata has no effect.
func TestHandler_HostileKeys(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/hostile_keys.txt", func(sample string) (answers string) {
		c := new(till)
		session := c.connect(t, nil)
		for arguments := range strings.SplitSeq(testutil.Repeat(sample), " | ") {
			out := chargeRaw(t, session, arguments, nil)
			assert.Less(t, len(out.Text()), 1<<10, sample)
			answers += correlation.ReplaceAllString(out.Text(), "") + "\n"
		}
		return fmt.Sprint(answers, "ran ", c.ran.Load())
	})
	c := new(till)
	session := c.connect(t, nil)
	for i, meta := range []mcp.Meta{
		{"progressToken": map[string]any{"a": 1}},
		{"progressToken": 1.5},
		{"progressToken": strings.Repeat("p", 1<<16)},
		{"traceparent": []any{nil}},
	} {
		for range 2 {
			chargeRaw(t, session, fmt.Sprintf(`{"cents":1,"idempotency_key":"m%d"}`, i), meta)
		}
		assert.Equal(t, int64(i)+1, c.ran.Load(), "%.80v", meta)
	}
}

// An input type without a field for the key is rejected, and so are times without a unit.
func TestHandler_NoKeyArgument(t *testing.T) {
	t.Parallel()
	assert.PanicsWithValue(t, "idempotency.Handler: idempotency_test.items has no string for the idempotency key: "+
		"give it a field with the tag `json:\"idempotency_key,omitempty\"`",
		func() { idempotency.Handler[items, any](nil, nil) })
	for want, opts := range map[string]*idempotency.Options{
		"Options.Lease is negative: leave it out for the default of 10 s":  {Lease: -1},
		"Options.Lease is 10ns: give it a unit, as in 10*time.Second":      {Lease: 10},
		"Options.Wait is 1ns: give it a unit, as in 10*time.Second":        {Wait: 1},
		"Options.Grace is 999.999µs: give it a unit, as in 10*time.Second": {Grace: 999_999},
		"MemoryStore.MaxAge is 24ns: give it a unit, as in 10*time.Second": {Store: &idempotency.MemoryStore{MaxAge: 24}},
	} {
		assert.PanicsWithValue(t, "idempotency."+want, func() { idempotency.Handler[chargeIn, any](opts, nil) })
	}
	assert.Panics(t, func() { idempotency.Handler[*items, any](nil, nil) })
	assert.Panics(t, func() { idempotency.Handler[map[string]int, any](nil, nil) })
	assert.Panics(t, func() { idempotency.Handler[masked, any](&idempotency.Options{Argument: "key"}, nil) })
	type named struct{ Idempotency_Key string } //nolint:revive // the case under test
	assert.Panics(t, func() { idempotency.Handler[named, any](nil, nil) }, "its schema has another name")
	assert.NotPanics(t, func() { idempotency.Handler[struct{ chargeIn }, any](nil, nil) })
	assert.NotPanics(t, func() { idempotency.Handler[masked, any](nil, nil) })
	least := &idempotency.Options{Wait: -1, Grace: time.Millisecond}
	assert.NotPanics(t, func() { idempotency.Handler[any, any](least, nil) })
	h := idempotency.Handler(fresh(nil),
		func(context.Context, *mcp.CallToolRequest, any) (*mcp.CallToolResult, any, error) {
			return nil, nil, toolerr.Timeout("late")
		})
	_, _, err := h(t.Context(), requestOf(""), nil)
	assert.Empty(t, toolerr.From(err).IdempotencyKey, "it cannot get a new key")
	_, _, err = h(t.Context(), requestOf(`[1]`), nil)
	assert.Equal(t, "none The arguments are no JSON object.", fmt.Sprint(toolerr.From(err).Effect, " ", err))
}

// TestAddTool_Mistakes checks that a tool whose clients would send no key is refused at start.
func TestAddTool_Mistakes(t *testing.T) {
	t.Parallel()
	add := func(tool *mcp.Tool, opts *idempotency.Options) func() {
		tool.Name = "charge"
		return func() {
			idempotency.AddTool(mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil), tool, opts,
				func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
					return nil, nil, nil
				})
		}
	}
	keyed := json.RawMessage(`{"type":"object","properties":{"idempotency_key":{"type":"string"}}}`)
	assert.PanicsWithValue(t, `idempotency.AddTool: the tool "charge" has ReadOnlyHint, so that clients send no key and `+
		`repeat every call: `+
		`remove the hint, or use result.AddTool`, add(&mcp.Tool{Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}}, nil))
	assert.PanicsWithValue(t, `idempotency.AddTool: the input schema of the tool "charge" has no argument for the key: `+
		`add the property "idempotency_key" of type string`,
		add(&mcp.Tool{InputSchema: json.RawMessage(`{"type":"object","properties":{"amount":{"type":"number"}}}`)}, nil))
	assert.Panics(t, add(&mcp.Tool{InputSchema: keyed}, &idempotency.Options{Argument: "token"}))
	assert.NotPanics(t, add(&mcp.Tool{InputSchema: keyed, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}, nil))
	assert.NotPanics(t, add(new(mcp.Tool), nil))
}
