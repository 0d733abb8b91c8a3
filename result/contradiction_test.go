package result_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestOK_NeverByAccident checks that what is no answer is not sent as a success.
func TestOK_NeverByAccident(t *testing.T) {
	t.Parallel()
	var nilError *toolerr.Error
	for name, test := range map[string]struct {
		value any
		code  toolerr.Code
	}{
		"an error":               {errors.New("x"), toolerr.CodeInternal},
		"a tool error":           {toolerr.NotFound("order", "7"), toolerr.CodeNotFound},
		"wrapped":                {fmt.Errorf("a: %w", toolerr.NotFound("order", "7")), toolerr.CodeNotFound},
		"a nil tool error":       {nilError, toolerr.CodeInternal},
		"a result":               {result.OK("x"), toolerr.CodeInternal},
		"a result by value":      {mcp.CallToolResult{}, toolerr.CodeInternal},
		"a nil result":           {(*mcp.CallToolResult)(nil), toolerr.CodeInternal},
		"another kind of result": {&mcp.ListToolsResult{}, toolerr.CodeInternal},
	} {
		for _, res := range []*mcp.CallToolResult{result.OK(test.value), result.Empty("None.", test.value)} {
			out := result.Parse(res, nil)
			require.Equal(t, result.KindFailure, out.Kind, name)
			assert.Equal(t, test.code, out.Err.Code, name)
		}
	}
	assert.Equal(t, result.KindData, result.Parse(result.OK("Error: this is the text of a page."), nil).Kind)
	assert.NotNil(t, result.OK(`{"success":false,"error":"the text of a log"}`).Meta, "a text is marked as data too")
}

// TestHandler_Contradiction checks typed handlers whose result and output differ.
func TestHandler_Contradiction(t *testing.T) {
	t.Parallel()
	type orders struct {
		Orders []string `json:"orders"`
		Next   string   `json:"next"`
	}
	type customer struct {
		Name string `json:"name"`
		Age  int    `json:"age"`
	}
	full, ann := orders{Orders: []string{"ORD-7"}}, customer{"Ann", 44}
	said := func() *mcp.CallToolResult {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "One order."}}}
	}
	for name, test := range map[string]struct {
		res  *mcp.CallToolResult
		out  any
		fits bool
	}{
		"OK beside nothing":             {result.OK(full), orders{}, false},
		"OK beside another":             {result.OK(full), orders{Orders: []string{"ORD-8"}}, false},
		"OK of a list beside nothing":   {result.OK(full.Orders), orders{}, false},
		"empty beside a full list":      {result.Empty("None.", nil), full, false},
		"empty beside a full record":    {result.Empty("None.", nil), ann, false},
		"OK beside the same":            {result.OK(full), full, true},
		"OK of nothing beside nothing":  {result.OK(orders{}), orders{}, true},
		"empty beside an empty list":    {result.Empty("None.", nil), orders{}, true},
		"empty beside an empty record":  {result.Empty("None.", nil), customer{}, true},
		"empty beside what was asked":   {result.Empty("None.", nil), customer{Name: "Ann"}, true},
		"an author's text":              {said(), full, true},
		"an author's text, no output":   {said(), orders{}, true},
		"OK beside an output of no use": {result.OK(full), struct{}{}, true},
		"no result":                     {nil, full, true},
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(quiet()))
		add(server, test.res, test.out)
		res, err := testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
		require.NoError(t, err, name)
		assert.Equal(t, !test.fits, res.IsError, name)
		if out := result.Parse(res, nil); !test.fits {
			assert.Equal(t, toolerr.CodeInternal, out.Err.Code, name)
			assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect, name)
		}
	}
}

// add adds a typed tool "t" that returns res and out.
func add(server *mcp.Server, res *mcp.CallToolResult, out any) {
	result.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return res, out, nil
	})
}

// TestAddTool_WithoutMiddleware checks that a failure is an envelope without the middleware
// too, that no text of a cause is sent, and that the log says once what is missing.
func TestAddTool_WithoutMiddleware(t *testing.T) { //nolint:paralleltest // it replaces the default logger
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	server := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "v0"}, nil)
	result.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
		return nil, nil, errors.New("postgres://admin:hunter2@db refused")
	})
	session := testutil.Connect(t, server, nil)
	for range 2 {
		res, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
		require.NoError(t, err)
		out := result.Parse(res, nil)
		assert.Equal(t, toolerr.CodeInternal, out.Err.Code)
		assert.Equal(t, toolerr.EffectUnknown, out.Err.Effect)
		assert.NotContains(t, out.Text(), "admin")
	}
	assert.Equal(t, 1, strings.Count(log.String(), "server.AddReceivingMiddleware(result.Middleware(nil))"), log.String())
}
