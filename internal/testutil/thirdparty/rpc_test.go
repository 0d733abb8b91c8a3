package thirdparty

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/twitchtv/twirp"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"
)

var connectCases = []testCase{
	{"connect-go", "canceled", "6", call(connect.CodeCanceled), transient, no, 0},
	{"connect-go", "unknown", "6", call(connect.CodeUnknown), transient, no, 0},
	{"connect-go", "invalid_argument", "6", call(connect.CodeInvalidArgument), validation, no, 0},
	{"connect-go", "deadline_exceeded", "6", call(connect.CodeDeadlineExceeded), transient, yes, 0},
	{"connect-go", "not_found", "6", call(connect.CodeNotFound), validation, no, 0},
	{"connect-go", "already_exists", "6", call(connect.CodeAlreadyExists), business, no, 0},
	{"connect-go", "permission_denied", "6", call(connect.CodePermissionDenied), permission, no, 0},
	{"connect-go", "resource_exhausted", "6", call(connect.CodeResourceExhausted), transient, yes, 0},
	{"connect-go", "failed_precondition", "6", call(connect.CodeFailedPrecondition), business, no, 0},
	{"connect-go", "aborted", "6", call(connect.CodeAborted), or(transient, business), nil, 0},
	{"connect-go", "unimplemented", "6", call(connect.CodeUnimplemented), or(validation, business, transient), no, 0},
	{"connect-go", "internal", "6", call(connect.CodeInternal), transient, no, 0},
	{"connect-go", "unavailable", "6", call(connect.CodeUnavailable), transient, yes, 0},
	{"connect-go", "unauthenticated", "6", call(connect.CodeUnauthenticated), permission, no, 0},
	{"connect-go", "unavailable with RetryInfo", "6", func(t *testing.T) error {
		detail, err := connect.NewErrorDetail(&errdetails.RetryInfo{RetryDelay: durationpb.New(3 * time.Second)})
		must(t, err)
		e := connect.NewError(connect.CodeUnavailable, errors.New("draining"))
		e.AddDetail(detail)
		return e
	}, transient, yes, 3 * time.Second},
	{"connect-go", "dial refused", "1", func(t *testing.T) error {
		return callAt(t, "http://"+refused(t))
	}, transient, yes, 0},
}

func call(code connect.Code) func(*testing.T) error {
	return func(t *testing.T) error {
		handler := connect.NewUnaryHandler("/s.S/M",
			func(context.Context, *connect.Request[emptypb.Empty]) (*connect.Response[emptypb.Empty], error) {
				return nil, connect.NewError(code, errors.New(secret))
			})
		return callAt(t, serve(t, handler.ServeHTTP))
	}
}

func callAt(t *testing.T, address string) error {
	t.Helper()
	client := connect.NewClient[emptypb.Empty, emptypb.Empty](http.DefaultClient, address+"/s.S/M")
	_, err := client.CallUnary(t.Context(), connect.NewRequest(&emptypb.Empty{}))
	return err
}

var twirpCases = []testCase{
	{"twirp", "invalid_argument", "6", hat(twirp.InvalidArgument), validation, no, 0},
	{"twirp", "not_found", "6", hat(twirp.NotFound), validation, no, 0},
	{"twirp", "already_exists", "6", hat(twirp.AlreadyExists), business, no, 0},
	{"twirp", "permission_denied", "6", hat(twirp.PermissionDenied), permission, no, 0},
	{"twirp", "unavailable", "6", hat(twirp.Unavailable), transient, yes, 0},
	{"twirp", "resource_exhausted", "6", hat(twirp.ResourceExhausted), transient, yes, 0},
	{"twirp", "internal", "6", hat(twirp.Internal), transient, no, 0},
}

func hat(code twirp.ErrorCode) func(*testing.T) error {
	return value(fmt.Errorf("haberdasher: %w", twirp.NewError(code, secret)))
}
