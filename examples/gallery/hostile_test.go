package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/examples/internal/harness"
	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

func TestGallery_Check(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	resulttest.TestServer(t, session, &resulttest.Options{All: true, Cases: []resulttest.Case{
		{Tool: "get_stock_price", Arguments: stockIn{"AAPL"}, Kind: result.KindData},
		{Tool: "read_file", Arguments: readIn{"docs/notes.md"}, Kind: result.KindData},
		{Tool: "write_file", Arguments: writeIn{"docs/new.md", "new"}, Kind: result.KindData},
		{Tool: "write_file", Arguments: writeIn{"INFRA/new.tf", ""}, Category: toolerr.CategoryPermission, Code: toolerr.CodePermissionDenied},
		{Tool: "open_file", Arguments: openIn{"db/session"}, Kind: result.KindData},
		{Tool: "open_file", Arguments: openIn{"sesion"}, Category: toolerr.CategoryValidation, Code: toolerr.CodeNotFound},
		{Tool: "stop_instance", Arguments: instanceIn{"i-102"}, Kind: result.KindData},
		{Tool: "terminate_instance", Arguments: instanceIn{"i-103"}, Kind: result.KindData},
		{Tool: "book_travel", Arguments: travelIn{"Lisbon", "2025-07-25"}, Kind: result.KindData},
		{Tool: "process_batch", Arguments: batchIn{BatchID: "BATCH-3"}, Kind: result.KindData},
		{Tool: "charge_card", Arguments: chargeIn{OrderID: "ORD-1", Card: "card_visa_1", Cents: 100}, Kind: result.KindData},
		{Tool: "list_charges", Arguments: chargesIn{"ORD-0"}, Kind: result.KindEmpty},
		{Tool: "export_report", Arguments: reportIn{"monthly"}, Kind: result.KindData},
		{Tool: "get_weather", Arguments: map[string]any{"city": "Hanoi"}, Kind: result.KindData},
		{Tool: "get_weather", Arguments: map[string]any{"city": "Jan Mayen"}, Category: toolerr.CategoryTransient, Code: toolerr.CodeTimeout},
	}})
}

// hostile are texts that some tool somewhere chokes on.
var hostile = []string{
	"", " ", ".", "..", "/", "//", "~", "../..", "../../../../etc/passwd", "/etc/passwd", "/proc/self/environ", "src/../../etc/passwd",
	"..\\..\\windows\\win.ini", "C:\\Windows\\win.ini", "C:/Windows/win.ini", "src/auth/session.ts/", "src/auth/session.ts/x", "src", "infra",
	"infra/", "infra/x", "./infra/x", "src/../infra/x", "INFRA/x", "infra//x", "infra/../infra/x", "\x00", "src/auth/session.ts\x00.png",
	"a\nb", "a\r\nb", "\u202e", "\u2215etc\u2215passwd", "%2e%2e%2fetc%2fpasswd", "..%00/", "\ufeff", "\U0001f600",
	strings.Repeat("a", 300), strings.Repeat("a/", 200), strings.Repeat("../", 100), strings.Repeat("A", 1<<17),
	"'; DROP TABLE charges; --", "$(reboot)", "{{7*7}}", "<script>", "null", "1e309", "9999-12-31", "0000-00-00", "-0001-01-01",
	"?order_id=x", "a&b=c#d", "../charges", "BATCH-50/../x",
}

func TestGallery_HostileArguments(t *testing.T) {
	t.Parallel()
	g := start(t)
	session := testutil.Connect(t, g.Server, nil)
	secrets := []string{os.TempDir(), "gallery-", "127.0.0.1", "goroutine", ".go:", "root:"}
	for tool, err := range session.Tools(t.Context(), nil) {
		require.NoError(t, err)
		schema, ok := tool.InputSchema.(map[string]any)
		require.True(t, ok)
		properties, ok := schema["properties"].(map[string]any)
		require.True(t, ok)
		for name := range properties {
			for _, text := range hostile {
				args := fitting(tool.Name)
				args[name] = text
				out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: args}))
				sound(t, out, fmt.Sprintf("%s with %s %.60q", tool.Name, name, text), secrets)
			}
			for _, raw := range []string{"null", "0", "-1", "1.5", "1e300", "99999999999999999999", "true", "[]", "{}", `["a"]`, `{"a":{"b":[1]}}`} {
				args := fitting(tool.Name)
				args[name] = json.RawMessage(raw)
				out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: args}))
				sound(t, out, fmt.Sprintf("%s with %s %s", tool.Name, name, raw), secrets)
			}
		}
		for _, raw := range []string{`[]`, `"text"`, `7`, `{"unknown":1}`} {
			out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool.Name, Arguments: json.RawMessage(raw)}))
			sound(t, out, tool.Name+" with "+raw, secrets)
		}
	}
}

