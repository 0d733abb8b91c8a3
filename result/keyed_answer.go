package result

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// An answer is what the store keeps of a call that has ended.
type answer struct {
	Failure json.RawMessage `json:"failure,omitempty"` // an envelope
	Result  json.RawMessage `json:"result,omitempty"`
	Out     json.RawMessage `json:"out,omitempty"`
}

// replay answers as the first call did.
func (a *answer) replay(out any) (*mcp.CallToolResult, error) {
	if a.Failure != nil {
		e := new(toolerr.Error)
		if err := e.UnmarshalJSON(a.Failure); err != nil {
			return nil, lostAnswer(err, toolerr.EffectUnknown)
		}
		return nil, e
	}
	if a.Out != nil {
		var err error
		if v := reflect.ValueOf(out).Elem(); v.Kind() == reflect.Interface && v.NumMethod() == 0 {
			if string(a.Out) != "null" {
				v.Set(reflect.ValueOf(a.Out)) // as it was
			}
		} else {
			err = decode(a.Out, out)
		}
		if err != nil {
			return nil, lostAnswer(err, toolerr.EffectApplied)
		}
	}
	if a.Result == nil {
		return nil, nil
	}
	res := new(mcp.CallToolResult)
	var as struct {
		Structured json.RawMessage `json:"structuredContent"`
	}
	if err := errors.Join(json.Unmarshal(a.Result, res), json.Unmarshal(a.Result, &as)); err != nil {
		return nil, lostAnswer(err, toolerr.EffectApplied)
	}
	if as.Structured != nil {
		res.StructuredContent = as.Structured // with all the digits of its numbers
	}
	return res, nil
}

// lostAnswer is the failure of a repeat where the first call's answer is gone.
func lostAnswer(cause error, effect toolerr.Effect) *toolerr.Error {
	return toolerr.Internal(cause).WithMessage("This call was made before, but its answer cannot be given again.").WithEffect(effect)
}
