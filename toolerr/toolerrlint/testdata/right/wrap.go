package right

import (
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func wrapped(err error, service *toolerr.Error) []error {
	return []error{
		toolerr.NotFound("order", "A-1"),
		toolerr.Business("It is closed.").WithHint("Wait."),
		toolerr.Wrap(err, "The lookup failed."),
		toolerr.Wrap(service, "The service refused."),
		toolerr.Wrap(toolerr.From(err).WithHint("Wait."), "The lookup failed."),
		toolerr.Wrap(toolerr.Internal(err), "The lookup failed."),
	}
}
