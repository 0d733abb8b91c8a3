package servertest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Text in an answer that is from the call itself, or that the server publishes anyway, is not a
// finding.
func TestCheck_OwnWords(t *testing.T) {
	t.Parallel()
	failed := func(text string) answerer {
		return failing(`{"isError":true,"errorCategory":"validation","code":"not_found","isRetryable":false,"hint":"h","message":"` + text + `"}`)
	}
	for name, test := range map[string]struct {
		schema string
		answer answerer
		want   []string
	}{
		"a message of the type that was asked for": {`{"required":["type"],"properties":{"type":{"type":"string","enum":["error"]}}}`, succeeding("Error: the operation failed"), []string{}},
		"a message of another type":                {`{"required":["type"],"properties":{"type":{"type":"string","enum":["text"]}}}`, succeeding("Error: the operation failed"), []string{"t failure_as_success"}},
		"a folder that the description tells":      {`{"properties":{}}`, failed("ENOENT: /srv/public/a.txt"), []string{}},
		"a folder beside it":                       {`{"properties":{}}`, failed("ENOENT: /srv/public2/a.txt"), []string{"t leak"}},
		"a file that was named":                    {`{"required":["path"],"properties":{"path":{"type":"string","enum":["notes.txt"]}}}`, failed("ENOENT: /home/me/notes.txt"), []string{}},
		"a file of a thing that was named":         {`{"required":["project"],"properties":{"project":{"type":"string","enum":["notes"]}}}`, failed("ENOENT: /home/me/notes"), []string{"t leak"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := mcp.NewServer(&mcp.Implementation{Name: "s"}, nil)
			tool := readOnly("t")
			tool.Description = "Reads what lies in /srv/public."
			tool.InputSchema = json.RawMessage(`{"type":"object",` + test.schema[1:])
			server.AddTool(tool, func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				if strings.Contains(string(req.Params.Arguments), "not-one-of-these") || strings.Contains(string(req.Params.Arguments), "48291") || string(req.Params.Arguments) == "{}" && strings.Contains(test.schema, "required") {
					return envelope(toolerr.Validation("No.").WithHint("h"))
				}
				return test.answer(ctx, lookup{})
			})
			report, err := servertest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
			require.NoError(t, err)
			assert.Equal(t, test.want, kinds(report), "%s", report.Findings)
		})
	}
}

// The number of calls of a tool that answers slowly or never is bounded, including the calls that
// verify its failures.
func TestCheck_SlowServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := mcp.NewServer(&mcp.Implementation{Name: "slow"}, nil)
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			tool := readOnly(name)
			add(server, tool, func(err error) (*mcp.CallToolResult, error) { time.Sleep(14 * time.Second); return envelope(err) }, found) // in a synctest bubble
		}
		start := time.Now()
		report, err := servertest.Check(t.Context(), testutil.Connect(t, server, nil), &servertest.Options{All: true})
		require.NoError(t, err)
		assert.Empty(t, report.Findings)
		assert.Less(t, time.Since(start), 7*time.Minute)
		assert.Contains(t, report.Tools[0].Skipped, "too slowly")
		assert.Equal(t, "too many other tools did not answer", report.Tools[6].Skipped)
	})
}
