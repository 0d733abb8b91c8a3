package servertest_test

import (
	"fmt"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result"
	"github.com/mcp-toolerr/toolerr-go/result/servertest"
)

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
		got := servertest.Leaks(result.Parse(&mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil))
		if want == "" {
			assert.Empty(t, got, text)
			continue
		}
		assert.Contains(t, fmt.Sprint(got), want, text)
		for _, secret := range []string{"hunter2", "IOSFODNN7", "abcdefghijklmnop1234", "456789abcdef"} {
			assert.NotContains(t, fmt.Sprint(got), secret, "a finding is no leak itself")
		}
	}
}

// Secrets in an answer other than the reported leak are masked too.
func TestFinding_MaskedSecrets(t *testing.T) {
	t.Parallel()
	const secrets = "AKIAIOSFODNN7EXAMPLE and Bearer abcdefghijklmnop1234"
	server := mcp.NewServer(&mcp.Implementation{Name: "leaks"}, nil)
	add(server, readOnly("find"), saying(secrets), failing(secrets))
	report, err := servertest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
	require.NoError(t, err)
	assert.Equal(t, []string{"find bare_text", "find leak"}, kinds(report))
	text := fmt.Sprint(report.Findings)
	assert.Contains(t, text, "[masked] and")
	assert.NotContains(t, text, "7EXAMPLE")
	assert.NotContains(t, text, "nop1234")
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
		`{"orders":[],"error":"it was not"}`:    "find incomplete",
		`{"orders":[7],"message":"m","hint":0}`: "find incomplete",
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "words"}, nil)
		add(server, readOnly("find"), envelope, failing(text))
		report, err := servertest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
		require.NoError(t, err)
		assert.Contains(t, kinds(report), want, text)
	}
	for text, failed := range map[string]bool{
		"Error: no":                            true,
		"An error occurred while reading: no":  true,
		"Error fetching the order: no":         true,
		"ValueError: no":                       true,
		"Failed to read the order":             true,
		"Forbidden":                            true,
		"CPU: error rates are low":             false,
		"Forbidden City, Beijing":              false,
		"Standard error: 0.05":                 false,
		"The last run had an error: see above": false,
		"Errors and how to avoid them":         false,
	} {
		server := mcp.NewServer(&mcp.Implementation{Name: "words"}, nil)
		add(server, readOnly("find"), envelope, succeeding(text))
		report, err := servertest.Check(t.Context(), testutil.Connect(t, server, nil), nil)
		require.NoError(t, err)
		want := []string{}
		if failed {
			want = []string{"find failure_as_success"}
		}
		assert.Equal(t, want, kinds(report), text)
	}
}
