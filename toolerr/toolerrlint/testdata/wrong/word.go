package wrong

import (
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func words(e *toolerr.Error, d retry.Decision) []bool {
	return []bool{
		e.Code == "RateLimited",           // want `word: no Code`
		string(e.Category) == "Transient", // want `word: no Category`
		d.Reason == "not-retryable",       // want `word: no Reason`
		d.Action.String() == "fixInput",   // want `word: no Action`
	}
}
