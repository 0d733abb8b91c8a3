package result_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/hint"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The outcome of every situation of a tool, over a session.
func TestMiddleware_Situations(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{}, 1)
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/throttled":
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(http.StatusTooManyRequests)
		case "/private":
			w.WriteHeader(http.StatusUnauthorized)
		case "/slow":
			arrived <- struct{}{}
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer upstream.Close()
	get := func(ctx context.Context, path string) error {
		ctx, pass := testutil.Deadline(ctx)
		if path == "/slow" {
			go func() { <-arrived; pass() }()
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, upstream.URL+path, http.NoBody)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return toolerr.Wrap(err, "The weather service took too long.")
		}
		return toolerr.FromResponse(resp)
	}
	day := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	type path struct {
		Path string `json:"path"`
	}
	blocked := toolerr.Permission("Writing to infra/ is blocked.").WithCode(toolerr.CodePermissionDenied).
		WithHint("Do not write there or look for a way around; tell the user instead.")
	var upstreamPath string
	var err error
	answer := func(ctx context.Context) error {
		if err == nil {
			return get(ctx, upstreamPath)
		}
		return err
	}
	server := serve(nil)
	addTyped(server, "t", func(ctx context.Context) (*mcp.CallToolResult, error) { return nil, answer(ctx) })
	addTyped(server, "stop_instance", nil)
	session := testutil.Connect(t, server, nil)
	for name, test := range map[string]struct {
		err  error // nil for one of the upstream
		want toolerr.Error
	}{
		"ticker": {toolerr.NotFound("ticker", "APLE", "AAPL", "MSFT"), toolerr.Error{
			Category: toolerr.CategoryValidation, Code: toolerr.CodeNotFound, Message: `There is no ticker "APLE".`, Effect: toolerr.EffectNone,
			Hint: `Did you mean "AAPL"? Call again with that, or ask the user.`, Suggestions: []string{"AAPL"},
		}},
		"file": {toolerr.NotFound("file", "src/auth/sesion.ts", "src/auth/session.ts", "src/auth/sessions.ts", "README.md"), toolerr.Error{
			Category: toolerr.CategoryValidation, Code: toolerr.CodeNotFound, Message: `There is no file "src/auth/sesion.ts".`, Effect: toolerr.EffectNone,
			Hint:        `Did you mean "src/auth/session.ts", "src/auth/sessions.ts"? Call again with that, or ask the user.`,
			Suggestions: []string{"src/auth/session.ts", "src/auth/sessions.ts"},
		}},
		"units": {toolerr.InvalidArgument("units", "celsius", `"metric" or "imperial"`, "metric", "imperial"), toolerr.Error{
			Category: toolerr.CategoryValidation, Code: toolerr.CodeInvalidArgument, Field: "units", Effect: toolerr.EffectNone,
			Message: `units must be "metric" or "imperial", got "celsius".`, Hint: `Call again with units as "metric" or "imperial".`,
		}},
		"ambiguous": {toolerr.Ambiguous("path", "session", path{"src/auth/session.ts"}, path{"src/db/session.ts"}), toolerr.Error{
			Category: toolerr.CategoryValidation, Code: toolerr.CodeAmbiguous, Field: "path", Effect: toolerr.EffectNone,
			Message: `path "session" fits 2 things.`, Hint: "Call again with one of options, or ask the user.",
			Options: []any{map[string]any{"path": "src/auth/session.ts"}, map[string]any{"path": "src/db/session.ts"}},
		}},
		"order of tools": {toolerr.FailedPrecondition("An instance that is running cannot be terminated.", "stop_instance"), toolerr.Error{
			Category: toolerr.CategoryBusiness, Code: toolerr.CodeFailedPrecondition, Effect: toolerr.EffectNone, Details: map[string]any{"first": "stop_instance"},
			Message: "An instance that is running cannot be terminated.", Hint: "Call stop_instance first, then call this tool again.",
		}},
		"a tool that the server does not have": {toolerr.FailedPrecondition("It is running.", "halt"), toolerr.Error{
			Category: toolerr.CategoryBusiness, Code: toolerr.CodeFailedPrecondition, Effect: toolerr.EffectNone,
			Message: "It is running.", Hint: "Bring about the state that it needs, then call again.",
		}},
		"a sentence instead of a tool": {toolerr.FailedPrecondition("It is open.", "Resolve the ticket first."), toolerr.Error{
			Category: toolerr.CategoryBusiness, Code: toolerr.CodeFailedPrecondition, Effect: toolerr.EffectNone,
			Message: "It is open.", Hint: "Resolve the ticket first.",
		}},
		"date": {toolerr.OutOfRange("travel_date", day(2024, 7, 31), day(2025, 7, 25), nil, day(2025, 7, 31)), toolerr.Error{
			Category: toolerr.CategoryValidation, Code: toolerr.CodeOutOfRange, Field: "travel_date", Effect: toolerr.EffectNone,
			Message: "travel_date must be at least 2025-07-25, got 2024-07-31.", Suggestions: []string{"2025-07-31"},
			Hint: "If 2025-07-31 was meant, call again with that; else with travel_date at least 2025-07-25.",
		}},
		"blocked": {blocked, toolerr.Error{
			Effect: toolerr.EffectNone, Category: toolerr.CategoryPermission, Code: toolerr.CodePermissionDenied, Message: "Writing to infra/ is blocked.",
			Hint: "Do not write there or look for a way around; tell the user instead.",
		}},
		"throttled": {nil, toolerr.Error{
			Category: toolerr.CategoryTransient, Retryable: true, Code: toolerr.CodeRateLimited, RetryAfter: 30 * time.Second, Effect: toolerr.EffectNone,
			Message: "Too many calls were made; no more are taken for now.", Hint: "Wait for retryAfterMs, then retry the same call.",
		}},
		"down": {nil, toolerr.Error{
			Category: toolerr.CategoryTransient, Retryable: true, Code: toolerr.CodeUnavailable, Effect: toolerr.EffectNone,
			Message: "The service is unavailable, or the connection to it failed.",
			Hint:    "Wait, then retry the same call at most twice; then tell the user.",
		}},
		"private": {nil, toolerr.Error{
			Category: toolerr.CategoryPermission, Code: toolerr.CodeUnauthenticated, Effect: toolerr.EffectNone,
			Message: "The credentials are missing or were not accepted.", Hint: "Do not retry; tell the user that the credentials must be renewed.",
		}},
		"slow": {nil, toolerr.Error{
			Category: toolerr.CategoryTransient, Code: toolerr.CodeTimeout, Effect: toolerr.EffectUnknown, Message: "The weather service took too long.",
			Hint: hint.Unknown,
		}},
	} {
		err, upstreamPath = test.err, "/"+name
		e := callT(t, session)
		test.want.CorrelationID = e.CorrelationID
		assert.Equal(t, &test.want, e, name)
	}
}

