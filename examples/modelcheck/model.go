package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/mcp-toolerr/toolerr-go/retry"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// A model is a chat completions API like OpenAI's.
type model struct {
	url, name, key string
	timeout        time.Duration
}

// steps lists the next steps to choose from, and what they mean.
var steps = []struct {
	action  retry.Action
	meaning string
}{
	{retry.ActionRetry, "send the identical call again"},
	{retry.ActionFixInput, "call again with other arguments, or call another tool first"},
	{retry.ActionVerify, "find out first whether the call has taken effect, before anything else"},
	{retry.ActionEscalate, "explain it to the user and hand over to a person who can decide"},
	{retry.ActionReauthorize, "ask for other credentials, or tell the operators"},
	{retry.ActionPropagate, "give up on this call, and tell the user that the tool failed"},
}

const system = "You are an agent that does what a user asks by calling tools. When a call has failed you choose the " +
	"next step."

// The messages of the API, as far as this program needs them.
type (
	message struct {
		Role      string     `json:"role"`
		Content   string     `json:"content"`
		ToolCalls []toolCall `json:"tool_calls,omitempty"`
		CallID    string     `json:"tool_call_id,omitempty"`
	}
	toolCall struct {
		ID       string   `json:"id"`
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	function struct {
		Name        string `json:"name"`
		Arguments   string `json:"arguments,omitempty"`
		Description string `json:"description,omitempty"`
		Parameters  any    `json:"parameters,omitempty"`
	}
	definition struct {
		Type     string   `json:"type"`
		Function function `json:"function"`
	}
	completionRequest struct {
		Model    string       `json:"model"`
		Seed     int          `json:"seed"`
		Messages []message    `json:"messages"`
		Tools    []definition `json:"tools"`
	}
	completion struct {
		Choices []struct {
			Message message `json:"message"`
		} `json:"choices"`
	}
)

// request returns the conversation up to the failure, and the question.
func (q question) request(name, form string, seed int) (completionRequest, error) {
	arguments, err := json.Marshal(q.arguments)
	if err != nil {
		return completionRequest{}, err
	}
	var ask strings.Builder
	ask.WriteString("Choose the next step. Answer with one of these words and nothing else; call no tool.")
	for _, s := range steps {
		fmt.Fprintf(&ask, "\n%s: %s", s.action, s.meaning)
	}
	return completionRequest{
		Model: name, Seed: seed,
		Messages: []message{
			{Role: "system", Content: system},
			{Role: "user", Content: q.task},
			{Role: "assistant", ToolCalls: []toolCall{{
				ID: "call_1", Type: "function",
				Function: function{Name: q.tool.Name, Arguments: string(arguments)},
			}}},
			{Role: "tool", CallID: "call_1", Content: q.text[form]},
			{Role: "user", Content: ask.String()},
		},
		Tools: []definition{{
			Type:     "function",
			Function: function{Name: q.tool.Name, Description: q.tool.Description, Parameters: q.tool.InputSchema},
		}},
	}, nil
}

// ask returns the text of the model's answer, retrying temporary failures.
func (m *model) ask(ctx context.Context, q question, form string, seed int) (string, error) {
	request, err := q.request(m.name, form, seed)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(request)
	if err != nil {
		return "", err
	}
	policy := retry.Policy{
		MaxAttempts: 5, AttemptTimeout: m.timeout, Safety: retry.SafetyIdempotent,
		Logger: slog.New(slog.DiscardHandler),
	}
	return retry.Do(ctx, policy, func(ctx context.Context) (string, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(m.url, "/")+"/chat/completions",
			bytes.NewReader(body))
		if err != nil {
			return "", err
		}
		req.Header.Set("Content-Type", "application/json")
		if m.key != "" {
			req.Header.Set("Authorization", "Bearer "+m.key)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return "", err
		}
		defer func() { _ = resp.Body.Close() }()
		if failure := toolerr.FromResponse(resp); failure != nil {
			return "", failure
		}
		var c completion
		if err := json.NewDecoder(resp.Body).Decode(&c); err != nil {
			return "", err
		}
		if len(c.Choices) == 0 {
			return "", errors.New("the answer has no choices")
		}
		return c.Choices[0].Message.Content, nil
	})
}

// thoughts matches the reasoning that some models write before their answer.
var thoughts = regexp.MustCompile(`(?s)<think(?:ing)?>.*?</think(?:ing)?>`)

// chosen returns the step that an answer names. It returns false for none or several.
func chosen(answer string) (retry.Action, bool) {
	answer = strings.ToLower(thoughts.ReplaceAllString(answer, ""))
	found, n := retry.ActionPropagate, 0
	for _, s := range steps {
		if regexp.MustCompile(`\b` + s.action.String() + `\b`).MatchString(answer) {
			found = s.action
			n++
		}
	}
	return found, n == 1
}
