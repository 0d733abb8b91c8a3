package thirdparty

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"

	"github.com/go-telegram/bot"
	"github.com/plutov/paypal/v4"
)

var paypalCases = []testCase{
	{
		"plutov/paypal", "422 INSTRUMENT_DECLINED", "5", pay(422, "UNPROCESSABLE_ENTITY", "The requested action could not "+
			"be performed, semantically incorrect, or failed business validation.", "INSTRUMENT_DECLINED"),
		or(business, validation), no, 0,
	},
	{
		"plutov/paypal", "422 ORDER_ALREADY_CAPTURED", "5",
		pay(422, "UNPROCESSABLE_ENTITY", "failed business validation", "ORDER_ALREADY_CAPTURED"), or(business, validation),
		no, 0,
	},
	{
		"plutov/paypal", "404", "5", pay(404, "RESOURCE_NOT_FOUND", "The specified resource does not exist."), validation, no,
		0,
	},
	{
		"plutov/paypal", "429", "5", pay(429, "RATE_LIMIT_REACHED", "Too many requests. Blocked due to rate limiting."),
		transient, yes, 0,
	},
	{
		"plutov/paypal", "500", "5", pay(500, "INTERNAL_SERVER_ERROR", "An internal server error has occurred."), transient,
		yesUnproven, 0,
	},
	{"plutov/paypal", "401", "5", pay(401, "AUTHENTICATION_FAILURE",
		"Authentication failed due to invalid authentication credentials."), permission, no, 0},
	{
		"plutov/paypal", "403", "5", pay(403, "NOT_AUTHORIZED", "Authorization failed due to insufficient permissions."),
		permission, no, 0,
	},
	{"plutov/paypal", "400", "5", pay(400, "INVALID_REQUEST",
		"Request is not well-formed, syntactically incorrect, or violates schema."), validation, no, 0},
}

func pay(status int, name, message string, issues ...string) func(*testing.T) error {
	e := &paypal.ErrorResponse{
		Name: name, Message: message,
		Response: &http.Response{
			StatusCode: status,
			Request: &http.Request{
				Method: http.MethodPost,
				URL:    &url.URL{Scheme: "http", Host: "127.0.0.1", Path: "/v1/things"},
			},
		},
	}
	for _, issue := range issues {
		e.Details = append(e.Details, paypal.ErrorResponseDetail{Issue: issue})
	}
	return value(e)
}

var telegramBotCases = []testCase{
	{
		"go-telegram/bot", "429", "5", me(429, `"Too Many Requests: retry after 14","parameters":{"retry_after":14}`),
		transient, yes, 14e9,
	},
	{"go-telegram/bot", "403 blocked", "8", me(403, `"Forbidden: bot was blocked by the user"`), permission, no, 0},
	{"go-telegram/bot", "400 chat not found", "8", me(400, `"Bad Request: chat not found"`), validation, no, 0},
	{"go-telegram/bot", "401", "8", me(401, `"Unauthorized"`), permission, no, 0},
	{"go-telegram/bot", "409", "8", me(409, `"Conflict: terminated by other getUpdates request"`), business, no, 0},
	{"go-telegram/bot", "404", "8", me(404, `"Not Found"`), validation, no, 0},
}

func me(status int, description string) func(*testing.T) error {
	return func(t *testing.T) error {
		address := answer(t, status, nil, `{"ok":false,"error_code":`+strconv.Itoa(status)+`,"description":`+description+`}`)
		b, err := bot.New(secret, bot.WithServerURL(address), bot.WithSkipGetMe())
		must(t, err)
		_, err = b.GetMe(t.Context())
		return err
	}
}