// A query that exceeds its timeout of 30 seconds is a transient failure, not an empty result.
func TestMiddleware_SilentDatabase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := serve(quiet())
		result.AddTool(server, &mcp.Tool{Name: "lookup_order", Annotations: readOnly},
			func(ctx context.Context, _ *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, items, error) {
				ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
				defer cancel()
				<-ctx.Done()
				return nil, items{}, toolerr.Wrap(ctx.Err(), "The database did not answer within 30 seconds.")
			})
		start := time.Now()
		out := callTool(t, testutil.Connect(t, server, nil), "lookup_order", nil)
		assert.Equal(t, 30*time.Second, time.Since(start))
		require.Equal(t, result.KindFailure, out.Kind)
		assert.True(t, out.Result.IsError)
		assert.Equal(t, &toolerr.Error{
			Category: toolerr.CategoryTransient, Retryable: true, Code: toolerr.CodeTimeout, Effect: toolerr.EffectNone,
			Message:       "The database did not answer within 30 seconds.",
			Hint:          "Wait, then retry the same call at most twice; then tell the user.",
			CorrelationID: out.Err.CorrelationID,
		}, out.Err)
	})
}

// imperative matches an imperative sentence.
var imperative = regexp.MustCompile(`(?:^|[.?!] |If [^,]+, |^Before calling again, )(?i:add|ask|bring|call|check|choose|correct|do not|read|repeat|retry|send|tell|use|wait)[ ,]`)

// Failures without an author's hint have a default hint, in the imperative.
func TestHints_Imperative(t *testing.T) {
	t.Parallel()
	var err error
	session := failing(t, quiet(), func(context.Context) error { return err })
	failures := []*toolerr.Error{
		toolerr.NotFound("ticker", "APLE", "AAPL"), toolerr.InvalidArgument("units", "celsius", "metric or imperial"), toolerr.OutOfRange("n", 0, 1, 9, 1),
		toolerr.Ambiguous("path", "session", "a", "b"), toolerr.RateLimited("m", time.Second), toolerr.LimitExceeded("m", "c"),
		toolerr.FailedPrecondition("m", "stop_instance"), toolerr.FailedPrecondition("m", ""), toolerr.Internal(nil),
		toolerr.Transient("m").WithPartial(&toolerr.Partial{Processed: 1}), toolerr.Transient("m").WithPartial(&toolerr.Partial{ContinueFrom: 2}),
	}
	for _, category := range []toolerr.Category{toolerr.CategoryTransient, toolerr.CategoryValidation, toolerr.CategoryBusiness, toolerr.CategoryPermission, "odd"} {
		for _, code := range []toolerr.Code{
			"", toolerr.CodeTimeout, toolerr.CodeRateLimited, toolerr.CodeUnavailable, toolerr.CodeCanceled, toolerr.CodeInternal, toolerr.CodeNotFound,
			toolerr.CodeInvalidArgument, toolerr.CodeMissingArgument, toolerr.CodeAmbiguous, toolerr.CodeOutOfRange, toolerr.CodeConflict,
			toolerr.CodeAlreadyExists, toolerr.CodeFailedPrecondition, toolerr.CodeLimitExceeded, toolerr.CodeUnauthenticated,
			toolerr.CodePermissionDenied, toolerr.CodeInsufficientScope,
		} {
			e := &toolerr.Error{Category: category, Code: code, Message: "m"}
			failures = append(failures, e, e.WithRetryable(true), e.WithEffect(toolerr.EffectApplied), e.WithEffect(toolerr.EffectUnknown),
				e.WithEffect(toolerr.EffectUnknown).WithIdempotencyKey("k"))
		}
	}
	for _, e := range failures {
		err = e
		assert.Regexp(t, imperative, callTool(t, session, "t", nil).Err.Hint, "%s", e.AppendJSON(nil))
	}
	arguments := testutil.Connect(t, newServer(new(bytes.Buffer)), nil)
	for _, complaint := range complaints {
		assert.Regexp(t, imperative, callTool(t, arguments, "every_keyword", json.RawMessage(complaint)).Err.Hint, complaint)
	}
}
