package main

import (
	"log/slog"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

func TestCosts(t *testing.T) { //nolint:paralleltest // it measures
	table, err := costs("", 1, time.Microsecond)
	require.NoError(t, err)
	require.Len(t, table, len(paths())+1)
	names := map[string]bool{}
	for _, row := range table[1:] {
		assert.Len(t, row, len(table[0]))
		assert.False(t, names[row[0]], "%s stands twice", row[0])
		names[row[0]] = true
	}
}

// BenchmarkPaths runs the paths for profiles.
func BenchmarkPaths(b *testing.B) {
	for _, p := range paths() {
		for name, call := range map[string]func() error{"floor": p.floor, "ours": p.ours} {
			b.Run(p.name+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
