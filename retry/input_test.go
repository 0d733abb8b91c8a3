package retry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestClient_LoadShedding checks that a server that sheds load is called again with backoff and its state.
func TestClient_LoadShedding(t *testing.T) {
	t.Parallel()
	w := newWorld(gives(sheds("one"), sheds("two"), "done"))
	c := w.client(t)
	var waited time.Duration
	c.Policy.BaseDelay = 40 * time.Millisecond
	c.Policy.OnDecision = func(_ result.Outcome, d retry.Decision) { waited += d.Delay }
	c.Input = inputs(nil, errors.New("no question expected"))
	out, d := call(t, c, "write")
	require.NoError(t, out.AsError())
	assert.Equal(t, 3, d.Attempt)
	assert.Positive(t, waited)
	assert.Equal(t, []string{"", "one", "two"}, states(t, w, 3))

	w = newWorld(gives(sheds("s")))
	out, d = call(t, w.client(t), "write")
	assert.Equal(t, "failure unavailable none propagate 3 The server is busy.",
		testutil.Words(out.Kind, out.Err.Code, out.Err.Effect, d.Action, w.calls.Load(), out.Err.Message))
}

func states(t *testing.T, w *world, n int64) (got []string) {
	t.Helper()
	for i := range n {
		got = append(got, w.got(t, i+1).RequestState)
	}
	return got
}

// asking returns a world that asks a person first, and then gives the answers.
func asking(answers ...any) *world {
	n := int64(0)
	return newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if len(req.Params.InputResponses) == 0 {
			return asks(), nil
		}
		n++
		return gives(answers...)(n, req)
	})
}

type input = func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error)

// inputs returns a Client.Input that always ends like this.
func inputs(answers mcp.InputResponseMap, err error) input {
	return func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) { return answers, err }
}

var accepted = mcp.InputResponseMap{"confirm": &mcp.ElicitResult{Action: "accept"}}

func TestClient_Input(t *testing.T) {
	t.Parallel()
	const notGiven = "not_retryable 1 The input that the tool asks for was not given."
	const forever = "not_retryable 1 The tool asks for input again and again. 9 [ s s s s s s s s s]"
	for name, test := range map[string]struct {
		world *world
		tool  string
		input input
		want  string // the reason, the attempts, the message, the questions and the states of the calls
	}{
		"given":         {asking("done"), "write", inputs(accepted, nil), "succeeded 1 done 1 [ s]"},
		"read-only":     {asking(errRefused), "read", inputs(accepted, nil), "person_asked 1 refused 1 [ s]"},
		"an error":      {asking(), "read", inputs(nil, errors.New("gone home")), notGiven + " 1 []"},
		"a tool's no":   {asking(), "read", inputs(nil, toolerr.Business("Declined.")), "not_retryable 1 Declined. 1 []"},
		"nothing":       {asking(), "read", inputs(nil, nil), notGiven + " 1 []"},
		"asked forever": {newWorld(gives(asks())), "read", inputs(accepted, nil), forever},
	} {
		asked, c := 0, test.world.client(t)
		c.Policy.AttemptTimeout = testutil.Patience
		c.Input = func(ctx context.Context, question *mcp.CallToolResult) (mcp.InputResponseMap, error) {
			asked++
			return test.input(ctx, question)
		}
		out, d := call(t, c, test.tool)
		message := out.Text()
		if out.Err != nil {
			message = out.Err.Message
		}
		got := testutil.Words(d.Reason, d.Attempt, message, asked, states(t, test.world, test.world.calls.Load()))
		assert.Equal(t, test.want, got, name)
	}
}

// TestClient_InputByCaller checks that without Input, the caller answers in a call of its own.
func TestClient_InputByCaller(t *testing.T) {
	t.Parallel()
	w := asking(errRefused, "done")
	c := w.client(t)
	out, d := call(t, c, "write")
	assert.Equal(t, retry.ActionProvideInput, d.Action)
	require.Contains(t, out.Result.InputRequests, "confirm")
	params := &mcp.CallToolParams{Name: "write", RequestState: out.Result.RequestState, InputResponses: accepted}
	for _, want := range []retry.Reason{retry.ReasonPersonAsked, retry.ReasonSucceeded} {
		_, d = c.CallTool(t.Context(), params)
		assert.Equal(t, want, d.Reason)
	}
	assert.Equal(t, []string{"", "s", "s"}, states(t, w, 3))
}

// TestInput_NotGiven checks that a call that lacks the input its tool asked for is nobody's
// fault, has no proven effect, and costs no session, whatever the program's own error is.
func TestInput_NotGiven(t *testing.T) {
	t.Parallel()
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for name, cause := range map[string]error{
		"no handler": nil, "the end of standard input": io.EOF, "no dialog": refused,
		"a text":    errors.New("invalid argument: not found"),
		"not found": &answeredError{StatusCode: 404}, "a conflict": &answeredError{StatusCode: 409},
	} {
		w, options := newWorld(gives(asks(), "fine")), new(mcp.ClientOptions)
		if cause != nil {
			options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return nil, cause
			}
		}
		session, err := w.dial(t.Context(), newClient(options), "")
		require.NoError(t, err)
		outs := []result.Outcome{result.Parse(session.CallTool(t.Context(), tool("write")))}
		assert.Equal(t, "fine", result.Parse(session.CallTool(t.Context(), tool("write"))).Text(), name)
		require.NoError(t, session.Close())
		if cause != nil {
			c := newWorld(gives(asks())).client(t)
			c.Input = inputs(nil, cause)
			outs = append(outs, first(call(t, c, "write")))
		}
		for _, out := range outs {
			require.NotNil(t, out.Err, name)
			got := testutil.Words(out.Err.Message, out.Err.Category, out.Err.Effect, out.SessionLost)
			assert.Equal(t, "The input that the tool asks for was not given. transient unknown false", got, name)
		}
	}
}

