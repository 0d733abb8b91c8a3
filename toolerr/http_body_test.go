package toolerr_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestFromResponse_Challenges(t *testing.T) {
	t.Parallel()
	const header = "WWW-Authenticate"
	for name, test := range map[string]struct {
		status       int
		value, body  string
		want, scopes string
	}{
		"a scope":            {403, `Bearer realm="x", error="insufficient_scope", error_description="hunter2", scope="files:read files:write"`, "", "permission insufficient_scope none", "files:read files:write"},
		"without one":        {403, `Bearer error="insufficient_scope"`, "", "permission insufficient_scope none", ""},
		"under 401":          {401, `Bearer error="insufficient_scope", scope="a"`, "", "permission insufficient_scope none", "a"},
		"a bare token":       {403, `bearer ERROR=insufficient_scope,scope=a`, "", "permission insufficient_scope none", "a"},
		"a second challenge": {403, `Basic realm="a \", error=\"invalid_token", Bearer error="insufficient_scope", scope="b"`, "", "permission insufficient_scope none", "b"},
		"a token":            {401, `Bearer error="invalid_token", scope="a"`, "", "permission unauthenticated none", ""},
		"a token under 400":  {400, `Bearer error="invalid_token"`, "", "permission unauthenticated none", ""},
		"with a body":        {403, `Bearer error="insufficient_scope", scope="a"`, `{"error":"insufficient_scope"}`, "permission insufficient_scope none", "a"},
		"under 404":          {404, `Bearer error="insufficient_scope", scope="a"`, "", "validation not_found none", ""},
		"no scope":           {403, "Bearer error=\"insufficient_scope\", scope=\"a\x00b\"", "", "permission insufficient_scope none", ""},
		"a long scope":       {403, `Bearer error="insufficient_scope", scope="` + strings.Repeat("a", 513) + `"`, "", "permission insufficient_scope none", ""},
		"an open quote":      {403, `Bearer error="insufficient_scope`, "", "permission insufficient_scope none", ""},
		"nothing":            {403, `Bearer`, "", "permission permission_denied none", ""},
	} {
		e := toolerr.FromResponse(respond(test.status, test.body, header, test.value))
		assert.Equal(t, test.want, is(e), name)
		assert.NotContains(t, string(e.AppendJSON(nil)), "hunter2", name)
		if test.scopes == "" {
			assert.Empty(t, e.Details, name)
			continue
		}
		assert.Equal(t, map[string]any{"scope": test.scopes}, e.Details, name)
	}
}
