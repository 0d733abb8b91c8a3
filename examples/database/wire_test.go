package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
)

// A served database is one that a server in a child process answers from.
type served struct {
	path    string
	session *mcp.ClientSession
	wire    testutil.Wire
	log     bytes.Buffer // complete once the session is closed
	end     func() error // ends the situation
}

// serveDatabase makes a database in a situation, and a server for it.
func serveDatabase(t *testing.T, s situation) *served {
	t.Helper()
	d := &served{path: filepath.Join(t.TempDir(), "secret-place.db")}
	require.NoError(t, create(t.Context(), d.path))
	var err error
	d.end, err = s.bringAbout(t.Context(), d.path)
	require.NoError(t, err)
	t.Cleanup(func() { _ = d.end() }) // a second time does no harm
	command, err := harness.Self(context.WithoutCancel(t.Context()), &d.log, serverFlags(d.path, s.outsider)...)
	require.NoError(t, err)
	d.session = testutil.ConnectTo(t, &mcp.CommandTransport{Command: command}, &d.wire)
	return d
}

// A reply is what stands on the wire. Absent members are nil.
type reply struct {
	IsError           bool              `json:"isError"`
	Content           []mcp.TextContent `json:"content"`
	StructuredContent json.RawMessage   `json:"structuredContent"`
	Meta              map[string]any    `json:"_meta"`
}

// call calls get_customer and returns the reply, in which nothing of the database's own may stand.
func (d *served) call(t *testing.T, customerID string) reply {
	t.Helper()
	_, err := d.session.CallTool(t.Context(), &mcp.CallToolParams{
		Name:      "get_customer",
		Arguments: map[string]any{"customer_id": customerID},
	})
	require.NoError(t, err)
	raw := d.wire.Last()
	for _, secret := range []string{
		"SELECT", "sql", "SQL", "customers.", "people", filepath.Dir(d.path), "secret-place",
		"is locked", "BUSY", "interrupt", "deadline", "unable to open", "permission denied",
	} {
		assert.NotContains(t, string(raw), secret)
	}
	var message struct {
		Result reply `json:"result"`
	}
	require.NoError(t, json.Unmarshal(raw, &message), "%s", raw)
	require.Len(t, message.Result.Content, 1)
	return message.Result
}

// close ends the server and returns its log.
func (d *served) close(t *testing.T) string {
	t.Helper()
	require.NoError(t, d.session.Close())
	return d.log.String()
}

// assertFailure checks a failed reply, apart from the default hint and the correlation id.
func assertFailure(t *testing.T, r reply, want string) {
	t.Helper()
	assert.True(t, r.IsError)
	assert.Nil(t, r.StructuredContent)
	var envelope map[string]any
	require.NoError(t, json.Unmarshal([]byte(r.Content[0].Text), &envelope))
	assert.NotEmpty(t, envelope["hint"])
	assert.NotEmpty(t, envelope["correlationId"])
	delete(envelope, "hint")
	delete(envelope, "correlationId")
	got, err := json.Marshal(envelope)
	require.NoError(t, err)
	assert.JSONEq(t, want, string(got))
}

func TestGetCustomer_Found(t *testing.T) {
	d := serveDatabase(t, situation{bringAbout: nothing})
	r := d.call(t, "CUS-10001")
	assert.False(t, r.IsError)
	assert.JSONEq(t, `{"customers":[{"id":"CUS-10001","name":"Ada"}]}`, string(r.StructuredContent))
}

func TestGetCustomer_NotFound(t *testing.T) {
	d := serveDatabase(t, situation{bringAbout: nothing})
	r := d.call(t, "CUS-48291")
	assert.False(t, r.IsError)
	assert.Equal(t, "No customer found with id CUS-48291.", r.Content[0].Text)
	assert.JSONEq(t, `{"customers":[]}`, string(r.StructuredContent))
	assert.Equal(t, "empty", r.Meta["io.github.mcp-toolerr/kind"])
	assert.Empty(t, d.close(t), "nothing failed")
}

func TestGetCustomer_Locked(t *testing.T) {
	d := serveDatabase(t, situation{bringAbout: lock})
	assertFailure(t, d.call(t, "CUS-10001"), `{
		"isError": true, "errorCategory": "transient", "isRetryable": true, "code": "unavailable",
		"message": "The customer records are locked by another program.", "retryAfterMs": 2000, "effect": "none"
	}`)
	require.NoError(t, d.end())
	assert.False(t, d.call(t, "CUS-10001").IsError, "the same call on the same session")
	assert.Contains(t, d.close(t), "database is locked")
}

func TestGetCustomer_Slow(t *testing.T) {
	d := serveDatabase(t, situation{bringAbout: slowDown})
	assertFailure(t, d.call(t, "CUS-10001"), `{
		"isError": true, "errorCategory": "transient", "isRetryable": true, "code": "timeout",
		"message": "The customer records did not answer within 250ms.", "retryAfterMs": 2000, "effect": "none"
	}`)
	require.NoError(t, d.end(), "SQLite has stopped: a query still running would keep the database locked")
	assert.False(t, d.call(t, "CUS-10001").IsError, "the same call on the same session")
	assert.Contains(t, d.close(t), "deadline exceeded")
}

func TestGetCustomer_Denied(t *testing.T) {
	d := serveDatabase(t, situation{bringAbout: deny, outsider: true})
	assertFailure(t, d.call(t, "CUS-10001"), `{
		"isError": true, "errorCategory": "permission", "isRetryable": false, "code": "permission_denied",
		"message": "The server is not allowed to read the customer records.", "effect": "none"
	}`)
	log := d.close(t)
	assert.Contains(t, log, "unable to open database file", "what SQLite says")
	assert.Contains(t, log, "permission denied", "what the kernel says")
}

// A missing file is no permission failure, although SQLite reports it likewise.
func TestGetCustomer_MissingFile(t *testing.T) {
	d := serveDatabase(t, situation{bringAbout: func(_ context.Context, path string) (func() error, error) {
		return func() error { return nil }, os.Remove(path)
	}})
	assertFailure(t, d.call(t, "CUS-10001"), `{
		"isError": true, "errorCategory": "transient", "isRetryable": false, "code": "internal",
		"message": "The customer records could not be read.", "effect": "none"
	}`)
	assert.Contains(t, d.close(t), "no such file")
}