// TestClient_Elicit checks that a call with a question to a person is not repeated, and that an IdleTimeout does not
// end it before the answer.
func TestClient_Elicit(t *testing.T) {
	t.Parallel()
	for after, want := range map[time.Duration]string{
		4 * time.Second: "propagate person_asked 1", 6 * time.Second: "verify may_have_taken_effect 1",
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				time.Sleep(4 * time.Second) // in a bubble
				_, _ = req.Session.Elicit(t.Context(), &mcp.ElicitParams{Message: "Pay 40?", RequestedSchema: object})
				time.Sleep(after) // in a bubble
				return nil, errRefused
			})
			c, answers := w.client(t), new(mcp.ClientOptions)
			answers.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				time.Sleep(8 * time.Second) // in a bubble
				return &mcp.ElicitResult{Action: "accept"}, nil
			}
			c.Connect, c.Policy.IdleTimeout = w.connectWith(c, answers, "2025-11-25"), 5*time.Second
			out, d := call(t, c, "write")
			time.Sleep(2 * time.Second) // in a bubble: the handler ends
			assert.Equal(t, want, testutil.Words(d.Action, d.Reason, d.Attempt), out.Text())
		})
	}
}

// TestClient_Consent checks that Client.Input is asked to open the URL, once, and the call made again.
func TestClient_Consent(t *testing.T) {
	t.Parallel()
	const page = "https://bank.example/connect"
	required := mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{Mode: "url", ElicitationID: "e-1", URL: page}})
	for name, test := range map[string]struct {
		action  string
		err     error
		answers []any
		want    string
	}{
		"opened":            {"accept", nil, []any{required, "done"}, "accept  calls 2"},
		"required again":    {"accept", nil, []any{required}, "reauthorize permission_denied calls 2"},
		"declined":          {"decline", nil, []any{required, "done"}, "propagate canceled calls 1"},
		"after an error":    {"accept", errors.New("gone"), []any{required, "done"}, "propagate canceled calls 1"},
		"after a tool's no": {"accept", toolerr.Business("Not now."), []any{required}, "escalate  calls 1"},
	} {
		w, asked := newWorld(gives(test.answers...)), 0
		c := w.client(t)
		c.Input = func(_ context.Context, question *mcp.CallToolResult) (mcp.InputResponseMap, error) {
			asked++
			answers := mcp.InputResponseMap{}
			for name, q := range question.InputRequests {
				assert.Equal(t, page, q.(*mcp.ElicitParams).URL) //nolint:errcheck,forcetypeassert // a panic tells
				answers[name] = &mcp.ElicitResult{Action: test.action}
			}
			return answers, test.err
		}
		out, d := call(t, c, "write")
		got := fmt.Sprintf("%v %s calls %d", d.Action, toolerr.CodeOf(out.AsError()), w.calls.Load())
		assert.Equal(t, test.want, got, name)
		assert.True(t, out.Err == nil || out.Err.Effect == toolerr.EffectNone, name)
		assert.Equal(t, 1, asked, name)
	}
}

// TestParse_URLElicitation records which URLs are kept: only displayable ones, as many as fit.
func TestParse_URLElicitation(t *testing.T) {
	t.Parallel()
	parse := func(elicitations any) result.Outcome {
		data := []byte(testutil.JSON(map[string]any{"elicitations": elicitations}))
		return result.Parse(nil, &jsonrpc.Error{Code: mcp.CodeURLElicitationRequired, Message: "m", Data: data})
	}
	testutil.Recorded(t, "testdata/urls.txt", func(sample string) string {
		e := parse([]any{map[string]any{"mode": "url", "url": testutil.Repeat(sample)}}).Err
		return fmt.Sprintf("%v %s", e.Details, e.Hint)
	})
	many := make([]any, 100)
	for i := range many {
		many[i] = map[string]any{
			"url":     fmt.Sprintf("https://a.example/%d/%s", i, strings.Repeat("x", 500)),
			"message": strings.Repeat("m", 5000),
		}
	}
	assert.Contains(t, parse(many).Text(), "https://a.example/0/", "some URLs fit")
	for _, odd := range []string{``, `null`, `[]`, `{"elicitations":7}`, `{"elicitations":[null,7]}`} {
		out := result.Parse(nil, &jsonrpc.Error{Code: mcp.CodeURLElicitationRequired, Data: json.RawMessage(odd)})
		assert.Equal(t, "permission none", testutil.Words(out.Err.Category, out.Err.Effect), odd)
	}
}
