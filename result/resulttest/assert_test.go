package resulttest_test

import (
	"fmt"
	"regexp"
	"runtime"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/resulttest"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A spy records the errors of a test.
type spy struct {
	testing.TB

	errors []string
}

func (s *spy) Helper() {}

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf(format, args...)
	runtime.Goexit()
}

func (s *spy) Errorf(format string, args ...any) {
	s.errors = append(s.errors, fmt.Sprintf(format, args...))
}

func outcome(text string) result.Outcome {
	return result.Parse(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil)
}

func TestAssert_Holds(t *testing.T) {
	t.Parallel()
	good := result.Parse(result.Failure(toolerr.NotFound("ticker", "APPL", "AAPL")), nil)
	const whole = `{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"m","hint":"h"}`
	structured := &mcp.CallToolResult{IsError: true, StructuredContent: map[string]any{}, Content: []mcp.Content{&mcp.TextContent{Text: whole}}}
	two := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: whole}, &mcp.TextContent{Text: "more"}}}
	behind := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.ImageContent{}, &mcp.TextContent{Text: whole}}}
	image := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.ImageContent{}}}
	for name, test := range map[string]struct {
		out  result.Outcome
		want string // the first error, a regular expression; empty for none
	}{
		"an envelope":          {good, ""},
		"another server's":     {outcome(whole), ""},
		"another category":     {outcome(`{"isError":true,"errorCategory":"business","isRetryable":false,"code":"not_found","message":"m","hint":"h"}`), `category is "business" instead of "validation"`},
		"another code":         {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"x","message":"m","hint":"h"}`), `code is "x" instead of "not_found"`},
		"no hint":              {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"m"}`), `no hint: \{"isError".*"message":"m"\}$`},
		"a leak":               {outcome(`{"isError":true,"errorCategory":"validation","isRetryable":false,"code":"not_found","message":"/home/ada/x","hint":"h"}`), `shows a file path: /home/ada/x`},
		"a bare text":          {outcome("not found"), "is plain text: not found"},
		"another spelling":     {outcome(`{"isError":true,"category":"validation","isRetryable":false,"message":"m","hint":"h"}`), "the category is in category instead of errorCategory"},
		"no isError":           {outcome(`{"errorCategory":"validation","isRetryable":false,"message":"m","hint":"h"}`), "the object has no isError"},
		"a success":            {result.Parse(result.OK("fine"), nil), "isError is not set, and the answer is data"},
		"structured content":   {result.Parse(structured, nil), "structured content"},
		"more behind it":       {result.Parse(two, nil), ""},
		"more before it":       {result.Parse(behind, nil), "first content block is not text"},
		"nothing":              {result.Parse(&mcp.CallToolResult{IsError: true}, nil), "no content block"},
		"an image":             {result.Parse(image, nil), "is not text"},
		"a protocol error":     {result.Parse(nil, &jsonrpc.Error{Code: -32602, Message: "no"}), "there is no result, only the error .*: no"},
		"an outcome of no one": {result.Outcome{}, "there is no result"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &spy{TB: t}
			ok := resulttest.AssertFailure(s, toolerr.CategoryValidation, toolerr.CodeNotFound, test.out)
			if test.want == "" {
				assert.True(t, ok)
				assert.Empty(t, s.errors)
				return
			}
			assert.False(t, ok)
			if assert.Len(t, s.errors, 1) {
				assert.Regexp(t, test.want, s.errors[0])
			}
		})
	}
	s := &spy{TB: t}
	assert.True(t, resulttest.AssertEmpty(s, result.Parse(result.Empty("No orders.", nil), nil)))
	assert.False(t, resulttest.AssertEmpty(s, good))
	assert.False(t, resulttest.AssertNoLeak(s, result.Parse(result.OK("a"), nil), resulttest.Leak{Name: "letter", Pattern: regexp.MustCompile("a")}))
	assert.Len(t, s.errors, 2)
}

