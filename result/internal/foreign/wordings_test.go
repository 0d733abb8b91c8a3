package foreign_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// Each wording of a public server or its client has a similar one next to it with another
// meaning.
func TestText_ServersWordings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]toolerr.Code{
		"error loading config: field x is wrong":                                                                                     "",
		"LOADING Redis is loading the dataset in memory":                                                                             toolerr.CodeUnavailable,
		`Get "https://vuln.example/": dial tcp: lookup vuln.example: no such host`:                                                   toolerr.CodeInternal,
		"stat x: no such file or directory":                                                                                          toolerr.CodeNotFound,
		"Rate limit exceeded. Remaining (req/min): 0. Upgrade your plan, please retry after 27s":                                     toolerr.CodeRateLimited,
		"Credits exceeded. Upgrade your plan.":                                                                                       toolerr.CodeLimitExceeded,
		`Code: 429. Errors: * request path "secret/db": rate limit quota exceeded`:                                                   toolerr.CodeRateLimited,
		"Storage quota exceeded":                                                                                                     toolerr.CodeLimitExceeded,
		`Missing required input: project_id: required argument "project_id" not found`:                                               toolerr.CodeMissingArgument,
		`argument "project_id": project not found`:                                                                                   toolerr.CodeNotFound,
		"invalid attribute: Name has already been taken":                                                                             toolerr.CodeAlreadyExists,
		"The container name web is already in use by another container":                                                              toolerr.CodeAlreadyExists,
		"port 80 is already in use":                                                                                                  toolerr.CodeFailedPrecondition,
		"Could not connect to MongoDB. Last error: Invalid scheme, expected mongodb://":                                              toolerr.CodeInvalidArgument,
		`get: [GET /dashboards/uid/{uid}][403] getDashboardForbidden {"message":"more needed"}`:                                      toolerr.CodePermissionDenied,
		`create: [POST /folders][409] createFolderConflict {}`:                                                                       toolerr.CodeConflict,
		`500 Server Error for http://h/v1/images: Internal Server Error ("toomanyrequests: You have reached your pull rate limit.")`: toolerr.CodeRateLimited,
	} {
		assert.Equal(t, want, codeOf(text), text)
	}
}
