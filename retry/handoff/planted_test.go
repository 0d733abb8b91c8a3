package handoff_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry/handoff"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestReport_PlantedSecrets checks that the report of a subagent over a session has the
// attempts without the secrets in them.
func TestReport_PlantedSecrets(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	randomWord := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte("bcdfghjklmnpqrstvwxz"[r.IntN(20)])
		}
		return b.String()
	}
	var arguments map[string]any
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(nil))
	result.AddTool(server, &mcp.Tool{Name: "research"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		var report handoff.Report
		report.Add("run", arguments, toolerr.Transient("No answer."))
		report.Attempted = append(report.Attempted, toolerr.Attempt{Tool: "by hand", Arguments: arguments})
		return nil, nil, report.Failure("The research failed.")
	})
	session := testutil.Connect(t, server, nil)
	shapes := map[string]func(n, v string) any{
		"env":     func(n, v string) any { return []string{"HOME=/root", strings.ToUpper(n) + "=" + v} },
		"flag":    func(n, v string) any { return []string{"run", "--" + n, v} },
		"command": func(n, v string) any { return "run --" + n + " " + v + " --limit 10" },
		"header":  func(_, v string) any { return `curl -H "Authorization: Bearer ` + v + `1" https://example.com` },
		"form":    func(n, v string) any { return "page=2&" + n + "=" + v + "&sort=asc" },
		"url":     func(n, v string) any { return "https://ann:" + v + "@example.com/x?page=2&" + n + "=" + v },
		"json":    func(n, v string) any { return fmt.Sprintf(`{"page":2,"db":{%q:[%q]}}`, n, v) },
		"member":  func(n, v string) any { return map[string]any{n: v} },
		"pem":     func(_, v string) any { return "-----BEGIN PRIVATE KEY-----\n" + v + "\n-----END PRIVATE KEY-----" },
		"dsn":     func(_, v string) any { return "Server=db;Uid=sa;Pwd=" + v + ";Encrypt=yes" },
	}
	planted := 0
	for range 20 {
		for shape, of := range seeded.Sorted(shapes) {
			name, value := randomWord(5)+[]string{"_password", "_token", "_secret", "_api_key", "_pin"}[r.IntN(5)], randomWord(12)
			arguments = map[string]any{"query": "backoff 1973", "x": of(name, value)}
			res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "research", Arguments: map[string]any{}})
			require.NoError(t, err)
			out := result.Parse(res, nil)
			planted++
			require.Len(t, out.Err.Attempted, 2, shape)
			assert.NotContains(t, out.Text(), value, "%s: %v", shape, arguments)
			assert.Contains(t, out.Text(), "backoff 1973")
		}
	}
	t.Logf("%d secrets planted, none found", planted)
}
