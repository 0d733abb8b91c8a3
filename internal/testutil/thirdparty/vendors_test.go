package thirdparty

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore/runtime"
	"github.com/alibabacloud-go/tea/tea"
	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/aws/aws-sdk-go/aws/awserr"
	"github.com/digitalocean/godo"
	"github.com/linode/linodego"
	"github.com/ovh/go-ovh/ovh"
)

var azureCases = []testCase{
	{
		"azcore", "404 BlobNotFound", "5", azure("GET", 404, headers{"x-ms-error-code": "BlobNotFound"}, ``), validation, no,
		0,
	},
	{"azcore", "403 AuthorizationFailed", "5", azure("PUT", 403, nil, `{"error":{"code":"AuthorizationFailed",`+
		`"message":"The client does not have authorization to perform action."}}`), permission, no, 0},
	{
		"azcore", "409 LeaseAlreadyPresent", "5", azure("PUT", 409, headers{"x-ms-error-code": "LeaseAlreadyPresent"}, ``),
		business, no, 0,
	},
	{
		"azcore", "409 OperationNotAllowed quota", "5", azure("PUT", 409, nil, `{"error":{"code":"QuotaExceeded",`+
			`"message":"Operation could not be completed as it results in exceeding approved standardDSv3Family Cores quota."}}`),
		business, no, 0,
	},
	{
		"azcore", "412 ConditionNotMet", "5", azure("PUT", 412, headers{"x-ms-error-code": "ConditionNotMet"}, ``), business,
		no, 0,
	},
	{
		"azcore", "503 ServerBusy to a PUT", "5", azure("PUT", 503, headers{"x-ms-error-code": "ServerBusy"}, ``), transient,
		yes, 0,
	},
	{
		"azcore", "429 with a delay", "5",
		azure("POST", 429, headers{"Retry-After": "17"},
			`{"error":{"code":"TooManyRequests","message":"The request is being throttled."}}`), transient, yes, 17e9,
	},
	{
		"azcore", "500 OperationTimedOut", "5", azure("PUT", 500, headers{"x-ms-error-code": "OperationTimedOut"}, ``),
		transient, yesUnproven, 0,
	},
}

func azure(method string, status int, header headers, body string) func(*testing.T) error {
	resp := &http.Response{
		StatusCode: status, Status: fmt.Sprintf("%d %s", status, http.StatusText(status)), Header: http.Header{},
		Body: io.NopCloser(strings.NewReader(body)),
		Request: &http.Request{
			Method: method,
			URL:    &url.URL{Scheme: "https", Host: "example.blob.core.windows.net", Path: "/c/b"},
		},
	}
	for name, value := range header {
		resp.Header.Set(name, value)
	}
	return value(runtime.NewResponseError(resp))
}

var anthropicCases = []testCase{
	{
		"anthropic-sdk-go", "529 overloaded_error", "5", ask(529, nil, "overloaded_error", "Overloaded"), transient,
		yesUnproven, 0,
	},
	{
		"anthropic-sdk-go", "429 rate_limit_error", "5",
		ask(429, headers{"Retry-After": "9"}, "rate_limit_error",
			"Number of request tokens has exceeded your per-minute rate limit"), transient, yes, 9e9,
	},
	{
		"anthropic-sdk-go", "401 authentication_error", "5", ask(401, nil, "authentication_error", "invalid x-api-key"),
		permission, no, 0,
	},
	{"anthropic-sdk-go", "400 credit", "8", ask(400, nil, "invalid_request_error", "Your credit balance is too low to "+
		"access the Anthropic API."), or(business, validation), no, 0},
	{
		"anthropic-sdk-go", "413 request_too_large", "5",
		ask(413, nil, "request_too_large", "Request exceeds the maximum size"), validation, no, 0,
	},
	{
		"anthropic-sdk-go", "402 billing_error", "5", ask(402, nil, "billing_error", "There is an issue with your billing."),
		business, no, 0,
	},
}

func ask(status int, header headers, kind, message string) func(*testing.T) error {
	body := fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message)
	return func(t *testing.T) error {
		client := anthropic.NewClient(option.WithBaseURL(answer(t, status, header, body)), option.WithAPIKey(secret),
			option.WithMaxRetries(0))
		_, err := client.Messages.New(t.Context(), anthropic.MessageNewParams{
			MaxTokens: 8, Model: "m", Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(
				"hello"))},
		})
		return err
	}
}

var godoCases = []testCase{
	{"godo", "404", "5", droplet(404, nil, `{"id":"not_found","message":"The resource you were accessing could not be `+
		`found."}`), validation, no, 0},
	{
		"godo", "401", "5", droplet(401, nil, `{"id":"Unauthorized","message":"Unable to authenticate you"}`), permission, no,
		0,
	},
	{"godo", "429", "5", droplet(429, headers{"Retry-After": "12"},
		`{"id":"Too Many Requests","message":"API Rate limit exceeded"}`), transient, yes, 12e9},
	{"godo", "422 size", "5", droplet(422, nil, `{"id":"unprocessable_entity","message":"creating this/these droplet(s) `+
		`will exceed your droplet limit"}`), or(validation, business), no, 0},
	{"godo", "502 html", "5", droplet(502, nil, `<html>bad gateway</html>`), transient, yesUnproven, 0},
}

