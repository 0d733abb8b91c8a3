package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// This file is all that a server on mcp-go needs; copy it. It turns every failed tool call
// into an envelope: returned errors, panics, results with IsError, nil results, and
// mcp-go's own refusals of arguments and outputs. Each failure is logged once, with its
// cause, which is never sent.
//
//	s := server.NewMCPServer("desk", "v1", append(structured(logger, nil), server.WithInputSchemaValidation())...)
//	s.AddTool(tool, typed(handler))

// structured returns the options of a server. Rules recognise errors of your own.
func structured(logger *slog.Logger, rules []toolerr.Rule) []server.ServerOption {
	hooks := new(server.Hooks)
	hooks.AddAfterCallTool(func(ctx context.Context, _ any, req *mcp.CallToolRequest, res any) {
		// mcp-go checks schemas before and after the middleware.
		if r, ok := res.(*mcp.CallToolResult); ok && r != nil && r.IsError && !isEnvelope(r) {
			f := failedCall{logger: logger, req: *req, started: time.Now()}
			*r = *f.result(ctx, refusal(firstText(r)), r)
		}
	})
	middleware := func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
			f := failedCall{logger: logger, req: req, started: time.Now()}
			defer func() {
				if p := recover(); p != nil {
					f.stack = debug.Stack()
					res, err = f.result(ctx, toolerr.Internal(fmt.Errorf("panic: %v", p)), nil), nil
				}
			}()
			res, err = next(ctx, req)
			switch {
			case err != nil:
				return f.result(ctx, toolerr.From(err, rules...).WithCause(err), nil), nil
			case res == nil:
				return f.result(ctx, toolerr.Internal(errors.New("the handler returned neither a result nor an error")), nil), nil
			case !res.IsError || isEnvelope(res):
				return res, nil
			}
			return f.result(ctx, unclassified(firstText(res)), res), nil
		}
	}
	return []server.ServerOption{server.WithToolHandlerMiddleware(middleware), server.WithHooks(hooks)}
}

// typed returns a handler with typed arguments and output, which returns Go errors.
// mcp-go's own typed handlers turn an error into text, which cannot be classified.
func typed[In, Out any](h func(context.Context, mcp.CallToolRequest, In) (Out, error)) server.ToolHandlerFunc {
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		var in In
		if err := req.BindArguments(&in); err != nil {
			return nil, refusal(err.Error()).WithCause(err)
		}
		out, err := h(ctx, req, in)
		if e, ok := err.(*toolerr.Error); err != nil && !(ok && e == nil) { // a typed nil is a success
			return nil, err
		}
		return mcp.NewToolResultStructuredOnly(out), nil
	}
}

// A failedCall is logged and answered.
type failedCall struct {
	logger  *slog.Logger
	req     mcp.CallToolRequest
	started time.Time
	stack   []byte
}

// result logs the failure and returns it as the result of the call. If the author returned
// a result of his own, its further content follows.
func (f *failedCall) result(ctx context.Context, e *toolerr.Error, said *mcp.CallToolResult) *mcp.CallToolResult {
	e = e.Resolve(f.hints(ctx))
	if e.CorrelationID == "" {
		e = e.WithCorrelationID(fmt.Sprintf("%018d", rand.Int64N(1e18)))
	}
	level := slog.LevelWarn
	if e.Code == toolerr.CodeInternal {
		level = slog.LevelError
	}
	attrs := []slog.Attr{
		slog.String("mcp.method.name", "tools/call"), slog.String("gen_ai.tool.name", f.req.Params.Name),
		slog.String("error.type", "tool_error"), slog.Duration("duration", time.Since(f.started)),
	}
	if session := server.ClientSessionFromContext(ctx); session != nil && session.SessionID() != "" {
		attrs = append(attrs, slog.String("mcp.session.id", session.SessionID()))
	}
	attrs = append(attrs, slog.Attr{Key: "error", Value: e.LogValue()})
	if f.stack != nil {
		attrs = append(attrs, slog.String("stack", string(f.stack)))
	}
	f.logger.LogAttrs(ctx, level, "tool call failed", attrs...)
	res := mcp.NewToolResultError(string(e.AppendJSON(nil)))
	if said != nil {
		rest := slices.Clone(said.Content)
		if len(rest) > 0 && isWhole(rest[0], e) {
			rest = rest[1:]
		}
		res.Content = append(res.Content, rest...)
	}
	return res
}

// hints returns the tool's annotations, and whether the call has an idempotency key for
// which the schema has an argument.
func (f *failedCall) hints(ctx context.Context) (hints toolerr.ToolHints) {
	s := server.ServerFromContext(ctx)
	if s == nil {
		return hints
	}
	tool := s.GetTool(f.req.Params.Name)
	if tool == nil {
		return hints // a tool of one session
	}
	says := func(hint *bool) bool { return hint != nil && *hint }
	hints.ReadOnly = says(tool.Tool.Annotations.ReadOnlyHint)
	hints.Idempotent = says(tool.Tool.Annotations.IdempotentHint)
	for name, value := range f.req.GetArguments() {
		if _, ok := tool.Tool.InputSchema.Properties[name]; ok && name == "idempotency_key" && value != "" {
			hints.Idempotent = true
		}
	}
	return hints
}

// refusal classifies mcp-go's refusal of arguments or of an output. Arguments are refused
// before the handler runs, outputs after it.
func refusal(text string) *toolerr.Error {
	if strings.HasPrefix(text, "invalid structured content: ") || strings.HasPrefix(text, "output schema validation failed: ") {
		return toolerr.Internal(errors.New(text)).WithEffect("")
	}
	e := toolerr.Validation(text).WithCode(toolerr.CodeInvalidArgument)
	if m := lacksField.FindStringSubmatch(text); m != nil {
		return e.WithCode(toolerr.CodeMissingArgument).WithField(m[1])
	}
	if m := atField.FindStringSubmatch(text); m != nil {
		return e.WithField(strings.ReplaceAll(m[1], "/", "."))
	}
	return e
}

// How mcp-go's validation names a wrong argument, and a missing one.
var (
	atField    = regexp.MustCompile(`(?:: |; )/([\w/-]+): `)
	lacksField = regexp.MustCompile(`: <root>: &\{Missing:\[([\w-]+)`)
)

// unclassified returns a failure with an author's text, and claims nothing more.
func unclassified(text string) *toolerr.Error {
	if text == "" {
		text = "The tool failed without saying why."
	}
	return &toolerr.Error{Message: text}
}

// isEnvelope reports whether a result's first text is an envelope already.
func isEnvelope(res *mcp.CallToolResult) bool {
	return strings.HasPrefix(firstText(res), `{"isError":true,"`)
}

func firstText(res *mcp.CallToolResult) string {
	for _, block := range res.Content {
		if text, ok := block.(mcp.TextContent); ok && text.Text != "" {
			return text.Text
		}
	}
	return ""
}

// isWhole reports whether a block is a text that the message holds completely.
func isWhole(block mcp.Content, e *toolerr.Error) bool {
	text, ok := block.(mcp.TextContent)
	return ok && len(text.Text) <= 2<<10 && (text.Text == e.Message || text.Text == "")
}
