package wrong

import "github.com/mcp-toolerr/toolerr-go/result"

func data(err error) {
	result.OK(err.Error())                                      // want `data: a failure`
	result.OK(map[string]any{"error": err.Error()})             // want `data: a failure`
	result.OK(map[string]any{"err": err, "orders": []string{}}) // want `data: an error in a map`
}
