package servertest_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestMain lets the test binary run as a misbehaving stdio server.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-serve" {
		serveWild(os.Args[2], os.Stdin, os.Stdout)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// serveWild implements the protocol without an SDK, because no SDK behaves like this.
func serveWild(how string, stdin io.Reader, stdout io.Writer) {
	in := bufio.NewScanner(stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Name      string         `json:"name"`
				Arguments map[string]any `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || req.ID == nil {
			continue
		}
		answer := func(result string) {
			_, _ = fmt.Fprintf(stdout, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}\n", req.ID, result)
		}
		switch {
		case req.Method == "initialize":
			answer(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"wild","version":"1"}}`)
		case req.Method == "tools/list":
			cursor := map[string]string{"endless list": `,"nextCursor":"again"`}[how]
			answer(`{"tools":[{"name":"first","inputSchema":` + lookupSchema + `,"annotations":{"readOnlyHint":true}}` +
				`,{"name":"second","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}]` + cursor + `}`)
		case req.Method != "tools/call":
			_, _ = fmt.Fprintf(stdout, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"error\":{\"code\":-32601,\"message\":\"no such "+
				"method\"}}\n", req.ID)
		case req.Params.Name == "second":
			answer(`{"content":[{"type":"text","text":"fine"}]}`)
		case how == "dies" && req.Params.Arguments["order_id"] == nil:
			os.Exit(1)
		case how == "hangs":
			_, _ = io.Copy(io.Discard, stdin) // answers nothing more
			return
		case how == "sends 10 MB" && req.Params.Arguments["order_id"] == nil:
			answer(`{"isError":true,"content":[{"type":"text","text":"` + strings.Repeat("at /home/x ", 1<<20) + `"}]}`)
		case how == "starts tasks":
			answer(`{"resultType":"task","content":[],"taskId":"t1"}`)
		case how == "wants tasks":
			answer(`{"isError":true,"content":[{"type":"text","text":"MCP error -32601: Tool first requires task augmentation ` +
				`(taskSupport: 'required')"}]}`)
		case how == "sends no result":
			answer(`{"isError":true,"content":[{"type":"smell","smell":"burnt"}]}`)
		default:
			in, err := refuse(plainJSON(req.Params.Arguments))
			res, _ := found(context.Background(), in)
			if err != nil {
				res = result.Failure(err)
			}
			answer(string(plainJSON(res)))
		}
	}
}

func plainJSON(v any) json.RawMessage {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

func wild(how string) func(context.Context) (*mcp.ClientSession, error) {
	return func(ctx context.Context) (*mcp.ClientSession, error) {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
		command := exec.Command(os.Args[0], "-serve", how)
		command.Stderr = os.Stderr
		return client.Connect(ctx, &mcp.CommandTransport{Command: command, TerminateDuration: 50 * time.Millisecond}, nil)
	}
}

// wildInBubble connects to a server in this process, over pipes, which idle in a bubble.
func wildInBubble(how string) func(context.Context) (*mcp.ClientSession, error) {
	return func(ctx context.Context) (*mcp.ClientSession, error) {
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "v1"}, nil)
		theirs, ours := net.Pipe()
		go func() {
			defer func() { _ = theirs.Close() }()
			serveWild(how, theirs, theirs)
		}()
		return client.Connect(ctx, &mcp.IOTransport{Reader: ours, Writer: ours}, nil)
	}
}

func kinds(r *servertest.Report) []string { return kindsOf(r.Findings) }

func kindsOf(findings []servertest.Finding) []string {
	list := []string{}
	for _, f := range findings {
		list = append(list, f.Tool+" "+string(f.Kind))
		if f.Why == "" || f.Fix == "" {
			list = append(list, string(f.Kind)+" is not explained")
		}
	}
	return list
}

func TestCheck_HostileServers(t *testing.T) {
	t.Parallel()
	for how, want := range map[string]struct {
		findings  []string
		skipped   string // of the first tool
		reconnect bool
	}{
		"behaves":         {findings: []string{}},
		"dies":            {findings: []string{"first server_died"}, skipped: "the server exited or stopped responding"},
		"dies ":           {findings: []string{"first server_died"}, reconnect: true},
		"sends 10 MB":     {findings: []string{"first bare_text", "first leak"}},
		"starts tasks":    {findings: []string{}, skipped: "have to be tasks"},
		"wants tasks":     {findings: []string{}, skipped: "have to be tasks"},
		"sends no result": {findings: []string{"first unreadable"}},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			connect := wild(strings.TrimSpace(how))
			session, err := connect(t.Context())
			require.NoError(t, err)
			defer func() { _ = session.Close() }()
			opts := &servertest.Options{Timeout: testutil.Patience} // 10 MB take seconds on a busy machine
			if want.reconnect {
				opts.Connect = connect
			}
			report := checkSession(t, session, opts)
			assert.Equal(t, want.findings, kinds(report), "%s", report.Findings)
			assert.Less(t, len(fmt.Sprint(report.Findings)), 10_000)
			assert.Contains(t, report.Tools[0].Skipped, want.skipped)
			if want.reconnect {
				assert.NotZero(t, report.Tools[1].Calls, "it goes on")
			}
		})
	}
}

