package right

import "github.com/mcp-toolerr/toolerr-go/toolerr"

func dropped(e *toolerr.Error, name string) *toolerr.Error {
	if name == "" {
		return toolerr.Validation("A name is needed.")
	}
	return e.WithHint("Ask.")
}
