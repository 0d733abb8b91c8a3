package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// TestWriteFile_Atomic has two writers and a reader of one file.
func TestWriteFile_Atomic(t *testing.T) {
	t.Parallel()
	w, err := openWorkspace()
	require.NoError(t, err)
	defer w.close()
	contents := []string{strings.Repeat("1", 60_000), strings.Repeat("2", 30_000)}
	write := func(content string) {
		_, _, err := w.writeFile(t.Context(), nil, writeIn{"docs/shared.md", content})
		assert.NoError(t, err)
	}
	write(contents[0])
	var wg sync.WaitGroup
	for _, content := range contents {
		wg.Go(func() {
			for range 300 {
				write(content)
			}
		})
	}
	wg.Go(func() {
		for range 600 {
			_, got, err := w.readFile(t.Context(), nil, readIn{"docs/shared.md"})
			whole := err == nil && slices.Contains(contents, got.Content)
			if !assert.True(t, whole, "%v, %d bytes, with %d of the first writer", err, len(got.Content),
				strings.Count(got.Content, "1")) {
				return
			}
		}
	})
	wg.Wait()
}

// TestOpenFile_Options follows the options of a name that several files have.
func TestOpenFile_Options(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	call := func(tool string, args any) result.Outcome {
		return ask(t.Context(), session, tool, args)
	}
	for _, path := range []string{"src/docs/notes.md", "notes"} { // beside docs/notes.md
		require.Equal(t, result.KindData, call("write_file", writeIn{path, "other"}).Kind)
	}
	for _, name := range []string{"notes.md", "docs/notes"} {
		out := call("open_file", openIn{name})
		resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeAmbiguous, out)
		require.Len(t, out.Err.Options, 2)
		for _, o := range out.Err.Options {
			chosen, ok := o.(map[string]any)
			require.True(t, ok, "%v", o)
			file, err := result.Decode[readOut](call("open_file", chosen))
			require.NoError(t, err)
			assert.Equal(t, chosen["name"], file.Path)
		}
	}
	file, err := result.Decode[readOut](call("open_file", openIn{"notes"}))
	require.NoError(t, err)
	assert.Equal(t, "notes", file.Path)
}

// TestWorkspace_Closed tries to get out of the workspace, also by a link, and into a folder that
// is closed.
func TestWorkspace_Closed(t *testing.T) {
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
	for _, path := range []string{"out/secret", "out"} {
		out := ask(t.Context(), session, "read_file", readIn{path})
		resulttest.AssertFailure(t, toolerr.CategoryPermission, toolerr.CodePermissionDenied, out)
		assert.NotContains(t, out.Text(), outside)
	}
	for _, path := range []string{
		"out/secret", "out/new", "out",
		"infra/main.tf", "./infra/main.tf", "src/../infra/main.tf", "infra//main.tf", "infra/../infra/main.tf",
		"Infra/main.tf", "infra/new.tf", "infra",
	} {
		out := ask(t.Context(), session, "write_file", writeIn{path, "changed"})
		resulttest.AssertFailure(t, toolerr.CategoryPermission, toolerr.CodePermissionDenied, out)
		assert.NotEmpty(t, out.Err.CustomerMessage, path)
		assert.NotContains(t, out.Text(), outside)
	}
	resulttest.AssertFailure(t, toolerr.CategoryValidation, toolerr.CodeNotFound,
		ask(t.Context(), session, "open_file", openIn{"secret"}))
	before, err := fs.ReadFile(original, "workspace/infra/main.tf")
	require.NoError(t, err)
	for file, want := range map[string]string{
		filepath.Join(outside, "secret"):         "secret",
		filepath.Join(w.dir, "infra", "main.tf"): string(before),
	} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, want, string(content))
		entries, err := os.ReadDir(filepath.Dir(file))
		require.NoError(t, err)
		assert.Len(t, entries, 1, "nothing was written beside %s", file)
	}
	w.close()
	assert.NoDirExists(t, w.dir)
}

