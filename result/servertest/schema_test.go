package servertest_test

import (
	"context"
	"encoding/json"
	"strconv"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// oddSchemas are unusual and invalid schemas.
var oddSchemas = []string{
	`{"type":"object"}`,
	`{"type":"object","properties":{"a":true,"b":false,"c":null,"d":7}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/properties/a"},"b":{"$ref":"#"},"c":{"$ref":"http://x"}},"required":["a","b","c","d"]}`,
	`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"},"d":{"$ref":"#"},"e":{"$ref":"#"}},"required":["a","b","c","d","e"]}`,
	`{"type":"object","allOf":[{"$ref":"#"},{"$ref":"#"}],"anyOf":[{"$ref":"#"}],"oneOf":[{"type":"null"}]}`,
	`{"type":"object","properties":{"a":{"type":"array","minItems":1e9,"items":{"type":"array","minItems":1e9}}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"string","minLength":1e12,"maxLength":-1,"pattern":"("},"b":{"type":"string","pattern":"(a{1000}){1000}"},"c":{"type":"string","minLength":-5,"maxLength":2}},"required":["a","b","c"]}`,
	`{"type":"object","properties":{"a":{"type":"integer","minimum":9,"maximum":1,"multipleOf":0},"b":{"type":"number","multipleOf":1e-320,"minimum":1e308}},"required":["a","b"]}`,
	`{"type":"object","properties":{"a":{"enum":[]},"b":{"enum":[null,{}]},"c":{"const":null},"d":{"examples":[]},"id":{"type":[]},"path":{"type":["null"]}},"required":["a","a",7]}`,
}

func TestCheck_OddSchemas(t *testing.T) {
	t.Parallel()
	for i, schema := range oddSchemas {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			checkSchema(t, schema)
		})
	}
}

// FuzzSchemas looks for schemas that break the check or cause too many calls.
func FuzzSchemas(f *testing.F) {
	for _, schema := range oddSchemas {
		f.Add(schema)
	}
	f.Add(lookupSchema)
	f.Fuzz(func(t *testing.T, schema string) {
		var node map[string]any
		if json.Unmarshal([]byte(schema), &node) == nil && node["type"] == "object" { // the SDK accepts only objects
			checkSchema(t, schema)
		}
	})
}

func checkSchema(t *testing.T, schema string) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "odd"}, nil)
	server.AddTool(&mcp.Tool{Name: "odd", InputSchema: json.RawMessage(schema), Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true}},
		func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result.Failure(toolerr.Validation("No.").WithHint("h")), nil
		})
	session := testutil.Connect(t, server, nil)
	defer func() { _ = session.Close() }()
	report, err := servertest.Check(t.Context(), session, nil)
	require.NoError(t, err)
	assert.Empty(t, report.Findings, schema)
	assert.LessOrEqual(t, report.Tools[0].Calls, 100)
	assert.NotZero(t, report.Tools[0].Calls)
}
