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
	"time"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// plain is the envelope as somebody would write it without this package.
type plain struct {
	IsError         bool           `json:"isError"`
	Category        string         `json:"errorCategory"`
	Retryable       bool           `json:"isRetryable"`
	Code            string         `json:"code,omitempty"`
	Message         string         `json:"message"`
	Hint            string         `json:"hint,omitempty"`
	CustomerMessage string         `json:"customerMessage,omitempty"`
	RetryAfterMs    int64          `json:"retryAfterMs,omitempty"`
	Field           string         `json:"field,omitempty"`
	Suggestions     []string       `json:"suggestions,omitempty"`
	Effect          string         `json:"effect,omitempty"`
	CorrelationID   string         `json:"correlationId,omitempty"`
	Details         map[string]any `json:"details,omitempty"`
}

func samples() map[string]*toolerr.Error {
	short := toolerr.Transient("The payment gateway did not answer in time.").WithCode(toolerr.CodeTimeout).
		WithHint("Retry with the same key.").WithRetryAfter(2 * time.Second).WithEffect(toolerr.EffectUnknown).
		WithCorrelationID("3XUH7OHDMHUOIQE5RZZJVFKYPF")
	return map[string]*toolerr.Error{
		"short": short,
		"full": short.WithCustomerMessage("One moment, please.").WithField("address.city").WithSuggestions("Hanoi", "Hà Nội").
			WithDetails(map[string]any{"order": "ORD-7", "amount": 40.5, "lines": 3}),
	}
}

// BenchmarkEncode shows AppendJSON beside json.Marshal of the same plain struct.
func BenchmarkEncode(b *testing.B) {
	for name, e := range samples() {
		p := plain{
			true, string(e.Category), e.Retryable, string(e.Code), e.Message, e.Hint, e.CustomerMessage,
			e.RetryAfter.Milliseconds(), e.Field, e.Suggestions, string(e.Effect), e.CorrelationID, e.Details,
		}
		b.Run(name+"/AppendJSON", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				_ = e.AppendJSON(nil)
			}
		})
		b.Run(name+"/json.Marshal", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(&p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkDecode shows UnmarshalJSON beside json.Unmarshal into the plain
// struct, which neither cleans nor bounds anything.
func BenchmarkDecode(b *testing.B) {
	for name, e := range samples() {
		wire := e.AppendJSON(nil)
		b.Run(name+"/Error", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var got toolerr.Error
				if err := got.UnmarshalJSON(wire); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/plain", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				var got plain
				if err := json.Unmarshal(wire, &got); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

var sink any

// BenchmarkFrom shows From beside the chain of errors.Is and errors.As that
// people write.
func BenchmarkFrom(b *testing.B) {
	dial := &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for name, err := range map[string]error{
		"three deep":  fmt.Errorf("a: %w", fmt.Errorf("b: %w", fmt.Errorf("c: %w", context.DeadlineExceeded))),
		"ours":        fmt.Errorf("a: %w", fmt.Errorf("b: %w", toolerr.Business("m"))),
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
