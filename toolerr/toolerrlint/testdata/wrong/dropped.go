package wrong

import "github.com/mcp-toolerr/toolerr-go/toolerr"

func dropped(e *toolerr.Error, name string) *toolerr.Error {
	e.WithHint("Ask.") // want `dropped: Error.WithHint`
	if name == "" {
		toolerr.Validation("A name is needed.") // want `dropped: Validation`
	}
	return e
}
