package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
	"google.golang.org/genai"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An oneCall is a model that calls a tool once, and keeps the JSON of its answer.
type oneCall struct{ read string }

func (*oneCall) Name() string { return "one call" }

func (m *oneCall) GenerateContent(
	_ context.Context, req *model.LLMRequest, _ bool,
) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		part := genai.NewPartFromFunctionCall("find", map[string]any{"order": "ORD-9"})
		if answer := req.Contents[len(req.Contents)-1].Parts[0].FunctionResponse; answer != nil {
			text, _ := json.Marshal(answer.Response)
			m.read, part = string(text), genai.NewPartFromText("done")
		}
		yield(&model.LLMResponse{Content: genai.NewContentFromParts([]*genai.Part{part}, genai.RoleModel)}, nil)
	}
}

// TestADK_OwnTool checks what adk-go's model reads of the failure of the agent's own tool.
func TestADK_OwnTool(t *testing.T) {
	t.Parallel()
	missing := fmt.Errorf("orders: %w", toolerr.FailedPrecondition("No basket is open.", "create_basket"))
	for name, test := range map[string]struct {
		err  error
		show []llmagent.OnToolErrorCallback
		want string
	}{
		"text alone": {missing, nil, `{"error":"orders: No basket is open."}`},
		"the envelope": {
			missing,
			[]llmagent.OnToolErrorCallback{showEnvelope},
			`{"error":` + string(toolerr.From(missing).AppendJSON(nil)) + `}`,
		},
		"of no author": {context.Canceled, []llmagent.OnToolErrorCallback{showEnvelope}, `{"error":"context canceled"}`},
	} {
		find, err := functiontool.New(functiontool.Config{Name: "find", Description: "Find an order."},
			func(agent.Context, struct {
				Order string `json:"order"`
			},
			) (map[string]any, error) {
				return nil, test.err
			})
		require.NoError(t, err, name)
		m := new(oneCall)
		require.NoError(t, runAgent(t.Context(),
			llmagent.Config{Name: "desk", Model: m, Tools: []tool.Tool{find}, OnToolErrorCallbacks: test.show}, "hello"), name)
		assert.JSONEq(t, test.want, m.read, name)
	}
}
