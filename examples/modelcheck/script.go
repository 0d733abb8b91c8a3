package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// scriptName names the script in the title of its table.
const scriptName = "a script, which is no model"

// serveScript serves a script that answers instead of a model, on loopback until stop is called.
// Its answers are made up: it is only for trying the program.
func (m *model) serveScript() (stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		var request completionRequest
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) < 2 {
			http.Error(w, "no conversation", http.StatusBadRequest)
			return
		}
		text := request.Messages[len(request.Messages)-2].Content
		_, _ = fmt.Fprintf(w, `{"choices":[{"message":{"role":"assistant","content":%q}}]}`, scripted(text, request.Seed))
	})
	front := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = front.Serve(listener) }()
	m.url, m.name = "http://"+listener.Addr().String()+"/v1", "script"
	return func() { _ = front.Close() }, nil
}

// scripted follows an envelope. In a bare text, it looks for the first word that it knows; for
// every fifth seed, it names two steps instead.
func scripted(text string, seed int) string {
	var e toolerr.Error
	if json.Unmarshal([]byte(text), &e) == nil && strings.HasPrefix(text, `{"isError":true`) {
		switch {
		case e.Retryable:
			return retry.ActionRetry.String()
		case e.Effect == toolerr.EffectUnknown, e.Effect == toolerr.EffectApplied:
			return retry.ActionVerify.String()
		case e.Code == toolerr.CodeFailedPrecondition:
			return retry.ActionFixInput.String()
		}
		return map[toolerr.Category]retry.Action{
			toolerr.CategoryValidation: retry.ActionFixInput, toolerr.CategoryBusiness: retry.ActionEscalate,
			toolerr.CategoryPermission: retry.ActionReauthorize,
		}[e.Category].String()
	}
	if seed%5 == 0 {
		return "I could retry, or escalate."
	}
	for _, word := range []struct{ in, step string }{
		{"deadline", "retry"},
		{"refused", "retry"},
		{"502", "retry"},
		{"429", "retry"},
		{"missing", "fix_input"},
		{"not found", "fix_input"},
		{"403", "reauthorize"},
		{"expired", "reauthorize"},
		{"limit", "escalate"},
	} {
		if strings.Contains(text, word.in) {
			return "<think>It says " + word.in + ", so I could escalate.</think>" + word.step + "."
		}
	}
	return "propagate"
}
