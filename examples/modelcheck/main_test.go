package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
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

// The decision of package retry for each failure, and whether a repeat may do harm.
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
		"bad gateway of a booking": "verify", "connection refused": "retry", "rate limit": "retry", "exhausted plan": "escalate",
		"missing argument": "fix_input", "misspelt name": "fix_input", "another tool first": "fix_input", "over a limit": "escalate",
		"sold out": "escalate", "not allowed": "reauthorize", "expired token": "reauthorize", "bug in a look-up": "propagate",
		"sent, then failed": "propagate",
	}, got)
	assert.Equal(t, []string{"timeout of a refund", "bad gateway of a booking", "sent, then failed"}, dangers)
}

func TestChosen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"retry": "retry", "Retry.": "retry", "**fix_input**": "fix_input", "verify: look it up": "verify",
		"<think>retry? or verify?</think>\nescalate": "escalate", "": "", "I will retry, or verify": "", "retrying": "", "no idea": "",
	} {
		action, ok := chosen(text)
		assert.Equal(t, want != "", ok, text)
		if ok {
			assert.Equal(t, want, action.String(), text)
		}
	}
}

func TestRun_Table(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), nil, &stdout, &stderr), stderr.String())
	want, err := os.ReadFile(filepath.Join("testdata", "script.txt"))
	require.NoError(t, err)
	assert.Equal(t, string(want), stdout.String())
	assert.Contains(t, stdout.String(), "a script, which is no model", "its figures are not taken for a model's")
}

func TestRun_JSONAndPicture(t *testing.T) {
	t.Parallel()
	picture := filepath.Join(t.TempDir(), "picture.svg")
	var stdout bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-json", "-seeds", "2", "-svg", picture}, &stdout, io.Discard))
	assert.Equal(t, 2*len(forms)*len(failures), strings.Count(stdout.String(), "\n"))
	assert.Contains(t, stdout.String(), `{"failure":"timeout of a refund","form":"bare","seed":1,"want":"verify","chosen":"retry","right":false,"mayDoItTwice":true}`)
	drawn, err := os.ReadFile(picture)
	require.NoError(t, err)
	decoder, bars := xml.NewDecoder(bytes.NewReader(drawn)), 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "rect" {
			bars++
		}
	}
	assert.Greater(t, bars, len(failures))
	assert.Contains(t, string(drawn), scriptName)
}

// An API of another's: what it is sent, its key, and that requests that fail for now are
// repeated.
func TestRun_API(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-test")
	requests, keys := 0, map[string]bool{}
	seeds := map[int]int{}
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
	var stdout, stderr bytes.Buffer
	require.Zero(t, run(t.Context(), []string{"-url", api.URL + "/v1/", "-model", "m", "-seeds", "2"}, &stdout, &stderr), stderr.String())
	assert.Equal(t, map[int]int{1: 2 * len(failures), 2: 2 * len(failures)}, seeds)
	assert.Equal(t, map[string]bool{"Bearer sk-test": true}, keys)
	assert.NotContains(t, stdout.String()+stderr.String(), "sk-test")
	assert.Contains(t, stdout.String(), "in 2 answers each, by m.")

	assert.Equal(t, 1+2*2*len(failures), requests)
}

func TestRun_NoAnswer(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(http.NotFoundHandler())
	defer api.Close()
	var stdout, stderr bytes.Buffer
	assert.Equal(t, 1, run(t.Context(), []string{"-url", api.URL, "-model", "m"}, &stdout, &stderr))
	assert.Contains(t, stderr.String(), "no answer about timeout of a look-up")
	assert.Empty(t, stdout.String())
}

func TestRun_BadFlags(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"-url", "http://127.0.0.1:1/v1"}, {"-model", "m"}, {"-seeds", "0"}, {"-timeout", "0s"}, {"-url", "x", "-model", "m"}, {"x"}} {
		var stderr bytes.Buffer
		assert.Equal(t, 2, run(t.Context(), args, io.Discard, &stderr), args)
		assert.Equal(t, 1, strings.Count(stderr.String(), "\n"))
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
