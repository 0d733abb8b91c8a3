package thirdparty

import (
	"fmt"
	"testing"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	sashabaranov "github.com/sashabaranov/go-openai"
)

const unpaid = "You exceeded your current quota, please check your plan and billing details."

var openaiCases = []testCase{
	{"openai-go", "429 rate_limit_exceeded", "5", complete(429, headers{"Retry-After": "3"},
		"requests", "rate_limit_exceeded", "Rate limit reached"), transient, yes, 3 * time.Second},
	{"openai-go", "429 insufficient_quota", "5", complete(429, nil,
		"insufficient_quota", "insufficient_quota", unpaid), business, no, 0},
	{"openai-go", "400 context_length_exceeded", "5", complete(400, nil,
		"invalid_request_error", "context_length_exceeded", "too long "+secret), validation, no, 0},
	{"openai-go", "401 invalid_api_key", "5", complete(401, nil,
		"invalid_request_error", "invalid_api_key", "Incorrect API key "+secret), permission, no, 0},
	{"openai-go", "404 model_not_found", "5", complete(404, nil,
		"invalid_request_error", "model_not_found", "no such model"), validation, no, 0},
	{"openai-go", "503", "5", complete(503, nil, "server_error", "", "overloaded"), transient, yes, 0},
}

func complete(status int, header headers, kind, code, message string) func(*testing.T) error {
	body := fmt.Sprintf(`{"error":{"type":%q,"code":%q,"message":%q,"param":null}}`, kind, code, message)
	return func(t *testing.T) error {
		client := openai.NewClient(option.WithBaseURL(answer(t, status, header, body)),
			option.WithAPIKey(secret), option.WithMaxRetries(0))
		_, err := client.Chat.Completions.New(t.Context(), openai.ChatCompletionNewParams{
			Model:    "m",
			Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("hello")},
		})
		return err
	}
}

var sashabaranovCases = []testCase{
	{"sashabaranov/go-openai", "429", "5", chat(429, `{"error":{"message":"slow","type":"requests",`+
		`"code":"rate_limit_exceeded"}}`), transient, yes, 0},
	{
		"sashabaranov/go-openai", "401", "5",
		chat(401, `{"error":{"message":"bad key `+secret+`","type":"invalid_request_error","code":"invalid_api_key"}}`),
		permission, no, 0,
	},
	{
		"sashabaranov/go-openai", "400", "5",
		chat(400, `{"error":{"message":"bad","type":"invalid_request_error","code":0}}`), validation, no, 0,
	},
	{"sashabaranov/go-openai", "502 html (RequestError)", "5", chat(502, `<html>bad gateway</html>`), transient, yes, 0},
}

func chat(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		config := sashabaranov.DefaultConfig(secret)
		config.BaseURL = answer(t, status, nil, body)
		_, err := sashabaranov.NewClientWithConfig(config).CreateChatCompletion(t.Context(),
			sashabaranov.ChatCompletionRequest{Model: "m"})
		return err
	}
}