func TestLeaks(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"boom\n\ngoroutine 12 [running]:\nmain.f()":                                "stack trace",
		"Traceback (most recent call last):\n  File \"x.py\", line 3, in f":        "stack trace",
		"TypeError: x\n    at Object.run (/app/dist/index.js:10:7)":                "stack trace",
		"Error\n    at async file:///srv/x/index.mjs:3:5":                          "stack trace",
		"java.lang.X\n\tat com.acme.Orders.find(Orders.java:42)":                   "stack trace",
		"System.X\n   at Acme.Orders.Find(String id) in C:\\src\\Orders.cs:line 4": "stack trace",
		"/x/orders.rb:7:in `find': no":                                             "stack trace",
		"thread 'main' panicked at src/main.rs:4:5":                                "stack trace",
		"#0 /var/www/orders.php(12): find()":                                       "stack trace",
		"open /etc/toolerr/orders.db: no such file":                                "file path",
		`cannot open C:\Users\ada\orders.db`:                                       "file path",
		"ENOENT: open '/home/ada/.ssh/id_rsa'":                                     "file path",
		"in /anything/deep/inside/handler.go":                                      "file path",
		"dial postgres://app:hunter2@db/orders":                                    "connection string",
		"GET https://ada:hunter2@example.com/ failed":                              "connection string",
		"Server=db7;Database=o;User Id=sa;Password=hunter2;":                       "connection string",
		"using AKIAIOSFODNN7EXAMPLE":                                               "key or token",
		"token ghp_0123456789abcdefghijABCDEFGHIJ456789":                           "key or token",
		"Authorization: Bearer abcdefghijklmnop1234":                               "key or token",
		"?api_key=abcd1234&x=1":                                                    "key or token",
		"sk_live_0123456789abcdef":                                                 "key or token",
		"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2ln":                            "key or token",
		"-----BEGIN RSA PRIVATE KEY-----":                                          "key or token",
		`{"db_password":"hunter2hunter2"}`:                                         "key or token",
		"connect ECONNREFUSED 127.0.0.1:5432":                                      "internal host",
		"dial tcp 10.4.0.17:443: i/o timeout":                                      "internal host",
		"lookup orders-db.prod.internal: no such host":                             "internal host",
		"lookup db.internal: no such host":                                         "internal host",
		"db.local:5432 is away":                                                    "internal host",
		"orders.default.svc.cluster.local is away":                                 "internal host",

		"The order ORD-7 was not found.":                                     "",
		"Call again with the path of a file, such as notes/today.txt.":       "",
		"See https://docs.example.com/errors/not_found.html for the reason.": "",
		"GET /api/v2/orders answered with 503":                               "",
		"The password is missing. The token: expired.":                       "",
		"The secret must have at least 12 characters":                        "",
		"version 10.4.0 of the server, at 192.0.2.7":                         "",
		"The argument settings.locale is unknown":                            "",
		"at com.acme.internal.Orders, in .env.local and errors.internal":     "",
		"GET /data/orders/7 and /v1/files/orders.json":                       "",
		"Ask at 3 pm (Berlin time)":                                          "",
		`{"errorCategory":"transient","correlationId":"10.0.0.1","idempotencyKey":"ghp_0123456789012345678901234567890123456"}`: "",
	} {
		s := &spy{TB: t}
		out := outcome(text)
		ok := resulttest.AssertNoLeak(s, out)
		if want == "" {
			assert.True(t, ok, "%s: %v", text, s.errors)
			continue
		}
		assert.False(t, ok, text)
		assert.Contains(t, fmt.Sprint(s.errors), "shows a "+want, text)
		for _, secret := range []string{"hunter2", "IOSFODNN7", "abcdefghijklmnop1234", "456789abcdef"} {
			assert.NotContains(t, fmt.Sprint(s.errors), secret, "a finding is no leak itself")
		}
	}
}

