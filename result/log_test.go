package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strconv"
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

// plantings return arguments with a planted value, and an error that quotes it.
var plantings = map[string]func(value string) (arguments any, text string){
	"plain":  func(v string) (any, string) { return map[string]any{"v": v}, "no user " + v },
	"quoted": func(v string) (any, string) { v += "\"\n"; return map[string]any{"v": v}, fmt.Sprintf("no user %q", v) },
	"long": func(v string) (any, string) {
		v = strings.Repeat(v+" ", 300)
		return map[string]any{"v": v}, "bad: " + v
	},
	"zero width": func(v string) (any, string) { v = "user\u200b" + v; return map[string]any{"v": v}, "no " + v + "!" },
	"escape": func(v string) (any, string) {
		v = "\x1b[31m" + v + "\x1b[0m"
		return map[string]any{"v": v}, "no " + v + "!"
	},
	"url": func(v string) (any, string) {
		v = "https://h.example/" + v + "/x?q=1#f"
		return map[string]any{"v": v}, "Get " + v + ": refused"
	},
	"in a query": func(v string) (any, string) {
		return map[string]any{"v": v + " &"}, "Get https://h.example/x/" + url.PathEscape(v+" &") + ": EOF"
	},
	"in a word": func(v string) (any, string) { return map[string]any{"v": v[:6]}, "state xx" + v[:6] + "yy is unknown" },
	"a name": func(v string) (any, string) {
		return map[string]any{"labels": map[string]any{v: 1}}, "label " + v + " is unknown"
	},
	"twice": func(v string) (any, string) { return json.RawMessage(`{"v":"` + v + `","v":"x"}`), "no user " + v },
	"many": func(v string) (any, string) {
		list := make([]string, 3000)
		for i := range list {
			list[i] = "item " + strconv.Itoa(i) + v
		}
		return map[string]any{"v": list}, "no " + list[2999]
	},
	"too many": func(v string) (any, string) {
		list := make([]string, 70_000)
		for i := range list {
			list[i] = v[:3] + strconv.Itoa(100_000+i)
		}
		return map[string]any{"v": list}, "no " + list[69_999] + " of " + v[:3]
	},
	"number": func(v string) (any, string) {
		n := int64(len(v)) * 123_456_789_012
		return map[string]any{"v": n, "w": v}, fmt.Sprintf("no %s of %d and %v", v, n, float64(n))
	},
	"cut": func(v string) (any, string) { return map[string]any{"v": v}, "bad value \"" + v[:8] + "...\" there" },
	"at the limit": func(v string) (any, string) {
		return map[string]any{"v": v}, strings.Repeat("x", 2048-len("…")-4) + v
	},
}

// No argument is logged, however an error quotes it.
func TestMiddleware_PlantedArguments(t *testing.T) {
	t.Parallel()
	r := seeded.Rand()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	var fail error
	server.AddTool(&mcp.Tool{Name: "t", InputSchema: anything}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		return nil, fail
	})
	session := testutil.Connect(t, server, nil)
	planted, survived := 0, map[string]int{}
	for range 20 {
		for name, plant := range seeded.Sorted(plantings) {
			if name == "too many" && planted > 50 {
				continue // megabytes
			}
			value := coined(r, 14)
			arguments, text := plant(value)
			for how, err := range map[string]error{
				"bare":   errors.New(text),
				"cause":  toolerr.Business("It is closed.").WithCause(errors.New(text)),
				"author": toolerr.Business(text),
				"field":  toolerr.InvalidArgument(strings.ToValidUTF8(text[:min(len(text), 1000)], ""), text, "a number"),
				"joined": errors.Join(errors.New("one"), fmt.Errorf("two: %w", errors.New(text))),
			} {
				fail = err
				log.Reset()
				_ = result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: arguments}))
				require.Contains(t, log.String(), "tool call failed")
				planted++
				for i := 0; i+6 <= len(value); i++ {
					if strings.Contains(log.String(), value[i:i+6]) {
						if survived[name]++; survived[name] == 1 {
							t.Errorf("%s, %s: %s is in %.600s", name, how, value, log.String())
						}
						break
					}
				}
			}
		}
	}
	t.Logf("planted %d, survived %v", planted, survived)
}

// The names of a tool's arguments are logged, because operators need them.
func TestMiddleware_ArgumentNamesLogged(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	server.AddReceivingMiddleware(result.Middleware(logged(&log)))
	type in struct {
		Address struct {
			City string `json:"city"`
		} `json:"address"`
		User string `json:"user"`
	}
	result.AddTool(server, &mcp.Tool{Name: "t"}, func(_ context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, any, error) {
		return nil, nil, toolerr.InvalidArgument("address.city", in.Address.City, "a city").WithCause(errors.New("username of user"))
	})
	_ = result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t", Arguments: json.RawMessage(`{"address":{"city":"Atlantis"},"user":"user"}`)}))
	assert.Contains(t, log.String(), "error.field=address.city")
	assert.Contains(t, log.String(), "address.city must be a city")
	assert.NotContains(t, log.String(), "Atlantis")
}
