package thirdparty

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// naive is the classifier that people write first: timeouts, then words.
func naive(err error) (toolerr.Category, bool) {
	var network net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &network) && network.Timeout() {
		return toolerr.CategoryTransient, true
	}
	text := strings.ToLower(err.Error())
	has := func(words ...string) bool {
		for _, word := range words {
			if strings.Contains(text, word) {
				return true
			}
		}
		return false
	}
	switch {
	case has("timeout", "connection refused", "connection reset", "temporarily", "unavailable",
		"too many requests", "429", "503", "502", "504", "500"):
		return toolerr.CategoryTransient, true
	case has("not found", "404", "invalid", "400"):
		return toolerr.CategoryValidation, false
	case has("permission", "unauthorized", "forbidden", "401", "403"):
		return toolerr.CategoryPermission, false
	case has("exists", "conflict", "409"):
		return toolerr.CategoryBusiness, false
	default:
		return toolerr.CategoryTransient, false
	}
}
