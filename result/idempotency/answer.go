package idempotency

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An answer is the stored answer of a finished call.
type answer struct {
	Call    string          `json:"call"`              // the call's mark
	Failure json.RawMessage `json:"failure,omitempty"` // an envelope
	Result  json.RawMessage `json:"result,omitempty"`  // or the author's content of a failure
	Out     json.RawMessage `json:"out,omitempty"`
}

var (
	errOut      = errors.New("the output does not survive encoding and decoding as JSON")
	errNotOurs  = errors.New("the answer that the store has kept is another call's")
	errNoAnswer = errors.New("what the store has kept is no answer")
)

// mark identifies the call of an answer, in case a store mixes answers up.
func (r Request) mark() string { return digest(r.ID, r.Fingerprint) }

// answer decodes the stored answer of the request's call. It returns an error if it is not
// complete.
func (r Request) answer(raw []byte) (*answer, error) {
	a := new(answer)
	switch err := json.Unmarshal(raw, a); {
	case err != nil:
		return nil, err
	case a.Call != r.mark():
		return nil, errNotOurs
	case (a.Failure == nil) == (a.Out == nil):
		return nil, errNoAnswer
	}
	return a, nil
}

// answerOf returns the answer of a successful call. It returns an error if the answer cannot
// be decoded again into again, a pointer to a value of the output's type.
func answerOf(res *mcp.CallToolResult, out, again any) (a *answer, err error) {
	a = new(answer)
	if a.Out, err = jsonvalue.Marshal(out); err != nil {
		return nil, err
	}
	if decodeOut(a.Out, again) != nil || !jsonvalue.Same(a.Out, reflect.ValueOf(again).Elem().Interface()) {
		return nil, errOut
	}
	if res != nil {
		a.Result, err = jsonvalue.Marshal(res)
	}
	return a, err
}

// failureOf returns the answer of a failed call. Said is the author's own content, or nil.
func failureOf(e *toolerr.Error, said *mcp.CallToolResult) *answer {
	e, content := failure.Content(e, said)
	a := &answer{Failure: e.AppendJSON(nil)}
	if len(content) > 1 {
		a.Result, _ = jsonvalue.Marshal(&mcp.CallToolResult{Content: content[1:]}) // each block can be encoded
	}
	return a
}

// said returns the author's own content of a failure, or nil.
func (a *answer) said() *mcp.CallToolResult {
	if a.Failure == nil || a.Result == nil {
		return nil
	}
	res := new(mcp.CallToolResult)
	if json.Unmarshal(a.Result, res) != nil {
		return nil
	}
	return res
}

// replay repeats the answer of the first call. Out is a pointer to the output.
func (a *answer) replay(out any) (*mcp.CallToolResult, *toolerr.Error) {
	if a.Failure != nil {
		e := new(toolerr.Error)
		if err := e.UnmarshalJSON(a.Failure); err != nil {
			return nil, lostAnswer(err, toolerr.EffectUnknown)
		}
		if e.Effect == "" {
			e.Effect = toolerr.EffectUnknown
		}
		return nil, e
	}
	if err := decodeOut(a.Out, out); err != nil {
		return nil, lostAnswer(err, toolerr.EffectUnknown)
	}
	if !jsonvalue.Same(a.Out, reflect.ValueOf(out).Elem().Interface()) { // stored by a server with another output type
		return nil, lostAnswer(errOut, toolerr.EffectUnknown)
	}
	if a.Result == nil {
		return nil, nil
	}
	res := new(mcp.CallToolResult)
	var as struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	if err := errors.Join(json.Unmarshal(a.Result, res), json.Unmarshal(a.Result, &as)); err != nil {
		return nil, lostAnswer(err, toolerr.EffectUnknown)
	}
	if as.Structured != nil {
		res.StructuredContent = as.Structured // keeps all digits of its numbers
	}
	return res, nil
}

// decodeOut decodes an output. An output of type any keeps its encoded form.
func decodeOut(raw json.RawMessage, out any) error {
	v := reflect.ValueOf(out).Elem()
	if v.Kind() != reflect.Interface || v.NumMethod() > 0 {
		return jsonvalue.Unmarshal(raw, out)
	}
	if string(raw) != "null" {
		v.Set(reflect.ValueOf(raw))
	}
	return nil
}

// lostAnswer returns the failure of a repeat whose first answer is gone.
func lostAnswer(cause error, effect toolerr.Effect) *toolerr.Error {
	return toolerr.Internal(cause).WithMessage("This call was made before, but its answer cannot be given again.").WithEffect(effect)
}
