package thirdparty

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/allocs"
	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// BenchmarkFrom measures errors of RPC libraries, whose methods return types of their
// own, beside the chain that people write who know the library.
func BenchmarkFrom(b *testing.B) {
	detailed, err := status.New(codes.Unavailable, "draining").
		WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Second)})
	if err != nil {
		b.Fatal(err)
	}
	for name, err := range map[string]error{
		"gRPC":              fmt.Errorf("get: %w", status.Error(codes.NotFound, "no such order")),
		"gRPC with a delay": detailed.Err(),
		"Connect":           connect.NewError(connect.CodeNotFound, errors.New("no such order")),
	} {
		b.Run(name+"/From", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				toolerr.From(err)
			}
		})
		b.Run(name+"/by hand", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				naive(err)
			}
		})
	}
}

// byHand classifies an error as a chain of errors.Is and errors.As does.
func byHand(err error) string {
	var netErr net.Error
	var rpc *connect.Error
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, fs.ErrNotExist):
		return "not_found"
	case errors.Is(err, fs.ErrPermission):
		return "denied"
	case errors.As(err, &netErr) && netErr.Timeout():
		return "timeout"
	case errors.As(err, &rpc):
		return rpc.Code().String()
	}
	if s, ok := status.FromError(err); ok {
		return s.Code().String()
	}
	return "internal"
}

// The status and the code of gRPC are read by two calls by reflection.
func TestFrom_RPCAllocations(t *testing.T) { //nolint:paralleltest // it counts allocations
	for name, err := range map[string]error{
		"as it is": status.Error(codes.NotFound, "no such order"),
		"wrapped":  fmt.Errorf("get: %w", status.Error(codes.Unavailable, "draining")),
	} {
		allocs.AtMost(t, 14, func() { toolerr.From(err) }, name)
	}
}
