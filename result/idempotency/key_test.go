package idempotency_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/idempotency"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The same arguments under the same key are the same call, however they are spelled.
func TestHandler_SpelledArguments(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"amount":{},"currency":{"default":"EUR"},"memo":{"default":9007199254740993},
		"order":{"type":"object","properties":{"id":{},"count":{"default":1.0}}},"tags":{"default":["a",{"b":null}]},
		"ship":{"properties":{"how":{"properties":{"fast":{"default":false}}}}},"items":{"items":{"$ref":"#/$defs/item"}}},
		"$defs":{"item":{"properties":{"sku":{},"n":{"default":1},"parts":{"items":{"$ref":"#/$defs/item"}}}}}}`
	const first = `"amount":40,"order":{"id":"ORD-7"},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`
	for arguments, same := range map[string]bool{
		first: true,
		`"items":[{"parts":[{"sku":"b"}],"sku":"a"},null],"order":{"id":"ORD-7"},"amount":40.0`:          true,
		`"amount": 4e1, "order": {"id": "\u004fRD-7"}, "items":[{"sku":"a","parts":[{"sku":"b"}]},null]`: true,
		first + `,"note":null,"currency":null,"ship":null`:                                               true,
		first + `,"currency":"EUR","memo":9007199254740993,"tags":["a",{}]`:                              true,
		first + `,"ship":{}`:                     true,
		first + `,"ship":{"how":{"fast":false}}`: true,
		`"amount":40,"order":{"id":"ORD-7","count":1},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`:   true,
		`"amount":40,"order":{"id":"ORD-7","x":null},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`:    true,
		`"amount":40,"order":{"id":"ORD-7"},"items":[{"sku":"a","n":1,"parts":[{"sku":"b","n":1}]},null]`: true,
		`"amount":40.5,"order":{"id":"ORD-7"},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`:           false,
		`"amount":"40","order":{"id":"ORD-7"},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`:           false,
		`"amount":40,"order":{"id":"ORD-8"},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`:             false,
		`"amount":40,"order":{"id":"ORD-7","count":2},"items":[{"sku":"a","parts":[{"sku":"b"}]},null]`:   false,
		`"amount":40,"order":{"id":"ORD-7"},"items":[{"sku":"a","parts":[{"sku":"b"}]}]`:                  false,
		`"amount":40,"order":{"id":"ORD-7"},"items":[{"sku":"a","parts":[{"sku":"b","n":2}]},null]`:       false,
		first + `,"note":false`:                     false,
		first + `,"note":{}`:                        false,
		first + `,"currency":""`:                    false,
		first + `,"memo":9007199254740992`:          false,
		first + `,"tags":[]`:                        false,
		first + `,"ship":{"how":{"fast":true}}`:     false,
		first + `,"ship":{"how":{"slow":false}}`:    false,
		first + `,"ship":{"how":{},"fast":false}`:   false,
		first + `,"unknown":"EUR","currency":"EUR"`: false,
	} {
		booked := 0
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		idempotency.AddTool(server, &mcp.Tool{Name: "pay", InputSchema: json.RawMessage(schema)}, nil,
			func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
				booked++
				return nil, map[string]int{"booked": booked}, nil
			})
		session := testutil.Connect(t, server, nil)
		for n, members := range []string{first, arguments} {
			raw := `{"idempotency_key":"k",` + members + `}`
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "pay", Arguments: json.RawMessage(raw)}))
			assert.Equal(t, n == 0 || same, out.AsError() == nil, raw)
			assert.Equal(t, out.AsError() != nil, toolerr.CodeOf(out.AsError()) == toolerr.CodeConflict, raw)
		}
		assert.Equal(t, 1, booked, arguments)
	}
}
