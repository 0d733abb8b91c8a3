package idempotency

import (
	"cmp"
	"encoding/json"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An answer is what is stored for repeats of a finished call.
type answer struct {
	Call    string              `json:"call"`              // see Request.callID
	Failure json.RawMessage     `json:"failure,omitempty"` // an envelope, with the author's own content in Result
	Result  *mcp.CallToolResult `json:"result,omitempty"`
	Out     json.RawMessage     `json:"out,omitempty"`
}

// callID identifies the call of an answer, in case a store mixes up its answers.
func (r Request) callID() string { return digest(r.ID, r.Fingerprint) }

// answer decodes the stored answer of the request's call. It returns an error if the answer is
// incomplete or another call's.
func (r Request) answer(raw []byte) (*answer, error) {
	a := new(answer)
	switch err := json.Unmarshal(raw, a); {
	case err != nil:
		return nil, err
	case a.Call != r.callID(), (a.Failure == nil) == (a.Out == nil):
		return nil, failure.FaultError("what the store has kept is no answer, or another call's")
	case a.Result == nil || a.Result.StructuredContent == nil:
		return a, nil
	}
	var as struct {
		Result struct {
			Structured json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	err := json.Unmarshal(raw, &as)
	a.Result.StructuredContent = as.Result.Structured // with all digits of its numbers
	return a, err
}

// answerOf returns the answer of a successful call. Again points to a value of the output's type;
// if the output does not survive decoding into it, the answer is a failure.
func answerOf(res *mcp.CallToolResult, out, again any) *answer {
	raw, err := jsonvalue.Marshal(out)
	if err == nil {
		err = decodeOut(raw, again)
	}
	if err != nil {
		return &answer{Failure: lostAnswer(err, toolerr.EffectApplied).AppendJSON(nil)}
	}
	return &answer{Result: res, Out: raw}
}

// replay returns the first call's result and failure, and decodes its output into out, a pointer.
func (a *answer) replay(out any) (*mcp.CallToolResult, *toolerr.Error) {
	if a.Failure == nil {
		if err := decodeOut(a.Out, out); err != nil {
			return nil, lostAnswer(err, toolerr.EffectUnknown)
		}
		return a.Result, nil
	}
	e := new(toolerr.Error)
	if err := e.UnmarshalJSON(a.Failure); err != nil {
		return nil, lostAnswer(err, toolerr.EffectUnknown)
	}
	e.Effect = cmp.Or(e.Effect, toolerr.EffectUnknown)
	return a.Result, e
}

// decodeOut decodes an output into out, a pointer. It returns an error unless *out encodes as raw.
// An output of type any keeps its encoded form.
func decodeOut(raw json.RawMessage, out any) error {
	v := reflect.ValueOf(out).Elem()
	if v.Kind() == reflect.Interface && v.NumMethod() == 0 {
		if string(raw) != "null" {
			v.Set(reflect.ValueOf(raw))
		}
		return nil
	}
	if err := jsonvalue.Unmarshal(raw, out); err != nil {
		return err
	}
	if !jsonvalue.Same(raw, v.Interface()) {
		return failure.FaultError("the output does not survive encoding and decoding as JSON")
	}
	return nil
}

// lostAnswer returns the failure for repeats of a call whose answer cannot be given again.
func lostAnswer(cause error, effect toolerr.Effect) *toolerr.Error {
	return toolerr.Internal(cause).WithMessage("This call was made before, but its answer cannot be given again.").
		WithEffect(effect)
}
