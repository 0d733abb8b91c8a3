package thirdparty

import (
	"maps"
	"slices"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/mcp-toolerr/toolerr-go/internal/classify"
)

// messages maps cases to the service messages in their errors.
var messages = map[string]serviceMessage{
	"aws-sdk-go-v2/dynamodb: ResourceNotFoundException":  {secret, ""},
	"connect-go: not_found":                              {secret, ""},
	"connect-go: unavailable":                            {}, // may be the transport's
	"discordgo: 403 missing permissions":                 {"Missing Permissions", ""},
	"gitlab: 403":                                        {"{message: 403 Forbidden}", ""},
	"go-github: 404":                                     {"Not Found", ""},
	"go-github: 422 validation":                          {"Validation Failed: title: missing_field", "title"},
	"go-github: primary rate limit (403)":                {"API rate limit exceeded", ""},
	"go-github: secondary rate limit (403, Retry-After)": {"You have exceeded a secondary rate limit", ""},
	"googleapi: 403 insufficientPermissions":             {"Request had insufficient authentication scopes.", ""},
	"openai-go: 404 model_not_found":                     {"no such model", ""},
	"sashabaranov/go-openai: 400":                        {"bad", ""},
	"stripe-go: 402 card_declined":                       {secret, ""},
	"telegram-bot-api: 403 blocked by the user":          {"Forbidden: bot was blocked by the user", ""},
	"twilio-go: 400/21211":                               {"Invalid 'To' Phone Number", ""},
	"vault/api: 400 missing client token":                {"missing client token", ""},
}

type serviceMessage struct{ text, field string }

func TestServiceMessage(t *testing.T) {
	seen := map[string]bool{}
	libraries := map[string]bool{}
	for _, c := range allCases {
		text, field := classify.ServiceMessage(c.make(t))
		if want, ok := messages[c.key()]; ok {
			seen[c.key()] = true
			if got := (serviceMessage{text, field}); got != want {
				t.Errorf("%s: got %q, want %q", c.key(), got, want)
			}
		}
		if text != "" {
			libraries[c.library] = true
		}
	}
	for key := range messages {
		if !seen[key] {
			t.Errorf("there is no case %s", key)
		}
	}
	want := []string{
		"alibabacloud-go/tea", "anthropic-sdk-go", "aws-sdk-go-v2/dynamodb", "connect-go", "discordgo", "gitlab", "go-containerregistry",
		"go-github", "go-ovh", "godo", "googleapi", "huma", "influxdb-client-go", "kratos/errors", "line-bot-sdk", "linodego",
		"nats.go", "oci-go-sdk",
		"ollama/api", "openai-go", "oras-go", "plutov/paypal", "sashabaranov/go-openai", "scaleway-sdk-go",
		"stripe-go", "telegram-bot-api", "twilio-go", "vault/api", "zmb3/spotify",
	}
	if got := slices.Sorted(maps.Keys(libraries)); !slices.Equal(got, want) {
		t.Errorf("libraries with the sentence of a service: got %q, want %q", got, want)
	}
}

// A gRPC message is the service's only if the service classified the request.
func TestServiceMessage_GRPC(t *testing.T) {
	refused, err := status.New(codes.InvalidArgument, "The request is not valid.").WithDetails(&errdetails.BadRequest{
		FieldViolations: []*errdetails.BadRequest_FieldViolation{{Field: "title", Description: "is empty"}},
	})
	must(t, err)
	for want, err := range map[serviceMessage]error{
		{"The request is not valid.", "title"}: refused.Err(),
		{"Slow down.", ""}:                     status.Error(codes.ResourceExhausted, "Slow down."),
		{}:                                     status.Error(codes.Unavailable, "dial tcp 10.0.0.7:443: connection refused"),
	} {
		if text, field := classify.ServiceMessage(err); (serviceMessage{text, field}) != want {
			t.Errorf("got %q %q, want %q", text, field, want)
		}
	}
}
