package toolerr_test

import (
	"context"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var envelopes = flag.Int("envelopes", 300, "number of random envelopes to validate")

// validator returns a function that validates envelopes against the schema. It uses the
// validator of the MCP SDK: the schema is the input schema of a tool, and the envelopes are
// its arguments. The function returns the SDK's complaint, or "".
func validator(t *testing.T) func(envelope string) (complaint string) {
	t.Helper()
	raw, _ := readSchema(t)
	server := mcp.NewServer(&mcp.Implementation{Name: "validator", Version: "v1"}, nil)
	called := 0
	mcp.AddTool(server, &mcp.Tool{Name: "validate", InputSchema: raw},
		func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
			called++
			return nil, nil, nil
		})
	session := testutil.Connect(t, server, nil)
	return func(envelope string) string {
		before := called
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "validate", Arguments: json.RawMessage(envelope)})
		require.NoError(t, err)
		require.Equal(t, res.IsError, called == before, "calls of the tool")
		if !res.IsError {
			return ""
		}
		text, ok := res.Content[0].(*mcp.TextContent)
		require.True(t, ok)
		require.NotEmpty(t, text.Text)
		return text.Text
	}
}

func TestSchema_Vectors(t *testing.T) {
	t.Parallel()
	validate := validator(t)
	for _, v := range vectors(t, "schema.json") {
		envelope, err := json.Marshal(expand(t, v.Envelope))
		require.NoError(t, err)
		complaint := validate(string(envelope))
		if v.Refused == nil {
			assert.Empty(t, complaint, v.Name)
			continue
		}
		var why struct {
			At      string `json:"at"`
			Keyword string `json:"keyword"`
		}
		require.NoError(t, json.Unmarshal(v.Refused, &why))
		require.NotEmpty(t, v.Why, v.Name)
		if why.Keyword == "propertyNames" {
			why.Keyword = "pattern" // the SDK names the inner keyword
		}
		assert.Contains(t, complaint, why.Keyword+":", v.Name)
		for part := range strings.SplitSeq(why.At, "/") {
			if strings.Trim(part, "0123456789") != "" && !strings.Contains(why.At, "/details/") && !strings.Contains(why.At, "/arguments/") {
				assert.Contains(t, complaint, "properties/"+part, v.Name)
			}
		}
	}
}

func TestSchema_WrittenEnvelopes(t *testing.T) {
	t.Parallel()
	validate := validator(t)
	for _, v := range vectors(t, "write.json") {
		assert.Empty(t, validate(as[string](t, expand(t, v.Wire))), v.Name)
	}
	for _, v := range vectors(t, "read.json") {
		if v.Refused == nil {
			assert.Empty(t, validate(as[string](t, expand(t, v.Written))), v.Name)
		}
	}
	for seed := range *envelopes {
		e := randomError(rand.New(rand.NewPCG(uint64(seed), 0)))
		text := string(e.AppendJSON(nil))
		require.Empty(t, validate(text), "seed %d: %s", seed, text)
		require.True(t, utf8.ValidString(text))
		var again toolerr.Error
		require.NoError(t, json.Unmarshal([]byte(text), &again))
		require.Equal(t, text, string(again.AppendJSON(nil)), "seed %d: round trip", seed)
		e.Partial = nil
		require.LessOrEqual(t, len(e.AppendJSON(nil)), 8<<10)
	}
}