func droplet(status int, header headers, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		client, err := godo.New(http.DefaultClient, godo.SetBaseURL(answer(t, status, header, body)+"/"))
		must(t, err)
		_, _, err = client.Droplets.Create(t.Context(), &godo.DropletCreateRequest{Name: "a"})
		return err
	}
}

var ovhCases = []testCase{
	{"go-ovh", "403 not granted", "5", cloud(403, `{"errorCode":"NOT_GRANTED_CALL","httpCode":"403 Forbidden",`+
		`"message":"This call has not been granted","class":"Client::Forbidden"}`), permission, no, 0},
	{"go-ovh", "404", "5", cloud(404, `{"message":"The requested object (domain) does not exist",`+
		`"class":"Client::NotFound"}`), validation, no, 0},
	{
		"go-ovh", "500", "5", cloud(500, `{"message":"Internal server error","class":"Server::InternalServerError"}`),
		transient, yesUnproven, 0,
	},
	{
		"go-ovh", "409", "5", cloud(409, `{"message":"A task is already running","class":"Client::Conflict"}`), business, no,
		0,
	},
}

func cloud(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		client, err := ovh.NewClient(answer(t, status, nil, body), "key", secret, "consumer")
		must(t, err)
		return client.PostUnAuthWithContext(t.Context(), "/domain", nil, nil)
	}
}

var awsOneCases = []testCase{
	{
		"aws-sdk-go", "ThrottlingException 400", "6",
		value(awserr.NewRequestFailure(awserr.New("ThrottlingException", "Rate exceeded", nil), 400, "r")), transient, yes,
		0,
	},
	{
		"aws-sdk-go", "AccessDenied 403", "6",
		value(awserr.NewRequestFailure(awserr.New("AccessDenied", "Access Denied", nil), 403, "r")), permission, no, 0,
	},
	{
		"aws-sdk-go", "NoSuchBucket 404", "6",
		value(fmt.Errorf("list: %w", awserr.NewRequestFailure(awserr.New("NoSuchBucket",
			"The specified bucket does not exist", nil), 404, "r"))), validation, no, 0,
	},
	{
		"aws-sdk-go", "SlowDown 503", "6",
		value(awserr.NewRequestFailure(awserr.New("SlowDown", "Please reduce your request rate.", nil), 503, "r")), transient,
		yes, 0,
	},
	{
		"aws-sdk-go", "InternalError 500", "6",
		value(awserr.NewRequestFailure(awserr.New("InternalError", "We encountered an internal error. Please try again.",
			nil), 500, "r")), transient, yesUnproven, 0,
	},
	{
		"aws-sdk-go", "RequestCanceled", "6", value(awserr.New("RequestCanceled", "request context canceled", nil)),
		transient, no, 0,
	},
	{
		"aws-sdk-go", "ExpiredToken", "6",
		value(awserr.NewRequestFailure(awserr.New("ExpiredToken", "The provided token has expired.", nil), 400, "r")),
		permission, no, 0,
	},
}

var linodeCases = []testCase{
	{"linodego", "429", "5", value(&linodego.Error{Response: &http.Response{
		StatusCode: 429,
		Header:     http.Header{"Retry-After": {"20"}},
	}, Code: 429, Message: "Too many requests"}), transient, yes, 20e9},
	{
		"linodego", "400 bad label", "5", value(&linodego.Error{Code: 400, Message: "[label] Must be 3-64 characters"}),
		validation, no, 0,
	},
	{"linodego", "401", "5", value(linodego.Error{Code: 401, Message: "Invalid Token"}), permission, no, 0},
	{"linodego", "503", "5", value(&linodego.Error{Code: 503, Message: "Service Unavailable"}), transient, yesUnproven, 0},
}

var teaCases = []testCase{
	{
		"alibabacloud-go/tea", "Throttling.User 400", "5",
		alibaba("Throttling.User", 400, "Request was denied due to user flow control."), transient, yes, 0,
	},
	{
		"alibabacloud-go/tea", "InvalidInstanceId.NotFound 404", "5",
		alibaba("InvalidInstanceId.NotFound", 404, "The specified InstanceId does not exist."), validation, no, 0,
	},
	{
		"alibabacloud-go/tea", "Forbidden.RAM 403", "5",
		alibaba("Forbidden.RAM", 403, "User not authorized to operate on the specified resource."), permission, no, 0,
	},
	{"alibabacloud-go/tea", "ServiceUnavailable 503", "5", alibaba("ServiceUnavailable", 503, "The request has failed "+
		"due to a temporary failure of the server."), transient, yesUnproven, 0},
	{
		"alibabacloud-go/tea", "IncorrectInstanceStatus 403", "5",
		alibaba("IncorrectInstanceStatus", 403, "The current status of the resource does not support this operation."),
		or(business, permission), no, 0,
	},
	{
		"alibabacloud-go/tea", "InsufficientBalance 403", "5",
		alibaba("InsufficientBalance", 403, "Your account does not have enough balance."), or(business, permission), no, 0,
	},
}

func alibaba(code string, status int, message string) func(*testing.T) error {
	return value(tea.NewSDKError(map[string]any{
		"code": code, "message": message,
		"data": map[string]any{"statusCode": status, "requestId": "r"},
	}))
}
