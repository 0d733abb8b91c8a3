package toolerr_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestFromResponse_Redirect checks that an answer to the last of several redirected requests
// does not prove that the first one did nothing.
func TestFromResponse_Redirect(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch req.URL.Path {
		case "/pay":
			http.Redirect(w, req, "/receipt", http.StatusSeeOther) // it is paid
		case "/page":
			http.Redirect(w, req, "/receipt", http.StatusFound)
		default:
			w.WriteHeader(http.StatusTooManyRequests)
		}
	}))
	t.Cleanup(server.Close)
	for path, want := range map[string]toolerr.Effect{"/pay": toolerr.EffectUnknown, "/page": toolerr.EffectNone, "/receipt": toolerr.EffectNone} {
		method := map[bool]string{true: http.MethodPost, false: http.MethodGet}[path == "/pay"]
		req, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, http.NoBody)
		require.NoError(t, err)
		resp, err := server.Client().Do(req)
		require.NoError(t, err)
		e := toolerr.FromResponse(resp)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, want, e.Effect, path)
		assert.Equal(t, want == toolerr.EffectNone, e.Retryable, path)
	}
}

// TestWithCause_Retried checks that a failure around one that was retried already has the worse
// effect of both, and that the cause decides nothing else.
func TestWithCause_Retried(t *testing.T) {
	t.Parallel()
	lost := toolerr.Transient("m").WithEffect(toolerr.EffectUnknown)
	for name, test := range map[string]struct {
		outer, inner *toolerr.Error
		want         toolerr.Effect
	}{
		"not stated, nothing done": {toolerr.Transient("x"), toolerr.RateLimited("m", 0), toolerr.EffectNone},
		"not stated, lost":         {toolerr.Transient("x"), lost, toolerr.EffectUnknown},
		"refused, lost":            {toolerr.RateLimited("x", 0), lost, toolerr.EffectUnknown},
		"applied, nothing done":    {lost.WithEffect(toolerr.EffectApplied), toolerr.RateLimited("m", 0), toolerr.EffectApplied},
	} {
		e := test.outer.WithCause(fmt.Errorf("a: %w", test.inner.WithAttempted(toolerr.Attempt{Attempts: 3})))
		assert.Equal(t, test.want, e.Effect, name)
		assert.False(t, e.Retryable, name)
		assert.Equal(t, test.outer.Effect, test.outer.WithCause(errors.Join(test.inner)).Effect, "%s: not retried", name)
	}
}
