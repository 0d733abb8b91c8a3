package wrong

import (
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func words(e *toolerr.Error, d retry.Decision) []bool {
	switch d.Action.String() {
	case "give up": // want `word: no Action`
		e = e.WithEffect("None") // want `word: no Effect`
	}
	return []bool{
		e.Effect == "partial",                          // want `word: no Effect`
		e.Code == "RateLimited",                        // want `word: no Code`
		string(e.Category) == "Transient",              // want `word: no Category`
		d.Reason == "not-retryable",                    // want `word: no Reason`
		d.Action.String() == "fixInput",                // want `word: no Action`
		e.Category == "rate_limited",                   // want `word: no Category`
		toolerr.Error{Category: "Transient"}.Retryable, // want `word: no Category`
	}
}
