package result

import (
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/foreign"
)

// The errors of a typed handler whose result and output say two different things.
var (
	errTwoAnswers = errors.New("the handler returned a result with one answer and an output with another: return the answer as the output, and no result")
	errNotEmpty   = errors.New("the handler returned result.Empty and an output that is not empty: return only the output, or an empty one")
)

// contradiction returns an error if the result of a typed handler says another thing than
// its output. Out is normalized. A client would get both, or the output instead of the
// result's structured content.
func contradiction(res *mcp.CallToolResult, out any) error {
	if res == nil || out == nil || res.NeedsInput() {
		return nil
	}
	raw, err := jsonvalue.Marshal(out)
	if err != nil {
		return nil //nolint:nilerr // the SDK reports an output that cannot be encoded
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil || len(members) == 0 {
		return nil //nolint:nilerr // it is no object, or says nothing
	}
	switch {
	case res.Meta[kindKey] == KindEmpty.String():
		if isFull(members) {
			return errNotEmpty
		}
	case res.StructuredContent != nil:
		if !jsonvalue.Same(res.StructuredContent, json.RawMessage(raw)) {
			return errTwoAnswers
		}
	case isBlank(members):
		var items []json.RawMessage // of OK
		if json.Unmarshal([]byte(foreign.FirstText(res)), &items) == nil && len(items) > 0 {
			return errTwoAnswers
		}
	}
	return nil
}

// isFull reports whether an output holds an answer: every list and object in it has an item,
// or, if it has none of them, no member has its zero value.
func isFull(members map[string]json.RawMessage) bool {
	parts, zeros := 0, 0
	for _, raw := range members {
		switch {
		case holdsNothing(raw) && (raw[0] == '[' || raw[0] == '{'):
			return false
		case raw[0] == '[' || raw[0] == '{':
			parts++
		case holdsNothing(raw):
			zeros++
		}
	}
	return parts > 0 || zeros == 0
}

// isBlank reports whether all members of an output have their zero values.
func isBlank(members map[string]json.RawMessage) bool {
	for _, raw := range members {
		if !holdsNothing(raw) {
			return false
		}
	}
	return true
}

func holdsNothing(raw json.RawMessage) bool {
	switch string(raw) {
	case `[]`, `{}`, `null`, `""`, `0`, `false`:
		return true
	}
	return false
}
