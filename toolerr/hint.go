package toolerr

import "github.com/mcp-toolerr/toolerr-go/internal/hint"

func defaultHint(e *Error) string {
	if e.origin.text { // a hint may contradict the text
		return ""
	}
	facts := hint.Facts{
		Category: string(e.Category), Code: string(e.Code), Effect: string(cleanEffect(e.Effect)), Retryable: e.retryable(),
		Delay: e.RetryAfter, Field: e.Field != "", Options: len(e.Options) > 0, Partial: !e.Partial.IsEmpty(),
	}
	if e.IdempotencyKey != "" {
		facts.Key = hint.AnyArgument
	}
	if e.Partial != nil {
		facts.Continue = len(appendCursor(nil, e.Partial.ContinueFrom)) > 0
		facts.Results = len(appendResults(nil, e.Partial.Results)) > 0
	}
	return hint.Default(facts)
}
