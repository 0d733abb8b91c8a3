package toolerr_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

var sink any

// BenchmarkFrom compares From with a chain of errors.Is and errors.As.
func BenchmarkFrom(b *testing.B) {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for name, err := range map[string]error{
		"three deep":  fmt.Errorf("a: %w", fmt.Errorf("b: %w", fmt.Errorf("c: %w", context.DeadlineExceeded))),
		"authored":    fmt.Errorf("a: %w", fmt.Errorf("b: %w", toolerr.Business("m"))),
		"refused":     fmt.Errorf("orders: %w", &url.Error{Op: "Get", URL: "http://h/", Err: dial}),
		"unknown":     fmt.Errorf("a: %w", fmt.Errorf("b: %w", errors.New("c"))),
		"third-party": fmt.Errorf("a: %w", limitedAPIError{StatusCode: 429, Code: "rate_limit_exceeded"}),
	} {
		b.Run(name+"/From", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = toolerr.From(err)
			}
		})
		b.Run(name+"/errors.Is and As", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sink = naive(err)
			}
		})
	}
}

func naive(err error) string {
	var netErr net.Error
	var dns *net.DNSError
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, context.Canceled):
		return "canceled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	case errors.Is(err, fs.ErrNotExist):
		return "not_found"
	case errors.Is(err, fs.ErrPermission):
		return "denied"
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, syscall.ECONNRESET):
		return "unavailable"
	case errors.As(err, &dns):
		return "not_found"
	case errors.As(err, &syntax):
		return "invalid"
	case errors.As(err, &netErr) && netErr.Timeout():
		return "timeout"
	}
	return "internal"
}