// fitting returns arguments that fit the tool's schema and change little.
func fitting(tool string) map[string]any {
	args := map[string]any{}
	for _, call := range conversation {
		if call.tool == tool {
			_ = json.Unmarshal([]byte(call.args), &args)
		}
	}
	switch tool {
	case "process_batch":
		args["batch_id"] = "BATCH-3"
	case "get_weather":
		args["city"] = "Hanoi"
	case "write_file":
		args["path"] = "docs/x.md"
	case "export_report":
		args["report"] = "monthly"
	case "charge_card":
		delete(args, "idempotency_key")
	}
	return args
}

// sound checks that an answer is a success or an envelope that gives nothing away.
func sound(t *testing.T, out result.Outcome, what string, secrets []string) {
	t.Helper()
	require.NotNil(t, out.Result, "%s: %s", what, out.Text()) // no protocol error, no lost session
	if out.Err != nil {
		assert.NotEmpty(t, out.Err.Category, what)
		assert.NotEmpty(t, out.Err.Hint, what)
		assert.NotEqual(t, toolerr.CodeInternal, out.Err.Code, "%s: %s", what, harness.WireText(out))
		assert.Less(t, len(harness.WireText(out)), 4096, what)
	}
	for _, secret := range secrets {
		assert.NotContains(t, harness.WireText(out), secret, what)
	}
}

func TestWorkspace_Escapes(t *testing.T) {
	t.Parallel()
	w, err := openWorkspace()
	require.NoError(t, err)
	defer w.close()
	outside := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(outside, "secret"), []byte("secret"), 0o600))
	require.NoError(t, os.Symlink(outside, filepath.Join(w.dir, "out")))
	session := alone(t, func(server *mcp.Server) {
		addReadFile(server, w)
		addWriteFile(server, w)
		addOpenFile(server, w)
	})
	for _, call := range []struct {
		tool string
		args any
	}{
		{"read_file", readIn{"out/secret"}},
		{"read_file", readIn{"out"}},
		{"write_file", writeIn{"out/secret", "changed"}},
		{"write_file", writeIn{"out/new", "new"}},
		{"write_file", writeIn{"out", "new"}},
	} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: call.args}))
		resulttest.AssertFailure(t, toolerr.CategoryPermission, toolerr.CodePermissionDenied, out)
		assert.NotContains(t, out.Text(), outside)
	}
	out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "open_file", Arguments: openIn{"secret"}}))
	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound, out)
	content, err := os.ReadFile(filepath.Join(outside, "secret"))
	require.NoError(t, err)
	assert.Equal(t, "secret", string(content))
	entries, err := os.ReadDir(outside)
	require.NoError(t, err)
	assert.Len(t, entries, 1)
}

func TestWriteFile_ClosedFolder(t *testing.T) {
	t.Parallel()
	w, err := openWorkspace()
	require.NoError(t, err)
	session := alone(t, func(server *mcp.Server) { addWriteFile(server, w) })
	before, err := fs.ReadFile(original, "workspace/infra/main.tf")
	require.NoError(t, err)
	for _, path := range []string{"infra/main.tf", "./infra/main.tf", "src/../infra/main.tf", "infra//main.tf", "infra/../infra/main.tf", "Infra/main.tf", "infra/new.tf", "infra"} {
		out := result.Parse(session.CallTool(t.Context(), &mcp.CallToolParams{Name: "write_file", Arguments: writeIn{path, "changed"}}))
		resulttest.AssertFailure(t, toolerr.CategoryPermission, toolerr.CodePermissionDenied, out)
		assert.NotEmpty(t, out.Err.CustomerMessage)
	}
	after, err := w.root.ReadFile("infra/main.tf")
	require.NoError(t, err)
	assert.Equal(t, before, after)
	entries, err := os.ReadDir(filepath.Join(w.dir, "infra"))
	require.NoError(t, err)
	assert.Len(t, entries, 1)

	w.close()
	assert.NoDirExists(t, w.dir)
}
