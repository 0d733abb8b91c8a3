package result_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// Words that a text repeats from the arguments do not classify the failure, and a category that
// the arguments refute is dropped. Results and revealed errors are read in the same way.
func TestMiddleware_SentWords(t *testing.T) {
	t.Parallel()
	const schema = `{"type":"object","properties":{"query":{"type":"string"},"path":{"type":"string"},"line":{"type":"integer"},"body":{"type":"string"}}}`
	for name, test := range map[string]struct{ words, arguments, want string }{
		"a word, sent":               {"deadlock is in none of our packages", `{"query":"deadlock"}`, "  "},
		"a word, not sent":           {"deadlock is what the server said", `{"query":"x"}`, "transient unavailable "},
		"a path, sent":               {"timeout exceeded, x: not found", `{"path":"timeout exceeded, x"}`, "validation not_found path"},
		"two refusals":               {"access denied does not exist", `{"query":"access denied"}`, "  "},
		"nothing else":               {"user 12345: not found", `{"query":"not found"}`, "  "},
		"a number, sent":             {"order 503 is broken", `{"query":"503"}`, "  "},
		"sent words take no ban off": {"connection refused by upgrade", `{"query":"upgrade"}`, "transient unavailable "},
		"missing, and so it is":      {"path is required", `{"query":"x"}`, "validation missing_argument path"},
		"missing, but sent":          {"the filesystem was not provided to read path", `{"path":"/x"}`, "  "},
		"empty":                      {"query cannot be empty", `{"query":""}`, "validation invalid_argument query"},
		"out of range, sent":         {"line 312 is out of range", `{"line":312}`, "validation out_of_range line"},
		"out of range, not sent":     {"index 312 is out of range here", `{"line":3}`, "  "},
		"JSON of the tool's":         {"invalid character '<' looking for beginning of value", `{"query":"x"}`, "  "},
		"JSON of the caller's":       {"invalid character '<' looking for beginning of value", `{"body":"{<"}`, "validation invalid_argument "},
	} {
		for _, way := range []string{"result", "error"} {
			session := speaking(t, schema, test.words, way == "error")
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(test.arguments)}))
			require.NotNil(t, out.Err, name)
			assert.Equal(t, test.want, fmt.Sprint(out.Err.Category, " ", out.Err.Code, " ", out.Err.Field), "%s, %s", name, way)
			assert.Equal(t, test.words, out.Err.Message, name)
			assert.False(t, out.Err.Retryable, name)
		}
	}
}

// speaking connects to a server with RevealAll, whose tool t fails with a text: as an error or as
// a result.
func speaking(t *testing.T, schema, words string, asError bool) *mcp.ClientSession {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	opts := quiet()
	opts.Reveal = result.RevealAll
	server.AddReceivingMiddleware(result.Middleware(opts))
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: json.RawMessage(schema)}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if asError {
			return nil, errors.New(words)
		}
		return &mcp.CallToolResult{IsError: true, Content: text(words)}, nil
	})
	return testutil.Connect(t, server, nil)
}
