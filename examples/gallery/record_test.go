package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A check that fails, in whatever way, shows nothing, claims nothing, and is an ERROR in
// the log.
func TestRecord_FailedChecks(t *testing.T) {
	t.Parallel()
	public, private, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	other, _, err := ed25519.GenerateKey(nil)
	require.NoError(t, err)
	says := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
	}
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{"allowed":true}`, code) }
	}
	genuine := &recordArchive{private}
	for name, test := range map[string]struct {
		record  string
		policy  http.Handler
		archive http.Handler
		key     ed25519.PublicKey
		shown   bool
	}{
		"all is well":                  {"REC-1", policyService{}, genuine, public, true},
		"down":                         {"REC-3", policyService{}, genuine, public, false},
		"no decision":                  {"REC-5", policyService{}, genuine, public, false},
		"broken off":                   {"REC-6", policyService{}, genuine, public, false},
		"not there":                    {"REC-1", status(http.StatusNotFound), genuine, public, false},
		"not our business":             {"REC-1", status(http.StatusForbidden), genuine, public, false},
		"allowed, in an error":         {"REC-1", status(http.StatusInternalServerError), genuine, public, false},
		"allowed, as a text":           {"REC-1", says(`{"allowed":"true"}`), genuine, public, false},
		"null":                         {"REC-1", says(`{"allowed":null}`), genuine, public, false},
		"a page":                       {"REC-1", says(`<html>sign in</html>`), genuine, public, false},
		"nothing":                      {"REC-1", says(``), genuine, public, false},
		"forged":                       {"REC-4", policyService{}, genuine, public, false},
		"signed by another":            {"REC-1", policyService{}, genuine, other, false},
		"the signature of another one": {"REC-1", policyService{}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { r.URL.Path = "/records/REC-7"; genuine.ServeHTTP(w, r) }), public, false},
		"no signature":                 {"REC-1", policyService{}, says(`{"text":"Personnel record REC-1: salary group 7."}`), public, false},
	} {
		var log bytes.Buffer
		policy, err := patiently("The policy service", 0, test.policy)
		require.NoError(t, err)
		archive, err := patiently("The archive", 0, test.archive)
		require.NoError(t, err)
		server := mcp.NewServer(&mcp.Implementation{Name: "records", Version: "v0"}, nil)
		server.AddReceivingMiddleware(result.Middleware(&result.MiddlewareOptions{Logger: slog.New(slog.NewJSONHandler(&log, nil))}))
		addReadRecord(server, &registry{policy: policy, archive: archive, key: test.key})
		out := result.Parse(testutil.Connect(t, server, nil).CallTool(t.Context(), &mcp.CallToolParams{Name: "read_record", Arguments: recordIn{test.record}}))
		policy.close()
		archive.close()
		if test.shown {
			assert.Equal(t, result.KindData, out.Kind, name)
			assert.Contains(t, out.Text(), "salary", name)
			continue
		}
		require.Equal(t, result.KindFailure, out.Kind, "%s: never data, and never empty", name)
		assert.NotContains(t, out.Text(), "salary", name)
		assert.Equal(t, toolerr.CodeInternal, out.Err.Code, name)
		assert.False(t, out.Err.Retryable, name)
		var record struct {
			Level string `json:"level"`
			Error struct {
				Cause string `json:"cause"`
			} `json:"error"`
		}
		require.NoError(t, json.Unmarshal(log.Bytes(), &record), name)
		assert.Equal(t, "ERROR", record.Level, name)
		assert.NotEmpty(t, record.Error.Cause, "%s: why, for the operators", name)
	}
}
