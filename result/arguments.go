package result

import (
	"strconv"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// The texts of the SDK's argument validation, which has no error type.
const (
	argumentsText = `validating "arguments": `
	missingText   = `validating root: required: missing properties: [`
)

// fromArgumentError reads the SDK's complaint about the arguments of a call, or
// returns nil for any other text. The handler did not run.
func fromArgumentError(text string) *toolerr.Error {
	text, ok := strings.CutPrefix(text, argumentsText)
	if !ok {
		return nil
	}
	if list, ok := strings.CutPrefix(text, missingText); ok {
		if quoted, err := strconv.QuotedPrefix(list); err == nil {
			if field, err := strconv.Unquote(quoted); err == nil {
				return toolerr.Validation("The argument " + field + " is missing.").
					WithCode(toolerr.CodeMissingArgument).WithField(field).WithEffect(toolerr.EffectNone).
					WithHint("Call again with " + field + ".")
			}
		}
	}
	return toolerr.Validation("The arguments do not fit the tool's input schema: " + text).
		WithCode(toolerr.CodeInvalidArgument).WithEffect(toolerr.EffectNone)
}
