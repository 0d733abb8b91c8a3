// Package toolinfo lists a server's tools, on either side, and caches their decoded schemas.
package toolinfo

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/schema"
	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

// A Lister returns a page of a server's tool list, like the method ListTools of a client session.
type Lister func(context.Context, *mcp.ListToolsParams) (*mcp.ListToolsResult, error)

// maxTools is the maximum number of tools, and of pages, in a list. No server has that many.
const maxTools = 10_000

// ErrEndless is the error of [List] for too many tools or pages, or a repeated cursor.
var ErrEndless = errors.New("the list of tools has no end")

// List requests all pages of a list, and returns the tools by name. On an error, it also returns
// the tools listed before.
func List(ctx context.Context, page Lister) (map[string]*mcp.Tool, error) {
	tools, asked := map[string]*mcp.Tool{}, map[string]bool{}
	for cursor := ""; !asked[cursor] && len(asked) < maxTools; {
		asked[cursor] = true
		list, err := page(ctx, &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			return tools, err
		}
		for _, tool := range list.Tools {
			if len(tools) == maxTools {
				return tools, ErrEndless
			}
			if tool != nil {
				tools[tool.Name] = tool
			}
		}
		if cursor = list.NextCursor; cursor == "" {
			return tools, nil
		}
	}
	return tools, ErrEndless
}

// A Tool is a server's tool with its input schema. A nil *Tool is an unknown tool.
type Tool struct {
	*mcp.Tool

	input func() input
}

// An input is a tool's decoded input schema.
type input struct {
	schema schema.Schema
	folded map[string]string // the names of its arguments, by folded name
}

// New returns a tool whose schema is decoded on first use.
func New(tool *mcp.Tool) *Tool {
	return &Tool{Tool: tool, input: sync.OnceValue(func() (in input) {
		raw, _ := json.Marshal(tool.InputSchema) // an author's map may contain types that JSON does not have
		in.schema = schema.Read(json.RawMessage(raw))
		in.folded = map[string]string{}
		for _, name := range slices.Sorted(maps.Keys(in.schema.Properties())) {
			in.folded[spelling.Fold(name)] = name
		}
		return in
	})}
}

func (t *Tool) read() input {
	if t == nil {
		return input{}
	}
	return t.input()
}

// Input returns the tool's input schema, or the zero Schema for an unknown tool.
func (t *Tool) Input() schema.Schema { return t.read().schema }

const foldedKey = "idempotencykey"

// IsKeyArgument reports whether an argument's name is that of an idempotency key, in any spelling.
func IsKeyArgument(name string) bool { return spelling.Fold(name) == foldedKey }

// KeyArgument returns the name of the argument for an idempotency key, such as Idempotency-Key, or "".
func (t *Tool) KeyArgument() string { return t.Argument(foldedKey) }

// Argument returns the name of the argument with a folded name, or "": see [spelling.Fold].
func (t *Tool) Argument(folded string) string { return t.read().folded[folded] }
