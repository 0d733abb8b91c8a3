package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil/seeded"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// anything accepts any arguments.
var anything = json.RawMessage(`{"type":"object"}`)

// coined returns a text of which no part of six characters is in a log by chance: every other
// one is a letter, so that none is in an identifier of digits.
func coined(r *rand.Rand, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteByte("bcdfghjklmnpqrstvwxz0123456789"[r.IntN(20+i%2*10)])
	}
	return b.String()
}

// TestMiddleware_CausesLogged checks that the log has the cause as it is, with the argument that
// it quotes and without the credentials in it. The call's arguments and its key are not logged
// as such.
func TestMiddleware_CausesLogged(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	secret := "hunter2-" + coined(r, 16)
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	var fail error
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: anything}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if fail == nil {
			panic("no order 4711: pin=" + secret)
		}
		return nil, fail
	})
	session := testutil.Connect(t, server, nil)
	arguments := map[string]any{"order": 4711, "ticker": "APLE", "card": "4111111111111111", "idempotency_key": "key-" + coined(r, 16)}
	for _, text := range []string{
		`There is no "APLE" in order 4711`,
		"no order 4711: password=" + secret,
		`no order 4711: {"user":"ann","api_key":"` + secret + `"}`,
		`no order 4711: "{\"token\":\"` + secret + `\"}"`,
		"no order 4711: Authorization: Bearer " + secret,
		"no order 4711: Get https://ann:" + secret + "@h.example/x",
		"no order 4711: Get https://h.example/x?sig=" + secret,
		"no order 4711: root:" + secret + "@tcp(10.0.0.1:3306)/orders",
		"no order 4711: ghp_" + strings.ReplaceAll(secret, "-", "") + " was refused",
		"no order 4711: exec mysql --password " + secret,
	} {
		for how, err := range map[string]error{
			"bare": errors.New(text), "author": toolerr.Business(text), "joined": errors.Join(errors.New("one"), fmt.Errorf("two: %w", errors.New(text))),
			"cause": toolerr.Business("It is closed.").WithCause(errors.New(text)), "panic": nil,
		} {
			fail = err
			log.Reset()
			_ = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: arguments}))
			require.Contains(t, log.String(), "tool call failed")
			assert.Contains(t, log.String(), "order 4711", how)
			for _, never := range []string{secret, strings.ReplaceAll(secret, "-", ""), "4111111111111111", "key-"} {
				assert.NotContains(t, log.String(), never, "%s: %s", how, text)
			}
		}
	}
}
