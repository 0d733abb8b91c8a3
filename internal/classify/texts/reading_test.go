package texts_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/internal/classify/texts"
)

// The test corpus has failure texts of programs with their expected class: the reader
// changes the input (validation), asks for access (permission), escalates (business),
// repeats the call (retry), or does anything except that (never). Nobody is to blame for text
// that cannot be parsed (nobody), and some refusals are no wrong arguments (open).
func TestText(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/texts.txt")
	require.NoError(t, err)
	n := 0
	for line := range strings.Lines(string(raw)) {
		want, text, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		n++
		got := texts.Read(text)
		switch want {
		case "retry":
			assert.Equal(t, "transient true unknown", fmt.Sprint(got.Category, " ", got.Retryable, " ", got.Effect), text)
		case "never":
			assert.False(t, got.Retryable, text)
		case "nobody":
			assert.Contains(t, []string{"", "transient"}, got.Category, text)
			assert.False(t, got.Retryable, text)
		case "open":
			assert.Contains(t, []string{"", "business"}, got.Category, text)
			assert.False(t, got.Retryable, text)
		default:
			assert.Equal(t, want, got.Category, text)
			assert.False(t, got.Retryable, text)
			assert.True(t, got.Forbids, text)
		}
		assert.NotEqual(t, "none", got.Effect, text)
	}
	assert.Greater(t, n, 400)
}

// A code or a status counts in addition to the words, and forbids a repeat regardless of
// them.
func TestText_Structure(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[NOT_FOUND] x":                        "not_found",
		"x (RESOURCE_EXHAUSTED)":               "rate_limited true",
		"code: 503":                            "unavailable true",
		"Fehler: 503":                          "unavailable true",
		"错误码：429":                              "rate_limited true",
		"エラーコード: 404":                          "not_found",
		"422 - x":                              "invalid_argument",
		"HTTP/1.1 401 Unauthorized":            "unauthenticated",
		"x: 400 {\"a\":1}":                     "invalid_argument",
		"failed with status 409":               "conflict",
		"ResourceNotFoundException: x":         "not_found",
		"x: errno ECONNRESET":                  "unavailable true",
		"1205 (HY000): Lock wait timeout":      "unavailable true",
		"found 404 pages":                      "",
		"took 503 ms":                          "",
		"version 4.429.1":                      "",
		"listening on 127.0.0.1:503":           "",
		"row 500 of 501":                       "",
		"see https://x.example/503":            "",
		"open /var/log/not_found/timeout":      "",
		"user named \"429 Too Many Requests\"": "",
		"403: rate limit exceeded":             "rate_limited",
		"400 connection reset":                 "unavailable",
		"408 Request Timeout":                  "timeout true",
		"425 Too Early":                        "unavailable true",
	} {
		got := texts.Read(text)
		assert.Equal(t, want, strings.TrimSuffix(fmt.Sprint(got.Code, " ", got.Retryable), " false"), text)
	}
}

// The neighbourhood of a phrase determines its meaning.
func TestText_Neighbourhood(t *testing.T) {
	t.Parallel()
	for name, pair := range map[string][2]string{ // the first allows a repeat, the second does not
		"negation":         {"The request timed out", "The request has not timed out"},
		"subordinate":      {"Connection reset while reading", "Rolled back after the connection was reset"},
		"conjecture":       {"The server is down", "The server may be down"},
		"cause":            {"It failed because the connection was lost", "It failed; maybe the connection was lost"},
		"a name":           {"Rate limit exceeded", "Rate limit policy exceeded"},
		"a quote":          {"Search failed: rate limited", "Search for \"rate limited\" failed"},
		"behind the colon": {"Sending failed: connection refused", "Connection refused: the port is closed to you"},
		"what was tried":   {"Fetching payment failed: timed out", "Payment overdue: timed out"},
		"work done":        {"Message could not be sent: timed out", "Message sent, but the reply timed out"},
		"a thing":          {"The database is unavailable", "The room is unavailable"},
		"its time":         {"The query timed out", "The offer timed out"},
		"a clause before":  {"Request failed, database unavailable", "User invited, database unavailable"},
		"a place":          {"The database is unavailable in this call", "The database is unavailable in Europe"},
		"a setting":        {"Timeout exceeded", "Timeout must be positive"},
	} {
		assert.True(t, texts.Read(pair[0]).Retryable, "%s: %s", name, pair[0])
		assert.False(t, texts.Read(pair[1]).Retryable, "%s: %s", name, pair[1])
	}
}

