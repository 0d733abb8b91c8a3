package thirdparty

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/Khan/genqlient/graphql"
	"github.com/PagerDuty/go-pagerduty"
	enumspb "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"golang.org/x/oauth2"
	"google.golang.org/genai"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func oauthCases(t *testing.T) []labelled {
	const lib = "x/oauth2"
	src := func(u, refresh string) oauth2.TokenSource {
		cfg := &oauth2.Config{
			ClientID: "id", ClientSecret: "s",
			Endpoint: oauth2.Endpoint{TokenURL: u, AuthStyle: oauth2.AuthStyleInParams},
		}
		return cfg.TokenSource(context.Background(),
			&oauth2.Token{AccessToken: "old", RefreshToken: refresh, Expiry: time.Now().Add(-time.Hour)})
	}
	tok := func(u string) error { _, err := src(u, "r1").Token(); return err }
	_, viaTransport := oauth2.NewClient(context.Background(), src(web(t, 400, js, `{"error":"invalid_grant",`+
		`"error_description":"Token has been expired or revoked."}`), "r1")).Get("http://" + refused(t) + "/me")
	_, noRefresh := src("http://"+refused(t), "").Token()
	return []labelled{
		{
			lib, "invalid_grant through the transport", "wire", viaTransport, permission, nil, "false", "",
			"the refresh token has expired: authorize again; 400 by status",
		},
		{lib, "invalid_client", "wire", tok(web(t, 401, js, `{"error":"invalid_client","error_description":"Client `+
			`authentication failed"}`)), permission, nil, "false", "", "authn"},
		{
			lib, "temporarily_unavailable", "wire", tok(web(t, 400, js, `{"error":"temporarily_unavailable",`+
				`"error_description":"AADSTS90033: A transient error has occurred. Please try again."}`)), transient, nil, "true",
			"", "the code says so; 400 by status",
		},
		{
			lib, "503 html", "wire", tok(web(t, 503, html, html503)), transient, nil, "true", notNone,
			"503 to a POST without Retry-After",
		},
		{
			lib, "no refresh token", "triggered", noRefresh, permission, nil, "false", "",
			"text only: token expired and refresh token is not set",
		},
	}
}

func genaiCases(t *testing.T) []labelled {
	const lib = "google genai"
	gen := func(code int, st, msg, details string) error {
		u := web(t, code, js, fmt.Sprintf(`{"error":{"code":%d,"message":%q,"status":%q,"details":[%s]}}`, code, msg, st,
			details))
		c, err := genai.NewClient(context.Background(),
			&genai.ClientConfig{APIKey: "k", Backend: genai.BackendGeminiAPI, HTTPOptions: genai.HTTPOptions{BaseURL: u}})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Models.GenerateContent(context.Background(), "gemini-2.0-flash", genai.Text("hi"), nil)
		return err
	}
	return []labelled{
		{lib, "429 per minute, with RetryInfo", "wire", gen(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, "+
			"please check your plan and billing details. * Quota exceeded for metric: "+
			"generativelanguage.googleapis.com/generate_content_free_tier_requests, limit: 15 Please retry in 34.07s.",
			`{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier","quotaValue":"15"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"34s"}`), transient, or(business), "true", "", "a limit per minute, with RetryInfo of 34 s, under the words of an exhausted plan"},
		{
			lib, "400 API key not valid", "wire",
			gen(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key.",
				`{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}`),
			permission, nil, "false", "", "meaning beats status: API_KEY_INVALID",
		},
		{lib, "404 model", "wire", gen(404, "NOT_FOUND", "models/gemini-9 is not found for API version v1beta, or is not "+
			"supported for generateContent.", ""), validation, nil, "false", "", "404"},
		{
			lib, "503 overloaded", "wire", gen(503, "UNAVAILABLE", "The model is overloaded. Please try again later.", ""),
			transient, nil, "true", notNone, "503 to a POST",
		},
		{
			lib, "400 location", "wire", gen(400, "FAILED_PRECONDITION", "User location is not supported for the API use.", ""),
			business, or(permission), "false", "", "FAILED_PRECONDITION",
		},
	}
}

