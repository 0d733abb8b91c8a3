package servertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A shop is a server whose failures are correct, or have one false statement. Its tool book adds
// an order, and list_orders returns all orders.
type shop struct {
	breaks string

	mu     sync.Mutex
	orders []string
	byKey  map[string]string
	calls  int
}

const bookSchema = `{"type":"object","additionalProperties":false,"required":["item"],"properties":{
	"item":{"type":"string","enum":["tea","coffee"]},"count":{"type":"integer","minimum":1},"idempotency_key":{"type":"string"}}}`

func (s *shop) server() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "shop"}, nil)
	if s.breaks != "key, no look" {
		s.addLook(server, "list_orders", func() map[string]any {
			return map[string]any{"orders": append([]string{}, s.orders...), "at": time.Now().Format(time.RFC3339Nano)}
		})
	}
	s.addLook(server, "call_log", func() map[string]any { return map[string]any{"booked": s.calls} })
	book := &mcp.Tool{Name: "book", InputSchema: json.RawMessage(bookSchema), Annotations: &mcp.ToolAnnotations{}}
	if s.breaks == "idempotent" || s.breaks == "idempotent, kept" {
		book.Annotations.IdempotentHint = true
	}
	server.AddTool(book, s.book)
	return server
}

// addLook adds a read-only tool that returns data of the shop.
func (s *shop) addLook(server *mcp.Server, name string, look func() map[string]any) {
	server.AddTool(&mcp.Tool{
		Name: name, InputSchema: json.RawMessage(`{"type":"object"}`),
		Annotations: readOnly("").Annotations,
	}, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return result.OK(look()), nil
	})
}

func (s *shop) book(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	var in struct {
		Item  string `json:"item"`
		Count *int   `json:"count"`
		Key   string `json:"idempotency_key"`
		Other any    `json:"unexpected_argument"`
	}
	bad := toolerr.InvalidArgument("item", in.Item, "tea or coffee").WithSuggestions("coffee")
	switch err := json.Unmarshal(req.Params.Arguments, &in); {
	case err != nil || in.Other != nil || in.Count != nil && *in.Count < 1:
		return result.Failure(toolerr.Validation("The item, its count or another argument does not fit.").
			WithHint("Send other ones.")), nil
	case in.Item != "tea" && in.Item != "coffee":
		return s.refuse(bad, in.Item), nil
	}
	if id, known := s.byKey[in.Key]; known && s.breaks != "key" && s.breaks != "key, no look" {
		return result.OK(map[string]any{"order_id": id}), nil
	}
	id := fmt.Sprint("ORD-", len(s.orders)+1)
	if s.breaks != "idempotent, kept" || !slices.Contains(s.orders, in.Item) {
		s.orders = append(s.orders, in.Item)
	}
	if in.Key != "" {
		s.byKey[in.Key] = id
	}
	return result.OK(map[string]any{"order_id": id}), nil
}

// refuse returns the failure for an invalid item, with the shop's false statement.
func (s *shop) refuse(e *toolerr.Error, item string) *mcp.CallToolResult {
	switch s.breaks {
	case "effect none":
		s.orders = append(s.orders, item)
	case "retryable":
		s.orders = append(s.orders, item)
		return rawFailure(`{"isError":true,"errorCategory":"transient","isRetryable":true,"message":"The line of the item ` +
			`was busy.","hint":"Send it again."}`)
	case "a tool":
		e = e.WithHint("Call list_items first.")
	case "a quoted tool":
		e = e.WithHint("See what there is with the tool `items`.")
	case "first":
		return result.Failure(toolerr.FailedPrecondition("The shop of the item is closed.", "open_shop"))
	case "a field":
		e.Field = "product"
	case "forbidden and retryable":
		return rawFailure(`{"isError":true,"errorCategory":"validation","isRetryable":true,"message":"No such item.",` +
			`"hint":"Send it again."}`)
	case "never and a wait":
		return rawFailure(`{"isError":true,"errorCategory":"business","isRetryable":false,"retryAfterMs":1000,` +
			`"message":"No such item.","hint":"Take tea."}`)
	}
	return result.Failure(e)
}

