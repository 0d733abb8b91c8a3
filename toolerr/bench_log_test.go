package toolerr_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/mcp-toolerr/toolerr-go/toolerr"
)

// BenchmarkError_LogValue measures a log record of a failure, beside a record that prints the
// cause alone.
func BenchmarkError_LogValue(b *testing.B) {
	sentence := "ledger write for the batch of the third shift did not go through at dial tcp 10.0.0.1:5432: "
	logger := slog.New(slog.NewJSONHandler(io.Discard, nil))
	for name, cause := range map[string]error{
		"60 B": errors.New(sentence[:60]), "1 KB": errors.New(strings.Repeat(sentence, 12)[:1<<10]),
	} {
		for how, value := range map[string]any{"failure": toolerr.Internal(cause), "cause": cause} {
			b.Run(name+"/"+how, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					logger.LogAttrs(context.Background(), slog.LevelError, "tool call failed", slog.Any("error", value))
				}
			})
		}
	}
}
