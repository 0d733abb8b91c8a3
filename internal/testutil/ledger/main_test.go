package ledger_test

import (
	"log/slog"
	"os"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/internal/testutil/ledger"
)

func TestMain(m *testing.M) {
	if ledger.ServeRole() {
		return
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}