func pagerdutyCases(t *testing.T) []labelled {
	const lib = "go-pagerduty"
	run := func(u string) error {
		_, err := pagerduty.NewClient("tok", pagerduty.WithAPIEndpoint(u)).
			CreateIncidentWithContext(context.Background(), "a@b.c",
				&pagerduty.CreateIncidentOptions{Title: "x", Service: &pagerduty.APIReference{ID: "P1", Type: "service_reference"}})
		return err
	}
	api := func(status, code int, msg, errs string) error {
		return run(web(t, status, js, fmt.Sprintf(`{"error":{"message":%q,"code":%d,"errors":[%s]}}`, msg, code, errs)))
	}
	return []labelled{
		{lib, "404 2100", "wire", api(404, 2100, "Not Found", ""), validation, nil, "false", "", "404"},
		{
			lib, "401", "wire", run(web(t, 401, js, `{"error":{"message":"Unauthorized","code":2006}}`)), permission, nil,
			"false", "", "401",
		},
		{lib, "429 2020", "wire", api(429, 2020, "Rate Limit Exceeded", ""), transient, nil, "true", "", "429"},
		{lib, "402 ability", "wire", api(402, 2014, "Account does not have the abilities to perform the action. Please "+
			"upgrade your account.", ""), business, or(permission), "false", "", "the plan"},
		{lib, "502 html to a POST", "wire", run(web(t, 502, html, html502)), transient, nil, "true", notNone, "502"},
	}
}

func genqlientCases(t *testing.T) []labelled {
	const lib = "Khan/genqlient"
	run := func(status int, ctype, body string) error {
		var data map[string]any
		c := graphql.NewClient(web(t, status, ctype, body), http.DefaultClient)
		return c.MakeRequest(context.Background(), &graphql.Request{OpName: "issueCreate", Query: "mutation issueCreate { " +
			"issueCreate(input: {}) { success } }"}, &graphql.Response{Data: &data})
	}
	return []labelled{
		{
			lib, "200 UNAUTHENTICATED", "wire", run(200, js, `{"data":null,"errors":[{"message":"Authentication required, not `+
				`authenticated","extensions":{"type":"authentication error","code":"UNAUTHENTICATED","userError":true}}]}`),
			permission, nil, "false", "", "extensions.code",
		},
		{lib, "200 BAD_USER_INPUT", "wire", run(200, js, `{"errors":[{"message":"Variable \"$input\" got invalid value {}; `+
			`Field \"teamId\" of required type \"String!\" was not provided.","locations":[{"line":1,"column":22}],"extensions":{"code":"BAD_USER_INPUT"}}]}`), validation, nil, "false", "", "extensions.code"},
		{lib, "400 RATELIMITED", "wire", run(400, js, `{"errors":[{"message":"Rate limit exceeded. Only 1500 requests are `+
			`allowed per 1 hour.","extensions":{"type":"ratelimited","code":"RATELIMITED","statusCode":429,"userError":true}}]}`), transient, nil, "true", "", "throttling under 400, as Linear answers"},
		{lib, "200 could not resolve", "wire", run(200, js, `{"data":{"repository":null},"errors":[{"type":"NOT_FOUND",`+
			`"path":["repository"],"locations":[{"line":1,"column":3}],"message":"Could not resolve to a Repository with the name 'o/r'."}]}`), validation, nil, "false", "", "text only: GitHub's not found; its type is not kept"},
		{lib, "502 html to a mutation", "wire", run(502, html, html502), transient, nil, "true", notNone, "502"},
	}
}

func temporalCases(t *testing.T) []labelled {
	const lib = "temporal serviceerror"
	// The SDK's interceptor turns the status of the wire into these by FromStatus.
	wire := func(err error) error {
		st := err.(serviceerror.ServiceError).Status()
		return serviceerror.FromStatus(status.FromProto(st.Proto()))
	}
	return []labelled{
		{
			lib, "NotFound", "constructed", wire(serviceerror.NewNotFound("workflow not found for ID: order-42")), validation,
			nil, "false", "", "NotFound",
		},
		{
			lib, "WorkflowExecutionAlreadyStarted", "constructed",
			wire(serviceerror.NewWorkflowExecutionAlreadyStarted("Workflow execution is already running. WorkflowId: "+
				"order-42, RunId: 0190.", "req", "0190")), business, nil, "false", "", "AlreadyExists",
		},
		{
			lib, "PermissionDenied", "constructed", wire(serviceerror.NewPermissionDenied("Request unauthorized.", "")),
			permission, nil, "false", "", "PermissionDenied",
		},
		{
			lib, "ResourceExhausted RPS", "constructed",
			wire(serviceerror.NewResourceExhausted(enumspb.RESOURCE_EXHAUSTED_CAUSE_RPS_LIMIT, "namespace rate limit exceeded")),
			transient, nil, "true", "", "Cause RPS_LIMIT",
		},
		{
			lib, "Unavailable", "constructed", serviceerror.FromStatus(status.New(codes.Unavailable, "shard status unknown")),
			transient, nil, "true", notNone, "Unavailable",
		},
		{
			lib, "DeadlineExceeded", "constructed",
			serviceerror.FromStatus(status.New(codes.DeadlineExceeded, "context deadline exceeded")), transient, nil, "true",
			notNone, "DeadlineExceeded",
		},
	}
}
