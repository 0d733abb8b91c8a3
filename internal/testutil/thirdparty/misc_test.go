package thirdparty

import (
	"errors"
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/go-playground/validator/v10"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/timestamppb"
)

type user struct {
	Email string `validate:"required,email"`
	Age   int    `validate:"gte=18"`
}

var validatorCases = []testCase{
	{"go-playground/validator", "ValidationErrors", "7b", func(*testing.T) error {
		return validator.New().Struct(user{Email: secret, Age: 3})
	}, validation, no, 0},
	{"go-playground/validator", "ValidationErrors wrapped", "7b", func(*testing.T) error {
		return fmt.Errorf("create user: %w", validator.New().Struct(user{}))
	}, validation, no, 0},
	{"go-playground/validator", "InvalidValidationError", "7b", func(*testing.T) error {
		return validator.New().Struct(3)
	}, or(transient, validation), no, 0},
}

// The space behind "proto:" is an ordinary or a non-breaking one, at random for
// each build.
var protobufCases = []testCase{
	{"protobuf", "wire format", "8", func(*testing.T) error {
		return proto.Unmarshal([]byte{0xff}, &emptypb.Empty{})
	}, ownText, no, 0},
	{"protobuf", "protojson", "8", func(*testing.T) error {
		return protojson.Unmarshal([]byte("{}"), &timestamppb.Timestamp{})
	}, ownText, no, 0},
}

var syncCases = []testCase{
	{"x/sync", "semaphore deadline", "1", func(t *testing.T) error {
		sem := semaphore.NewWeighted(1)
		must(t, sem.Acquire(t.Context(), 1))
		return sem.Acquire(expired(t), 1)
	}, transient, yes, 0},
	{"x/sync", "singleflight panic", "9", func(*testing.T) (err error) {
		defer func() { err, _ = recover().(error) }()
		_, err, _ = new(singleflight.Group).Do("k", func() (any, error) { panic(errors.New("inner")) })
		return err
	}, transient, no, 0},
	{"x/sync", "errgroup first error", "1", func(*testing.T) error {
		var group errgroup.Group
		group.Go(func() error { return os.Remove("/proc/version") })
		return group.Wait()
	}, ownDenied, no, 0},
}

var backoffCases = []testCase{
	{"cenkalti/backoff", "Permanent(refused)", "7b", value(backoff.Permanent(syscall.ECONNREFUSED)), transient, no, 0},
	{"cenkalti/backoff", "RetryAfter(7s)", "7b", value(backoff.RetryAfter(7)), transient, yes, 7 * time.Second},
}
