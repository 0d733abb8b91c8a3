package main

import (
	"context"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// forms lists the forms that a failure is shown in.
var forms = []string{"bare", "envelope"}

// A question is a failed call in both forms, and the right next step.
type question struct {
	failed

	text map[string]string // by form
	want retry.Action
	// danger states whether a repeat may do the work twice.
	danger bool
}

// A trial is one question, in one form and with one seed.
type trial struct {
	question

	form string
	seed int
}

// trials yields every question in each form with each seed, from 1 to seeds.
func trials(questions []question, seeds int) iter.Seq[trial] {
	return func(yield func(trial) bool) {
		for _, q := range questions {
			for _, form := range forms {
				for seed := 1; seed <= seeds; seed++ {
					if !yield(trial{q, form, seed}) {
						return
					}
				}
			}
		}
	}
}

// prepare makes each call on two real servers, one with the SDK alone and one with the
// middleware. Package retry decides the right next step.
func prepare(ctx context.Context) ([]question, error) {
	questions := make([]question, 0, len(failures))
	for _, f := range failures {
		q := question{failed: f, text: map[string]string{}}
		bare, err := f.answer(ctx, f.bare)
		if err != nil {
			return nil, err
		}
		ours := f.ours
		if ours == nil {
			ours = f.bare
		}
		res, err := f.answer(ctx, ours, result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.DiscardHandler)}))
		if err != nil {
			return nil, err
		}
		q.text["bare"], q.text["envelope"] = textOf(bare), textOf(res)
		out := result.Parse(res, nil)
		q.want = retry.Policy{}.Decide(out, retry.State{Attempt: 1, Now: time.Now(), Safety: retry.SafetyOf(f.tool)}).Action
		q.danger = q.want != retry.ActionRetry &&
			(out.Err.Effect == toolerr.EffectUnknown || out.Err.Effect == toolerr.EffectApplied)
		questions = append(questions, q)
	}
	return questions, nil
}

// answer returns the result that a server sends if its handler fails with err.
func (f failed) answer(ctx context.Context, err error, middleware ...mcp.Middleware) (*mcp.CallToolResult, error) {
	server := mcp.NewServer(&mcp.Implementation{Name: "desk", Version: "v1"}, nil)
	server.AddReceivingMiddleware(middleware...)
	t := *f.tool
	mcp.AddTool(server, &t, func(context.Context, *mcp.CallToolRequest, map[string]any) (*mcp.CallToolResult, any, error) {
		return nil, nil, err
	})
	serverSide, clientSide := mcp.NewInMemoryTransports()
	ss, connectErr := server.Connect(ctx, serverSide, nil)
	if connectErr != nil {
		return nil, connectErr
	}
	defer func() { _ = ss.Close() }()
	session, connectErr := mcp.NewClient(&mcp.Implementation{Name: "modelcheck", Version: "v1"}, nil).
		Connect(ctx, clientSide, nil)
	if connectErr != nil {
		return nil, connectErr
	}
	defer func() { _ = session.Close() }()
	res, callErr := session.CallTool(ctx, &mcp.CallToolParams{Name: f.tool.Name, Arguments: f.arguments})
	if callErr == nil && !res.IsError {
		callErr = fmt.Errorf("%s does not fail", f.name)
	}
	return res, callErr
}

func textOf(res *mcp.CallToolResult) string {
	if len(res.Content) > 0 {
		if text, ok := res.Content[0].(*mcp.TextContent); ok {
			return text.Text
		}
	}
	return ""
}
