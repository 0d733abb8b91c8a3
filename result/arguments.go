package result

import (
	"errors"
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The texts of the SDK's argument validation, which has no error type.
const (
	argumentsText = `validating "arguments": `
	missingText   = `validating root: required: missing properties: [`
)

// errArguments stands for the SDK's text in the log, because that text quotes the
// arguments.
var errArguments = errors.New("the arguments do not fit the input schema")

// fromArgumentError reads the SDK's complaint about the arguments of a call, or
// returns nil for any other text. The handler did not run. Values are not
// repeated: they may be secrets.
func fromArgumentError(text string) (e *toolerr.Error, why error) {
	text, ok := strings.CutPrefix(text, argumentsText)
	if !ok {
		return nil, nil
	}
	if list, ok := strings.CutPrefix(text, missingText); ok {
		if quoted, err := strconv.QuotedPrefix(list); err == nil {
			if field, err := strconv.Unquote(quoted); err == nil {
				return toolerr.Validation("The argument " + field + " is missing.").
					WithCode(toolerr.CodeMissingArgument).WithField(field).WithEffect(toolerr.EffectNone).
					WithHint("Call again with " + field + "."), errArguments
			}
		}
	}
	return toolerr.Validation("The arguments do not fit the tool's input schema.").
		WithCode(toolerr.CodeInvalidArgument).WithEffect(toolerr.EffectNone).
		WithHint("Read the tool's input schema, and call again with arguments that fit it."), errArguments
}
