package result

import (
	"bytes"
	"cmp"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Parse reads the results of [mcp.ClientSession.CallTool], as the package's documentation shows.
// A failure that is not understood has no category and is not retryable. A nil result without an
// error is a failure too. The Outcome keeps res, which is not changed.
func Parse(res *mcp.CallToolResult, err error) Outcome {
	if isTypedNil(err) {
		err = nil
	}
	out := Outcome{Kind: KindData, Result: res}
	switch {
	case err != nil:
		out.Result = nil
		out.Err, out.Status, out.SessionLost = foreign.CallError(err)
	case res == nil:
		out.Err = errNothing
	case res.NeedsInput():
		out.Kind = KindInputRequired
	case resultType(res) != "complete":
		if out.Err = errUnknownResult; resultType(res) == "task" { // the SDK keeps only its _meta, and cannot wait for it
			task, _ := res.Meta[relatedTaskKey].(map[string]any)
			out.Err = errTask.WithDetails(task)
		}
	case res.IsError:
		out.Err, out.envelope = foreign.Failure(res)
	case res.Meta[kindKey] == KindEmpty.String():
		out.Kind = KindEmpty
	case res.Meta[kindKey] == KindData.String(): // our server marked it as data
	default:
		e, empty := foreign.Success(res)
		hasAnswer := len(res.Content) > 0 || res.StructuredContent != nil // else it may be a task, which the SDK drops
		if out.Err = e; empty && hasAnswer {
			out.Kind = KindEmpty
		}
	}
	if out.read = out.Err; out.Err != nil {
		out.Kind = KindFailure
		if out.Err.Partial != nil && out.Result != nil {
			out.Kind = KindPartial
		}
	}
	return out
}

// Failures of calls whose result is missing or cannot be read.
var (
	errNothing = toolerr.Transient("The call returned neither a result nor an error.").
			WithCode(toolerr.CodeInternal).WithRetryable(false)
	errTask = toolerr.Transient("The server goes on with the work as a task. This client cannot wait for its end.").
		WithRetryable(false).WithEffect(toolerr.EffectUnknown)
	errUnknownResult = toolerr.Transient("The server answered with a kind of result that this client does not know.").
				WithCode(toolerr.CodeInternal).WithRetryable(false).WithEffect(toolerr.EffectUnknown)
)

// The members of _meta that servers of protocol version 2025-11-25 add to a task.
const (
	relatedTaskKey = "io.modelcontextprotocol/related-task"
	immediateKey   = "io.modelcontextprotocol/model-immediate-response"
)

// resultType returns the type of a result, which the SDK exposes only in JSON. One without an answer may be a
// task, of which the SDK keeps only _meta.
func resultType(res *mcp.CallToolResult) string {
	if (res.Meta[relatedTaskKey] != nil || res.Meta[immediateKey] != nil) && len(res.Content) == 0 &&
		res.StructuredContent == nil {
		return "task"
	}
	shallow := *res
	shallow.Meta, shallow.Content, shallow.StructuredContent, shallow.InputRequests = nil, nil, nil, nil
	text, _ := json.Marshal(&shallow)
	_, name, _ := bytes.Cut(text, []byte(`"resultType":"`)) // a text in it has its quotes escaped
	name, _, _ = bytes.Cut(name, []byte(`"`))
	return cmp.Or(string(name), "complete")
}
