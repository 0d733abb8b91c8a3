package idempotency_test

import (
	"errors"
	"io"
	"log/slog"
	"regexp"
	"sync"

	"github.com/mcp-toolerr/toolerr-go/result"
)

type items struct {
	Items []string `json:"items"`
}

const secret = "postgres://admin:hunter2@10.0.0.7/orders"

var (
	errSoldOut  = errors.New("all 3 seats are sold out")
	correlation = regexp.MustCompile(`"correlationId":"\d{18}"`)
)

func logged(w io.Writer) *result.MiddlewareOptions {
	return &result.MiddlewareOptions{Logger: slog.New(slog.NewTextHandler(&locked{w: w}, nil))}
}

type locked struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(p)
}
