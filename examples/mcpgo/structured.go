package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// This file is all that a server on mcp-go needs; copy it. It runs result.Middleware, which is
// for the official SDK, around the tools of mcp-go: returned errors, panics, failed and nil
// results, and mcp-go's refusals of arguments and outputs become envelopes.
//
//	s := server.NewMCPServer("desk", "v1", structured(&options{}, otherOptions...)...)
//	s.AddTool(tool, typed(handler)) // handlers of other kinds stay as they are
//
// A failed result keeps its content. In an existing server, set Reveal to result.RevealAll to keep
// the texts of returned errors too, and annotate the tools: by default, mcp.NewTool declares a tool
// destructive and not idempotent. mcp-go's results have no SetError: where a handler returns
// mcp.NewToolResultError(text), return nil, toolerr.From(err).WithMessage(text) instead. The file
// needs mcp-go v0.45 or newer.

// options are the options of result.Middleware, and one more. The zero value is a good default.
type options struct {
	result.MiddlewareOptions
	// FromText makes toolerr.FromText classify what no type classifies: the texts of failed
	// results, and of errors that Reveal selects. It guesses, and a wrong guess misleads agents.
	FromText bool
}

// structured returns all options of a server: the middleware (so that it is the outermost), the
// other options, and a hook. Leave out server.WithRecovery, which hides the stacks of panics.
// Errors for unknown tools, and calls as tasks, stay as mcp-go makes them.
func structured(o *options, others ...server.ServerOption) []server.ServerOption {
	a := newAdapter(o)
	outermost := server.WithToolHandlerMiddleware(func(next server.ToolHandlerFunc) server.ToolHandlerFunc {
		return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return a.run(ctx, newCall(req, next))
		}
	})
	return slices.Concat([]server.ServerOption{outermost}, others, []server.ServerOption{a.addHook})
}

// typed is like mcp.NewStructuredToolHandler, but keeps the Go errors that h returns.
func typed[In, Out any](
	h mcp.StructuredToolHandlerFunc[In, Out],
) func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return official(func(ctx context.Context, _ *sdk.CallToolRequest, in In) (*sdk.CallToolResult, Out, error) {
		c, _ := ctx.Value(callKey{}).(*call)
		out, err := h(ctx, c.request, in)
		return nil, out, err
	})
}

// official adapts a handler with the official SDK's signature, for result.Empty and
// idempotency.Handler. h gets a request with arguments, _meta and the HTTP header, but no usable
// session.
func official[In, Out any](h sdk.ToolHandlerFor[In, Out]) server.ToolHandlerFunc {
	h = result.Handler(h)
	return func(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		c, ok := ctx.Value(callKey{}).(*call)
		if !ok { // without structured
			c = newCall(req, nil)
			ctx = context.WithValue(ctx, callKey{}, c)
		}
		var in In
		if err := req.BindArguments(&in); err != nil {
			return nil, bindError{err}
		}
		res, out, err := h(ctx, c.official, in)
		if err != nil || res == nil {
			return mcp.NewToolResultStructuredOnly(out), err
		}
		if res.StructuredContent == nil {
			res.StructuredContent = out
		}
		answer := new(mcp.CallToolResult)
		return answer, convert(res, answer)
	}
}

// A bindError reports arguments that do not fit a handler's Go type.
type bindError struct{ error }

func (e bindError) refusal() (sdk.Result, error) {
	if m, ok := e.error.(*json.UnmarshalTypeError); ok { //nolint:errorlint // BindArguments does not wrap it
		return refusal(invalidArguments+e.Error(), m.Field)
	}
	return withError(e.error), nil
}

// A call is one tool call, as both libraries represent it.
type call struct {
	request  mcp.CallToolRequest
	official *sdk.CallToolRequest
	next     server.ToolHandlerFunc
	refused  bool // next returns mcp-go's refusal

	result *mcp.CallToolResult // what next returned
	err    error
	own    map[sdk.Content]mcp.Content // the result's blocks, by those that stand for them
}

type callKey struct{}

func newCall(req mcp.CallToolRequest, next server.ToolHandlerFunc) *call {
	params := &sdk.CallToolParamsRaw{Name: req.Params.Name}
	_ = req.BindArguments(&params.Arguments) // which are JSON
	if req.Params.Meta != nil {
		params.Meta = req.Params.Meta.AdditionalFields
	}
	official := &sdk.CallToolRequest{
		Session: new(sdk.ServerSession), Params: params,
		Extra: &sdk.RequestExtra{Header: req.Header},
	}
	return &call{request: req, official: official, next: next, own: map[sdk.Content]mcp.Content{}}
}

// An adapter runs result.Middleware around calls.
type adapter struct {
	options

	handle sdk.MethodHandler
}

