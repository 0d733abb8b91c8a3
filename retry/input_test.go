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
	c.Policy = retry.Policy{
		BaseDelay:  40 * time.Millisecond,
		OnDecision: func(_ result.Outcome, d retry.Decision) { waited += d.Delay },
	}
	c.Input = func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) {
		return nil, errors.New("no question expected")
	}
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

var accepted = mcp.InputResponseMap{"confirm": &mcp.ElicitResult{Action: "accept"}}

func TestClient_Input(t *testing.T) {
	t.Parallel()
	asked := 0
	person := func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) {
		asked++
		return accepted, nil
	}
	w := asking("done")
	c := w.client(t)
	c.Input = person
	c.Policy.AttemptTimeout = testutil.Patience
	out, d := call(t, c, "write")
	require.NoError(t, out.AsError())
	assert.Equal(t, "1 1", testutil.Words(d.Attempt, asked))
	assert.Equal(t, []string{"", "s"}, states(t, w, 2))

	asked = 0
	w = asking(errBusy)
	c = w.client(t)
	c.Input = person
	out, d = call(t, c, "read")
	assert.Equal(t, "person_asked busy 1 2", testutil.Words(d.Reason, out.Err.Message, asked, w.calls.Load()),
		"not even a read-only call is repeated")

	const notGiven = "The input that the tool asks for was not given."
	for err, message := range map[error]string{
		errors.New("gone home"):       notGiven,
		toolerr.Business("Declined."): "Declined.", nil: notGiven,
	} {
		c = w.client(t)
		c.Input = func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) { return nil, err }
		out, d = call(t, c, "read")
		assert.Equal(t, message+" 1", testutil.Words(out.Err.Message, d.Attempt))
	}
	w = newWorld(gives(asks()))
	c = w.client(t)
	asked, c.Input = 0, person
	out, _ = call(t, c, "read")
	assert.Equal(t, "The tool asks for input again and again. 10 9",
		testutil.Words(out.Err.Message, w.calls.Load(), asked))
}

// TestClient_InputByCaller checks that without Input, the caller answers in a call of its own.
func TestClient_InputByCaller(t *testing.T) {
	t.Parallel()
	w := asking(errBusy, "done")
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
	const asks = `{"jsonrpc":"2.0","id":ID,"result":{"resultType":"input_required","requestState":"s",` +
		`"inputRequests":{"a":` +
		`{"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object"}}}}}}`
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	for name, cause := range map[string]error{
		"no handler": nil, "the end of standard input": io.EOF, "no dialog": refused,
		"a text":    errors.New("invalid argument: not found"),
		"not found": &answeredError{StatusCode: 404}, "a conflict": &answeredError{StatusCode: 409},
	} {
		options := &mcp.ClientOptions{}
		if cause != nil {
			options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return nil,
					cause
			}
		}
		session, err := dialSpeaker(t.Context(), newClient(options), nil, asks)
		require.NoError(t, err)
		outs := []result.Outcome{result.Parse(session.CallTool(t.Context(), tool("charge", "bad")))}
		assert.Equal(t, "fine", result.Parse(session.CallTool(t.Context(), tool("charge", "good"))).Text())
		require.NoError(t, session.Close())
		if cause != nil {
			c := speakerClient(t, nil, asks)
			c.Input = func(context.Context, *mcp.CallToolResult) (mcp.InputResponseMap, error) { return nil, cause }
			outs = append(outs, first(c.CallTool(t.Context(), tool("charge", "bad"))))
		}
		for _, out := range outs {
			require.NotNil(t, out.Err, name)
			assert.Equal(t, "The input that the tool asks for was not given. transient unknown false",
				testutil.Words(out.Err.Message, out.Err.Category, out.Err.Effect, out.SessionLost), name)
		}
	}
}

// TestClient_Elicit checks that a call during which the server has asked a person is not repeated.
func TestClient_Elicit(t *testing.T) {
	t.Parallel()
	asked := 0
	w := newWorld(func(_ int64, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		_, _ = req.Session.Elicit(t.Context(), &mcp.ElicitParams{Message: "Pay 40?", RequestedSchema: object})
		return nil, errBusy
	})
	c := w.client(t)
	c.Connect = w.connectWith(c, &mcp.ClientOptions{ElicitationHandler: func(context.Context,
		*mcp.ElicitRequest,
	) (*mcp.ElicitResult, error) {
		asked++
		return &mcp.ElicitResult{Action: "accept"}, nil
	}}, "2025-11-25")
	_, _ = call(t, c, "write")
	assert.Equal(t, 1, asked)
}

// TestClient_Consent checks that Client.Input is asked to open the URL, once, and the call made again.
func TestClient_Consent(t *testing.T) {
	t.Parallel()
	required := mcp.URLElicitationRequiredError([]*mcp.ElicitParams{{
		Mode: "url", ElicitationID: "e-1",
		URL: "https://bank.example/connect",
	}})
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
				assert.Equal(t, "https://bank.example/connect", q.(*mcp.ElicitParams).URL) //nolint:errcheck,forcetypeassert // a panic tells
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
		data, err := json.Marshal(map[string]any{"elicitations": elicitations})
		require.NoError(t, err)
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
