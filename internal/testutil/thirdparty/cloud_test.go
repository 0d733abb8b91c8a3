package thirdparty

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"code.gitea.io/sdk/gitea"
	"github.com/oracle/oci-go-sdk/v65/common"
	"github.com/scaleway/scaleway-sdk-go/scw"
)

var giteaCases = []testCase{
	{"gitea/sdk", "404", "8", giteaRepository(404, `{"message":"The target couldn't be found."}`), validation, no, 0},
	{
		"gitea/sdk", "401", "8", giteaRepository(401, `{"message":"invalid username, password or token"}`), permission, no,
		0,
	},
	{"gitea/sdk", "403", "8", giteaRepository(403,
		`{"message":"token does not have at least one of required scope(s): [read:repository]"}`), permission, no, 0},
	{"gitea/sdk", "502 html", "8", giteaRepository(502, `<html>bad gateway</html>`), transient, yesUnproven, 0},
	{
		"gitea/sdk", "409", "8", giteaRepository(409, `{"message":"The repository with the same name already exists."}`),
		business, no, 0,
	},
}

func giteaRepository(status int, body string) func(*testing.T) error {
	return func(t *testing.T) error {
		client, err := gitea.NewClient(answer(t, status, nil, body), gitea.SetGiteaVersion("1.22.0"))
		must(t, err)
		_, _, err = client.GetRepo("o", "r")
		return err
	}
}

var scalewayCases = []testCase{
	{
		"scaleway-sdk-go", "QuotasExceeded", "7b",
		value(&scw.QuotasExceededError{Details: []scw.QuotasExceededErrorDetail{{
			Resource: "instances", Quota: 10,
			Current: 10,
		}}}), business, no, 0,
	},
	{"scaleway-sdk-go", "PermissionsDenied", "7b", value(&scw.PermissionsDeniedError{}), permission, no, 0},
	{
		"scaleway-sdk-go", "TransientState", "7b",
		value(&scw.TransientStateError{Resource: "instance", ResourceID: "1", CurrentState: "stopping"}),
		or(business, transient), nil, 0,
	},
	{
		"scaleway-sdk-go", "ResourceNotFound", "7b", value(&scw.ResourceNotFoundError{Resource: "instance", ResourceID: "1"}),
		validation, no, 0,
	},
	{
		"scaleway-sdk-go", "ResourceLocked", "7b", value(&scw.ResourceLockedError{Resource: "instance", ResourceID: "1"}),
		or(permission, business), no, 0,
	},
	{
		"scaleway-sdk-go", "OutOfStock", "7b", value(&scw.OutOfStockError{Resource: "GP1-XL"}), or(business, transient), nil,
		0,
	},
	{
		"scaleway-sdk-go", "InvalidArguments", "7b",
		value(&scw.InvalidArgumentsError{Details: []scw.InvalidArgumentsErrorDetail{{
			ArgumentName: "volumes",
			Reason:       "constraint",
		}}}), validation, no, 0,
	},
	{
		"scaleway-sdk-go", "DeniedAuthentication", "5", value(&scw.DeniedAuthenticationError{Reason: "expired"}), permission,
		no, 0,
	},
	{
		"scaleway-sdk-go", "PreconditionFailed", "7b", value(&scw.PreconditionFailedError{HelpMessage: "x"}), business, no,
		0,
	},
	{
		"scaleway-sdk-go", "ResponseError 503", "5",
		value(&scw.ResponseError{StatusCode: 503, Status: "503 Service Unavailable", Message: "x"}), transient, yesUnproven,
		0,
	},
	{
		"scaleway-sdk-go", "ResponseError 429", "5",
		value(&scw.ResponseError{StatusCode: 429, Status: "429 Too Many Requests", Message: "too many requests"}), transient,
		yes, 0,
	},
}

var ociCases = []testCase{
	{"oci-go-sdk", "429", "5", oci(429, "TooManyRequests", "Tenancy has been throttled."), transient, yes, 0},
	{"oci-go-sdk", "404", "5", oci(404, "NotAuthorizedOrNotFound",
		"Authorization failed or requested resource not found."), or(permission, validation), no, 0},
	{"oci-go-sdk", "401", "5", oci(401, "NotAuthenticated",
		"The required information to complete authentication was not provided."), permission, no, 0},
	{"oci-go-sdk", "409", "5", oci(409, "IncorrectState",
		"The requested state for the resource conflicts with its current state."), business, no, 0},
	{"oci-go-sdk", "400", "5", oci(400, "InvalidParameter", "shape is not valid"), validation, no, 0},
	{"oci-go-sdk", "400 LimitExceeded", "5", oci(400, "LimitExceeded", "You have reached your service limit in this "+
		"Availability Domain for standard-e4-core-count."), business, no, 0},
	{"oci-go-sdk", "500", "5", oci(500, "InternalServerError", "Internal error occurred"), transient, yesUnproven, 0},
	{
		"oci-go-sdk", "500 out of host capacity", "5", oci(500, "InternalError", "Out of host capacity."),
		or(transient, business), bothUnproven, 0,
	},
	{"oci-go-sdk", "409 InvalidatedRetryToken", "5", oci(409, "InvalidatedRetryToken", "The provided retry token was "+
		"used in an earlier request."), or(business, validation), no, 0},
}

// unsigned leaves requests to Oracle's cloud without a signature.
type unsigned struct{}

func (unsigned) Sign(*http.Request) error { return nil }

func oci(status int, code, message string) func(*testing.T) error {
	return func(t *testing.T) error {
		address := answer(t, status, nil, fmt.Sprintf(`{"code":%q,"message":%q}`, code, message))
		client := common.BaseClient{HTTPClient: http.DefaultClient, Signer: unsigned{}, Host: address, UserAgent: "test"}
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "/20160918/instances", http.NoBody)
		must(t, err)
		response, err := client.Call(t.Context(), request)
		if response != nil {
			_, _ = io.Copy(io.Discard, response.Body)
			_ = response.Body.Close()
		}
		return err
	}
}
