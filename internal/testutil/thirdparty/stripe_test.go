package thirdparty

import (
	"fmt"
	"testing"

	"github.com/stripe/stripe-go/v83"
	twilio "github.com/twilio/twilio-go/client"
)

var stripeCases = []testCase{
	{"stripe-go", "402 card_declined", "5", charge(402, "card_error", `"code":"card_declined",`+
		`"decline_code":"generic_decline",`), business, no, 0},
	{"stripe-go", "402 insufficient_funds", "5", func(t *testing.T) error {
		return fmt.Errorf("pay: %w", charge(402, "card_error",
			`"code":"card_declined","decline_code":"insufficient_funds",`)(t))
	}, business, no, 0},
	{"stripe-go", "429 rate_limit", "5", charge(429, "invalid_request_error", `"code":"rate_limit",`), transient, yes, 0},
	{"stripe-go", "400 idempotency_error", "5", charge(400, "idempotency_error", ""), or(business, validation), no, 0},
	{"stripe-go", "401", "5", charge(401, "invalid_request_error", ""), permission, no, 0},
	{
		"stripe-go", "404 resource_missing", "5", charge(404, "invalid_request_error", `"code":"resource_missing",`),
		validation, no, 0,
	},
	{
		"stripe-go", "400 parameter_missing", "5", charge(400, "invalid_request_error", `"code":"parameter_missing",`),
		validation, no, 0,
	},
	{
		"stripe-go", "409 lock conflict", "5", charge(409, "invalid_request_error", `"code":"idempotency_key_in_use",`),
		or(business, transient), nil, 0,
	},
	{"stripe-go", "500 api_error", "5", charge(500, "api_error", ""), transient, yes, 0},
}

func charge(status int, kind, codes string) func(*testing.T) error {
	body := fmt.Sprintf(`{"error":{%s"type":%q,"message":%q}}`, codes, kind, secret)
	return func(t *testing.T) error {
		backend := stripe.GetBackendWithConfig(stripe.APIBackend, &stripe.BackendConfig{
			URL:               stripe.String(answer(t, status, nil, body)),
			MaxNetworkRetries: stripe.Int64(0),
			LeveledLogger:     &stripe.LeveledLogger{Level: stripe.LevelNull},
		})
		return backend.Call("POST", "/v1/charges", secret, &stripe.ChargeParams{}, &stripe.Charge{})
	}
}

var twilioCases = []testCase{
	{"twilio-go", "429/20429", "5", sms(429, 20429, "Too many requests"), transient, yes, 0},
	{"twilio-go", "400/21211", "5", sms(400, 21211, "Invalid 'To' Phone Number"), validation, no, 0},
	{"twilio-go", "401/20003", "5", sms(401, 20003, "Authenticate"), permission, no, 0},
	{"twilio-go", "404/20404", "5", sms(404, 20404, "The requested resource was not found"), validation, no, 0},
	{"twilio-go", "503/20503", "5", sms(503, 20503, "Service unavailable"), transient, yes, 0},
}

func sms(status, code int, message string) func(*testing.T) error {
	body := fmt.Sprintf(`{"status":%d,"code":%d,"message":%q}`, status, code, message)
	return func(t *testing.T) error {
		client := twilio.Client{Credentials: twilio.NewCredentials("AC1", "token")}
		//nolint:bodyclose // there is none beside the error
		_, err := client.SendRequest("GET", answer(t, status, nil, body), nil, nil)
		return err
	}
}