// Phrases in paths, files, hosts, identifiers, placeholders and quoted names do not
// describe the failure.
func TestText_Names(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"deadlock/detect.go: no such package":                                    "not_found",
		"internal/timeout is not a package we know of":                           "invalid_argument",
		"src/deadlock has no tests":                                              "",
		"deadlock.go has no tests":                                               "",
		"timeout_ms has no effect":                                               "",
		"handleRateLimit has no callers":                                         "",
		"web-timeout has no replicas":                                            "",
		"see overloaded.example.com":                                             "",
		"write to down@unavailable.example":                                      "",
		`Key "noSuchKey" has no effect`:                                          "",
		`Search for "connection refused" has no effect`:                          "",
		"Failed to fetch robots.txt due to a connection issue":                   "unavailable true",
		"connect ECONNREFUSED <ip address>:9":                                    "unavailable true",
		"httpx.ReadTimeout":                                                      "timeout true",
		"openai.APIConnectionError: Connection error.":                           "unavailable true",
		"rate-limit-exceeded":                                                    "rate_limited true",
		"Firebase: Error (auth/user-not-found).":                                 "not_found",
		"Cmd('git') failed: exit code(1) stderr: 'fatal: x is not found'":        "not_found",
		`500 Server Error: Internal Server Error ("toomanyrequests: slow down")`: "rate_limited true",
		"文件/data/deadlock.go不存在":                                                 "not_found",
		"L'ordine è già stato spedito":                                           "failed_precondition",
		"It must be stopped before it can be resized":                            "failed_precondition",
	} {
		got := texts.Read(text)
		assert.Equal(t, want, strings.TrimSuffix(fmt.Sprint(got.Code, " ", got.Retryable), " false"), text)
	}
}

func TestText_Delay(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Rate limited. Retry after 30":                                            "30s",
		"Too many requests, try again in 1.5 minutes":                             "1m30s",
		"Throttled, wait for about 250 ms":                                        "250ms",
		"Rate limit exceeded, resets in 2h":                                       "2h0m0s",
		"请求过于频繁，请 30 秒后重试":                                                        "30s",
		"リクエストが多すぎます。10秒後に再試行してください":                                              "10s",
		"요청이 너무 많습니다. 5초 후에 다시 시도하세요":                                             "5s",
		"Zu viele Anfragen, bitte versuchen Sie es später erneut, in 20 Sekunden": "20s",
		"Request timed out after 30 seconds":                                      "0s",
	} {
		assert.Equal(t, want, texts.Read(text).After.String(), text)
	}
}

// Each line of the phrase files is well-formed, has a source, and is found in a text that
// consists of one of its wordings. No wording has the same meaning twice.
func TestPhrases(t *testing.T) {
	t.Parallel()
	seen, languages := map[[3]string]bool{}, map[string]int{}
	texts.Lines(func(language, meaning, wordings, source string) {
		assert.NotEmpty(t, source, wordings)
		for wording := range strings.SplitSeq(wordings, "|") {
			key := [3]string{language, meaning, wording}
			assert.False(t, seen[key], "%q stands twice", key)
			seen[key] = true
			languages[language]++
			ok, found := texts.Finds(language, meaning, wording)
			assert.True(t, ok, "%q is not well-formed", meaning)
			assert.True(t, found, "%q is not found", key)
		}
	})
	assert.Len(t, languages, 11)
	for language, n := range languages {
		assert.Greater(t, n, 100, language)
	}
}

// The work is at most linear in the length of the text, up to the maximum length that is
// read.
func TestText_Linear(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{
		"not found, ", "(", "\"", "'a ", "a\"b ", "error: ", "NOT_FOUND ", "no no ", "429 ", "503 of ", "https://x/ ", "/a/b ", "/", "认证失败",
		"接続", "요청 ", "retry after 1 ", "a/b.c", "<a b>", "l'x ", "x_", "aB_c ", "'a b' ", "error 'a b", "x", "aB", "A", "wait for 9", "SQLSTATE ", "rate limit exceeded for the ", "timeout ", "is ", "{\"", "\\", "- ", "\n", "…",
	} {
		short := strings.Repeat(piece, 1000/len(piece))
		one, two := texts.Steps(short), texts.Steps(short+short)
		assert.LessOrEqual(t, two, 2*one+500, "%q", piece)
		assert.LessOrEqual(t, texts.Steps(strings.Repeat(short, 1000)), 6*one+2000, "%q", piece)
	}
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"a: \"b", "(503", "“x” 请求超时", "x\xffy", "Retry after 1h2m", "«»„“", "İ'ß’é", "C:\\x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := texts.Read(text)
		require.NotEqual(t, "none", got.Effect)
		require.False(t, got.Retryable && got.Forbids)
		require.LessOrEqual(t, texts.Steps(text), 600*(1+min(len(text), 5000)))
	})
}
