package result

import (
	"github.com/mcp-toolerr/toolerr-go/internal/jsonvalue"
	"github.com/mcp-toolerr/toolerr-go/result/internal/failure"
)

var (
	marshal  = jsonvalue.Marshal
	safeText = failure.Text
)

func init() {
	failure.ReadResult, failure.FirstText = readFailure, firstText
	failure.IsObject = func(text string) bool {
		_, ok := decodeObject(unframe(text))
		return ok
	}
}
