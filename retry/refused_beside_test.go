package retry_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mcp-toolerr/toolerr-go/result"
)

// TestParse_OtherMethodRefused checks the SDK's texts of a session that ended because another
// request was refused, or because a response quoted a status: neither is the call's fault.
func TestParse_OtherMethodRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`sending "tools/call": Bad Request`:                                 "validation unknown true",
		`sending "ping": Bad Request`:                                       "transient unknown true",
		`sending "notifications/cancelled": Bad Request`:                    "transient unknown true",
		`sending "tools/call": failed to decode response: found: Not Found`: "transient unknown true",
	} {
		out := result.Parse(nil, errors.New(`calling "tools/call": `+text))
		assert.Equal(t, want, fmt.Sprint(out.Err.Category, " ", out.Err.Effect, " ", out.SessionLost), text)
	}
}
