package thirdparty

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/containerd/errdefs"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry/remote/errcode"
)

var containerdCases = []testCase{
	{"containerd/errdefs", "ErrNotFound", "7b", container(errdefs.ErrNotFound), validation, no, 0},
	{"containerd/errdefs", "ErrAlreadyExists", "7b", container(errdefs.ErrAlreadyExists), business, no, 0},
	{"containerd/errdefs", "ErrInvalidArgument", "7b", container(errdefs.ErrInvalidArgument), validation, no, 0},
	{"containerd/errdefs", "ErrPermissionDenied", "7b", container(errdefs.ErrPermissionDenied), permission, no, 0},
	{"containerd/errdefs", "ErrUnauthenticated", "7b", container(errdefs.ErrUnauthenticated), permission, no, 0},
	{
		"containerd/errdefs", "ErrResourceExhausted", "7b", container(errdefs.ErrResourceExhausted), or(business, transient),
		nil, 0,
	},
	{"containerd/errdefs", "ErrFailedPrecondition", "7b", container(errdefs.ErrFailedPrecondition), business, no, 0},
	{"containerd/errdefs", "ErrConflict", "7b", container(errdefs.ErrConflict), business, no, 0},
	{"containerd/errdefs", "ErrUnavailable", "7b", container(errdefs.ErrUnavailable), transient, yesUnproven, 0},
	{"containerd/errdefs", "ErrOutOfRange", "7b", container(errdefs.ErrOutOfRange), validation, no, 0},
	{"containerd/errdefs", "ErrDataLoss", "7b", container(errdefs.ErrDataLoss), transient, no, 0},
}

func container(err error) func(*testing.T) error { return wrapped(`container "web"`, err) }

func wrapped(text string, err error) func(*testing.T) error {
	return value(fmt.Errorf("%s: %w", text, err))
}

var orasCases = []testCase{
	{"oras-go", "404", "5", manifest(404, errcode.ErrorCodeManifestUnknown), validation, no, 0},
	{"oras-go", "401", "5", manifest(401, errcode.ErrorCodeUnauthorized), permission, no, 0},
	{"oras-go", "403", "5", manifest(403, errcode.ErrorCodeDenied), permission, no, 0},
	{"oras-go", "500", "5", manifest(500, "UNKNOWN"), transient, yesUnproven, 0},
	{"oras-go", "ErrNotFound", "8", wrapped("sha256:aa: application/json", errdef.ErrNotFound), validation, no, 0},
	{"oras-go", "ErrSizeExceedsLimit", "8", value(errdef.ErrSizeExceedsLimit), validation, no, 0},
	{
		"oras-go", "ErrInvalidReference", "8", value(fmt.Errorf("%w: missing repository", errdef.ErrInvalidReference)),
		validation, no, 0,
	},
	{"oras-go", "ErrAlreadyExists", "8", value(errdef.ErrAlreadyExists), business, no, 0},
}

func manifest(status int, code string) func(*testing.T) error {
	return value(&errcode.ErrorResponse{
		Method: http.MethodGet, URL: &url.URL{Scheme: "https", Host: "r.example", Path: "/v2/x/manifests/1"},
		StatusCode: status, Errors: errcode.Errors{{Code: code, Message: "x"}},
	})
}
