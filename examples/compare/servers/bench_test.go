package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkCosts runs the program's measurements for profiles. It measures each way by
// itself, so that its figures cannot be compared.
func BenchmarkCosts(b *testing.B) {
	for _, c := range measured {
		all, stop, err := c.ways(b.Context())
		require.NoError(b, err)
		for _, way := range all {
			b.Run(c.name+"/"+way.Name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := way.Call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		stop()
	}
}