func newAdapter(o *options) *adapter {
	a := &adapter{options: *cmp.Or(o, new(options))}
	own := a.MiddlewareOptions
	own.Logger = slog.New(sessionHandler{cmp.Or(own.Logger, slog.Default()).Handler()})
	own.Reveal = func(err error) bool { // mcp-go's refusals show Go values
		return a.Reveal != nil && !isRefusal.MatchString(err.Error()) && a.Reveal(err)
	}
	a.handle = result.Middleware(&own)(a.next)
	return a
}

// addHook adds a hook for refusals before a server's other hooks: mcp-go validates arguments before
// its middleware runs, and outputs after it.
func (a *adapter) addHook(s *server.MCPServer) {
	hooks := cmp.Or(s.GetHooks(), new(server.Hooks))
	server.WithHooks(hooks)(s)
	hook := func(ctx context.Context, _ any, req *mcp.CallToolRequest, answer any) {
		res, ok := answer.(*mcp.CallToolResult)
		if !ok || res == nil || !res.IsError || strings.HasPrefix(firstText(res), `{"isError":true,`) {
			return
		}
		refusal := *res
		c := newCall(*req, func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) { return &refusal, nil })
		c.refused = true
		if out, err := a.run(ctx, c); err == nil {
			*res = *out
		}
	}
	hooks.OnAfterCallTool = slices.Insert(hooks.OnAfterCallTool, 0, server.OnAfterCallToolFunc(hook))
}

// run makes a call and returns the answer. A success is what the handler returned, perhaps with
// result.Middleware's mark in _meta. A failed result keeps the handler's content blocks that its
// envelope lacks.
func (a *adapter) run(ctx context.Context, c *call) (*mcp.CallToolResult, error) {
	res, err := a.handle(context.WithValue(ctx, callKey{}, c), "tools/call", c.official)
	out, ok := res.(*sdk.CallToolResult)
	if err != nil || !ok {
		return nil, c.err // a protocol error
	}
	var answer mcp.CallToolResult
	switch {
	case out.IsError:
		answer.IsError = true
	case out.Meta["io.github.mcp-toolerr/kind"] == nil:
		return c.result, nil
	default:
		answer = *c.result
	}
	if answer.Content = nil; out.Meta != nil {
		answer.Meta = mcp.NewMetaFromMap(out.Meta)
	}
	for _, block := range out.Content {
		own, ok := c.own[block]
		if text, isText := block.(*sdk.TextContent); isText && !ok {
			own = mcp.NewTextContent(text.Text)
		}
		answer.Content = append(answer.Content, own)
	}
	return &answer, nil
}

// next is the handler that result.Middleware wraps: it acts as an official-SDK server with one
// tool.
func (a *adapter) next(ctx context.Context, method string, _ sdk.Request) (sdk.Result, error) {
	c, _ := ctx.Value(callKey{}).(*call)
	if method == "tools/list" {
		return c.tools(ctx), nil
	}
	c.result, c.err = c.next(ctx, c.request)
	var elicitation mcp.URLElicitationRequiredError
	if bind, ok := c.err.(bindError); ok { //nolint:errorlint // as official returns it
		return bind.refusal()
	}
	switch {
	case errors.As(c.err, &elicitation):
		return nil, &jsonrpc.Error{Code: mcp.URL_ELICITATION_REQUIRED, Message: c.err.Error()}
	case c.err != nil:
		if e := c.read(c.err.Error(), a.FromText && a.isRevealed(c.err)); e != nil {
			return nil, e.WithCause(c.err)
		}
		return nil, c.err
	case c.result == nil:
		return nil, nil
	}
	text := firstText(c.result)
	if c.refused {
		return refusal(text, "")
	}
	out, err := c.toOfficial()
	switch {
	case err != nil || !out.IsError:
		return out, err
	case strings.HasPrefix(text, "failed to bind arguments: "): // mcp.NewTypedToolHandler
		out.SetError(errors.New(refusedArguments + text))
	default:
		if e := c.read(text, a.FromText && !strings.HasPrefix(text, "{")); e != nil {
			failed := result.Failure(e)
			failed.Content, failed.StructuredContent, failed.Meta = append(failed.Content, out.Content...),
				out.StructuredContent, out.Meta
			return failed, nil
		}
	}
	return out, nil
}

// isRevealed reports whether Reveal selects an error that no type classifies.
func (a *adapter) isRevealed(err error) bool {
	e := toolerr.From(err)
	return a.Reveal != nil && e != nil && e.Code == toolerr.CodeInternal && toolerr.CodeOf(err) == "" && a.Reveal(err)
}

// byRequire matches the whole error text of mcp-go's RequireString and similar methods.
var byRequire = regexp.MustCompile(`^(?:required )?argument "([^"]+)" (not found|is not an? [\w ]+|` +
	`cannot be converted to \w+)$`)