func rawFailure(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// newShop returns a shop with one false statement, or none.
func newShop(breaks string) *shop { return &shop{breaks: breaks, byKey: map[string]string{}} }

func TestCheck_Promises(t *testing.T) {
	t.Parallel()
	for breaks, want := range map[string]struct {
		findings []string
		detail   string // of the last
	}{
		"":                 {},
		"idempotent, kept": {},
		"effect none": {
			[]string{"book false_effect"},
			"the failure has effect none, but the answer of list_orders changed",
		},
		"retryable":               {[]string{"book false_effect", "book bad_hint"}, "the arguments can never be valid"},
		"idempotent":              {[]string{"book false_effect"}, "idempotentHint is true, but list_orders returned more"},
		"key":                     {[]string{"book key_ignored"}, "was executed: list_orders returned more"},
		"key, no look":            {[]string{"book key_ignored"}, "returned another order_id"},
		"a tool":                  {[]string{"book bad_hint"}, "it names the tool list_items"},
		"a quoted tool":           {[]string{"book bad_hint"}, "it names the tool items"},
		"first":                   {[]string{"book bad_hint"}, "it names the tool open_shop"},
		"a field":                 {[]string{"book bad_hint"}, "field is product"},
		"forbidden and retryable": {[]string{"book bad_hint"}, "the arguments can never be valid: without item"},
		"never and a wait":        {[]string{"book false_wait"}, "not retryable (isRetryable)"},
	} {
		t.Run(breaks, func(t *testing.T) {
			t.Parallel()
			report := check(t, newShop(breaks).server(),
				&servertest.Options{
					All: true, Ignore: []string{"no_annotations"},
					Cases: []servertest.Case{{Tool: "book", Kind: result.KindFailure}},
				})
			require.Equal(t, append([]string{}, want.findings...), kinds(report), "%s", report.Findings)
			if len(want.findings) == 0 {
				return
			}
			f := report.Findings[len(want.findings)-1]
			assert.Contains(t, f.Detail, want.detail)
			require.NotEmpty(t, f.Evidence)
			assert.Equal(t, f.Arguments, report.Calls[f.Evidence[0]].Arguments)
			assert.Equal(t, f.Severity == "error", report.Tier == servertest.TierUnsafe, "%s %d", report.Tier, report.Score)
			assert.Less(t, report.Score, 100)
		})
	}
}

// The options apply to lookups too: a skipped tool is not called.
func TestCheck_AllowedLookups(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, newShop("effect none").server(), nil)
	for name, test := range map[string]struct {
		opts  *servertest.Options
		calls []string
	}{
		"without consent": {&servertest.Options{}, []string{"call_log", "list_orders"}},
		"consent":         {&servertest.Options{Tools: []string{"book"}}, []string{"book", "call_log", "list_orders"}},
		"one skipped":     {&servertest.Options{All: true, Skip: []string{"list_orders"}}, []string{"book", "call_log"}},
	} {
		report := checkSession(t, session, test.opts)
		var called []string
		for _, c := range report.Calls {
			called = append(called, c.Tool)
		}
		slices.Sort(called)
		called = slices.Compact(called)
		assert.Equal(t, test.calls, called, name)
		for _, f := range report.Findings {
			assert.Equal(t, len(called) == 3, f.Kind == servertest.KindFalseEffect, "%s", f)
		}
	}
}

// Data that other programs change at any time proves nothing.
func TestCheck_UnstableLookup(t *testing.T) {
	t.Parallel()
	s := newShop("unsteady")
	server := s.server()
	s.addLook(server, "list_orders", func() map[string]any {
		s.orders = append(s.orders, "of another program")
		return map[string]any{"orders": s.orders}
	})
	report := check(t, server, &servertest.Options{All: true})
	assert.Empty(t, report.Findings, "%s", report.Findings)
}

// Each kind of finding is planted in some test.
func TestKinds_Planted(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("kind.go")
	require.NoError(t, err)
	table, err := os.ReadFile("findings.md")
	require.NoError(t, err)
	files, err := filepath.Glob("*_test.go")
	require.NoError(t, err)
	var tests strings.Builder
	for _, file := range files {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		tests.Write(raw)
	}
	known := regexp.MustCompile(`(?m)^\t(Kind\w+) +Kind = "(\w+)" `).FindAllStringSubmatch(string(source), -1)
	require.Greater(t, len(known), 15)
	for _, kind := range known {
		assert.Regexp(t, "(?m)^\\| `"+kind[2]+"` \\| [a-z ]+ \\| [A-Z].*\\. \\| [A-Z].*\\. \\|$", string(table))
		assert.Regexp(t, `servertest\.`+kind[1]+`\b|"[\w ]* `+kind[2]+`"`, tests.String())
	}
}