func TestCheck_HangingServer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		connect := wildInBubble("hangs")
		session, err := connect(t.Context())
		require.NoError(t, err)
		defer func() { _ = session.Close() }()
		report := checkSession(t, session, &servertest.Options{Connect: connect})
		assert.Equal(t, []string{"first no_answer"}, kinds(report), "%s", report.Findings)
		assert.Contains(t, report.Tools[0].Skipped, "too slowly or not at all")
		assert.NotZero(t, report.Tools[1].Calls, "it goes on")
	})
}

func TestCheck_ContextEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		session, err := wildInBubble("hangs")(t.Context())
		require.NoError(t, err)
		defer func() { _ = session.Close() }()
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		report, err := servertest.Check(ctx, session, nil)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		assert.Empty(t, report.Findings, "that the check was canceled is not the server's fault")
	})
}

// With a negative timeout only the context ends a call, and the check.
func TestOptions_NegativeTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		session := testutil.Connect(t, serve(envelope, func(context.Context, lookup) (*mcp.CallToolResult, error) {
			time.Sleep(time.Hour) // in a synctest bubble
			return result.Empty("No orders found.", nil), nil
		}), nil)
		report := checkSession(t, session, &servertest.Options{Timeout: -1})
		assert.Empty(t, report.Findings)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := servertest.Check(ctx, session, &servertest.Options{Timeout: -1})
		require.ErrorIs(t, err, context.DeadlineExceeded)
		report = checkSession(t, session, nil)
		assert.Equal(t, []string{"find no_answer"}, kinds(report))
	})
}

func TestCheck_ServerGone(t *testing.T) {
	t.Parallel()
	session := testutil.Connect(t, mcp.NewServer(&mcp.Implementation{Name: "gone"}, nil), nil)
	require.NoError(t, session.Close())
	report, err := servertest.Check(t.Context(), session, nil)
	require.ErrorContains(t, err, "cannot list the tools")
	assert.NotNil(t, report)
	_, err = servertest.Check(t.Context(), nil, nil)
	require.ErrorContains(t, err, "no session")
	session, err = wild("endless list")(t.Context())
	require.NoError(t, err)
	defer func() { _ = session.Close() }()
	_, err = servertest.Check(t.Context(), session, nil)
	require.ErrorContains(t, err, "cannot list the tools: the list of tools has no end")
}

// oddSchemas are unusual and invalid schemas.
var oddSchemas = []string{
	`{"type":"object"}`,
	`{"type":"object","properties":{"a":true,"b":false,"c":null,"d":7}}`,
	`{"type":"object","properties":{"a":{"$ref":"#/properties/a"},"b":{"$ref":"#"},"c":{"$ref":"http://x"}},"required":["a","b","c","d"]}`,
	`{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"},"c":{"$ref":"#"},"d":{"$ref":"#"},"e":{"$ref":"#"}},"required":["a","b","c","d","e"]}`,
	`{"type":"object","allOf":[{"$ref":"#"},{"$ref":"#"}],"anyOf":[{"$ref":"#"}],"oneOf":[{"type":"null"}]}`,
	`{"type":"object","properties":{"a":{"type":"array","minItems":1e9,"items":{"type":"array","minItems":1e9}}},"required":["a"]}`,
	`{"type":"object","properties":{"a":{"type":"string","minLength":1e12,"maxLength":-1,"pattern":"("},"b":{"type":"string","pattern":"(a{1000}){1000}"},"c":{"type":"string","minLength":-5,"maxLength":2}},"required":["a","b","c"]}`,
	`{"type":"object","properties":{"a":{"type":"integer","minimum":9,"maximum":1,"multipleOf":0},"b":{"type":"number","multipleOf":1e-320,"minimum":1e308}},"required":["a","b"]}`,
	`{"type":"object","properties":{"a":{"enum":[]},"b":{"enum":[null,{}]},"c":{"const":null},"d":{"examples":[]},"id":{"type":[]},"path":{"type":["null"]}},"required":["a","a",7]}`,
}

// FuzzSchemas looks for schemas that break the check or cause too many calls.
func FuzzSchemas(f *testing.F) {
	for _, schema := range oddSchemas {
		f.Add(schema)
	}
	f.Add(lookupSchema)
	f.Fuzz(func(t *testing.T, schema string) {
		var node map[string]any
		if json.Unmarshal([]byte(schema), &node) == nil && node["type"] == "object" { // the SDK accepts only objects
			checkSchema(t, schema)
		}
	})
}

func checkSchema(t *testing.T, schema string) {
	t.Helper()
	server := mcp.NewServer(&mcp.Implementation{Name: "odd"}, nil)
	server.AddTool(&mcp.Tool{
		Name: "odd", InputSchema: json.RawMessage(schema),
		Annotations: &mcp.ToolAnnotations{ReadOnlyHint: true},
	},
		func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return result.Failure(toolerr.Validation("No: " + string(req.Params.Arguments)).WithHint("h")), nil
		})
	session := testutil.Connect(t, server, nil)
	defer func() { _ = session.Close() }() // of many, of a fuzz target
	report := checkSession(t, session, nil)
	assert.Empty(t, report.Findings, schema)
	assert.LessOrEqual(t, report.Tools[0].Calls, 100)
	assert.NotZero(t, report.Tools[0].Calls)
}
