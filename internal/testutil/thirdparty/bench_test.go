package thirdparty

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// BenchmarkFrom measures errors of RPC libraries, whose methods return types of their
// own.
func BenchmarkFrom(b *testing.B) {
	detailed, err := status.New(codes.Unavailable, "draining").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
	if err != nil {
		b.Fatal(err)
	}
	for name, err := range map[string]error{
		"gRPC":              fmt.Errorf("get: %w", status.Error(codes.NotFound, "no such order")),
		"gRPC with a delay": detailed.Err(),
		"Connect":           connect.NewError(connect.CodeNotFound, errors.New("no such order")),
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				toolerr.From(err)
			}
		})
	}
}
