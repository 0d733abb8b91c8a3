package right

import "github.com/mcp-toolerr/toolerr-go/result"

func data(err error, name string) {
	result.Failure(err)
	result.OK(name)
	result.OK(map[string]any{"healthy": false, "error": err.Error()}) // the report of a check
	result.OK(report{Orders: name, Err: err})
}

type report struct {
	Orders string
	Err    error `json:"-"`
}
