package refusal_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil"
	"github.com/mcp-toolerr/toolerr-go/result/internal/refusal"
)

func TestRead(t *testing.T) {
	t.Parallel()
	testutil.Recorded(t, "testdata/refusals.txt", func(sample string) string {
		code, field, ok := refusal.Read(sample)
		return strings.TrimSpace(fmt.Sprintln(ok, code, field))
	})
}
