package right

import (
	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func words(e *toolerr.Error, d retry.Decision) []bool {
	switch d.Action.String() {
	case "propagate", "":
		e = (&toolerr.Error{Effect: "of_another_server"}).WithEffect("")
	}
	return []bool{
		e.Code == "rate_limited",
		e.Code == "out_of_stock",
		e.Category == "of_another_server",
		string(e.Category) == "transient",
		d.Reason == "not_retryable",
		d.Action.String() == "fix_input",
	}
}