// read returns the failure that a text states, or nil. It reads what mcp-go says about an argument,
// if the arguments confirm it, and with prose set also what toolerr.FromText recognizes. It leaves
// the effect open, because the handler may have acted before.
func (c *call) read(text string, prose bool) *toolerr.Error {
	if m := byRequire.FindStringSubmatch(text); m != nil {
		code, missing := toolerr.CodeInvalidArgument, m[2] == "not found"
		if missing {
			code = toolerr.CodeMissingArgument
		}
		if _, sent := c.request.GetArguments()[m[1]]; sent != missing {
			return toolerr.Validation(text).WithCode(code).WithField(m[1]).WithEffect("")
		}
	}
	if prose {
		if e := toolerr.FromText(text); e.Category != "" {
			return e
		}
	}
	return nil
}

// tools returns a list that contains only the call's tool.
func (c *call) tools(ctx context.Context) *sdk.ListToolsResult {
	var tool *server.ServerTool
	if s := server.ServerFromContext(ctx); s != nil {
		tool = s.GetTool(c.request.Params.Name)
	}
	if session, ok := server.ClientSessionFromContext(ctx).(server.SessionWithTools); ok {
		if own, ok := session.GetSessionTools()[c.request.Params.Name]; ok {
			tool = &own
		}
	}
	list, known := new(sdk.ListToolsResult), new(sdk.Tool)
	if tool != nil && convert(tool.Tool, known) == nil {
		list.Tools = []*sdk.Tool{known}
	}
	return list
}

const (
	// How mcp-go's refusals of arguments begin. Its other refusals are about outputs.
	invalidArguments = "invalid arguments: "
	invalidSchema    = "input schema validation failed: "
	// How the official SDK's errors for arguments and outputs begin.
	refusedArguments = `validating "arguments": `
	refusedOutput    = "validating tool output: "
)

var isRefusal = regexp.MustCompile("^" + refusedArguments + "|^" + refusedOutput)

// refusal returns mcp-go's refusal in the official SDK's form. result.Middleware looks for the
// argument at fault itself; if it finds none, it sends this content.
func refusal(text, field string) (sdk.Result, error) {
	if !strings.HasPrefix(text, invalidSchema) && !strings.HasPrefix(text, invalidArguments) {
		return nil, errors.New(refusedOutput + text)
	}
	e := toolerr.Validation("The arguments do not fit the tool's input schema.").WithCode(toolerr.CodeInvalidArgument).
		WithField(field)
	out := withError(errors.New(refusedArguments + text))
	out.Content = []sdk.Content{&sdk.TextContent{Text: string(e.AppendJSON(nil))}}
	return out, nil
}

// withError returns the failed result that the official SDK makes from an error.
func withError(err error) *sdk.CallToolResult {
	out := new(sdk.CallToolResult)
	out.SetError(err)
	return out
}

// toOfficial converts the result to the official SDK's type. It copies texts, and puts an image in
// place of any other block.
func (c *call) toOfficial() (*sdk.CallToolResult, error) {
	var parts struct {
		Meta       sdk.Meta        `json:"_meta"`
		Structured json.RawMessage `json:"structuredContent"`
	}
	rest := *c.result
	rest.Content = nil // which is long, and always JSON
	if err := convert(rest, &parts); err != nil {
		return nil, fmt.Errorf("marshaling output: %w", err)
	}
	out := &sdk.CallToolResult{IsError: c.result.IsError, Meta: parts.Meta}
	if parts.Structured != nil {
		out.StructuredContent = parts.Structured
	}
	for _, block := range c.result.Content {
		var stand sdk.Content = new(sdk.ImageContent)
		if text, ok := block.(mcp.TextContent); ok {
			copied := &sdk.TextContent{Text: text.Text}
			if text.Meta != nil || text.Annotations != nil {
				copied.Annotations = new(sdk.Annotations) // the block is more than its text
			}
			stand = copied
		}
		c.own[stand] = block
		out.Content = append(out.Content, stand)
	}
	return out, nil
}

func firstText(res *mcp.CallToolResult) string {
	for _, block := range res.Content {
		if text, ok := block.(mcp.TextContent); ok && text.Text != "" {
			return text.Text
		}
	}
	return ""
}

// convert converts a value of one library to one of the other, by way of JSON.
func convert(from, to any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}

// A sessionHandler adds the id of mcp-go's session to log records.
type sessionHandler struct{ slog.Handler }

// Handle implements [slog.Handler].
func (h sessionHandler) Handle(ctx context.Context, r slog.Record) error {
	if session := server.ClientSessionFromContext(ctx); session != nil && session.SessionID() != "" {
		r.AddAttrs(slog.String("mcp.session.id", session.SessionID()))
	}
	return h.Handler.Handle(ctx, r)
}
