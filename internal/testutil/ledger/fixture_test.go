package ledger_test

import (
	"context"
	"flag"
	"log/slog"
	"os"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
)

func TestMain(m *testing.M) {
	if ledger.ServeRole() {
		return
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	_ = flag.Set("test.parallel", "8") // most of these tests is waiting
	os.Exit(m.Run())
}

// connectTo connects over new transports.
func connectTo(newTransport func() (mcp.Transport, error)) ledger.Connect {
	return func(ctx context.Context, c *mcp.Client) (*mcp.ClientSession, error) {
		transport, err := newTransport()
		if err != nil {
			return nil, err
		}
		return c.Connect(ctx, transport, nil)
	}
}

func overStdio(faults *ledger.Faults, role ledger.Role) (mcp.Transport, error) {
	command, err := role.Command()
	if err != nil {
		return nil, err
	}
	transport, _, err := ledger.OverStdio(faults, command)
	return transport, err
}

// maxRepeats is how often a host repeats a retryable call.
const maxRepeats = 3
