package foreign

import (
	"strings"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/internal/spelling"
)

var (
	// reportNames lists all names of members that describe a failure.
	reportNames = sync.OnceValue(func() map[string]bool {
		return union([]string{"error", "errors", "outcome", "object"}, spelling.Category, spelling.Message, spelling.Code, spelling.Status, spelling.Retryable,
			spelling.Hint, spelling.CustomerMessage, spelling.Field, spelling.CorrelationID, spelling.IdempotencyKey, spelling.Effect, spelling.Suggestions, spelling.Options,
			spelling.Milliseconds, spelling.Seconds, spelling.NotBefore)
	})
	// partNames lists the names of members of a partial result.
	partNames = sync.OnceValue(func() map[string]bool {
		return union(spelling.Processed, spelling.Total, spelling.ContinueFrom, spelling.Results)
	})
)

// besideNames lists further members of reports that are not data: the state of the call, its
// request, and where the failure occurred.
var besideNames = set(`
	success ok isError instance timestamp systemTime details context meta metadata extensions documentation_url links _links request requested
	params parameters arguments jsonrpc messages cause causes stack trace traceback locale data partial attempted recovery service output stderr`)

// set returns a function that returns the set of words and creates it on first use.
func set(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return union(strings.Fields(words)) })
}

func union(lists ...[]string) map[string]bool {
	m := make(map[string]bool)
	for _, list := range lists {
		for _, word := range list {
			m[word] = true
		}
	}
	return m
}
