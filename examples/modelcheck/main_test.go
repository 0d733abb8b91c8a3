package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// TestPrepare checks package retry's decision for each failure, and whether a repeat may do harm.
func TestPrepare(t *testing.T) {
	t.Parallel()
	questions, err := prepare(t.Context())
	require.NoError(t, err)
	got, dangers := map[string]string{}, []string{}
	for _, q := range questions {
		got[q.name] = q.want.String()
		if q.danger {
			dangers = append(dangers, q.name)
		}
		var e toolerr.Error
		require.NoError(t, json.Unmarshal([]byte(q.text["envelope"]), &e), q.name)
		assert.NotContains(t, q.text["bare"], "isError", q.name)
		assert.NotEmpty(t, q.text["bare"], q.name)
	}
	assert.Equal(t, map[string]string{
		"timeout of a look-up": "retry", "timeout of a refund": "verify", "timeout of a payment with a key": "retry",
		"bad gateway of a booking": "verify", "connection refused": "retry", "rate limit": "retry",
		"exhausted plan":   "escalate",
		"missing argument": "fix_input", "misspelt name": "fix_input", "another tool first": "fix_input",
		"over a limit": "escalate",
		"sold out":     "escalate", "not allowed": "reauthorize", "expired token": "reauthorize",
		"bug in a look-up":  "propagate",
		"sent, then failed": "verify",
	}, got)
	assert.Equal(t, []string{"timeout of a refund", "bad gateway of a booking", "sent, then failed"}, dangers)
}

// Every hint is understood, and obeyed without harm; a wrong one is noticed.
func TestObedient(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, obedient(t.Context(), situations(), &out))
	assert.Greater(t, strings.Count(out.String(), "\n"), 30)
	wrong := toolerr.Transient("Lost.").WithEffect(toolerr.EffectUnknown).
		WithHint("Wait a moment, then retry the same call.")
	require.ErrorContains(t, obedient(t.Context(), map[string]error{"wrong": wrong}, &out), "charged map[:2]")
}

func TestChosen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"retry": "retry", "Retry.": "retry", "**fix_input**": "fix_input", "verify: look it up": "verify",
		"<think>retry? or verify?</think>\nescalate": "escalate", "": "", "I will retry, or verify": "", "retrying": "",
		"no idea": "",
	} {
		action, ok := chosen(text)
		assert.Equal(t, want != "", ok, text)
		if ok {
			assert.Equal(t, want, action.String(), text)
		}
	}
}

// runs runs the program, and returns what it prints.
func runs(t *testing.T, status int, args ...string) (stdout, stderr string) {
	t.Helper()
	var o, e bytes.Buffer
	require.Equal(t, status, run(t.Context(), args, &o, &e), "%q: %s", args, e.String())
	return o.String(), e.String()
}

func TestRun_Table(t *testing.T) {
	t.Parallel()
	stdout, _ := runs(t, 0)
	want, err := os.ReadFile(filepath.Join("testdata", "script.txt"))
	require.NoError(t, err)
	assert.Equal(t, string(want), stdout)
	assert.Contains(t, stdout, "a script, which is no model", "its figures are not taken for a model's")
}

func TestRun_JSONAndPicture(t *testing.T) {
	t.Parallel()
	picture := filepath.Join(t.TempDir(), "picture.svg")
	stdout, _ := runs(t, 0, "-json", "-seeds", "2", "-svg", picture)
	assert.Equal(t, 2*len(forms)*len(failures), strings.Count(stdout, "\n"))
	assert.Contains(t, stdout, `{"failure":"timeout of a refund","form":"bare","seed":1,"want":"verify",`+
		`"chosen":"retry","right":false,"mayDoItTwice":true}`)
	drawn, err := os.ReadFile(picture)
	require.NoError(t, err)
	require.NoError(t, xml.Unmarshal(drawn, new(struct{})), "it is well-formed")
	assert.Greater(t, strings.Count(string(drawn), "<rect "), len(failures))
	assert.Contains(t, string(drawn), scriptName)
}

// An API of another's: what it is sent, its key, and that requests that fail for now are repeated.
func TestRun_API(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-test")
	requests, keys, seeds := 0, map[string]bool{}, map[int]int{}
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests++
		if requests == 1 { // with a wait, which is none
			w.Header().Set("Retry-After", "0")
			http.Error(w, "busy", http.StatusTooManyRequests)
			return
		}
		keys[r.Header.Get("Authorization")] = true
		var request completionRequest
		assert.NoError(t, json.NewDecoder(r.Body).Decode(&request))
		assert.Equal(t, "m", request.Model)
		assert.Len(t, request.Messages, 5)
		assert.Equal(t, "tool", request.Messages[3].Role)
		assert.NotEmpty(t, request.Messages[3].Content)
		seeds[request.Seed]++
		_, _ = io.WriteString(w, `{"choices":[{"message":{"content":"verify"}}]}`)
	}))
	defer api.Close()
	stdout, stderr := runs(t, 0, "-url", api.URL+"/v1/", "-model", "m", "-seeds", "2")
	assert.Equal(t, map[int]int{1: 2 * len(failures), 2: 2 * len(failures)}, seeds)
	assert.Equal(t, map[string]bool{"Bearer sk-test": true}, keys)
	assert.NotContains(t, stdout+stderr, "sk-test")
	assert.Contains(t, stdout, "in 2 answers each, by m.")
	assert.Equal(t, 1+2*2*len(failures), requests)
}

func TestRun_NoAnswer(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(http.NotFoundHandler())
	defer api.Close()
	stdout, stderr := runs(t, 1, "-url", api.URL, "-model", "m")
	assert.Contains(t, stderr, "no answer about timeout of a look-up")
	assert.Empty(t, stdout)
}

func TestRun_BadFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"-url", "http://127.0.0.1:1/v1"},
		{"-model", "m"},
		{"-seeds", "0"},
		{"-timeout", "0s"},
		{"-url", "x", "-model", "m"},
		{"x"},
	} {
		_, stderr := runs(t, 2, args...)
		assert.Equal(t, 1, strings.Count(stderr, "\n"))
	}
}

// A repeat is counted apart only if it may do the work twice.
func TestScore(t *testing.T) {
	t.Parallel()
	s := &score{seeds: 1}
	unsafe := question{failed: failed{name: "unsafe"}, want: retry.ActionVerify, danger: true}
	safe := question{failed: failed{name: "safe"}, want: retry.ActionEscalate}
	s.add(unsafe, "bare", 1, "retry")
	s.add(unsafe, "bare", 1, "escalate")
	s.add(unsafe, "bare", 1, "verify")
	s.add(safe, "bare", 1, "retry")
	s.add(safe, "bare", 1, "hm")
	assert.Equal(t, tally{right: 1, wrong: 2, twice: 1, unreadable: 1}, *s.of("", "bare"))
	assert.Equal(t, "1!", s.of("unsafe", "bare").String())
	assert.Equal(t, "0", s.of("safe", "bare").String())
}
