package main

import "testing"

// BenchmarkCosts is what the program measures, for profiles: there each library is
// measured by itself, so that its figures are no comparison.
func BenchmarkCosts(b *testing.B) {
	for _, s := range situations {
		for _, way := range s.ways(b.Context()) {
			b.Run(s.name+"/"+way.Name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := way.Call(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