// Secrets in an answer other than the reported leak are masked too.
func TestFinding_MaskedSecrets(t *testing.T) {
	t.Parallel()
	const secrets = "AKIAIOSFODNN7EXAMPLE and Bearer abcdefghijklmnop1234"
	server := mcp.NewServer(&mcp.Implementation{Name: "leaks"}, nil)
	add(server, readOnly("find"), saying(secrets), failing(secrets))
	report, err := resulttest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"find bare_text", "find leak"}, kinds(report))
	s := &spy{TB: t}
	assert.False(t, resulttest.AssertHint(s, outcome(secrets)))
	assert.Len(t, s.errors, 1)
	for _, text := range []string{report.String(), s.errors[0]} {
		assert.Contains(t, text, "AKIAIO... and Bearer...")
		assert.NotContains(t, text, "7EXAMPLE")
		assert.NotContains(t, text, "nop1234")
	}
}

func TestTestServer(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "bad"}, nil)
	add(server, readOnly("find"), saying("no"), failing("no"))
	s := &spy{TB: t}
	resulttest.TestServer(s, testutil.Connect(t, server, nil), nil)
	require.Len(t, s.errors, 1)
	for _, part := range []string{"find: bare_text: ", "\n    call: ", "\n    arguments: {", "\n    answer: no", "\n    why: ", "\n    fix: "} {
		assert.Contains(t, s.errors[0], part)
	}
	s = &spy{TB: t}
	done := make(chan struct{})
	go func() {
		defer close(done)
		resulttest.TestServer(s, nil, nil)
	}()
	<-done
	assert.Equal(t, []string{"the server could not be checked: there is no session"}, s.errors)

	// A test that calls no tool fails.
	server = mcp.NewServer(&mcp.Implementation{Name: "writes"}, nil)
	add(server, &mcp.Tool{Name: "write", InputSchema: map[string]any{"type": "object"}, Annotations: &mcp.ToolAnnotations{IdempotentHint: true}}, saying("done"), failing("no"))
	session := testutil.Connect(t, server, nil)
	s = &spy{TB: t}
	done = make(chan struct{})
	go func() {
		defer close(done)
		resulttest.TestServer(s, session, nil)
	}()
	<-done
	require.Len(t, s.errors, 1)
	assert.Contains(t, s.errors[0], "none of the 1 tools was called")
}

// TestCheck_Phrases pins how short texts are interpreted.
func TestCheck_Phrases(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"No orders found for CUS-7.":            "find empty_as_failure",
		"no rows in result set":                 "find empty_as_failure",
		"Error: 0 results":                      "find empty_as_failure",
		"The search returned no hits":           "find empty_as_failure",
		"No credentials found":                  "find bare_text",
		"No data directory found":               "find bare_text",
		"No such files":                         "find bare_text",
		"Customer CUS-7 not found":              "find bare_text",
		"No customer found with id 7":           "find bare_text",
		`{"orders":[],"error":"it was not"}`:    "find empty_as_failure",
		`{"orders":[7],"message":"m","hint":0}`: "find no_category",
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "words"}, nil)
		add(server, readOnly("find"), envelope, failing(text))
		report, err := resulttest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
		require.NoError(t, err)
		assert.Contains(t, kinds(report), want, text)
	}
	for text, failed := range map[string]bool{
		"Error: no":                           true,
		"An error occurred while reading: no": true,
		"Error fetching the order: no":        true,
		"ValueError: no":                      true,
		"Failed to read the order":            true,
		"Forbidden":                           true,
		"= Node =\nCPU: error - refused\nMemory: error - refused": true,
		"= Node =\nCPU: error - refused\nMemory: 7 GB":            false,
		"CPU: error rates are low":                                false,
		"Forbidden City, Beijing":                                 false,
		"Standard error: 0.05":                                    false,
		"The last run had an error: see above":                    false,
		"Errors and how to avoid them":                            false,
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "words"}, nil)
		add(server, readOnly("find"), envelope, succeeding(text))
		report, err := resulttest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
		require.NoError(t, err)
		want := []string{}
		if failed {
			want = []string{"find failure_as_success"}
		}
		assert.Equal(t, want, kinds(report), text)
	}
}
