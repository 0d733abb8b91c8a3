package foreign

import (
	"encoding/json"
	"fmt"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/answers"
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/internal/sanitize"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// partialIn returns the Partial of a value that reports a batch of which some items failed, or nil.
// It reads a cursor only from a flagged result, that is, one with isError.
func partialIn(v any, flagged bool) *toolerr.Partial {
	items := answers.ReadItems(v, flagged)
	if items == nil {
		return nil
	}
	p := &toolerr.Partial{Processed: items.Done, Total: items.Total}
	if items.Results != nil {
		p.Results, _ = jsonvalue.Marshal(items.Results) // it was JSON
	}
	if flagged {
		p.ContinueFrom = cursor(items.From)
	}
	return p
}

// partialError returns the failure for a result that shows only that some of its items failed.
func partialError(p *toolerr.Partial) *toolerr.Error {
	if p.Processed == 0 && p.Total > 0 {
		return &toolerr.Error{Message: "None of the work was done.", Effect: toolerr.EffectUnknown}
	}
	return &toolerr.Error{Message: "Only part of the work was done.", Partial: p}
}

// cursor returns v if it is a number or a text that an envelope may hold, or nil.
func cursor(v any) any {
	switch v.(type) {
	case string, json.Number, float64:
		if text := fmt.Sprint(v); text != "" && sanitize.Identifier(text) == text {
			return v
		}
	}
	return nil
}
