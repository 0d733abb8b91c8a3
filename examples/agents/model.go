package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"
)

// A step is a call by the scripted model, and the arguments it sends once an answer names the bad
// one.
type step struct {
	tool      string
	arguments map[string]any
	corrected map[string]any
}

var script = []step{
	{tool: "get_customer", arguments: map[string]any{"customer_id": "CUS-10001"}},
	{
		tool: "lookup_order", arguments: map[string]any{"customer_id": "CUS-10001", "days": "thirty"},
		corrected: map[string]any{"customer_id": "CUS-10001", "days": 30},
	},
	{tool: "process_refund", arguments: map[string]any{"order_id": "ORD-6", "amount": 650}},
	{tool: "process_refund", arguments: map[string]any{"order_id": "ORD-7", "amount": 40}},
}

// A model fakes both APIs on loopback, and follows the script. It corrects an argument that an
// answer names, and repeats a call up to twice if the failure sounds temporary, unless an envelope
// forbids it. Real models may do better or worse, but the texts that it reads are real.
type model struct {
	step    int
	repeats int
	fixed   bool
	asked   int // requests to the API
	read    []reading
}

// A reading is an answer that the model read, and the number of the step that it answers.
type reading struct {
	step int
	text string
}

// temporary matches words that suggest a temporary failure.
var temporary = regexp.MustCompile(`(?i)timeout|refused|unavailable|reset|temporar|try again`)

// next takes the answer to the previous call, if any, and returns the next call.
func (m *model) next(answer string, answered bool) (call step, ok bool) {
	m.asked++
	if answered {
		current := script[m.step]
		m.read = append(m.read, reading{m.step, answer})
		switch {
		case strings.Contains(answer, `"isRetryable":false`) && !strings.Contains(answer, `"errorCategory":"validation"`):
			m.advance()
		case !m.fixed && current.corrected != nil && strings.Contains(answer, "days"):
			m.fixed = true
		case m.repeats < 2 && temporary.MatchString(answer):
			m.repeats++
		default:
			m.advance()
		}
	}
	if m.step == len(script) {
		return step{}, false
	}
	call = script[m.step]
	if m.fixed {
		call.arguments = call.corrected
	}
	return call, true
}

func (m *model) advance() { m.step, m.repeats, m.fixed = m.step+1, 0, false }

// serve serves the model until stop is called.
func (m *model) serve() (url string, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/messages", m.messages)
	mux.HandleFunc("POST /v1/chat/completions", m.completions)
	front := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = front.Serve(listener) }()
	return "http://" + listener.Addr().String(), func() { _ = front.Close() }, nil
}

// messages implements the part of Anthropic's API that the loop needs.
func (m *model) messages(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct {
			Content []struct {
				Type    string
				Content []struct{ Text string }
			}
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var texts []string
	answered := false
	for _, block := range request.Messages[len(request.Messages)-1].Content {
		answered = answered || block.Type == "tool_result"
		for _, text := range block.Content {
			texts = append(texts, text.Text)
		}
	}
	content, reason := any(map[string]any{"type": "text", "text": "Done."}), "end_turn"
	if call, ok := m.next(strings.Join(texts, "\n"), answered); ok {
		content = map[string]any{
			"type": "tool_use", "id": fmt.Sprintf("toolu_%d", m.asked), "name": call.tool,
			"input": call.arguments,
		}
		reason = "tool_use"
	}
	answer(w, map[string]any{
		"id": "msg", "type": "message", "role": "assistant", "model": "scripted", "content": []any{content},
		"stop_reason": reason,
		"usage":       map[string]any{"input_tokens": 1, "output_tokens": 1},
	})
}

// completions implements the part of OpenAI's API that the loop needs.
func (m *model) completions(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	last := request.Messages[len(request.Messages)-1]
	message, reason := map[string]any{"role": "assistant", "content": "Done."}, "stop"
	if call, ok := m.next(last.Content, last.Role == "tool"); ok {
		arguments, _ := json.Marshal(call.arguments)
		message["tool_calls"] = []any{map[string]any{
			"id": fmt.Sprintf("call_%d", m.asked), "type": "function",
			"function": map[string]any{
				"name": call.tool, "arguments": string(arguments),
			},
		}}
		message["content"], reason = nil, "tool_calls"
	}
	answer(w, map[string]any{
		"id": "chatcmpl", "object": "chat.completion", "created": 1, "model": "scripted",
		"choices": []any{map[string]any{"index": 0, "finish_reason": reason, "message": message}},
	})
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value)
}
