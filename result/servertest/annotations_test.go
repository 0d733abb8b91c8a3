package servertest_test

import (
	"encoding/json"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

func TestCheck_Annotations(t *testing.T) {
	t.Parallel()
	yes, no := true, false
	const plain, keyed = lookupSchema, `{"type":"object","properties":{"idempotencyKey":{"type":"string"}}}`
	for name, test := range map[string]struct {
		hints  *mcp.ToolAnnotations
		schema string
		found  bool
	}{
		"none":            {nil, plain, true},
		"title":           {&mcp.ToolAnnotations{Title: "Find"}, plain, true},
		"open world":      {&mcp.ToolAnnotations{OpenWorldHint: &yes}, plain, true},
		"read-only":       {&mcp.ToolAnnotations{ReadOnlyHint: true}, plain, false},
		"idempotent":      {&mcp.ToolAnnotations{IdempotentHint: true}, plain, false},
		"destructive":     {&mcp.ToolAnnotations{DestructiveHint: &yes}, plain, false},
		"not destructive": {&mcp.ToolAnnotations{DestructiveHint: &no}, plain, false},
		"key":             {nil, keyed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, opts := range []*servertest.Options{{Skip: []string{"tool"}}, {}, {All: true}} {
				server := record(readOnly("a"), &mcp.Tool{Name: "tool", InputSchema: json.RawMessage(test.schema), Annotations: test.hints}, readOnly("z"))
				report, err := servertest.Check(t.Context(), testutil.Connect(t, server.Server, nil), opts)
				require.NoError(t, err)
				guidance := report.Scores[2]
				require.Equal(t, servertest.AreaGuidance, guidance.Area)
				if !test.found {
					assert.Empty(t, report.Findings)
					assert.Equal(t, guidance.Total, guidance.Passed)
					continue
				}
				require.Len(t, report.Findings, 1, "once, however often the tool was called")
				f := report.Findings[0]
				assert.Equal(t, "tool", f.Tool)
				assert.Equal(t, servertest.KindNoAnnotations, f.Kind)
				assert.Empty(t, f.Calls)
				for _, sentence := range []string{f.Why, f.Fix} {
					assert.Regexp(t, `^[A-Z][^.]+\.$`, sentence, "one sentence")
				}
				assert.Equal(t, guidance.Total-1, guidance.Passed)
			}
		})
	}
}

func TestCheck_FindingsInOrderOfTools(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "planted"}, nil)
	for _, name := range []string{"a", "b", "c"} {
		tool := readOnly(name)
		if name != "c" {
			tool.Annotations = nil
		}
		add(server, tool, saying("bad arguments"), found)
	}
	session := testutil.Connect(t, server, nil)
	report, err := servertest.Check(t.Context(), session, &servertest.Options{All: true})
	require.NoError(t, err)
	assert.Equal(t, []string{"a no_annotations", "a bare_text", "b no_annotations", "b bare_text", "c bare_text"}, kinds(report))
	report, err = servertest.Check(t.Context(), session, &servertest.Options{Ignore: []string{"no_annotations"}})
	require.NoError(t, err)
	assert.Equal(t, []string{"c bare_text"}, kinds(report))
}
