package wrong

import (
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func wrapped(err error, service *toolerr.Error) []error {
	closed := toolerr.Business("It is closed.").WithHint("Wait.")
	return []error{
		toolerr.Wrap(toolerr.NotFound("order", "A-1"), "The lookup failed."), // want `wrap: `
		toolerr.Wrap(closed, "It was refused."),                              // want `wrap: `
	}
}