func TestGallery_Check(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	resulttest.TestServer(t, session, &resulttest.Options{All: true, Cases: []resulttest.Case{
		{Tool: "get_stock_price", Arguments: stockIn{"AAPL"}, Kind: result.KindData},
		{Tool: "read_file", Arguments: readIn{"docs/notes.md"}, Kind: result.KindData},
		{Tool: "write_file", Arguments: writeIn{"docs/new.md", "new"}, Kind: result.KindData},
		{
			Tool: "write_file", Arguments: writeIn{"INFRA/new.tf", ""}, Category: toolerr.CategoryPermission,
			Code: toolerr.CodePermissionDenied,
		},
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
		{
			Tool: "get_weather", Arguments: map[string]any{"city": "Jan Mayen"}, Category: toolerr.CategoryTransient,
			Code: toolerr.CodeTimeout,
		},
	}})
}

// hostile are texts that some tool somewhere chokes on.
var hostile = []string{
	"", " ", ".", "..", "/", "//", "~", "../..", "../../../../etc/passwd", "/etc/passwd", "/proc/self/environ",
	"src/../../etc/passwd",
	"..\\..\\windows\\win.ini", "C:\\Windows\\win.ini", "C:/Windows/win.ini", "src/auth/session.ts/",
	"src/auth/session.ts/x", "src", "infra",
	"infra/", "infra/x", "./infra/x", "src/../infra/x", "INFRA/x", "infra//x", "infra/../infra/x", "\x00",
	"src/auth/session.ts\x00.png",
	"a\nb", "a\r\nb", "\u202e", "\u2215etc\u2215passwd", "%2e%2e%2fetc%2fpasswd", "..%00/", "\ufeff", "\U0001f600",
	strings.Repeat("a", 300), strings.Repeat("a/", 200), strings.Repeat("../", 100), strings.Repeat("A", 1<<17),
	"'; DROP TABLE charges; --", "$(reboot)", "{{7*7}}", "<script>", "null", "1e309", "9999-12-31", "0000-00-00",
	"-0001-01-01",
	"?order_id=x", "a&b=c#d", "../charges", "BATCH-50/../x",
}

func TestGallery_HostileArguments(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, start(t).Server, nil)
	for tool, err := range session.Tools(t.Context(), nil) {
		require.NoError(t, err)
		schema, ok := tool.InputSchema.(map[string]any)
		require.True(t, ok)
		properties, ok := schema["properties"].(map[string]any)
		require.True(t, ok)
		try := func(args any) {
			sound(t, ask(t.Context(), session, tool.Name, args), fmt.Sprintf("%s with %.60q", tool.Name, args))
		}
		for name := range properties {
			args := fitting(tool.Name)
			for _, text := range hostile {
				args[name] = text
				try(args)
			}
			for _, raw := range []string{
				"null", "0", "-1", "1.5", "1e300", "99999999999999999999", "true", "[]", "{}", `["a"]`,
				`{"a":{"b":[1]}}`,
			} {
				args[name] = json.RawMessage(raw)
				try(args)
			}
		}
		for _, raw := range []string{`[]`, `"text"`, `7`, `{"unknown":1}`} {
			try(json.RawMessage(raw))
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
	delete(args, "idempotency_key")
	maps.Copy(args, map[string]map[string]any{
		"process_batch": {"batch_id": "BATCH-3"}, "get_weather": {"city": "Hanoi"}, "write_file": {"path": "docs/x.md"},
		"export_report": {"report": "monthly"},
	}[tool])
	return args
}

// sound checks that an answer is a success or an envelope that gives nothing away.
func sound(t *testing.T, out result.Outcome, what string) {
	t.Helper()
	require.NotNil(t, out.Result, "%s: %s", what, out.Text()) // no protocol error, no lost session
	if out.Err != nil {
		assert.NotEmpty(t, out.Err.Category, what)
		assert.NotEmpty(t, out.Err.Hint, what)
		assert.NotEqual(t, toolerr.CodeInternal, out.Err.Code, "%s: %s", what, harness.WireText(out))
		assert.Less(t, len(harness.WireText(out)), 4096, what)
	}
	for _, secret := range []string{os.TempDir(), "gallery-", "127.0.0.1", "goroutine", ".go:", "root:"} {
		assert.NotContains(t, harness.WireText(out), secret, what)
	}
}
