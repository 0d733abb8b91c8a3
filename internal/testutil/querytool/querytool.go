// Package querytool has a server whose tools send statements to a database, and records what the
// model reads and what the log says if one fails.
package querytool

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
)

// modes are the values of Reveal that are compared.
var modes = []struct {
	name   string
	reveal func(error) bool
}{{"default", nil}, {"services", result.RevealServices}, {"all", result.RevealAll}}

var level = regexp.MustCompile(`level=(\w+) msg="tool call failed"`)

// New returns a function for [testutil.Recorded]. A sample is the name of a tool and a statement,
// separated by a space. The tools "query", "read" and "slow" have the statement as an argument. Fails returns the
// error of a tool's statement, and gets what follows a tab in the sample too. The answers are those in each mode.
func New(t *testing.T, fails func(ctx context.Context, tool, statement string) error) func(sample string) string {
	t.Helper()
	var statement string
	var failed error
	logs, sessions := make([]bytes.Buffer, len(modes)), make([]*mcp.ClientSession, len(modes))
	for i, mode := range modes {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{
			Logger: slog.New(slog.NewTextHandler(&logs[i], nil)), Reveal: mode.reveal,
		}))
		for _, name := range []string{"query", "read", "slow", "report", "login", "stray", "refused"} {
			tool := &mcp.Tool{Name: name, Description: "Tables: orders(id, email, total, paid_at), customers(id, name)."}
			result.AddTool(server, tool, func(ctx context.Context, _ *mcp.CallToolRequest,
				_ map[string]any,
			) (*mcp.CallToolResult, any, error) {
				if failed = fails(ctx, name, statement); failed == nil {
					return result.OK("Done."), nil, nil
				}
				return nil, nil, fmt.Errorf("shop: %w", failed)
			})
		}
		sessions[i] = testutil.Connect(t, server, nil)
	}
	return func(sample string) string {
		var answers []string
		for i, mode := range modes {
			tool, text, _ := strings.Cut(sample, " ")
			statement = text
			arguments, err := json.Marshal(map[string]any{"customer": "ann", "limit": 10})
			if tool == "query" || tool == "read" || tool == "slow" {
				text, _, _ = strings.Cut(text, "\t")
				arguments, err = json.Marshal(map[string]string{"sql": text})
			}
			require.NoError(t, err)
			logs[i].Reset()
			out := result.Parse(sessions[i].CallTool(t.Context(),
				&mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)}))
			if out.Kind != result.KindFailure {
				answers = append(answers, mode.name+" "+out.Kind.String())
				continue
			}
			e := out.Err
			e.CorrelationID = ""
			switch text := failed.Error(); { // which differs between the versions of a database
			case e.Message == "shop: "+text:
				e.Message = "(all)"
			case strings.Contains(text, e.Message):
				e.Message = "(the database's)"
			}
			logged := level.FindStringSubmatch(logs[i].String())
			require.NotNil(t, logged)
			answers = append(answers, mode.name+" "+logged[1]+" "+testutil.Fields(e))
		}
		return strings.Join(answers, "\n")
	}
}
